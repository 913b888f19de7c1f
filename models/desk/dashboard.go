// Package desk is what staff see first: where an event stands, what waits for them, what happened, and their saved
// views of lists. It stands on top of the programme.
package desk

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

// Dashboard is the state of an event in numbers. All counts are of live sessions.
type Dashboard struct {
	Abstracts      map[models.Status]int64 // all seven statuses, zeros too
	AbstractsTotal int64                   // of submissions, without drafts, as in all that follows
	Sessions       int64                   // programme sessions
	Scheduled      int64                   // programme sessions with a start
	Public         int64
	Tracks         []TrackCount // in their order
	Days           []DayPlan    // the days on which programme sessions start, in order
	Created        []SpanCount  // abstracts by when they came in, oldest first, zeros too
	Needs          map[models.Waiting]int64
	Untold         int64                       // people not told yet of changes since the last release of the agenda
	Titles         map[models.Waiting][]string // some of the sessions in need, last changed first
}

// TrackCount is a track with its numbers of abstracts.
type TrackCount struct {
	models.Track
	Abstracts, Accepted, Queued int64 // Queued are in the accept queue
}

// SpanCount is the number of abstracts that came in within one or more days of the event's zone.
type SpanCount struct {
	Day   string // the first day, 2026-11-21
	Days  int
	Count int64
}

// createdDays is for how many days abstracts are counted, unless the call was open: then for its whole time, by day up
// to createdSpans days, else by week.
const createdDays, createdSpans = 60, 60

func (on *Desk) countAll(ctx context.Context, now store.Time) (*Dashboard, error) {
	d := &Dashboard{Abstracts: make(map[models.Status]int64, len(models.Statuses))}
	var colliding map[models.Need]int64
	counts := store.Together(ctx)
	// Each goroutine fills its own fields.
	counts.Go(func() error { return on.countAbstracts(ctx, d) })
	counts.Go(func() (err error) { d.Needs, err = on.p.CountNeeds(ctx); return err })
	counts.Go(func() (err error) { colliding, err = on.countSessions(ctx, d); return err })
	counts.Go(func() error { return on.countCreated(ctx, d, now) })
	counts.Go(func() (err error) { d.Untold, err = agenda.Of(on.p).Untold(ctx); return err })
	if err := counts.Wait(); err != nil {
		return nil, err
	}
	for need, sessions := range colliding {
		if sessions > 0 {
			d.Needs[models.Waiting{Need: need}] = sessions
		}
	}
	if err := on.addTracks(ctx, d); err != nil {
		return nil, err
	}
	var err error
	d.Titles, err = on.p.TitlesWaiting(ctx, d.Needs)
	return d, err
}

// rows selects the live sessions of a kind; the condition is written out so that indexes apply.
func (on *Desk) rows(ctx context.Context, kind string) *gorm.DB {
	return on.p.Read(ctx).Table("sessions s").Where("s.event_id = ? AND s.deleted_at IS NULL AND "+kind, on.p.Event().ID)
}

func (on *Desk) countAbstracts(ctx context.Context, d *Dashboard) error {
	rows, err := on.p.Family(ctx, models.Tracks)
	if err != nil {
		return err
	}
	var groups []struct {
		Status    models.Status
		TrackID   *string
		Abstracts int64
	}
	if err := on.rows(ctx, "s.is_abstract = true").Select("s.status, s.track_id, count(*) AS abstracts").
		Group("s.status, s.track_id").Scan(&groups).Error; err != nil {
		return err
	}
	for _, status := range models.Statuses {
		d.Abstracts[status] = 0
	}
	tracks := map[string]*TrackCount{}
	for _, m := range rows {
		d.Tracks = append(d.Tracks, TrackCount{Track: m.AsTrack()})
	}
	for i := range d.Tracks {
		tracks[d.Tracks[i].ID] = &d.Tracks[i]
	}
	for _, g := range groups {
		d.Abstracts[g.Status] += g.Abstracts
		if g.Status == models.Draft {
			continue
		}
		d.AbstractsTotal += g.Abstracts
		if g.TrackID == nil || tracks[*g.TrackID] == nil {
			continue
		}
		track := tracks[*g.TrackID]
		track.Abstracts += g.Abstracts
		switch g.Status {
		case models.Accepted:
			track.Accepted += g.Abstracts
		case models.AcceptQueue:
			track.Queued += g.Abstracts
		}
	}
	return nil
}

