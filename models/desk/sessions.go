package desk

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"

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
