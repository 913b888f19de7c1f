package mcp

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// placedSession is the answer of schedule_session.
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
	Conflicts  *[]string `json:"conflicts"` // null if they could not be read
	UpdatedAt  string    `json:"updated_at"`
	AdminURL   string    `json:"admin_url,omitempty"`
}

func scheduleSession(ctx context.Context, c *call, a *arguments) (any, error) {
	id, room, token := a.needed("session_id", a.id), a.text("room"), a.text("updated_at")
	starts, ends := c.moment(ctx, a, "starts_at"), c.moment(ctx, a, "ends_at")
	away := a.unschedules(starts != nil || ends != nil || room != "")
	of := "/sessions/" + id
	var s session
	if err := c.get(ctx, a, readSessions, of, &s); err != nil {
		return nil, err
	}
	switch {
	case s.DeletedAt != nil:
		return nil, s.isDeleted()
	case s.IsAbstract:
		return nil, s.hasNoPlace()
	}
	room, err := c.rowID(ctx, a, "rooms", "room", room)
	if err != nil {
		return nil, err
	}
	body, note := map[string]any{"room_id": nil, "starts_at": nil, "ends_at": nil}, ""
	if !away {
		if starts != nil && ends == nil {
			ends = c.endOf(ctx, a, &s, starts)
			note = s.lastsAsComposed()
		}
		body = moved(room, starts, ends)
	}
	body["updated_at"] = cmp.Or(token, s.UpdatedAt)
	zone, _ := c.zone(ctx)
	was := date(s.StartsAt, zone)
	if err := c.put(ctx, a, of, body, &s); err != nil {
		return nil, err
	}
	return c.placed(ctx, a, of, &s, note, c.newDay(ctx, a, was, starts)), nil
}

// lastsAsComposed notes where the length of a session without an end comes from, if it is composed of several
// submissions.
func (s *session) lastsAsComposed() string {
	if n := s.Composition.SourceCount; s.EndsAt == nil && n > 1 {
		return fmt.Sprintf("It is composed of %d submissions and had no end, so it lasts as long as staff gave these, else as "+
			"its format says; give ends_at where that is too short.", n)
	}
	return ""
}

// unschedules reports whether a session is to lose its place; placed says that a place is given. Exactly one of the two
// is required.
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

// moved returns the body of a change of room and time; what is not given stays.
func moved(room string, starts, ends *time.Time) map[string]any {
	body := map[string]any{}
	if room != "" {
		body["room_id"] = room
	}
	if starts != nil {
		body["starts_at"] = timestamp(starts)
	}
	if ends != nil {
		body["ends_at"] = timestamp(ends)
	}
	return body
}

// endOf returns when a session that moves to a start ends: it keeps its length; without an end it gets the length that
// the REST API suggests. It returns nil if that cannot be read.
func (c *call) endOf(ctx context.Context, a *arguments, s *session, starts *time.Time) *time.Time {
	if s.StartsAt != nil && s.EndsAt != nil {
		from, err := time.Parse(time.RFC3339, *s.StartsAt)
		until, other := time.Parse(time.RFC3339, *s.EndsAt)
		if err == nil && other == nil {
			return new(starts.Add(until.Sub(from)))
		}
	}
	query := url.Values{"day": {c.dayOf(ctx, starts)}, "session": {s.ID}, "pageSize": {"1"}}
	var free freeRooms
	if c.get(ctx, a, readSessions, "/free?"+query.Encode(), &free) != nil || free.Minutes == 0 {
		return nil
	}
	return new(starts.Add(time.Duration(free.Minutes) * time.Minute))
}

// newDay says whether a session that was on day was now starts on another one, outside the event.
func (c *call) newDay(ctx context.Context, a *arguments, was string, starts *time.Time) string {
	if starts == nil {
		return ""
	}
	if day := c.dayOf(ctx, starts); day != was {
		return c.outsideNote(ctx, a, day, 1)
	}
	return ""
}

// placeless are the statuses of sessions that occupy neither room nor people, whatever their times.
var placeless = []string{"declined", "withdrawn"}

// placed returns where a session is now, and what it collides with.
func (c *call) placed(ctx context.Context, a *arguments, path string, s *session, notes ...string) *placedSession {
	zone, unknown := c.zone(ctx)
	notes = append(notes, unknown)
	out := &placedSession{s.ID, s.FriendlyID, s.Title, s.Status, zone.String(), wall(s.StartsAt, zone),
		wall(s.EndsAt, zone), s.Room, "", nil, s.UpdatedAt, s.AdminURL}
	switch {
	case slices.Contains(placeless, s.Status):
		notes = append(notes, "It is "+s.Status+", so it takes no place and collides with nothing.")
	case s.StartsAt == nil && s.Room != nil:
		notes = append(notes, "It has no start, so it takes no place yet.")
	case s.StartsAt != nil && s.EndsAt == nil:
		notes = append(notes, "It has no end; give it one with ends_at.")
	}
	conflicts, total, err := c.conflicts(ctx, a, path+"/conflicts", zone.String(), false)
	if err == nil {
		out.Conflicts = &conflicts
	}
	switch {
	case err != nil:
		notes = append(notes, "It is saved; what it collides with could not be read.")
	case total > len(conflicts):
		notes = append(notes, fmt.Sprintf("These are the first %d of %d conflicts.", len(conflicts), total))
	}
	out.Note = strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), " ")
	return out
}

// hasNoPlace returns the error for a submission, with the session that can be scheduled instead.
func (s *session) hasNoPlace() error {
	hint := "Staff compose it into a programme session in the admin; then schedule that one."
	if into := s.Composition.Target; into != nil {
		hint = "Call again with session_id " + into.FriendlyID + ", into which it is composed."
	}
	return newError("ValidationError", fmt.Sprintf("%s is a submission; only programme sessions have a place.",
		s.FriendlyID), http.StatusBadRequest, hint)
}
