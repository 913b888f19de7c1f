package task

import (
	"database/sql"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// keptSearch selects deliverables that have a row.
type keptSearch struct {
	eventID   string
	dated     bool   // also read since when they are in their state; boards of thousands do without
	condition string // SQL, "" for all
	values    []any  // of the condition
}

// readDeliverables reads the deliverables of a search, as far as a board needs them. Most of thousands differ only in
// their owners, so one row brings all owners of equal ones.
func readDeliverables(db *gorm.DB, q keptSearch) (all []*Deliverable, err error) {
	since := "NULL"
	if q.dated {
		since = "state_at"
	}
	values := append([]any{sql.Named("event", q.eventID)}, q.values...)
	rows, err := db.Session(&gorm.Session{}).Raw("SELECT task_id, contact_id IS NULL, is_given, state, words, due_at, "+
		"reminded_at, reminded_days, "+since+", string_agg(coalesce(session_id, contact_id), ' ') "+
		"FROM deliverables WHERE event_id = @event"+q.condition+" GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9", values...).Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		alike := Deliverable{EventID: q.eventID, isKept: true}
		var ofSession bool
		var at *store.Time
		var owners string
		if err := rows.Scan(&alike.TaskID, &ofSession, &alike.IsGiven, &alike.State, &alike.Words, &alike.DueAt,
			&alike.RemindedAt, &alike.RemindedDays, &at, &owners); err != nil {
			return nil, err
		}
		if at != nil {
			alike.StateAt = *at
		}
		all = alike.append(all, ofSession, strings.Split(owners, " "))
	}
	return all, rows.Err()
}

// append appends one copy of d for each of its owners.
func (d Deliverable) append(all []*Deliverable, ofSession bool, owners []string) []*Deliverable {
	some := make([]Deliverable, len(owners))
	for i := range owners {
		if some[i] = d; ofSession {
			some[i].SessionID = &owners[i]
		} else {
			some[i].ContactID = &owners[i]
		}
		all = append(all, &some[i])
	}
	return all
}
