package models

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"
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
	Attention      Attention
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

// Attention counts what waits for somebody.
type Attention struct {
	AcceptQueue    int64 // abstracts whose decision is not committed
	DeclineQueue   int64
	NotComposed    int64 // accepted abstracts that are in no programme session
	NotPlaced      int64 // programme sessions without a room or a start
	Overlaps       int64 // pairs of programme sessions in one room at one time
	LetterNotSent  int64 // accepted abstracts whose people were not told
	AbstractsAlone int64 // abstracts without participants
	SessionsAlone  int64 // programme sessions without participants
}

// dashboardDays is how far back the abstracts are counted by day.
const dashboardDays = 60

func (p *Programme) countAll(ctx context.Context, now Time) (*Dashboard, error) {
	d := &Dashboard{Abstracts: make(map[Status]int64, len(Statuses))}
	var counts errgroup.Group
	if ctx.Value(txKey{}) != nil {
		counts.SetLimit(1) // a transaction has one connection
	}
	for _, count := range []func(context.Context, *Dashboard) error{ // each fills fields of its own
		p.countAbstracts, p.countSessions, p.countPeople, p.countOverlaps,
		func(ctx context.Context, d *Dashboard) error { return p.countDays(ctx, d, now) },
	} {
		counts.Go(func() error { return count(ctx, d) })
	}
	if err := counts.Wait(); err != nil {
		return nil, err
	}
	return d, nil
}

// rows are the live abstracts, or programme sessions. The kind is written out,
// so that partial indexes apply.
func (p *Programme) rows(ctx context.Context, kind string) *gorm.DB {
	return p.read(ctx).Table("sessions s").Where("s.event_id = ? AND s.deleted_at IS NULL AND "+kind, p.event.ID)
}

func (p *Programme) countAbstracts(ctx context.Context, d *Dashboard) error {
	set, err := p.metadata(ctx)
	if err != nil {
		return err
	}
	var groups []struct {
		Status                       Status
		TrackID                      *string
		Abstracts, NotComposed, Sent int64
	}
	if err := p.rows(ctx, "s.is_abstract").
		Joins("LEFT JOIN letters l ON l.session_id = s.id AND l.decision = s.status AND l.state = 'sent' AND s.status = 'accepted'").
		Select("s.status, s.track_id, count(*) AS abstracts, " +
			"count(CASE WHEN s.composed_into IS NULL THEN 1 END) AS not_composed, count(l.session_id) AS sent").
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
		if g.Status == Accepted {
			d.Attention.NotComposed += g.NotComposed
			d.Attention.LetterNotSent += g.Abstracts - g.Sent
		}
	}
	d.Attention.AcceptQueue, d.Attention.DeclineQueue = d.Abstracts[AcceptQueue], d.Abstracts[DeclineQueue]
	for _, track := range set.tracks {
		d.Tracks = append(d.Tracks, TrackCount{*track, tracks[track.ID]})
	}
	slices.SortFunc(d.Tracks, func(a, b TrackCount) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
	return nil
}

func (p *Programme) countSessions(ctx context.Context, d *Dashboard) error {
	var counts struct{ Sessions, Scheduled, Public, Placed int64 }
	err := p.rows(ctx, "NOT s.is_abstract").
		Select("count(*) AS sessions, count(s.starts_at) AS scheduled, count(CASE WHEN s.is_public THEN 1 END) AS public, " +
			"count(CASE WHEN s.room_id IS NOT NULL AND s.starts_at IS NOT NULL THEN 1 END) AS placed").Scan(&counts).Error
	d.Sessions, d.Scheduled, d.Public = counts.Sessions, counts.Scheduled, counts.Public
	d.Attention.NotPlaced = counts.Sessions - counts.Placed
	return err
}

// countPeople goes through the participants where it can: sessions are many times
// as large.
func (p *Programme) countPeople(ctx context.Context, d *Dashboard) error {
	if err := p.read(ctx).Raw("SELECT count(*) FROM (SELECT contact_id FROM participants p WHERE event_id = ? AND NOT EXISTS "+
		"(SELECT 1 FROM sessions s WHERE s.id = p.session_id AND s.event_id = ? AND s.deleted_at IS NOT NULL) GROUP BY contact_id) people",
		p.event.ID, p.event.ID).Scan(&d.Speakers).Error; err != nil {
		return err
	}
	var alone struct{ Abstracts, Sessions int64 }
	err := p.read(ctx).Table("sessions").Where("event_id = ? AND deleted_at IS NULL AND "+needs[NeedsPeople], p.event.ID).
		Select("count(CASE WHEN is_abstract THEN 1 END) AS abstracts, count(CASE WHEN NOT is_abstract THEN 1 END) AS sessions").Scan(&alone).Error
	d.Attention.AbstractsAlone, d.Attention.SessionsAlone = alone.Abstracts, alone.Sessions
	return err
}

// countOverlaps walks through the starts and ends of each room in their order:
// a session overlaps with as many as are under way when it starts. One that ends
// as another starts does not overlap with it; one without an end is an instant.
func (p *Programme) countOverlaps(ctx context.Context, d *Dashboard) error {
	return p.read(ctx).Raw("SELECT coalesce(sum(under_way - 1), 0) FROM ("+
		"SELECT step, sum(step) OVER (PARTITION BY room_id ORDER BY instant, place ROWS UNBOUNDED PRECEDING) AS under_way FROM ("+
		"SELECT s.room_id, step, CASE WHEN step = 1 THEN s.starts_at ELSE coalesce(s.ends_at, s.starts_at) END AS instant, "+
		"CASE WHEN step = 1 THEN 1 WHEN s.ends_at > s.starts_at THEN 0 ELSE 2 END AS place "+
		"FROM sessions s CROSS JOIN (SELECT 1 AS step UNION ALL SELECT -1) steps "+
		"WHERE s.event_id = ? AND s.deleted_at IS NULL AND NOT s.is_abstract AND s.room_id IS NOT NULL AND s.starts_at IS NOT NULL"+
		") points) walked WHERE step = 1", p.event.ID).Scan(&d.Attention.Overlaps).Error
}

// countDays counts between the midnights of the event's place, which are not
// always 24 hours apart.
func (p *Programme) countDays(ctx context.Context, d *Dashboard, now Time) error {
	zone, opened := p.event.Location(), p.event.CFPOpensAt
	year, month, day := now.In(zone).Date()
	cases, values := "", []any{}
	var midnight Time
	for back := range dashboardDays {
		midnight = startOfDay(year, month, day-back, zone)
		cases += " WHEN s.created_at >= ? THEN " + strconv.Itoa(back)
		values = append(values, midnight)
		d.Created = append(d.Created, DayCount{Day: time.Date(year, month, day-back, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)})
		if opened != nil && !opened.After(now.Time) && !midnight.After(opened.Time) {
			break
		}
	}
	var days []struct {
		Back  int
		Count int64
	}
	if err := p.rows(ctx, "s.is_abstract").Where("s.created_at >= ?", midnight).
		Select("CASE"+cases+" END AS back, count(*) AS count", values...).Group("back").Scan(&days).Error; err != nil {
		return err
	}
	for _, day := range days {
		d.Created[day.Back].Count = day.Count
	}
	slices.Reverse(d.Created)
	return nil
}

// startOfDay is the first instant of a calendar day. Where the clock is put
// forward at midnight, that is not 0:00.
func startOfDay(year int, month time.Month, day int, zone *time.Location) Time {
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	date := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Day()
	for range 8 {
		if start.Day() == date {
			break
		}
		start = start.Add(15 * time.Minute)
	}
	return At(start)
}
