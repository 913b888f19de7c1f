package models

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// AgendaDay is a day of the event's time zone as the agenda shows it.
type AgendaDay struct {
	Day         string     // 2027-05-20
	From, Until store.Time // when it begins and ends: 23, 24 or 25 hours
	// Sessions take place on the day, by their starts, including those that began the day before and run into it.
	Sessions []*Session
	// Unplaced are the first sessions without a start, by number. UnplacedCount is how many of those match the
	// search.
	Unplaced      []*Session
	UnplacedCount int64
	Days          *Days // how all are spread over the calendar
	Rooms, Tracks []*Metadata
	Breaks        []*Break         // that last at some time of the day
	Conflicts     *AgendaConflicts // of all days
}

// shelfSize is how many sessions without a start are read at most.
const shelfSize = 60

// placing are the statuses of sessions that have a place in the agenda or wait for one.
var placing = slices.DeleteFunc(slices.Clone(Statuses), func(s Status) bool { return slices.Contains(Placeless, s) })

// waiting selects sessions that have a place in the agenda or wait for one.
func waiting() SessionFilter { return SessionFilter{IsAbstract: new(false), Statuses: placing} }

// AgendaDays counts the sessions of the agenda by the day they start on, as SessionDays does.
func (p *Programme) AgendaDays(ctx context.Context) (*Days, error) {
	return p.SessionDays(ctx, waiting())
}

// AgendaDay reads one day, such as 2027-05-20, in six statements at most, and concurrently the conflicts, as
// AgendaConflicts does. text searches the sessions without a start. Sessions carry what Slot needs, their metadata,
// token and people's names, and nothing else. It answers Invalid for what is not a date, and for a text that is too
// long.
func (p *Programme) AgendaDay(ctx context.Context, day, text string) (*AgendaDay, error) {
	from, until, err := dayBounds(day, p.event.Location())
	if err != nil {
		return nil, err
	}
	a := &AgendaDay{Day: day, From: from, Until: until}
	reads := store.Together(ctx)
	reads.Go(func() (err error) { a.Conflicts, err = p.AgendaConflicts(ctx); return err })
	reads.Go(func() error { return p.readDay(ctx, a, text) })
	return a, reads.Wait()
}

// readDay reads a day without its conflicts.
func (p *Programme) readDay(ctx context.Context, a *AgendaDay, text string) error {
	set, err := p.Metadata(ctx)
	if err != nil {
		return err
	}
	a.Rooms, a.Tracks = set.Of(Rooms), set.Of(Tracks)
	if a.Days, err = p.AgendaDays(ctx); err != nil {
		return err
	}
	if a.Sessions, err = scanCards(p.read(ctx).Table("sessions s").Where("s.event_id = ? AND "+takesPlace, p.event.ID).
		Where("s.starts_at < ? AND (s.starts_at >= ? OR s.ends_at > ?)", a.Until, a.From, a.From).
		Order("s.starts_at, s.id")); err != nil {
		return err
	}
	if a.Breaks, err = p.Breaks(ctx, a.From, a.Until); err != nil {
		return err
	}
	shelf := waiting()
	shelf.Scheduled, shelf.Text = new(false), text
	if a.Unplaced, a.UnplacedCount, err = p.shelf(ctx, shelf); err != nil {
		return err
	}
	return p.fillCards(ctx, set, slices.Concat(a.Sessions, a.Unplaced))
}

// cardColumns are the columns that a card of the agenda shows.
const cardColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.capacity, s.is_public, " +
	"s.track_id, s.room_id, s.format_id, s.updated_at, s.is_plenary, " + partsMinutes

// scanCards reads cardColumns: a day may have hundreds, which gorm's reflection takes most of the time for.
func scanCards(query *gorm.DB) (sessions []*Session, err error) {
	err = store.EachRow(query.Select(cardColumns), func() []any {
		s := &Session{}
		sessions = append(sessions, s)
		return []any{&s.ID, &s.FriendlyID, &s.Title, &s.Status, &s.StartsAt, &s.EndsAt, &s.Capacity, &s.IsPublic, &s.TrackID,
			&s.RoomID, &s.FormatID, &s.UpdatedAt, &s.IsPlenary, &s.PartsMinutes}
	})
	return sessions, err
}

