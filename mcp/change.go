package mcp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// captured is what capture_abstract answers.
type captured struct {
	updated
	Similar []similar `json:"similar,omitzero"` // empty where nothing is, and nil where nobody could look
}

func captureAbstract(ctx context.Context, c *call, a *arguments) (any, error) {
	title := a.text("title")
	if title == "" {
		a.fail(badArgument("title", "is required and must not be empty"))
	}
	status := a.text("status")
	if status == "" {
		status = "pending"
	} else {
		a.statuses("status")
	}
	body := map[string]any{"title": title, "is_abstract": true, "status": status}
	if description := a.text("description"); description != "" {
		body["description"] = description
	}
	if answers := a.answers("custom_fields"); len(answers) > 0 {
		body["custom_fields"] = answers
	}
	track := a.text("track")
	path, err := c.in(ctx, a, "")
	if err != nil {
		return nil, err
	}
	if track, err = c.rowID(ctx, a, "tracks", "track", track); err != nil {
		return nil, err
	}
	if track != "" {
		body["track_id"] = track
	}
	var created captured
	alike := c.similar(ctx, path, title)
	err = c.post(ctx, writeSessions, path+"/sessions/create", body, &created)
	created.Similar = alike
	return &created, err
}

// similar is a submission that has all words of another one's title.
type similar struct {
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	Status     string `json:"status"`
}

// maxSimilar is how many similar submissions are told.
const maxSimilar = 3

// similar finds the submissions that have all words of a title, where the key may read them. None are told where they
// cannot be found: a capture does not fail by that.
func (c *call) similar(ctx context.Context, path, title string) []similar {
	text := strings.TrimSpace(searchable(strings.ReplaceAll(title, `"`, " ")))
	if text == "" || !c.may(ctx, readSessions) {
		return nil
	}
	body := search{Page: 1, PageSize: maxSimilar, Filters: map[string]any{"is_abstract": true, "text": text}}
	var page list[similar]
	if c.post(ctx, readSessions, path+"/sessions/search", body, &page) != nil {
		return nil
	}
	return page.Results
}

// updated is what update_submission answers.
type updated struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	Status     string `json:"status"`
	UpdatedAt  string `json:"updated_at"`
	AdminURL   string `json:"admin_url,omitempty"`
}

func updateSubmission(ctx context.Context, c *call, a *arguments) (any, error) {
	id := a.needed("submission_id", a.id)
	body := map[string]any{
		"status":      a.needed("status", func(name string) string { return a.oneOf(name, statuses) }),
		"updated_at":  a.needed("updated_at", a.text),
		"is_abstract": true, // which changes nothing, and is refused of a session
	}
	path, err := c.in(ctx, a, "/sessions/"+id)
	if err != nil {
		return nil, err
	}
	var changed updated
	err = c.send(ctx, writeSessions, http.MethodPut, path, body, &changed)
	if e, refused := err.(*toolError); refused && strings.HasPrefix(e.Message, "is_abstract ") { // no argument of this tool
		err = &toolError{e.Name, id + " is a programme session, no submission.", e.Status,
			"schedule_session changes its place, updateSession of the REST API (get_openapi) and staff the rest."}
	}
	return &changed, err
}

// placedSession is what schedule_session answers.
type placedSession struct {
	ID         string    `json:"id"`
	FriendlyID string    `json:"friendly_id"`
	Title      string    `json:"title"`
	Status     string    `json:"status"`
	Timezone   string    `json:"timezone"`
	StartsAt   *string   `json:"starts_at"`
	EndsAt     *string   `json:"ends_at"`
	Room       *named    `json:"room"`
	Note       string    `json:"note,omitempty"`
	Conflicts  *[]string `json:"conflicts"` // null where they could not be read
	UpdatedAt  string    `json:"updated_at"`
	AdminURL   string    `json:"admin_url,omitempty"`
}

