package agenda

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Day is a day of the event's time zone as the agenda shows it.
type Day struct {
	Day         string     // 2027-05-20
	From, Until store.Time // its start and end, 23, 24 or 25 hours apart
	// Sessions take place on the day, by their starts, including those that began the day before and run into it. They are
	// shared and must not be written.
	Sessions []*models.Session
	// Unplaced are the first sessions without a start, by number. UnplacedCount is how many of those match the
	// search.
	Unplaced      []*models.Session
	UnplacedCount int64
	Days          *models.Days // the number of sessions on each day
	Rooms, Tracks []*models.Metadata
	Breaks        []*models.Break // those that last into some part of the day
	Conflicts     *Conflicts      // of all days
}

// shelfSize is how many sessions without a start are read at most.
const shelfSize = 60

// placing are the statuses of sessions that have a place in the agenda or wait for one.
var placing = slices.DeleteFunc(slices.Clone(models.Statuses),
	func(s models.Status) bool { return slices.Contains(models.Placeless, s) })

// waiting selects sessions that have a place in the agenda or wait for one.
func waiting() models.SessionFilter {
	return models.SessionFilter{IsAbstract: new(false), Statuses: placing}
}

// Days counts the sessions of the agenda by the day they start on, as SessionDays does.
func (ag *Agenda) Days(ctx context.Context) (*models.Days, error) {
	return ag.p.SessionDays(ctx, waiting())
}

// Day reads one day, such as 2027-05-20, and concurrently the conflicts, as Conflicts does. text searches the sessions
// without a start. Sessions carry what Slot needs, their metadata, token and people's names, and nothing else. It
// answers Invalid for what is not a date, and for a text that is too long.
func (ag *Agenda) Day(ctx context.Context, day, text string) (*Day, error) {
	from, until, err := dayBounds(day, ag.p.Event().Location())
	if err != nil {
		return nil, err
	}
	a := &Day{Day: day, From: from, Until: until}
	if a.Sessions, err = ag.placedWithin(ctx, from, until); err != nil {
		return nil, err
	}
	reads := store.Together(ctx)
	reads.Go(func() (err error) { a.Conflicts, err = ag.Conflicts(ctx); return err })
	reads.Go(func() error { return ag.readDay(ctx, a, text) })
	return a, reads.Wait()
}

// readDay reads a day without its sessions and conflicts.
func (ag *Agenda) readDay(ctx context.Context, a *Day, text string) error {
	set, err := ag.p.Metadata(ctx)
	if err != nil {
		return err
	}
	a.Rooms, a.Tracks = set.Of(models.Rooms), set.Of(models.Tracks)
	if a.Days, err = ag.Days(ctx); err != nil {
		return err
	}
	if a.Breaks, err = ag.p.Breaks(ctx, a.From, a.Until); err != nil {
		return err
	}
	shelf := waiting()
	shelf.Scheduled, shelf.Text = new(false), text
	if a.Unplaced, a.UnplacedCount, err = ag.shelf(ctx, shelf); err != nil {
		return err
	}
	return ag.fillCards(ctx, set, a.Unplaced)
}

// cardColumns are the columns that a card of the agenda shows.
const cardColumns = "s.id, s.friendly_id, s.title, s.status, s.starts_at, s.ends_at, s.capacity, s.is_public, " +
	"s.track_id, s.room_id, s.format_id, s.updated_at, s.is_plenary, " + models.PartsMinutes

// scanCards reads cardColumns: a day may have hundreds, which gorm's reflection takes most of the time for.
func scanCards(query *gorm.DB) (sessions []*models.Session, err error) {
	err = store.EachRow(query.Select(cardColumns), func() []any {
		s := &models.Session{}
		sessions = append(sessions, s)
		return []any{&s.ID, &s.FriendlyID, &s.Title, &s.Status, &s.StartsAt, &s.EndsAt, &s.Capacity, &s.IsPublic, &s.TrackID,
			&s.RoomID, &s.FormatID, &s.UpdatedAt, &s.IsPlenary, &s.PartsMinutes}
	})
	return sessions, err
}

// dayBounds returns the start and end of a calendar day in a time zone.
func dayBounds(day string, zone *time.Location) (from, until store.Time, err error) {
	from, until, isDate := models.DayIn(day, zone)
	if !isDate {
		err = store.Invalidf("day", "must be a date such as 2027-05-20")
	}
	return from, until, err
}

// shelf returns the first sessions that match a filter, by number, and how many match.
func (ag *Agenda) shelf(ctx context.Context, f models.SessionFilter) (sessions []*models.Session, total int64,
	err error) {
	passing, err := ag.p.Passing(ctx, ag.p.Read(ctx).Table("sessions s"), f)
	if err != nil {
		return nil, 0, err
	}
	filtered := passing.Session(&gorm.Session{})
	if sessions, err = scanCards(filtered.Order("s.number").Limit(shelfSize)); err != nil {
		return nil, 0, err
	}
	if total = int64(len(sessions)); total == shelfSize {
		total, err = ag.p.CountPassing(ctx, filtered, &f)
	}
	return sessions, total, err
}

// fillCards adds metadata and people's names to sessions, in one statement.
func (ag *Agenda) fillCards(ctx context.Context, set models.MetadataSet, sessions []*models.Session) error {
	ids, known := make([]string, len(sessions)), make(map[string]*models.Session, len(sessions))
	for i, s := range sessions {
		set.Embed(s)
		ids[i], known[s.ID] = s.ID, s
	}
	if len(ids) == 0 {
		return nil
	}
	var people []*models.Participant
	if err := store.EachRow(ag.p.Read(ctx).Table("participants p").Joins("JOIN contacts c ON c.id = p.contact_id").
		Select("p.session_id, p.contact_id, c.full_name, p.role").Where("p.event_id = ? AND p.session_id ?",
		ag.p.Event().ID, store.AnyOf(ids)).Order("p.session_id, p.position, p.contact_id"), func() []any {
		x := &models.Participant{}
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

// Card reads one session as Day does. It answers NotFound for a session that is not live.
func (ag *Agenda) Card(ctx context.Context, id string) (*models.Session, error) {
	if !store.IsID(id) {
		return nil, store.NoSuch("session")
	}
	set, err := ag.p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	s, err := store.One[models.Session](ag.p.Read(ctx).Select(cardColumns).Table("sessions s").
		Where("s.event_id = ? AND s.id = ? AND s.is_abstract = false AND s.deleted_at IS NULL", ag.p.Event().ID, id),
		store.NoSuch("session"))
	if err != nil {
		return nil, err
	}
	return s, ag.fillCards(ctx, set, []*models.Session{s})
}

// Stamp changes whenever something that the agenda shows changes.
func (ag *Agenda) Stamp() string {
	e := ag.p.Event()
	return fmt.Sprintf("%x.%x.%x.%x", e.SessionsVersion, e.MetadataVersion, e.SpeakersVersion, e.UpdatedAt.UnixMilli())
}
