package models

import (
	"context"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Dashboard is the state of an event in numbers. All counts are of live sessions.
type Dashboard struct {
	Abstracts      map[Status]int64 // all seven, zeros too
	AbstractsTotal int64            // of submissions, which drafts are not; so in all that follows
	Sessions       int64            // programme sessions
	Scheduled      int64            // of these, with a start
	Public         int64
	Speakers       int64
	Tracks         []TrackCount // in their order
	Days           []DayPlan    // those on which programme sessions start, in their order
	Created        []SpanCount  // abstracts by when they came in, oldest first, zeros too
	Needs          map[Waiting]int64
	Untold         int64                // people who have not been told what changed since the agenda was released last
	Titles         map[Waiting][]string // of some that need it, those changed last first
}

// TrackCount is a track with its numbers of abstracts.
type TrackCount struct {
	Track
	Abstracts, Accepted, Queued int64 // Queued are those in the accept queue
}

// SpanCount is the number of abstracts that came in on a day, or some days, of the event's zone.
type SpanCount struct {
	Day   string // the first one, 2026-11-21
	Days  int
	Count int64
}

// Abstracts are counted for the last createdDays days, or for the call's whole time while it is or was open: by day
// up to createdSpans days, else by week.
const createdDays, createdSpans = 60, 60

func (p *Programme) countAll(ctx context.Context, now store.Time) (*Dashboard, error) {
	d := &Dashboard{Abstracts: make(map[Status]int64, len(Statuses))}
	var colliding map[Need]int64
	counts := store.Together(ctx)
	// Each goroutine fills its own fields.
	counts.Go(func() error { return p.countAbstracts(ctx, d) })
	counts.Go(func() (err error) { d.Speakers, err = p.SpeakerCount(ctx); return err })
	counts.Go(func() error { return p.countNeeds(ctx, d) })
	counts.Go(func() (err error) { colliding, err = p.countSessions(ctx, d); return err })
	counts.Go(func() error { return p.countCreated(ctx, d, now) })
	counts.Go(func() error { return p.countUntold(ctx, d) })
	if err := counts.Wait(); err != nil {
		return nil, err
	}
	for need, sessions := range colliding {
		if sessions > 0 {
			d.Needs[Waiting{need, false}] = sessions
		}
	}
	if err := p.addTracks(ctx, d); err != nil {
		return nil, err
	}
	return d, p.addTitles(ctx, d)
}

// rows selects the live sessions of a kind; the condition is written out so that indexes apply.
func (p *Programme) rows(ctx context.Context, kind string) *gorm.DB {
	return p.read(ctx).Table("sessions s").Where("s.event_id = ? AND s.deleted_at IS NULL AND "+kind, p.event.ID)
}

func (p *Programme) countAbstracts(ctx context.Context, d *Dashboard) error {
	set, err := p.metadata(ctx)
	if err != nil {
		return err
	}
	var groups []struct {
		Status    Status
		TrackID   *string
		Abstracts int64
	}
	if err := p.rows(ctx, "s.is_abstract = true").Select("s.status, s.track_id, count(*) AS abstracts").
		Group("s.status, s.track_id").Scan(&groups).Error; err != nil {
		return err
	}
	for _, status := range Statuses {
		d.Abstracts[status] = 0
	}
	tracks := map[string]*TrackCount{}
	for _, m := range set.of(Tracks) {
		d.Tracks = append(d.Tracks, TrackCount{Track: m.AsTrack()})
	}
	for i := range d.Tracks {
		tracks[d.Tracks[i].ID] = &d.Tracks[i]
	}
	for _, g := range groups {
		d.Abstracts[g.Status] += g.Abstracts
		if g.Status == Draft {
			continue
		}
		d.AbstractsTotal += g.Abstracts
		if g.TrackID == nil || tracks[*g.TrackID] == nil {
			continue
		}
		track := tracks[*g.TrackID]
		track.Abstracts += g.Abstracts
		switch g.Status {
		case Accepted:
			track.Accepted += g.Abstracts
		case AcceptQueue:
			track.Queued += g.Abstracts
		}
	}
	return nil
}

// createdSpan returns the first day to count from, the number of days, and how many are counted together.
func (p *Programme) createdSpan(now store.Time) (first time.Time, days, together int) {
	zone := p.event.Location()
	last := calendarDay(now, zone)
	if closed := p.event.CFPClosesAt; closed != nil && closed.Before(now.Time) {
		last = calendarDay(*closed, zone)
	}
	first = last.AddDate(0, 0, 1-createdDays)
	if opened := p.event.CFPOpensAt; opened != nil && !opened.After(now.Time) {
		first = calendarDay(*opened, zone)
	}
	const day = 24 * time.Hour // of UTC, in which calendar days are reckoned
	if days = int(last.Sub(first)/day) + 1; days <= createdSpans {
		return first, days, 1
	}
	weeks := min((days+6)/7, createdSpans)
	return last.AddDate(0, 0, 1-7*weeks), 7 * weeks, 7
}

// calendarDay is the date of a moment in a zone, as midnight UTC of that date.
func calendarDay(t store.Time, zone *time.Location) time.Time {
	year, month, day := t.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// countCreated counts between midnights of the event's zone, which are not always 24 hours apart.
func (p *Programme) countCreated(ctx context.Context, d *Dashboard, now store.Time) error {
	zone := p.event.Location()
	first, days, together := p.createdSpan(now)
	var midnights []store.Time
	for at := 0; at < days; at += together {
		date := first.AddDate(0, 0, at)
		midnights = append(midnights, startOfDay(date.Year(), date.Month(), date.Day(), zone))
		d.Created = append(d.Created, SpanCount{Day: date.Format(time.DateOnly), Days: together})
	}
	behind := first.AddDate(0, 0, days)
	var spans []struct {
		Span  int
		Count int64
	}
	which, values := spanOf(midnights, 0)
	if err := p.rows(ctx, "s.is_abstract = true AND s.status <> 'draft'").Where("s.created_at >= ? AND s.created_at < ?", midnights[0],
		startOfDay(behind.Year(), behind.Month(), behind.Day(), zone)).
		Select(which+" AS span, count(*) AS count", values...).Group("span").Scan(&spans).Error; err != nil {
		return err
	}
	for _, span := range spans {
		d.Created[span.Span].Count = span.Count
	}
	return nil
}

// spanOf is an SQL expression for the number of an abstract's span. It halves the spans, so each row is compared six
// times, not sixty.
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

// startOfDay is the first instant of a calendar day; where clocks go forward at midnight that is not 0:00.
func startOfDay(year int, month time.Month, day int, zone *time.Location) store.Time {
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day()
	for range 8 {
		if start.Day() == date {
			break
		}
		start = start.Add(15 * time.Minute)
	}
	return store.At(start)
}

// dashboardState is all that a dashboard depends on: each counted change moves a version of the event's counters, or
// the day changes.
type dashboardState struct {
	calendar calendarState
	metadata store.Version
	day      string
	first    time.Time // of the days in which abstracts are counted
	days     int
}

func (p *Programme) dashboardState(now store.Time) dashboardState {
	state := dashboardState{calendar: p.calendarState(), metadata: p.metadataVersion(),
		day: now.In(p.event.Location()).Format(time.DateOnly)}
	state.first, state.days, _ = p.createdSpan(now)
	return state
}

// Dashboard counts where the event stands at now, in at most twelve statements, four more where sessions of a released
// agenda were changed since, or in none when nothing has
// changed since the last time; what it returns is shared and must not be written. Abstracts are counted by day for
// the last 60 days, or for those of the call for papers; by week when these are more, for sixty weeks at most.
func (p *Programme) Dashboard(ctx context.Context, now store.Time) (*Dashboard, error) {
	state := p.dashboardState(now)
	return p.store.caches.dashboards.Get(ctx, p.event.ID, state, func() (*Dashboard, error) {
		d, err := p.countAll(ctx, now)
		if err == nil {
			p.store.caches.kinds.Put(ctx, p.event.ID, p.rowsVersion(), kindCounts{d.AbstractsTotal, d.Sessions})
		}
		return d, err
	})
}
