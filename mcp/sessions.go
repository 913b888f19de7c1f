package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	gojson "github.com/goccy/go-json"
)

// session is what the tools read of a session of the REST API.
type session struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Title        string   `json:"title"`
	Description  string   `json:"description"`
	Status       string   `json:"status"`
	IsAbstract   bool     `json:"is_abstract"`
	IsPublic     bool     `json:"is_public"`
	StartsAt     *string  `json:"starts_at"`
	EndsAt       *string  `json:"ends_at"`
	Track        *named   `json:"track"`
	Room         *named   `json:"room"`
	Format       *named   `json:"format"`
	Level        *named   `json:"level"`
	Tags         []named  `json:"tags"`
	Participants []person `json:"participants"`
	CustomFields []answer `json:"custom_fields"`
	CreatedAt    string   `json:"created_at"`
	UpdatedAt    string   `json:"updated_at"`
	DeletedAt    *string  `json:"deleted_at"`
	AdminURL     string   `json:"admin_url"`
	Composition  struct {
		SourceCount int           `json:"source_count"`
		Target      *composedInto `json:"target"`
	} `json:"composition_status"`
	Gate *struct {
		Reasons []struct {
			Hold    string `json:"hold"`
			Message string `json:"message"`
		} `json:"reasons"`
	} `json:"publish_gate"`
}

// composedInto is the session that a submission became part of.
type composedInto struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
}

// composedInto is the label of the session that a submission became part of; "" of none.
func (s *session) composedInto() string {
	if s.Composition.Target == nil {
		return ""
	}
	return s.Composition.Target.FriendlyID
}

// heldBy is why a session may not be published, where its gate was asked for.
func (s *session) heldBy() (reasons []string) {
	if s.Gate != nil {
		for _, reason := range s.Gate.Reasons {
			reasons = append(reasons, reason.Message)
		}
	}
	return reasons
}

// holds is heldBy in single words.
func (s *session) holds() (words []string) {
	if s.Gate != nil {
		for _, reason := range s.Gate.Reasons {
			words = append(words, reason.Hold)
		}
	}
	return words
}

// names are the people of a session.
func (s *session) names() (names []string) {
	for _, p := range s.Participants {
		names = append(names, p.Name)
	}
	return names
}

// named is a row of metadata, of which a model needs the name.
type named string

func (n *named) UnmarshalJSON(b []byte) error {
	var row struct{ Name string }
	err := gojson.Unmarshal(b, &row)
	*n = named(row.Name)
	return err
}

type person struct {
	ID      string `json:"id"`
	Name    string `json:"full_name"`
	Email   string `json:"email"`
	Company string `json:"company_name"`
	Role    string `json:"role"`
}

type answer struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// submissionRow is a submission in a list. A page of 25 is to stay below 3,000 tokens, and an id alone is 33, so the
// descriptions are short.
type submissionRow struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Title        string   `json:"title"`
	Status       string   `json:"status"`
	ComposedInto string   `json:"composed_into,omitempty"` // the label of a session
	Track        *named   `json:"track"`
	Speakers     []string `json:"speakers,omitempty"`
	Description  string   `json:"description,omitempty"`
	UpdatedAt    string   `json:"updated_at"`
}

// listedFields are what a row of submissions is made of.
var listedFields = []string{"id", "friendly_id", "title", "status", "composition_status", "track", "participants",
	"description", "updated_at"}

func listSubmissions(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100),
		Filters: map[string]any{"is_abstract": true}, Fields: listedFields}
	c.common(ctx, a, &body, submissionNeeds)
	if since := c.moment(ctx, a, "created_since"); since != nil {
		body.Filters["created_at"] = map[string]any{"after": timestamp(since)}
	}
	if by := a.oneOf("count_by", groups); by != "" {
		return c.counted(ctx, a, by, body.Filters, submissionRows, "")
	}
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	out := &list[submissionRow]{Results: make([]submissionRow, len(page.Results)), Pagination: page.Pagination}
	limit := c.server.listText(len(page.Results))
	for i, s := range page.Results {
		into, most := s.composedInto(), limit
		if into != "" { // which has the text too
			most = limit / 2
		}
		out.Results[i] = submissionRow{s.ID, s.FriendlyID, s.Title, s.Status, into, s.Track, s.names(),
			excerpt(s.Description, most, "see get_submission"), s.UpdatedAt}
	}
	if out.sayMore(); page.Pagination.TotalResults == 0 {
		out.say(c.nothing(ctx, a, submissionRows, ""))
	}
	return out, nil
}

// participant is a person of a submission in full.
type participant struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Email   string `json:"email"`
	Company string `json:"company"`
	Role    string `json:"role"`
}

// localTimes are the times of a session as clocks at the event show them.
type localTimes struct {
	Timezone string  `json:"timezone"`
	StartsAt *string `json:"starts_at"`
	EndsAt   *string `json:"ends_at,omitempty"`
}

