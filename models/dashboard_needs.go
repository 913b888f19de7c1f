package models

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Need is what somebody has to do with a session. The dashboard counts them, and
// a search can be narrowed to one: both by what stands in needs.
type Need string

const (
	NeedsRoom       Need = "room"          // a programme session that shares its room with another at one time
	NeedsPerson     Need = "person"        // a programme session that shares somebody with another at one time
	NeedsAcceptance Need = "accept_queue"  // an abstract whose acceptance is not committed
	NeedsDecline    Need = "decline_queue" // an abstract whose decline is not committed
	NeedsLetter     Need = "letter"        // an accepted abstract whose people were not told
	NeedsSession    Need = "session"       // an accepted abstract that is in no programme session
	NeedsPlace      Need = "place"         // a programme session without a room or a start
	NeedsPeople     Need = "people"        // an abstract or a programme session without participants
)

// Waiting are the abstracts, or the programme sessions, that need something.
type Waiting struct {
	Need       Need
	IsAbstract bool
}

// needs are all that there are, with the condition of each for live rows of the table sessions; ? is the event.
var needs = append(collisionNeeds(), []needRow{
	{NeedsAcceptance, "is_abstract = true AND status = 'accept_queue'"},
	{NeedsDecline, "is_abstract = true AND status = 'decline_queue'"},
	{NeedsLetter, `is_abstract = true AND status = 'accepted' AND id NOT IN (SELECT session_id FROM letters
		WHERE event_id = ? AND decision = 'accepted' AND state = 'sent')`},
	{NeedsSession, "is_abstract = true AND status = 'accepted' AND composed_into IS NULL"},
	{NeedsPlace, "is_abstract = false AND (room_id IS NULL OR starts_at IS NULL)"},
	{NeedsPeople, "is_alone"},
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

// Needs are all that there are.
func Needs() []Need {
	var all []Need
	for _, n := range needs {
		all = append(all, n.need)
	}
	return all
}

// needing narrows a query of live sessions to those that need something.
func (p *Programme) needing(db *gorm.DB, need Need) *gorm.DB {
	for _, n := range needs {
		if n.need == need {
			db = db.Where(n.condition, slices.Repeat([]any{p.event.ID}, strings.Count(n.condition, "?"))...)
		}
	}
	return db
}

// countNeeds counts by the conditions, but for collisions: those are counted in the
// pass over the programme, in a quarter of the time.
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
	return nil
}

// countSessions goes through the programme sessions by their start, with their people, in the order of an index
// that has all that is asked of them, and returns how many collide in the way of each kind.
func (p *Programme) countSessions(ctx context.Context, d *Dashboard) (colliding map[Need]int64, err error) {
	rows, err := p.rows(ctx, "s.is_abstract = false").Joins("LEFT JOIN participants x ON x.session_id = s.id").
		Select("s.id, s.room_id, s.starts_at, s.ends_at, s.is_public, s.status, x.contact_id").
		Order("s.starts_at, s.id").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	rooms, people := inTime{}, inTime{}
	last := ""
	for rows.Next() {
		var id string
		var room, person sql.NullString
		var start, end sql.Null[store.Time]
		var public bool
		var status Status
		if err := rows.Scan(&id, &room, &start, &end, &public, &status, &person); err != nil {
			return nil, err
		}
		isNew := id != last
		last = id
		if isNew {
			d.count(start.Valid, public)
		}
		if !start.Valid || slices.Contains(away, status) {
			continue
		}
		from, to := start.V.UnixMilli(), max(start.V.UnixMilli(), end.V.UnixMilli())
		if room.Valid && isNew {
			rooms.add(room.String, int(d.Sessions), from, to)
		}
		if person.Valid {
			people.add(person.String, int(d.Sessions), from, to)
		}
	}
	return map[Need]int64{NeedsRoom: rooms.colliding(), NeedsPerson: people.colliding()}, rows.Err()
}

// count counts one more programme session.
func (d *Dashboard) count(scheduled, public bool) {
	d.Sessions++
	if scheduled {
		d.Scheduled++
	}
	if public {
		d.Public++
	}
}

// inTime is what sessions take of a kind, one after the other by their starts.
type inTime struct {
	latest map[string]taken // by what is taken
	found  map[int]bool     // the numbers of the sessions that collide
}

// taken is the latest session that takes something, and when all of them until then have ended.
type taken struct {
	session           int
	start, end, until int64
}

// add takes the next session.
func (in *inTime) add(id string, session int, start, end int64) {
	if in.latest == nil {
		in.latest, in.found = map[string]taken{}, map[int]bool{}
	}
	now := taken{session, start, end, end}
	if t, before := in.latest[id]; before {
		if t.start == start || t.end > start {
			in.found[t.session] = true
		}
		if t.start == start || t.until > start {
			in.found[session] = true
		}
		now.until = max(t.until, end)
	}
	in.latest[id] = now
}

func (in *inTime) colliding() int64 { return int64(len(in.found)) }
