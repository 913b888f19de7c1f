package desk

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// countSessions reads the programme sessions by start, from an index that has all the columns, and returns the number
// of collisions by kind.
func (on *Desk) countSessions(ctx context.Context, d *Dashboard) (colliding map[models.Need]int64, err error) {
	rows, err := on.rows(ctx, "s.is_abstract = false").
		Select("s.id, s.room_id, s.starts_at, s.ends_at, s.is_public, s.status").Order("s.starts_at, s.id").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	rooms, times, sharing := map[string]*roomInTime{}, fnv.New64a(), int64(0)
	days := dayByDay{zone: on.p.Event().Location()}
	for rows.Next() {
		var id string
		var room sql.NullString
		var start, end sql.Null[store.Time]
		var public bool
		var status models.Status
		if err := rows.Scan(&id, &room, &start, &end, &public, &status); err != nil {
			return nil, err
		}
		d.Sessions++
		if public {
			d.Public++
		}
		if !start.Valid {
			continue
		}
		d.Scheduled++
		day := days.of(d, start.V)
		day.Sessions++
		if slices.Contains(models.Placeless, status) {
			continue
		}
		fmt.Fprintln(times, id, start.V.UnixMilli(), end.V.UnixMilli())
		if room.Valid {
			if rooms[room.String] == nil {
				rooms[room.String] = &roomInTime{start: -1}
			}
			found := rooms[room.String].add(start.V.UnixMilli(), end.V.UnixMilli())
			day.Sharing += found
			sharing += found
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	rows.Close()
	inTwoPlaces, err := on.countInTwoPlaces(ctx, times.Sum64())
	return map[models.Need]int64{models.NeedsRoom: sharing, models.NeedsPerson: inTwoPlaces}, err
}

// whoIsWhen is what the count of people in two places depends on: who is on which session, and the sessions' times.
type whoIsWhen struct {
	speakers store.Version
	times    uint64
}

// countInTwoPlaces counts the sessions with a person who is on another one at the same time. It takes several times as
// long as all the rest, so it is cached until somebody joins or leaves a session or one is moved.
func (on *Desk) countInTwoPlaces(ctx context.Context, times uint64) (int64, error) {
	state := whoIsWhen{on.p.SpeakersVersion(), times}
	return kept(on.p.Store()).inTwoPlaces.Get(ctx, on.p.Event().ID, state, func() (n int64, err error) {
		sessions, err := on.p.Passing(ctx, on.p.Read(ctx).Model(&models.Session{}),
			models.SessionFilter{Needs: models.NeedsPerson})
		if err != nil {
			return 0, err
		}
		return n, sessions.Count(&n).Error
	})
}

// roomInTime is the latest session of a room: its start and end, whether it overlaps, and the latest end before it.
type roomInTime struct {
	start, end, until int64
	shared            bool
}

// add takes the next session of the room and returns how many sessions newly overlap.
func (r *roomInTime) add(start, end int64) (found int64) {
	if !r.shared && (r.start == start || r.end > start) {
		found++
	}
	r.until = max(r.until, r.end)
	r.shared = r.start == start || r.until > start
	if r.shared {
		found++
	}
	r.start, r.end = start, end
	return found
}

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
			return cmp.Compare(order[a.TrackID], order[b.TrackID])
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
