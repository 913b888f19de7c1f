package task

import (
	"database/sql"
	"slices"
	"strings"

	"lectern/models/store"
)

// Wanted selects deliverables of a board. Empty fields narrow nothing.
type Wanted struct {
	TaskID, TrackID, SessionID, ContactID string
	Show                                  Show
	Text                                  string // in names and titles
	dated                                 bool   // also read since when they are in their state
}

// conditions returns SQL conditions that narrow seats and deliverables to one session with its sources, or to one
// person with their sessions.
func (w Wanted) conditions() (seats, deliverables string, values []any) {
	switch {
	case w.SessionID != "":
		const with = "IN (SELECT m.id FROM sessions m WHERE m.id = @id OR m.composed_into = @id)"
		return " AND s.id " + with, " AND session_id " + with, []any{sql.Named("id", w.SessionID)}
	case w.ContactID != "":
		const theirs = "IN (SELECT p.session_id FROM participants p WHERE p.contact_id = @id)"
		return " AND s.id " + theirs, " AND (contact_id = @id OR session_id " + theirs + ")", []any{sql.Named("id", w.ContactID)}
	}
	return "", "", nil
}

// Show selects deliverables by their state.
type Show string

const (
	Everything Show = ""
	Missing    Show = "missing"
	Late       Show = "late"
	ToCheck    Show = "check"
	Asked      Show = "asked" // the latest comment is by a speaker
	Finished   Show = "finished"
)

// Shows are all values of Show, in the order of tabs.
var Shows = []Show{Everything, Late, Missing, ToCheck, Asked, Finished}

// Is reports whether a deliverable is among those that show selects.
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

// Only returns the wanted deliverables, in the board's order.
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
	if w.ContactID != "" && !slices.ContainsFunc(d.by, func(p *PersonOf) bool { return p.ID == w.ContactID }) {
		return false
	}
	if w.SessionID == "" && w.TrackID == "" {
		return true
	}
	if d.SessionID == nil {
		return w.SessionID == "" && slices.Contains(b.People[*d.ContactID].tracks, w.TrackID)
	}
	s := b.Sessions[*d.SessionID]
	is := func(id *string, wanted string) bool { return wanted == "" || id != nil && *id == wanted }
	return (is(&s.ID, w.SessionID) || is(s.ComposedInto, w.SessionID)) && is(s.TrackID, w.TrackID)
}

// says reports whether a folded text occurs in the title, label or names of a deliverable's owner and people.
func (b *Board) says(d *Deliverable, text string) bool {
	if d.SessionID != nil && strings.Contains(b.Sessions[*d.SessionID].searched(), text) {
		return true
	}
	return slices.ContainsFunc(d.by, func(p *PersonOf) bool { return strings.Contains(p.searched(), text) })
}

// searched returns the session's title and label folded for search; it is cached, because many tasks ask for it.
func (s *SessionOf) searched() string {
	if s.search == "" {
		s.search = store.Searchable(s.Title, s.FriendlyID)
	}
	return s.search
}

// searched returns the person's name folded for search; it is cached.
func (p *PersonOf) searched() string {
	if p.search == "" {
		p.search = store.Searchable(p.FullName)
	}
	return p.search
}

// Count returns how many deliverables of a task, "" for all, show selects.
func (b *Board) Count(show Show, taskID string) (n int) {
	for _, d := range b.All {
		if (taskID == "" || d.TaskID == taskID) && b.Is(d, show) {
			n++
		}
	}
	return n
}
