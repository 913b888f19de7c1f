package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	gojson "github.com/goccy/go-json"
)

// session holds the fields that the tools read of a session of the REST API; in lists, only the names of embedded rows.
type session struct {
	ID          string `json:"id"`
	FriendlyID  string `json:"friendly_id"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Excerpt     struct {
		Text   string `json:"text"`
		Length int    `json:"length"`
	} `json:"excerpt"`
	Status       string      `json:"status"`
	IsAbstract   bool        `json:"is_abstract"`
	IsPublic     bool        `json:"is_public"`
	StartsAt     *string     `json:"starts_at"`
	EndsAt       *string     `json:"ends_at"`
	Capacity     *int        `json:"capacity"`
	IsPlenary    bool        `json:"is_plenary"`
	Track        *named      `json:"track"`
	Room         *named      `json:"room"`
	Format       *named      `json:"format"`
	Level        *named      `json:"level"`
	Tags         []named     `json:"tags"`
	Participants []person    `json:"participants"`
	TrackName    *string     `json:"track_name"`
	RoomName     *string     `json:"room_name"`
	Speakers     []string    `json:"participant_names"`
	SpeakerIDs   []string    `json:"participant_ids"`
	CustomFields []answer    `json:"custom_fields"`
	CreatedAt    string      `json:"created_at"`
	UpdatedAt    string      `json:"updated_at"`
	DeletedAt    *string     `json:"deleted_at"`
	AdminURL     string      `json:"admin_url"`
	Composition  composition `json:"composition_status"`
	Gate         *struct {
		Reasons []struct {
			Hold    string `json:"hold"`
			Message string `json:"message"`
		} `json:"reasons"`
	} `json:"publish_gate"`
}

// composition is the number of submissions that a session is composed of, or the session that a submission became part
// of.
type composition struct {
	SourceCount int           `json:"source_count"`
	Target      *composedInto `json:"target"`
}

// composedInto is the session that a submission became part of.
type composedInto struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`

	// Present only if they were requested.
	IsPublic  *bool   `json:"is_public,omitempty"`
	DeletedAt *string `json:"deleted_at,omitempty"`
}

// composedInto returns the label of the session that a submission became part of; "" for none.
func (s *session) composedInto() string {
	if s.Composition.Target == nil {
		return ""
	}
	return s.Composition.Target.FriendlyID
}

// heldBy returns why a session may not be published, if its gate was requested.
func (s *session) heldBy() (reasons []string) {
	if s.Gate != nil {
		for _, reason := range s.Gate.Reasons {
			reasons = append(reasons, reason.Message)
		}
	}
	return reasons
}

// holds returns the reasons of heldBy as single words.
func (s *session) holds() (words []string) {
	if s.Gate != nil {
		for _, reason := range s.Gate.Reasons {
			words = append(words, reason.Hold)
		}
	}
	return words
}

// named is a row of metadata, reduced to its name.
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

// participant is a person of a submission in full.
type participant struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Email   string `json:"email"`
	Company string `json:"company"`
	Role    string `json:"role"`
}

// mentioned is a submission or session in an answer about another one, and mentionedFields are its fields.
type mentioned struct {
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	Status     string `json:"status"`
}

var mentionedFields = []string{"friendly_id", "title", "status"}

// localTimes are the times of a session in the event's time zone.
type localTimes struct {
	Timezone string  `json:"timezone"`
	StartsAt *string `json:"starts_at"`
	EndsAt   *string `json:"ends_at,omitempty"`
}

// submission is a submission or session in full.
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
	ComposedOf   int           `json:"composed_of,omitempty"` // the number of submissions, which are listed as parts
	Parts        []mentioned   `json:"parts,omitempty"`
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
	Capacity     *int          `json:"capacity,omitempty"` // the expected number of people
	IsPlenary    bool          `json:"is_plenary,omitempty"`
	CreatedAt    string        `json:"created_at"`
	UpdatedAt    string        `json:"updated_at"`
	DeletedAt    *string       `json:"deleted_at,omitempty"`
	AdminURL     string        `json:"admin_url,omitempty"`
}