// submission is one in full.
type submission struct {
	ID           string        `json:"id"`
	FriendlyID   string        `json:"friendly_id"`
	Title        string        `json:"title"`
	Status       string        `json:"status"`
	IsAbstract   bool          `json:"is_abstract"`
	IsPublic     bool          `json:"is_public"`
	HeldBy       []string      `json:"publishing_held_by,omitempty"`
	Note         string        `json:"note,omitempty"`
	Conflicts    []string      `json:"conflicts,omitempty"`
	ComposedInto *composedInto `json:"composed_into,omitempty"`
	ComposedOf   int           `json:"composed_of,omitempty"` // so many submissions
	Track        *named        `json:"track"`
	Format       *named        `json:"format"`
	Level        *named        `json:"level"`
	Tags         []named       `json:"tags"`
	Description  string        `json:"description"`
	CustomFields []answer      `json:"custom_fields"`
	Participants []participant `json:"participants"`
	StartsAt     *string       `json:"starts_at,omitempty"`
	EndsAt       *string       `json:"ends_at,omitempty"`
	Local        *localTimes   `json:"local,omitempty"`
	Room         *named        `json:"room,omitempty"`
	CreatedAt    string        `json:"created_at"`
	UpdatedAt    string        `json:"updated_at"`
	DeletedAt    *string       `json:"deleted_at,omitempty"`
	AdminURL     string        `json:"admin_url,omitempty"`
}

// passage is more of the long texts of a submission.
type passage struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Description  string   `json:"description,omitempty"`
	CustomFields []answer `json:"custom_fields,omitempty"`
}

// onward is what of a submission's texts follows their first characters.
func (s *Server) onward(of *session, offset int) (*passage, error) {
	out := &passage{ID: of.ID, FriendlyID: of.FriendlyID, Description: s.from(of.Description, offset)}
	longest := utf8.RuneCountInString(of.Description)
	for _, x := range of.CustomFields {
		longest = max(longest, utf8.RuneCountInString(x.Value))
		if more := s.from(x.Value, offset); more != "" {
			out.CustomFields = append(out.CustomFields, answer{x.Key, more})
		}
	}
	return out, endsBefore(offset, longest)
}

func getSubmission(ctx context.Context, c *call, a *arguments) (any, error) {
	id, offset := a.needed("submission_id", a.id), a.offset()
	path, err := c.in(ctx, a, "/sessions/"+id+"?expand=publish_gate")
	if err != nil {
		return nil, err
	}
	var s session
	if err := c.get(ctx, readSessions, path, &s); err != nil {
		return nil, err
	}
	s.Description = paragraphs(s.Description)
	if offset > 0 {
		return c.server.onward(&s, offset)
	}
	out := c.inFull(ctx, &s)
	if s.StartsAt != nil && !s.IsAbstract {
		out.sayConflicts(ctx, c, path)
	}
	return out, nil
}

// sayConflicts tells what a session collides with; where that cannot be read, the rest is told all the same.
func (s *submission) sayConflicts(ctx context.Context, c *call, path string) {
	zone, note := c.zone(ctx)
	path, _, _ = strings.Cut(path, "?")
	said, total, err := c.conflicts(ctx, path+"/conflicts", zone.String(), false)
	switch s.Conflicts = said; {
	case err != nil:
		s.Note = "What it collides with could not be read now."
	case total > len(said):
		s.Note = fmt.Sprintf("These are the first %d of %d conflicts.", len(said), total)
	}
	if len(said) > 0 {
		s.Note = strings.TrimSpace(note + " " + s.Note)
	}
}

// inFull is a submission or session with all that is told of it.
func (c *call) inFull(ctx context.Context, s *session) *submission {
	out := &submission{
		ID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, Status: s.Status, IsAbstract: s.IsAbstract, IsPublic: s.IsPublic,
		HeldBy: s.heldBy(), ComposedInto: s.Composition.Target, ComposedOf: s.Composition.SourceCount,
		Track: s.Track, Format: s.Format, Level: s.Level, Tags: s.Tags,
		Description:  c.server.from(s.Description, 0),
		CustomFields: s.CustomFields, Participants: []participant{}, StartsAt: s.StartsAt, EndsAt: s.EndsAt, Room: s.Room,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, DeletedAt: s.DeletedAt, AdminURL: s.AdminURL,
	}
	if s.StartsAt != nil {
		if zone, _ := c.zone(ctx); zone != time.UTC {
			out.Local = &localTimes{zone.String(), wall(s.StartsAt, zone), wall(s.EndsAt, zone)}
		}
	}
	for i := range out.CustomFields {
		out.CustomFields[i].Value = c.server.from(out.CustomFields[i].Value, 0)
	}
	for _, p := range s.Participants {
		out.Participants = append(out.Participants, participant(p))
	}
	return out
}
