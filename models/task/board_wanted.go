package task

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Wanted is which deliverables of a board are shown. Empty fields narrow nothing.
type Wanted struct {
	TaskID, TrackID, SessionID, ContactID string
	Show                                  Show
	Text                                  string // in names and titles
}

// narrow keeps of a query what a session has itself or what it is made of has, or what a person has of their own and of the sessions that they
// are on; the columns hold who has it.
func (w Wanted) narrow(db *gorm.DB, session, contact string) *gorm.DB {
	if w.SessionID != "" {
		db = db.Where(session+" IN (SELECT c.id FROM sessions c WHERE c.id = ? OR c.composed_into = ?)", w.SessionID, w.SessionID)
	}
	if w.ContactID != "" {
		db = db.Where("("+contact+" = ? OR "+session+" IN (SELECT p.session_id FROM participants p WHERE p.contact_id = ?))",
			w.ContactID, w.ContactID)
	}
	return db
}

// hadBy are all by whom a task is had, as far as wanted narrows that. Tasks with the same filters share one look.
func (b *Board) hadBy(db *gorm.DB, task *Task, w Wanted) ([]had, error) {
	key := fmt.Sprintf("%s %+v", task.AskedOf, task.Filters)
	if rows, known := b.had[key]; known {
		return rows, nil
	}
	query := task.owned(db).Select(task.ownerColumn() + " AS owner, x.contact_id, s.track_id").Order("1, x.position, 2")
	if task.AskedOf == OfSession {
		query = w.narrow(query, "s.id", "''")
	} else {
		query = w.narrow(query, "''", "x.contact_id")
	}
	rows := []had{}
	err := query.Scan(&rows).Error
	b.had[key] = rows
	return rows, err
}

// Show is which states are wanted.
type Show string

const (
	Everything Show = ""
	Missing    Show = "missing"
	Late       Show = "late"
	ToCheck    Show = "check"
	Asked      Show = "asked" // a speaker had the last word
	Finished   Show = "finished"
)

// Shows are all of them, in the order of tabs.
var Shows = []Show{Everything, Late, Missing, ToCheck, Asked, Finished}

// Is tells whether a deliverable is among what is shown.
func (b *Board) Is(d *Deliverable, show Show) bool {
	switch show {
	case Missing:
		return d.IsMissing()
	case Late:
		return d.IsLate(b.Now)
	case ToCheck:
		return d.IsToCheck()
	case Asked:
		return b.IsAsked(d)
	case Finished:
		return !d.IsMissing() && !d.IsToCheck()
	}
	return true
}

// Only are the deliverables that are wanted, in the board's order.
func (b *Board) Only(w Wanted) (some []*Deliverable) {
	text := store.Searchable(w.Text)
	for _, d := range b.All {
		if w.TaskID != "" && d.TaskID != w.TaskID || !b.Is(d, w.Show) || !b.fits(d, w) || text != "" && !b.says(d, text) {
			continue
		}
		some = append(some, d)
	}
	return some
}

func (b *Board) fits(d *Deliverable, w Wanted) bool {
	if w.ContactID != "" && !slices.Contains(b.contacts(d), w.ContactID) {
		return false
	}
	if w.SessionID == "" && w.TrackID == "" {
		return true
	}
	if d.SessionID == nil {
		return w.SessionID == "" && b.People[*d.ContactID].tracks[w.TrackID]
	}
	s := b.Sessions[*d.SessionID]
	is := func(id *string, wanted string) bool { return wanted == "" || id != nil && *id == wanted }
	return (is(&s.ID, w.SessionID) || is(s.ComposedInto, w.SessionID)) && is(s.TrackID, w.TrackID)
}

// says tells whether a folded text stands in the names of a deliverable.
func (b *Board) says(d *Deliverable, text string) bool {
	names := b.Names(d)
	if d.SessionID != nil {
		names = append(names, b.Sessions[*d.SessionID].Title, b.Sessions[*d.SessionID].FriendlyID)
	}
	return strings.Contains(store.Searchable(names...), text)
}

// Count is how many deliverables of a task, or of all for "", are shown.
func (b *Board) Count(show Show, taskID string) (n int) {
	for _, d := range b.All {
		if (taskID == "" || d.TaskID == taskID) && b.Is(d, show) {
			n++
		}
	}
	return n
}
