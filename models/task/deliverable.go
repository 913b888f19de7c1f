package task

import (
	"gorm.io/gorm"

	"lectern/models/store"
)

// Deliverable is a task as a session or a person has it: exactly one of SessionID and ContactID is set. Its row exists
// once something of it was done.
type Deliverable struct {
	ID           string `gorm:"primaryKey"` // "" without a row, and on a board
	EventID      string
	TaskID       string
	SessionID    *string
	ContactID    *string
	AuthorID     *string // the contact who brought it to its state; nil of staff
	ByName       string  // of staff
	Words        string  // with which staff asked for changes, or why they waived it
	StateAt      store.Time
	UpdatedAt    store.Time
	RemindedDays *int     // which automatic reminder went out last: days before the due date, negative after it
	had          []Person // of one that was loaded: by whom it is had
	// A board asks of thousands, again and again, for what is from here on: it lies beside each other.
	State      State
	Task       *Task       `gorm:"-"`
	DueAt      *store.Time // an extension, in place of the task's date
	RemindedAt *store.Time // when they were last written to
	by         []*PersonOf // of one on a board: by whom it is had
	IsGiven    bool        // by staff, whether the filters fit or not
	isKept     bool        // of one on a board: it has a row
	isHad      bool        // of one on a board: its owner has it
	isAsked    bool        // of one on a board: a speaker had the last word in the thread
	isMoved    bool        // it was brought to a state, maybe the same as before
	isTold     bool        // the activity has a line of its own of what brought it to its state
}

// State is how far a deliverable is.
type State string

const (
	Open     State = "open"     // nothing counts yet
	Done     State = "done"     // they did it; what has versions is to be checked
	Changes  State = "changes"  // staff asked for changes
	Approved State = "approved" // staff checked it
	Waived   State = "waived"   // staff do not need it
)

// OwnerID is the id of the session or the person.
func (d *Deliverable) OwnerID() string {
	if d.SessionID != nil {
		return *d.SessionID
	}
	return *d.ContactID
}

// Due is when it is due: by the task, or by an extension. Nil is at no time.
func (d *Deliverable) Due() *store.Time {
	if d.DueAt != nil {
		return d.DueAt
	}
	return d.Task.DueAt
}

// IsMissing tells of one that its people still have to hand in.
func (d *Deliverable) IsMissing() bool { return d.State == Open || d.State == Changes }

// IsLate tells of one that is missing although it was due.
func (d *Deliverable) IsLate(now store.Time) bool {
	due := d.Due()
	return d.IsMissing() && due != nil && due.Before(now.Time)
}

// IsToCheck tells of one that staff have to look at.
func (d *Deliverable) IsToCheck() bool { return d.State == Done && d.Task.Kind.HasVersions() }

// of narrows a query of deliverables, versions or comments to those of this one.
func (d *Deliverable) of(db *gorm.DB) *gorm.DB {
	db = db.Where("event_id = ? AND task_id = ?", d.EventID, d.TaskID)
	if d.SessionID != nil {
		return db.Where("session_id = ?", *d.SessionID)
	}
	return db.Where("contact_id = ?", *d.ContactID)
}

// untouched is a task as an owner has it who did nothing of it.
func (t *Task) untouched(ownerID *string) *Deliverable {
	d := &Deliverable{EventID: t.EventID, TaskID: t.ID, State: Open, Task: t}
	if t.AskedOf == OfSession {
		d.SessionID = ownerID
	} else {
		d.ContactID = ownerID
	}
	return d
}