// partsMinutes is the column with the sum of a session's parts, for a session s without an end. A part without
// minutes counts as long as its format. It is null if no part has minutes.
const partsMinutes = `CASE WHEN s.ends_at IS NULL THEN (SELECT CASE WHEN count(part.part_minutes) > 0 THEN
	sum(coalesce(part.part_minutes, f.default_minutes, 0)) END FROM sessions part
	LEFT JOIN metadata f ON f.event_id = part.event_id AND f.id = part.format_id
	WHERE part.composed_into = s.id AND part.event_id = s.event_id AND part.deleted_at IS NULL) END AS parts_minutes`

// dayBounds returns the start and end of a calendar day in a time zone.
func dayBounds(day string, zone *time.Location) (from, until store.Time, err error) {
	date, err := time.Parse(time.DateOnly, day)
	if err != nil || date.Year() < 2 || date.Year() > 9998 { // UTC has a year of four digits
		return from, until, store.Invalidf("day", "must be a date such as 2027-05-20")
	}
	return StartOfDay(date.Year(), date.Month(), date.Day(), zone),
		StartOfDay(date.Year(), date.Month(), date.Day()+1, zone), nil
}

// shelf returns the first sessions that match a filter, by number, and how many match.
func (p *Programme) shelf(ctx context.Context, f SessionFilter) (sessions []*Session, total int64, err error) {
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, 0, err
	}
	filtered := p.filter(p.read(ctx).Table("sessions s"), &q.Filter).Session(&gorm.Session{})
	if sessions, err = scanCards(filtered.Order("s.number").Limit(shelfSize)); err != nil {
		return nil, 0, err
	}
	if total = int64(len(sessions)); total == shelfSize {
		total, err = p.count(ctx, filtered, &q.Filter)
	}
	return sessions, total, err
}

// fillCards adds metadata and people's names to sessions, in one statement.
func (p *Programme) fillCards(ctx context.Context, set MetadataSet, sessions []*Session) error {
	ids, known := make([]string, len(sessions)), make(map[string]*Session, len(sessions))
	for i, s := range sessions {
		set.embed(s)
		ids[i], known[s.ID] = s.ID, s
	}
	if len(ids) == 0 {
		return nil
	}
	var people []*Participant
	if err := store.EachRow(p.read(ctx).Table("participants p").Joins("JOIN contacts c ON c.id = p.contact_id").
		Select("p.session_id, p.contact_id, c.full_name, p.role").Where("p.event_id = ? AND p.session_id IN ?", p.event.ID, ids).
		Order("p.session_id, p.position, p.contact_id"), func() []any {
		x := &Participant{}
		people = append(people, x)
		return []any{&x.SessionID, &x.ContactID, &x.FullName, &x.Role}
	}); err != nil {
		return err
	}
	for _, x := range people {
		known[x.SessionID].Participants = append(known[x.SessionID].Participants, x)
	}
	return nil
}

// AgendaCard reads one session as AgendaDay does. It answers NotFound for a session that is not live.
func (p *Programme) AgendaCard(ctx context.Context, id string) (*Session, error) {
	if !store.IsID(id) {
		return nil, store.NoSuch("session")
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	s, err := store.One[Session](p.read(ctx).Select(cardColumns).Table("sessions s").
		Where("s.event_id = ? AND s.id = ? AND s.is_abstract = false AND s.deleted_at IS NULL", p.event.ID, id),
		store.NoSuch("session"))
	if err != nil {
		return nil, err
	}
	return s, p.fillCards(ctx, set, []*Session{s})
}

// DefaultLength is the length of a session without an end: the sum of its parts, else the length of its format, else
// half an hour.
func (s *Session) DefaultLength() time.Duration {
	return time.Duration(s.defaultMinutes(30)) * time.Minute
}

// defaultMinutes is DefaultLength in minutes, or otherwise if neither parts nor format have a length.
func (s *Session) defaultMinutes(otherwise int) int {
	switch {
	case s.PartsMinutes != nil:
		return *s.PartsMinutes
	case s.Format != nil && s.Format.DefaultMinutes != nil:
		return *s.Format.DefaultMinutes
	}
	return otherwise
}

// Length is the time from start to end, or DefaultLength without an end.
func (s *Session) Length() time.Duration {
	if s.StartsAt == nil || s.EndsAt == nil {
		return s.DefaultLength()
	}
	return s.EndsAt.Sub(s.StartsAt.Time)
}

// AgendaStamp changes whenever something that the agenda shows changes.
func (p *Programme) AgendaStamp() string {
	e := p.event
	return fmt.Sprintf("%x.%x.%x.%x", e.SessionsVersion, e.MetadataVersion, e.SpeakersVersion, e.UpdatedAt.UnixMilli())
}
