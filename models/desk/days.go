package desk

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// DayPlan is a day of the event's time zone with the programme sessions that start on it.
type DayPlan struct {
	Day      string // 2027-05-20
	Sessions int64
	Sharing  int64        // those that share their room with another one at some time
	Tracks   []TrackShare // in the order of tracks, those without one last; empty above manyPlaced sessions
}

// TrackShare is how many sessions are on a track.
type TrackShare struct {
	TrackID  string // "" for no track
	Sessions int64
}

// manyPlaced is the number of placed sessions up to which days are split by track. No index has the track, so each row
// is read: 2,000 take some milliseconds, 12,000 as long as the rest of the dashboard.
const manyPlaced = 2000

// addTracks splits the days by track, unless there are more than manyPlaced sessions.
func (on *Desk) addTracks(ctx context.Context, d *Dashboard) error {
	if d.Scheduled == 0 || d.Scheduled > manyPlaced {
		return nil
	}
	var placed []struct {
		StartsAt store.Time
		TrackID  string
	}
	if err := on.rows(ctx, "s.is_abstract = false").Where("s.starts_at IS NOT NULL").
		Select("s.starts_at, coalesce(s.track_id, '') AS track_id").Order("s.starts_at").Scan(&placed).Error; err != nil {
		return err
	}
	order := map[string]int{"": len(d.Tracks)}
	for i, track := range d.Tracks {
		order[track.ID] = i
	}
	days := map[string]*DayPlan{}
	for i := range d.Days {
		days[d.Days[i].Day] = &d.Days[i]
	}
	for _, s := range placed {
		// A session placed after the days were counted is on none of them.
		if day := days[calendarDay(s.StartsAt, on.p.Event().Location()).Format(time.DateOnly)]; day != nil {
			day.add(s.TrackID)
		}
	}
	for _, day := range d.Days {
		slices.SortStableFunc(day.Tracks, func(a, b TrackShare) int {
			return cmp.Compare(order[a.TrackID],
				order[b.TrackID])
		})
	}
	return nil
}

// add counts one more session of a track.
func (day *DayPlan) add(track string) {
	at := slices.IndexFunc(day.Tracks, func(share TrackShare) bool { return share.TrackID == track })
	if at < 0 {
		at = len(day.Tracks)
		day.Tracks = append(day.Tracks, TrackShare{TrackID: track})
	}
	day.Tracks[at].Sessions++
}

// dayByDay finds the days of ascending moments.
type dayByDay struct {
	zone *time.Location
	ends store.Time // the end of the latest day
}

// of returns the day of a start, appending a new one if it is later than all before.
func (b *dayByDay) of(d *Dashboard, start store.Time) *DayPlan {
	if len(d.Days) == 0 || !start.Before(b.ends.Time) {
		date := calendarDay(start, b.zone)
		next := date.AddDate(0, 0, 1)
		b.ends = models.StartOfDay(next.Year(), next.Month(), next.Day(), b.zone)
		d.Days = append(d.Days, DayPlan{Day: date.Format(time.DateOnly)})
	}
	return &d.Days[len(d.Days)-1]
}
