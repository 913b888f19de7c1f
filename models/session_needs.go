package models

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"gorm.io/gorm"
)

// Need is something that staff have to do about a session. The dashboard counts each, and a search can filter by one;
// both use the table needs.
type Need string

const (
	NeedsRoom       Need = "room"          // a programme session in one room with another at the same time
	NeedsPerson     Need = "person"        // a programme session with a person who is in another at the same time
	NeedsPresence   Need = "away"          // a programme session with somebody who is away at that time
	NeedsSeats      Need = "seats"         // a programme session that expects more than its room holds
	NeedsPlenary    Need = "plenary"       // a programme session at the same time as a plenary session or break
	NeedsDropped    Need = "dropped"       // a public session with a part that was declined or withdrawn
	NeedsAcceptance Need = "accept_queue"  // an abstract whose acceptance is not committed
	NeedsDecline    Need = "decline_queue" // an abstract whose decline is not committed
	NeedsLetter     Need = "letter"        // an accepted abstract whose people were not told
	NeedsSession    Need = "session"       // an accepted abstract that is in no programme session
	NeedsPlace      Need = "place"         // a programme session without a room or a start
	NeedsPeople     Need = "people"        // an abstract or a programme session without participants
)

// Waiting is a need together with the kind of session that has it.
type Waiting struct {
	Need       Need
	IsAbstract bool
}

// needs lists all needs except NeedsPresence, each with its SQL condition for live rows of sessions; ? is the event's
// id.
var needs = append(collisionNeeds(), []needRow{
	{NeedsSeats, "capacity > (SELECT m.capacity FROM metadata m WHERE m.event_id = ? AND m.id = room_id) AND " +
		takesPlaceOf("")},
	{NeedsPlenary, besidePlenary},
	{NeedsDropped, "is_abstract = false AND is_public = true AND status NOT IN " + placeless + ` AND id IN (
		SELECT a.composed_into FROM sessions a WHERE a.event_id = ? AND a.is_abstract = true AND a.deleted_at IS NULL
			AND a.status IN ` + placeless + `)`},
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

// Needs returns all needs.
func Needs() []Need {
	all := []Need{NeedsPresence} // found without a condition, by withAbsent
	for _, n := range needs {
		all = append(all, n.need)
	}
	return all
}

// needing narrows a query of live sessions to those with a need.
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

// CountNeeds counts the sessions with each need. It leaves out collisions of rooms and people, which a pass over the
// programme counts in a quarter of the time.
func (p *Programme) CountNeeds(ctx context.Context) (map[Waiting]int64, error) {
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
	if err := p.Read(ctx).Raw(strings.Join(counts, " UNION ALL "), values...).Scan(&rows).Error; err != nil {
		return nil, err
	}
	waiting := map[Waiting]int64{}
	for _, row := range rows {
		waiting[Waiting{row.Need, row.IsAbstract}] = row.Waiting
	}
	ids, err := p.withAbsent(ctx)
	if len(ids) > 0 {
		waiting[Waiting{NeedsPresence, false}] = int64(len(ids))
	}
	return waiting, err
}

// someTitles is how many sessions with a need are named.
const someTitles = 3

// TitlesWaiting returns the titles of the latest sessions with each need, in the order of the list that the need links
// to. It leaves out collisions of rooms and people: finding them takes a pass over the programme.
func (p *Programme) TitlesWaiting(ctx context.Context, waiting map[Waiting]int64) (map[Waiting][]string, error) {
	var parts []string
	var values []any
	for _, n := range needs {
		for _, abstract := range []bool{true, false} {
			if n.need == NeedsRoom || n.need == NeedsPerson || waiting[Waiting{n.need, abstract}] == 0 {
				continue
			}
			kind := strconv.FormatBool(abstract)
			parts = append(parts, "SELECT * FROM (SELECT '"+string(n.need)+"' AS need, is_abstract, title FROM sessions "+
				"WHERE event_id = ? AND deleted_at IS NULL AND is_abstract = "+kind+" AND "+n.condition+
				" ORDER BY updated_at DESC, id DESC LIMIT "+strconv.Itoa(someTitles)+") "+string(n.need)+"_"+kind)
			values = append(values, slices.Repeat([]any{p.event.ID}, 1+strings.Count(n.condition, "?"))...)
		}
	}
	titles := map[Waiting][]string{}
	if len(parts) == 0 {
		return titles, nil
	}
	var rows []struct {
		Need       Need
		IsAbstract bool
		Title      string
	}
	err := p.Read(ctx).Raw(strings.Join(parts, " UNION ALL "), values...).Scan(&rows).Error
	for _, row := range rows {
		of := Waiting{row.Need, row.IsAbstract}
		titles[of] = append(titles[of], row.Title)
	}
	return titles, err
}