func scheduleSession(ctx context.Context, c *call, a *arguments) (any, error) {
	id, room, token := a.needed("session_id", a.id), a.text("room"), a.text("updated_at")
	starts, ends := c.moment(ctx, a, "starts_at"), c.moment(ctx, a, "ends_at")
	away := a.unschedules(starts != nil || ends != nil || room != "")
	path, err := c.in(ctx, a, "/sessions/"+id)
	if err != nil {
		return nil, err
	}
	var s session
	if err := c.get(ctx, readSessions, path, &s); err != nil {
		return nil, err
	}
	if s.IsAbstract {
		return nil, s.hasNoPlace()
	}
	if room, err = c.rowID(ctx, a, "rooms", "room", room); err != nil {
		return nil, err
	}
	body := s.moved(room, starts, ends)
	if away {
		body = map[string]any{"room_id": nil, "starts_at": nil, "ends_at": nil}
	}
	body["updated_at"] = cmp.Or(token, s.UpdatedAt)
	if err := c.send(ctx, writeSessions, http.MethodPut, path, body, &s); err != nil {
		return nil, err
	}
	return c.placed(ctx, path, &s)
}

// unschedules tells whether a session is to lose its place; placed says that it is given one, which is either.
func (a *arguments) unschedules(placed bool) bool {
	flag := a.flag("unschedule")
	away := flag != nil && *flag
	switch {
	case away && placed:
		a.fail(badArgument("unschedule", "goes with no room and no time"))
	case !away && !placed:
		a.fail(badArgument("starts_at", "or room is required, or unschedule"))
	}
	return away
}

// placed tells where a session is now, and what it collides with.
func (c *call) placed(ctx context.Context, path string, s *session) (*placedSession, error) {
	zone, note := c.zone(ctx)
	out := &placedSession{s.ID, s.FriendlyID, s.Title, s.Status, zone.String(), wall(s.StartsAt, zone),
		wall(s.EndsAt, zone), s.Room, note, nil, s.UpdatedAt, s.AdminURL}
	conflicts, total, err := c.conflicts(ctx, path+"/conflicts", zone.String(), false)
	if err == nil {
		out.Conflicts = &conflicts
	}
	switch {
	case err != nil:
		out.Note = strings.TrimSpace(out.Note + " It is saved; what it collides with could not be read.")
	case total > len(conflicts):
		out.Note = strings.TrimSpace(fmt.Sprintf("%s These are the first %d of %d conflicts.", out.Note, len(conflicts), total))
	}
	return out, nil
}

// moved is a change to another room and time, of which what is not given stays; a session that moves keeps its length.
func (s *session) moved(room string, starts, ends *time.Time) map[string]any {
	body := map[string]any{}
	if room != "" {
		body["room_id"] = room
	}
	if length, known := s.length(); ends == nil && starts != nil && known {
		ends = new(starts.Add(length))
	}
	if starts != nil {
		body["starts_at"] = timestamp(starts)
	}
	if ends != nil {
		body["ends_at"] = timestamp(ends)
	}
	return body
}

// length is how long a session is, or by its format should be, when anything says so.
func (s *session) length() (length time.Duration, known bool) {
	if s.StartsAt != nil && s.EndsAt != nil {
		starts, err := time.Parse(time.RFC3339, *s.StartsAt)
		ends, other := time.Parse(time.RFC3339, *s.EndsAt)
		if err == nil && other == nil {
			return ends.Sub(starts), true
		}
	}
	if s.Format == nil || s.Format.Minutes == 0 {
		return 0, false
	}
	return time.Duration(s.Format.Minutes) * time.Minute, true
}

// hasNoPlace says of a submission which session has one.
func (s *session) hasNoPlace() error {
	hint := "Staff compose it into a programme session in the admin; then schedule that one."
	if into := s.Composition.Target; into != nil {
		hint = "Call again with session_id " + into.FriendlyID + ", into which it is composed."
	}
	return &toolError{"ValidationError", fmt.Sprintf("%s is a submission; only programme sessions have a place.", s.FriendlyID),
		http.StatusBadRequest, hint}
}
