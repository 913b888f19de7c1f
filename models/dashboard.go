package models

import (
	"context"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"lectern/models/store"
)

// Dashboard is where an event stands. Everything counts live sessions alone.
type Dashboard struct {
	Abstracts      map[Status]int64 // all seven, zeros too
	AbstractsTotal int64
	Sessions       int64 // programme sessions
	Scheduled      int64 // of these, with a start
	Public         int64
	Speakers       int64
	Tracks         []TrackCount // in their order
	Created        []DayCount   // abstracts by the day they came in, oldest first, zeros too
	Needs          map[Waiting]int64
}

// TrackCount is a track with its number of abstracts.
type TrackCount struct {
	Track
	Abstracts int64
}

// DayCount is a calendar day of the event's time zone with its number of abstracts.
type DayCount struct {
	Day   string // 2026-11-21
	Count int64
}

// dashboardDays is how far back the abstracts are counted by day.
const dashboardDays = 60

func (p *Programme) countAll(ctx context.Context, now store.Time) (*Dashboard, error) {
	d := &Dashboard{Abstracts: make(map[Status]int64, len(Statuses))}
	var colliding map[Need]int64
	var counts errgroup.Group
	if store.InTransaction(ctx) {
		counts.SetLimit(1) // a transaction has one connection
	}
	// Each fills fields of its own.
	counts.Go(func() error { return p.countAbstracts(ctx, d) })
	counts.Go(func() (err error) { d.Speakers, err = p.SpeakerCount(ctx); return err })
	counts.Go(func() error { return p.countNeeds(ctx, d) })
	counts.Go(func() (err error) { colliding, err = p.countSessions(ctx, d); return err })
	counts.Go(func() error { return p.countDays(ctx, d, now) })
	if err := counts.Wait(); err != nil {
		return nil, err
	}
	for need, sessions := range colliding {
		if sessions > 0 {
			d.Needs[Waiting{need, false}] = sessions
		}
	}
	return d, nil
}

// rows are the live sessions of a kind. It is written out, so that indexes apply.
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
	tracks := map[string]int64{}
	for _, g := range groups {
		d.Abstracts[g.Status] += g.Abstracts
		d.AbstractsTotal += g.Abstracts
		if g.TrackID != nil {
			tracks[*g.TrackID] += g.Abstracts
		}
	}
	for _, m := range set.of(Tracks) {
		d.Tracks = append(d.Tracks, TrackCount{m.AsTrack(), tracks[m.ID]})
	}
	return nil
}

// countDays counts between the midnights of the event's place, which are not always 24 hours apart.
func (p *Programme) countDays(ctx context.Context, d *Dashboard, now store.Time) error {
	zone, opened := p.event.Location(), p.event.CFPOpensAt
	year, month, day := now.In(zone).Date()
	var midnights []store.Time
	for back := range dashboardDays {
		midnights = append(midnights, startOfDay(year, month, day-back, zone))
		date := time.Date(year, month, day-back, 0, 0, 0, 0, time.UTC)
		d.Created = append(d.Created, DayCount{Day: date.Format(time.DateOnly)})
		if opened != nil && !opened.After(now.Time) && !midnights[back].After(opened.Time) {
			break
		}
	}
	slices.Reverse(midnights)
	slices.Reverse(d.Created)
	var days []struct {
		Day   int
		Count int64
	}
	which, values := dayOf(midnights, 0)
	if err := p.rows(ctx, "s.is_abstract = true").Where("s.created_at >= ?", midnights[0]).
		Select(which+" AS day, count(*) AS count", values...).Group("day").Scan(&days).Error; err != nil {
		return err
	}
	for _, day := range days {
		d.Created[day.Day].Count = day.Count
	}
	return nil
}

// dayOf is an expression for the number of the day an abstract came in, the first one at the first midnight. It
// halves the days: each row is asked six times, not sixty.
func dayOf(midnights []store.Time, first int) (string, []any) {
	half := len(midnights) / 2
	if half == 0 {
		return strconv.Itoa(first), nil
	}
	before, a := dayOf(midnights[:half], first)
	after, b := dayOf(midnights[half:], first+half)
	return "CASE WHEN s.created_at < ? THEN " + before + " ELSE " + after + " END",
		slices.Concat([]any{midnights[half]}, a, b)
}

// startOfDay is the first instant of a calendar day. Where the clock is put
// forward at midnight, that is not 0:00.
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

// dashboardState is all that a dashboard is made of: what it counts leaves another
// version in the event's row, or changes with the day.
type dashboardState struct {
	sessions, metadata store.Version
	day, zone          string
	opened             int64 // ms, 0 while the call for papers has not opened
}

func (p *Programme) dashboardState(now store.Time) dashboardState {
	state := dashboardState{sessions: p.sessionsVersion(), metadata: p.metadataVersion(),
		day: now.In(p.event.Location()).Format(time.DateOnly), zone: p.event.Timezone}
	if opened := p.event.CFPOpensAt; opened != nil && !opened.After(now.Time) {
		state.opened = opened.UnixMilli()
	}
	return state
}

// Dashboard counts where the event stands at now, in at most eight statements, or in none when nothing has
// changed since the last time; what it returns is shared and must not be written. Abstracts are counted by day
// for the last 60 days, or from the day the call for papers opened when that is later.
func (p *Programme) Dashboard(ctx context.Context, now store.Time) (*Dashboard, error) {
	state := p.dashboardState(now)
	return p.store.caches.dashboards.Get(ctx, p.event.ID, state, func() (*Dashboard, error) {
		d, err := p.countAll(ctx, now)
		if err == nil {
			p.store.caches.kinds.Put(ctx, p.event.ID, state.sessions, kindCounts{d.AbstractsTotal, d.Sessions})
		}
		return d, err
	})
}
