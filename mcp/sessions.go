package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
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
	Format       *format  `json:"format"`
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
	err := json.Unmarshal(b, &row)
	*n = named(row.Name)
	return err
}

// format is a row of formats, which says how long its sessions are; a model needs the name.
type format struct {
	Name    string `json:"name"`
	Minutes int    `json:"default_minutes"`
}

func (f *format) MarshalJSON() ([]byte, error) { return json.Marshal(f.Name) }

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
	ID          string   `json:"id"`
	FriendlyID  string   `json:"friendly_id"`
	Title       string   `json:"title"`
	Status      string   `json:"status"`
	Track       *named   `json:"track"`
	Speakers    []string `json:"speakers,omitempty"`
	Description string   `json:"description,omitempty"`
	UpdatedAt   string   `json:"updated_at"`
}

// listedFields are what a row of submissions is made of.
var listedFields = []string{"id", "friendly_id", "title", "status", "track", "participants", "description", "updated_at"}

func listSubmissions(ctx context.Context, c *call, a *arguments) (any, error) {
	body := search{Page: a.number("page", 1, 999), PageSize: a.number("limit", 25, 100),
		Filters: map[string]any{"is_abstract": true}, Fields: listedFields}
	c.common(ctx, a, &body, submissionNeeds)
	if by := a.oneOf("count_by", groups); by != "" {
		return c.counted(ctx, a, by, body.Filters)
	}
	page, err := c.sessions(ctx, a, body)
	if err != nil {
		return nil, err
	}
	out := &list[submissionRow]{Results: make([]submissionRow, len(page.Results)), Pagination: page.Pagination}
	limit := c.server.listText(len(page.Results))
	for i, s := range page.Results {
		out.Results[i] = submissionRow{s.ID, s.FriendlyID, s.Title, s.Status, s.Track, s.names(),
			excerpt(s.Description, limit, "see get_submission"), s.UpdatedAt}
	}
	out.sayMore()
	out.sayNothing(a, "among the submissions", "search_schedule")
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
	Format       *format       `json:"format"`
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

// passage is more of a long description.
type passage struct {
	ID          string `json:"id"`
	FriendlyID  string `json:"friendly_id"`
	Description string `json:"description"`
}

func getSubmission(ctx context.Context, c *call, a *arguments) (any, error) {
	id, offset := a.needed("submission_id", a.id), a.number("offset", 0, maxOffset)
	path, err := c.in(ctx, a, "/sessions/"+id+"?expand=publish_gate")
	if err != nil {
		return nil, err
	}
	var s session
	if err := c.get(ctx, readSessions, path, &s); err != nil {
		return nil, err
	}
	description, err := c.server.onward(s.Description, offset)
	if err != nil || offset > 0 {
		return &passage{s.ID, s.FriendlyID, description}, err
	}
	out := c.inFull(ctx, &s, description)
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
func (c *call) inFull(ctx context.Context, s *session, description string) *submission {
	out := &submission{
		ID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, Status: s.Status, IsAbstract: s.IsAbstract, IsPublic: s.IsPublic,
		ComposedInto: s.Composition.Target, ComposedOf: s.Composition.SourceCount,
		Track: s.Track, Format: s.Format, Level: s.Level, Tags: s.Tags, Description: description,
		CustomFields: s.CustomFields, Participants: []participant{}, StartsAt: s.StartsAt, EndsAt: s.EndsAt, Room: s.Room,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt, DeletedAt: s.DeletedAt, AdminURL: s.AdminURL,
	}
	if s.Gate != nil {
		for _, reason := range s.Gate.Reasons {
			out.HeldBy = append(out.HeldBy, reason.Message)
		}
	}
	if s.StartsAt != nil {
		if zone, _ := c.zone(ctx); zone != time.UTC {
			out.Local = &localTimes{zone.String(), wall(s.StartsAt, zone), wall(s.EndsAt, zone)}
		}
	}
	for i := range out.CustomFields {
		out.CustomFields[i].Value = bound(out.CustomFields[i].Value, c.server.options.FullText, "see REST getSession")
	}
	for _, p := range s.Participants {
		out.Participants = append(out.Participants, participant(p))
	}
	return out
}
