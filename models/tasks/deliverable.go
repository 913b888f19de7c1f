package tasks

import (
	"database/sql"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Deliverable is a task as one owner has it: exactly one of SessionID and ContactID is set. Its row exists once
// something was done about it.
type Deliverable struct {
	ID           string `gorm:"primaryKey"` // "" without a row, and on a board
	EventID      string
	TaskID       string
	SessionID    *string
	ContactID    *string
	AuthorID     *string // the contact who brought it to its state; nil for staff
	ByName       string  // the name, if it was staff
	Words        string  // the request for changes, or the reason for waiving it
	StateAt      store.Time
	UpdatedAt    store.Time
	RemindedDays *int     // the last automatic reminder: days before the due date, negative after it
	had          []Person // set by load: the people who have it
	// The board scans the following fields of thousands of deliverables again and again, so they lie together in memory.
	State      State
	Task       *Task       `gorm:"-"`
	DueAt      *store.Time // an extension, which replaces the task's date
	RemindedAt *store.Time // when its people were last reminded
	by         []*PersonOf // set on a board: the people who have it
	IsGiven    bool        // by staff, whether or not the filters match
	isKept     bool        // set on a board: it has a row
	isHad      bool        // set on a board: its owner has it
	isAsked    bool        // set on a board: a speaker had the last word in the thread
	isMoved    bool        // its state was set, even if to the same state
	isTold     bool        // the activity already has a line for the change of its state
}

// State says how far a deliverable is.
type State string

const (
	Open     State = "open"     // nothing handed in counts yet
	Done     State = "done"     // handed in; if it has versions, staff check it
	Changes  State = "changes"  // staff asked for changes
	Approved State = "approved" // staff checked it
	Waived   State = "waived"   // staff do not need it
)

// OwnerID returns the id of the session or the person.
func (d *Deliverable) OwnerID() string {
	if d.SessionID != nil {
		return *d.SessionID
	}
	return *d.ContactID
}

// Due returns when it is due, by its extension or its task; nil for never.
func (d *Deliverable) Due() *store.Time {
	if d.DueAt != nil {
		return d.DueAt
	}
	return d.Task.DueAt
}

// IsMissing reports whether its people still have to hand it in.
func (d *Deliverable) IsMissing() bool { return d.State == Open || d.State == Changes }

// IsLate reports whether it is missing although it was due.
func (d *Deliverable) IsLate(now store.Time) bool {
	due := d.Due()
	return d.IsMissing() && due != nil && due.Before(now.Time)
}

// IsToCheck reports whether staff have to check it.
func (d *Deliverable) IsToCheck() bool { return d.State == Done && d.Task.Kind.HasVersions() }

// of narrows a query on deliverables, versions or comments to this deliverable.
func (d *Deliverable) of(db *gorm.DB) *gorm.DB {
	db = db.Where("event_id = ? AND task_id = ?", d.EventID, d.TaskID)
	if d.SessionID != nil {
		return db.Where("session_id = ?", *d.SessionID)
	}
	return db.Where("contact_id = ?", *d.ContactID)
}

// untouched returns the deliverable of an owner who has done nothing yet.
func (t *Task) untouched(ownerID *string) *Deliverable {
	d := &Deliverable{EventID: t.EventID, TaskID: t.ID, State: Open, Task: t}
	if t.AskedOf == OfSession {
		d.SessionID = ownerID
	} else {
		d.ContactID = ownerID
	}
	return d
}

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
