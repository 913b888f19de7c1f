package task

import (
	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Deliverable is a task as a session or a person has it: exactly one of SessionID and ContactID is set. Its row exists
// once something of it was done.
type Deliverable struct {
	ID           string `gorm:"primaryKey"` // "" without a row
	EventID      string
	TaskID       string
	SessionID    *string
	ContactID    *string
	State        State
	Words        string      // with which staff asked for changes, or why they waived it
	DueAt        *store.Time // an extension, in place of the task's date
	AuthorID     *string     // the contact who brought it to its state; nil of staff
	ByName       string      // of staff
	StateAt      store.Time
	RemindedAt   *store.Time // when they were last written to
	RemindedDays *int        // which automatic reminder went out last: days before the due date, negative after it
	UpdatedAt    store.Time
	Task         *Task `gorm:"-"`
	isMoved      bool  // it was brought to a state, maybe the same as before
	isTold       bool  // the activity has a line of its own of what brought it to its state
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
func (t *Task) untouched(ownerID string) *Deliverable {
	d := &Deliverable{EventID: t.EventID, TaskID: t.ID, State: Open, Task: t}
	if t.AskedOf == OfSession {
		d.SessionID = &ownerID
	} else {
		d.ContactID = &ownerID
	}
	return d
}

// owned begins a query of who has a task: a row for each participant by whom a session or a person has it. Who was
// erased and who said that they do not come has none, nor has a session that stands for its submissions: these have it.
func (t *Task) owned(db *gorm.DB) *gorm.DB {
	f := t.Filters
	if len(f.Statuses) == 0 {
		f.Statuses = []models.Status{models.Accepted}
	}
	var kept []models.Status
	for _, status := range f.Statuses {
		kept = append(kept, statuses[status]...)
	}
	db = db.Table("sessions s").Joins("JOIN participants x ON x.event_id = s.event_id AND x.session_id = s.id").
		Joins("JOIN contacts c ON c.id = x.contact_id AND c.erased_at IS NULL").
		Where("s.event_id = ? AND s.deleted_at IS NULL AND s.status IN ?", t.EventID, kept).
		Where("NOT EXISTS (SELECT 1 FROM participations n WHERE n.session_id = s.id AND n.contact_id = x.contact_id AND n.answer = 'no')")
	if len(f.Roles) > 0 {
		db = db.Where("x.role IN ?", f.Roles)
	}
	for _, n := range []struct {
		column string
		ids    []string
	}{{"format_id", f.Formats}, {"track_id", f.Tracks}, {"level_id", f.Levels}} {
		if len(n.ids) > 0 {
			db = db.Where("s."+n.column+" IN ?", n.ids)
		}
	}
	if len(f.Tags) > 0 {
		db = db.Where("EXISTS (SELECT 1 FROM session_tags g WHERE g.event_id = s.event_id AND g.session_id = s.id AND g.tag_id IN ?)", f.Tags)
	}
	if t.AskedOf == OfSession {
		db = db.Where("(s.is_abstract OR NOT EXISTS (SELECT 1 FROM sessions a WHERE a.event_id = s.event_id " +
			"AND a.composed_into = s.id AND a.deleted_at IS NULL))")
	}
	return db
}

// ownerColumn is what owned has of owners.
func (t *Task) ownerColumn() string {
	if t.AskedOf == OfSession {
		return "s.id"
	}
	return "x.contact_id"
}

// people are the contacts by whom an owner has a task.
func (t *Task) people(db *gorm.DB, ownerID string) (ids []string, err error) {
	return ids, t.owned(db).Where(t.ownerColumn()+" = ?", ownerID).Distinct("x.contact_id").Order("x.contact_id").
		Pluck("x.contact_id", &ids).Error
}
