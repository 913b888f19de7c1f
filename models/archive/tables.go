package archive

import (
	"maps"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/embed"
	"lectern/models/look"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/task"
)

// table is one with rows that are of an event.
type table struct {
	name    string
	of      string        // the condition of an event's rows, of its id; "event_id = ?" where it is ""
	copied  string        // a condition of the rows that a copy has too; "" of none
	stays   string        // why a copy has none of them
	moved   []string      // dates and moments that move with the first day of a copy, in their order
	words   []string      // of which what they say has dates that move too, and ids that only some of them have a row for
	emptied []string      // of which a copy has nothing
	newID   func() string // of a copy's rows, where they are not as all ids
}

// every is the condition of all rows of an event.
const every = "1 = 1"

// What a copy begins without.
const (
	ofPeople   = "it is of people, and each year has its own"
	ofSessions = "it is of sessions, and each year has its own"
	ofLetters  = "it is what was written to people"
	ofTheYear  = "it is what happened, and nothing has happened yet"
)

// tables are all that hold rows of an event, those that others refer to before them. A test fails for a table of an
// event that is neither here nor among the left.
var tables = []*table{
	{name: "events", of: "id = ?", copied: every, moved: []string{"starts_on", "ends_on", "cfp_opens_at", "cfp_closes_at"}},
	{name: "event_counters", stays: "a copy counts from the start"},
	{name: "event_roles", copied: every},
	{name: "event_looks", copied: every},
	{name: "metadata", copied: every},
	{name: "calls", copied: every, moved: []string{"answers_on"}},
	{name: "call_parts", copied: every},
	{name: "call_questions", copied: "removed_at IS NULL"},
	{name: "call_codes", stays: "codes were given to people for one call"},
	{name: "identifying_answers", copied: every},
	{name: "letter_templates", copied: every},
	{name: "review_rounds", copied: every, moved: []string{"opens_at", "closes_at"}},
	{name: "review_criteria", copied: every},
	{name: "round_reviewers", copied: every},
	{name: "embeds", copied: every, emptied: []string{"last_asked_at"}, newID: embed.NewID},
	{name: "tasks", copied: every, moved: []string{"due_at"}},
	{name: "saved_views", copied: "is_shared", words: []string{"query"}},
	{name: "segments", copied: "user_id IS NULL", words: []string{"query"}},
	{name: "event_contacts", stays: ofPeople},
	{name: "contact_tags", stays: ofPeople},
	{name: "contact_notes", stays: ofPeople},
	{name: "call_extensions", stays: ofPeople},
	{name: "sessions", stays: ofSessions},
	{name: "session_tags", stays: ofSessions},
	{name: "participants", stays: ofSessions},
	{name: "proposals", stays: ofSessions},
	{name: "proposal_files", stays: ofSessions},
	{name: "co_speakers", stays: ofSessions},
	{name: "participations", stays: ofSessions},
	{name: "speaker_answers", stays: ofPeople},
	{name: "decisions", stays: ofSessions},
	{name: "reviews", stays: ofSessions},
	{name: "review_assignments", stays: ofSessions},
	{name: "review_results", stays: ofSessions},
	{name: "agenda_breaks", stays: "an agenda begins empty"},
	{name: "agenda_versions", stays: ofSessions},
	{name: "agenda_version_sessions", of: ofItsVersions, stays: ofSessions},
	{name: "agenda_version_people", of: ofItsVersions, stays: ofSessions},
	{name: "calendar_entries", stays: ofSessions},
	{name: "mailings", stays: ofLetters},
	{name: "letters", stays: ofLetters},
	{name: "deliverables", stays: ofPeople},
	{name: "deliverable_versions", stays: ofPeople},
	{name: "deliverable_comments", stays: ofPeople},
	{name: "revisions", stays: ofPeople},
	{name: "sourcing_cards", stays: ofPeople},
	{name: "sourcing_moves", stays: ofPeople},
	{name: "imported", stays: ofSessions},
	{name: "batches", stays: ofTheYear},
	{name: "batch_items", stays: ofTheYear},
	{name: "activity", stays: ofTheYear},
}

const ofItsVersions = "version_id IN (SELECT id FROM agenda_versions WHERE event_id = ?)"

// left are the tables with a column of events of which neither a copy nor an archive has anything, and why.
var left = map[string]string{
	"api_keys":           "keys are of one server",
	"changes":            "the database keeps them by itself",
	"contact_imports":    "what a file brought stands with the people",
	"emissions":          "webhooks are of the organization",
	"webhook_deliveries": "webhooks are of the organization",
	"speaker_links":      "links are of one server",
	"speaker_logins":     "logins are of one server",
}

// structs are those of all tables' rows.
var structs = func() map[string]any {
	all := map[string]any{}
	for _, rows := range []map[string]any{
		store.Rows, staff.Rows, outbox.Rows, models.Rows, cfp.Rows, review.Rows, look.Rows, embed.Rows, task.Rows, people.Rows,
	} {
		maps.Copy(all, rows)
	}
	return all
}()