// createdSpan returns the first day to count from, the number of days, and how many are counted together.
func (on *Desk) createdSpan(now store.Time) (first time.Time, days, together int) {
	zone := on.p.Event().Location()
	last := calendarDay(now, zone)
	if closed := on.p.Event().CFPClosesAt; closed != nil && closed.Before(now.Time) {
		last = calendarDay(*closed, zone)
	}
	first = last.AddDate(0, 0, 1-createdDays)
	if opened := on.p.Event().CFPOpensAt; opened != nil && !opened.After(now.Time) {
		first = calendarDay(*opened, zone)
	}
	const day = 24 * time.Hour // in UTC, where every day has 24 hours
	if days = int(last.Sub(first)/day) + 1; days <= createdSpans {
		return first, days, 1
	}
	weeks := min((days+6)/7, createdSpans)
	return last.AddDate(0, 0, 1-7*weeks), 7 * weeks, 7
}

// calendarDay returns the date of a moment in a zone, as midnight UTC of that date.
func calendarDay(t store.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// countCreated counts abstracts between midnights of the event's zone, which are not always 24 hours apart.
func (on *Desk) countCreated(ctx context.Context, d *Dashboard, now store.Time) error {
	zone := on.p.Event().Location()
	first, days, together := on.createdSpan(now)
	var midnights []store.Time
	for at := 0; at < days; at += together {
		date := first.AddDate(0, 0, at)
		midnights = append(midnights, models.StartOfDay(date.Year(), date.Month(), date.Day(), zone))
		d.Created = append(d.Created, SpanCount{Day: date.Format(time.DateOnly), Days: together})
	}
	behind := first.AddDate(0, 0, days)
	var spans []struct {
		Span  int
		Count int64
	}
	which, values := spanOf(midnights, 0)
	if err := on.rows(ctx,
		"s.is_abstract = true AND s.status <> 'draft'").Where("s.created_at >= ? AND s.created_at < ?", midnights[0],
		models.StartOfDay(behind.Year(), behind.Month(), behind.Day(), zone)).
		Select(which+" AS span, count(*) AS count", values...).Group("span").Scan(&spans).Error; err != nil {
		return err
	}
	for _, span := range spans {
		d.Created[span.Span].Count = span.Count
	}
	return nil
}

// spanOf returns an SQL expression for the index of an abstract's span. It is a binary search, so each row is compared
// six times, not sixty.
func spanOf(midnights []store.Time, first int) (string, []any) {
	half := len(midnights) / 2
	if half == 0 {
		return strconv.Itoa(first), nil
	}
	before, a := spanOf(midnights[:half], first)
	after, b := spanOf(midnights[half:], first+half)
	return "CASE WHEN s.created_at < ? THEN " + before + " ELSE " + after + " END",
		slices.Concat([]any{midnights[half]}, a, b)
}

// dashboardState is everything on which a dashboard depends: each counted change moves a version of the event's
// counters, or the day changes.
type dashboardState struct {
	agenda models.AgendaState
	day    string
	first  time.Time // first day for which abstracts are counted
	days   int
}

func (on *Desk) dashboardState(now store.Time) dashboardState {
	state := dashboardState{agenda: on.p.AgendaState(), day: now.In(on.p.Event().Location()).Format(time.DateOnly)}
	state.first, state.days, _ = on.createdSpan(now)
	return state
}

// Dashboard counts where the event stands at now, in at most eleven statements (four more if sessions changed since the
// agenda was released), or none if nothing changed since the last call; its result is shared and must not be written.
// Abstracts are counted by day for the last 60 days, or for the days of the call for papers; by week if these are more,
// for at most sixty weeks.
func (on *Desk) Dashboard(ctx context.Context, now store.Time) (*Dashboard, error) {
	state := on.dashboardState(now)
	return kept(on.p.Store()).dashboards.Get(ctx, on.p.Event().ID, state, func() (*Dashboard, error) {
		d, err := on.countAll(ctx, now)
		if err == nil {
			on.p.KeepKindCounts(ctx, d.AbstractsTotal, d.Sessions)
		}
		return d, err
	})
}

// Desk is the handle of one event's dashboard, activity and saved views.
type Desk struct{ p *models.Programme }

// Of returns the desk of a programme.
func Of(p *models.Programme) *Desk { return &Desk{p} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"saved_views": SavedView{}}

// caches are a process's caches of the events in use.
type caches struct {
	dashboards  *store.Cache[string, dashboardState, *Dashboard]
	inTwoPlaces *store.Cache[string, whoIsWhen, int64]
}

// cachedEvents is how many events each cache keeps.
const cachedEvents = 256

func kept(s *models.Store) *caches {
	return store.Singleton(s.Store, func() *caches {
		return &caches{store.NewCache[string, dashboardState, *Dashboard](cachedEvents),
			store.NewCache[string, whoIsWhen, int64](cachedEvents)}
	})
}
