package models

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Need is something that staff have to do about a session. The dashboard counts each, and a search can filter by one;
// both use the table needs.
type Need string

const (
	NeedsRoom       Need = "room"          // a programme session that shares its room with another at one time
	NeedsPerson     Need = "person"        // a programme session that shares somebody with another at one time
	NeedsPresence   Need = "away"          // a programme session with somebody who is away then
	NeedsSeats      Need = "seats"         // a programme session that expects more than its room holds
	NeedsPlenary    Need = "plenary"       // a programme session beside what has nothing beside it
	NeedsAcceptance Need = "accept_queue"  // an abstract whose acceptance is not committed
	NeedsDecline    Need = "decline_queue" // an abstract whose decline is not committed
	NeedsLetter     Need = "letter"        // an accepted abstract whose people were not told
	NeedsSession    Need = "session"       // an accepted abstract that is in no programme session
	NeedsPlace      Need = "place"         // a programme session without a room or a start
	NeedsPeople     Need = "people"        // an abstract or a programme session without participants
)

// Waiting counts the abstracts, or programme sessions, with a need.
type Waiting struct {
	Need       Need
	IsAbstract bool
}

// needs are all needs, each with its condition on live rows of sessions; ? is the event.
var needs = append(collisionNeeds(), []needRow{
	{NeedsSeats, "capacity > (SELECT m.capacity FROM metadata m WHERE m.event_id = ? AND m.id = room_id) AND " +
		takesPlaceOf("")},
	{NeedsPlenary, besidePlenary},
	{NeedsAcceptance, "is_abstract = true AND status = 'accept_queue'"},
	{NeedsDecline, "is_abstract = true AND status = 'decline_queue'"},
	{NeedsLetter, `is_abstract = true AND status = 'accepted' AND id NOT IN (SELECT session_id FROM letters
		WHERE event_id = ? AND is_current GROUP BY session_id
		HAVING min(CASE WHEN state IN ('sent', 'told') THEN 1 ELSE 0 END) = 1)`},
	{NeedsSession, "is_abstract = true AND status = 'accepted' AND composed_into IS NULL"},
	{NeedsPlace, "is_abstract = false AND (room_id IS NULL OR starts_at IS NULL)"},
	{NeedsPeople, "is_alone AND " + submitted},
}...)

type needRow struct {
	need      Need
	condition string
}

func collisionNeeds() (rows []needRow) {
	for _, kind := range collisionKinds {
		rows = append(rows, needRow{kind.need, colliding(kind.table, kind.id)})
	}
	return rows
}

// Needs returns all of them.
func Needs() []Need {
	all := []Need{NeedsPresence} // which no condition finds
	for _, n := range needs {
		all = append(all, n.need)
	}
	return all
}

// needing narrows a query of live sessions to those that need something.
func (p *Programme) needing(db *gorm.DB, need Need) *gorm.DB {
	if need == NeedsPresence {
		ids, err := p.withAbsent(db.Statement.Context)
		if err != nil {
			_ = db.AddError(err)
		}
		return db.Where("id IN ?", ids)
	}
	for _, n := range needs {
		if n.need == need {
			db = db.Where(n.condition, slices.Repeat([]any{p.event.ID}, strings.Count(n.condition, "?"))...)
		}
	}
	return db
}

// countNeeds counts by the conditions, except collisions: rooms are counted in the pass over the programme, in a
// quarter of the time, and people after it.
func (p *Programme) countNeeds(ctx context.Context, d *Dashboard) error {
	var counts []string
	var values []any
	for _, n := range needs[len(collisionKinds):] {
		counts = append(counts, "SELECT '"+string(n.need)+"' AS need, is_abstract, count(*) AS waiting FROM sessions "+
			"WHERE event_id = ? AND deleted_at IS NULL AND "+n.condition+" GROUP BY is_abstract")
		values = append(values, slices.Repeat([]any{p.event.ID}, 1+strings.Count(n.condition, "?"))...)
	}
	var rows []struct {
		Need       Need
		IsAbstract bool
		Waiting    int64
	}
	if err := p.read(ctx).Raw(strings.Join(counts, " UNION ALL "), values...).Scan(&rows).Error; err != nil {
		return err
	}
	d.Needs = map[Waiting]int64{}
	for _, row := range rows {
		d.Needs[Waiting{row.Need, row.IsAbstract}] = row.Waiting
	}
	ids, err := p.withAbsent(ctx)
	if len(ids) > 0 {
		d.Needs[Waiting{NeedsPresence, false}] = int64(len(ids))
	}
	return err
}

// countSessions goes through the programme sessions by their start, in the order of an index that has all that is
// asked, and returns how many collide in the way of each kind.
func (p *Programme) countSessions(ctx context.Context, d *Dashboard) (colliding map[Need]int64, err error) {
	rows, err := p.rows(ctx, "s.is_abstract = false").
		Select("s.id, s.room_id, s.starts_at, s.ends_at, s.is_public, s.status").Order("s.starts_at, s.id").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	rooms, times, sharing := map[string]*roomInTime{}, fnv.New64a(), int64(0)
	days := dayByDay{zone: p.event.Location()}
	for rows.Next() {
		var id string
		var room sql.NullString
		var start, end sql.Null[store.Time]
		var public bool
		var status Status
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
		if slices.Contains(away, status) {
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
	inTwoPlaces, err := p.countInTwoPlaces(ctx, times.Sum64())
	return map[Need]int64{NeedsRoom: sharing, NeedsPerson: inTwoPlaces}, err
}

// whoIsWhen is what the count of people in two places depends on: who is on which session, and when these are.
type whoIsWhen struct {
	speakers store.Version
	times    uint64
}

// countInTwoPlaces counts the sessions that somebody is on who is on another at the same time. That takes several
// times as long as all the rest, so it is kept for as long as nobody joins or leaves a session and none is moved.
func (p *Programme) countInTwoPlaces(ctx context.Context, times uint64) (int64, error) {
	state := whoIsWhen{p.speakersVersion(), times}
	return p.store.caches.inTwoPlaces.Get(ctx, p.event.ID, state, func() (n int64, err error) {
		err = p.filter(p.read(ctx).Model(&Session{}), &SessionFilter{Needs: NeedsPerson}).Count(&n).Error
		return n, err
	})
}

// roomInTime is a room up to its latest session: its start and end, whether it overlaps, and the latest end before.
type roomInTime struct {
	start, end, until int64
	shared            bool
}

// add takes the next session and returns how many newly overlap.
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