// passage continues the long texts of a submission.
type passage struct {
	ID           string   `json:"id"`
	FriendlyID   string   `json:"friendly_id"`
	Description  string   `json:"description,omitempty"`
	CustomFields []answer `json:"custom_fields,omitempty"`
}

// onward returns the texts of a submission from offset on.
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
	path := "/sessions/" + id
	var s session
	if err := c.get(ctx, a, readSessions, path+"?expand=publish_gate", &s); err != nil {
		return nil, err
	}
	s.Description = paragraphs(s.Description)
	if offset > 0 {
		return c.server.onward(&s, offset)
	}
	out := c.inFull(ctx, &s)
	if into := out.ComposedInto; into != nil && c.get(ctx, a, readSessions, "/sessions/"+into.ID, into) != nil {
		out.say("Whether the session that it is composed into is public could not be read now.")
	}
	if s.DeletedAt != nil {
		out.HeldBy = nil
		out.Note = "It is deleted: no list and no page has it. " + restoreHint
		return out, nil
	}
	if !s.IsAbstract && !s.IsPublic && s.Gate != nil && len(s.Gate.Reasons) == 0 {
		out.say("Nothing holds its publication; nobody has published it yet.")
	}
	if s.Composition.SourceCount > 0 {
		out.sayParts(ctx, c, a)
	}
	if s.StartsAt != nil && !s.IsAbstract {
		out.sayConflicts(ctx, c, a, path+"/conflicts")
	}
	return out, nil
}

// sayParts adds the submissions that a session is composed of.
func (s *submission) sayParts(ctx context.Context, c *call, a *arguments) {
	var page list[mentioned]
	body := search{Page: 1, PageSize: 100, Filters: map[string]any{"composed_into": s.ID},
		Sort: map[string]string{"order": "friendlyId", "sort": "asc"}, Fields: mentionedFields}
	err := c.post(ctx, a, readSessions, "/sessions/search", body, &page)
	if s.Parts = page.Results; err != nil {
		s.say("What it is composed of could not be read now.")
	}
	for _, x := range s.Parts {
		if s.IsPublic && !slices.Contains(placeless, s.Status) && slices.Contains(placeless, x.Status) {
			s.say(x.FriendlyID + " is " + x.Status + ", and this is public all the same.")
		}
	}
}

// say adds a sentence to the note.
func (s *submission) say(note string) { s.Note = strings.TrimSpace(s.Note + " " + note) }

// sayConflicts adds what a session collides with; if that cannot be read, it adds a note instead.
func (s *submission) sayConflicts(ctx context.Context, c *call, a *arguments, path string) {
	zone, note := c.zone(ctx)
	said, total, err := c.conflicts(ctx, a, path, zone.String(), false)
	if s.Conflicts = said; len(said) > 0 {
		s.say(note)
	}
	switch {
	case err != nil:
		s.say("What it collides with could not be read now.")
	case total > len(said):
		s.say(fmt.Sprintf("These are the first %d of %d conflicts.", len(said), total))
	}
}

// inFull returns a submission or session with all its fields.
func (c *call) inFull(ctx context.Context, s *session) *submission {
	out := &submission{
		ID: s.ID, FriendlyID: s.FriendlyID, Title: s.Title, Status: s.Status, IsAbstract: s.IsAbstract, IsPublic: s.IsPublic,
		HeldBy: s.heldBy(), ComposedInto: s.Composition.Target, ComposedOf: s.Composition.SourceCount,
		Track: s.Track, Format: s.Format, Level: s.Level, Tags: s.Tags,
		Description:  c.server.from(s.Description, 0),
		CustomFields: s.CustomFields, Participants: []participant{}, StartsAt: s.StartsAt, EndsAt: s.EndsAt, Room: s.Room,
		Capacity: s.Capacity, IsPlenary: s.IsPlenary,
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
