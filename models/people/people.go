// Package people has the operations on people on top of the directory: finding, changing and counting them, adding them
// to an event and removing them, imports, sourcing boards and segments, merging, the export of personal data, and
// erasing.
package people

import "lectern/models"

// AtEvent is the handle of the operations on the people of one event.
type AtEvent struct{ p *models.Programme }

// Of returns the handle of a programme's people.
func Of(p *models.Programme) *AtEvent { return &AtEvent{p} }

// Directory is a models.Directory with the operations on its people.
type Directory struct{ *models.Directory }

// In returns the handle of a directory.
func In(d *models.Directory) *Directory { return &Directory{d} }

// Rows maps each table to the struct by which gorm reads and writes it.
var Rows = map[string]any{
	"contact_imports": ContactImport{}, "dismissed_pairs": DismissedPair{}, "segments": Segment{},
	"sourcing_stages": Stage{}, "sourcing_cards": Card{}, "sourcing_moves": CardMove{},
}

// contactTable describes a table with rows of contacts, and what merging and erasing do with them.
type contactTable struct {
	table, column string
	of            string // a condition, if the column holds other ids too
	moves         bool   // a merge gives them to the survivor; else the merger folds them and deletes the rest
	stays         bool   // erasing keeps the rows, emptied; otherwise it deletes them
	atEvent       bool   // each of its rows belongs to an event
	brought       bool   // a move may bring such rows; rows of other tables keep the contact when a move is undone
	once          string // unique column per contact: of two rows with the same value the survivor's stays
}

// contactTables lists all tables with rows of contacts, before the tables that they refer to. Merging and erasing
// follow it, and a test fails for a table that refers to contacts and is not here.
var contactTables = []contactTable{
	{table: "participants", column: "contact_id", atEvent: true, moves: true, stays: true}, // see moveSeats
	{table: "sourcing_moves", column: "contact_id", atEvent: true, moves: true},
	{table: "sourcing_cards", column: "contact_id", atEvent: true}, // see moveCards
	{table: "contact_tags", column: "contact_id", atEvent: true},   // see moveEvents, also for event_contacts
	// See the eraser's call.
	{table: "speaker_answers", column: "contact_id", atEvent: true, moves: true, once: "question_id", brought: true},
	{table: "deliverables", column: "contact_id", atEvent: true, moves: true, once: "task_id"},
	{table: "deliverables", column: "author_id", atEvent: true, moves: true, stays: true},
	{table: "deliverable_versions", column: "contact_id", atEvent: true, moves: true}, // see the eraser's deliverables
	{table: "deliverable_versions", column: "author_id", atEvent: true, moves: true, stays: true},
	{table: "deliverable_comments", column: "contact_id", atEvent: true, moves: true},
	{table: "deliverable_comments", column: "author_id", atEvent: true, moves: true},
	{table: "revisions", column: "contact_id", atEvent: true, moves: true}, // see moveRevision, and the eraser's deliverables
	{table: "revisions", column: "author_id", atEvent: true, moves: true},
	{table: "event_contacts", column: "contact_id", stays: true, brought: true},
	{table: "contact_values", column: "contact_id"},                                   // see moveProfile
	{table: "letters", column: "contact_id", atEvent: true, moves: true, stays: true}, // see moveLetters, and the eraser's letters
	{table: "agenda_version_people", column: "contact_id", moves: true, stays: true},
	{table: "contact_notes", column: "contact_id", atEvent: true, moves: true, brought: true},
	{table: "contact_aliases", column: "contact_id", moves: true},
	{table: "dismissed_pairs", column: "first_id"}, // see movePairs
	{table: "dismissed_pairs", column: "second_id"},
	// An import that still has somebody erased brings them in as a new person, and names no erased person again.
	{table: "imported", column: "record_id", of: "kind = 'contact'", moves: true, brought: true},
	{table: "proposals", column: "contact_id", atEvent: true, moves: true, stays: true},
	{table: "participations", column: "contact_id", atEvent: true, moves: true, once: "session_id", brought: true},
	{table: "co_speakers", column: "contact_id", atEvent: true, moves: true},
	{table: "co_speakers", column: "invited_by", atEvent: true, moves: true, stays: true},
	{table: "call_extensions", column: "contact_id", atEvent: true, moves: true, once: "event_id"},
	{table: "speaker_links", column: "contact_id", moves: true},
	{table: "speaker_accounts", column: "contact_id", moves: true}, // with its logins and links; see closeWays
	{table: "activity", column: "subject_id", of: "subject = 'contact'", moves: true, stays: true, brought: true},
}

// theirs returns the SQL condition for one contact's rows.
func (t contactTable) theirs() string {
	if t.of != "" {
		return t.of + " AND " + t.column + " = ?"
	}
	return t.column + " = ?"
}
