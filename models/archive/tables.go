// Package archive handles an event as a whole: it copies an event for another year, writes one to a file, and imports
// one from there. The tables of this file say what belongs to an event and what becomes of it; rows, ids and days are
// treated alike in all of them. It stands on top of everything that an event has.
package archive

import (
	"maps"
	"strings"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/desk"
	"lectern/models/embed"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/tasks"
)

// table is a table with rows of an event, or with rows of its organization to which those refer.
type table struct {
	name string
	of   string // SQL condition of the rows of @events; "" means "event_id IN @events"

	copied  string        // SQL condition of the rows that a copy gets too; "" for none
	stays   string        // why a copy gets none of them
	moved   []string      // dates and moments, in order, that shift with the first day of a copy
	words   []string      // texts whose dates shift too, and whose ids a copy may lack
	emptied []string      // columns that a copy clears
	newID   func() string // if new rows need another kind of id

	last   string   // a column that refers to a row of the same table; rows with it come last
	only   []string // the columns in an archive, nil for all
	secret []string // columns that are exported empty
	html   []string // sanitised on import like what everybody may write
	urls   []string // checked likewise, as web addresses
	colour []string // checked likewise, as colours
	kept   string   // SQL condition of the rows in an archive, "" for all
}

// every is the condition of all rows of an event.
const every = "1 = 1"

// These are the reasons why a copy begins without some rows.
const (
	ofPeople   = "it is of people, and each year has its own"
	ofSessions = "it is of sessions, and each year has its own"
	ofLetters  = "it is what was written to people"
	ofTheHouse = "it is the organization's, which has it already"
)

// Rows of the organization belong to an event if rows of the event refer to them.
var (
	ofAccounts = referred("event_contacts.contact_id", "participants.contact_id", "proposals.contact_id",
		"participations.contact_id", "co_speakers.contact_id", "co_speakers.invited_by", "call_extensions.contact_id",
		"letters.contact_id") + " UNION SELECT contact_id FROM agenda_version_people WHERE " + ofItsVersions
	ofContacts = "SELECT id FROM contacts WHERE id IN (" + ofAccounts + ")"
	ofFiles    = referred("event_looks.logo_id", "event_looks.picture_id", "proposal_files.file_id",
		"speaker_answers.file_id", "deliverable_versions.file_id", "revisions.photo_id") +
		" UNION SELECT file_id FROM contact_values WHERE contact_id IN (" + ofAccounts + ")" +
		" UNION SELECT id FROM files WHERE key IN (SELECT photo_key FROM contacts WHERE id IN (" + ofAccounts + "))"
	ofUsers = referred("event_roles.user_id", "reviews.user_id", "review_assignments.user_id", "saved_views.user_id",
		"segments.user_id", "contact_notes.author_id")
)

const ofItsVersions = "version_id IN (SELECT id FROM agenda_versions WHERE event_id IN @events)"

// referred returns a query for the values of some columns of an event's rows.
func referred(columns ...string) string {
	queries := make([]string, len(columns))
	for i, column := range columns {
		table, name, _ := strings.Cut(column, ".")
		queries[i] = "SELECT " + name + " FROM " + table + " WHERE event_id IN @events"
	}
	return strings.Join(queries, " UNION ")
}

// tables are all tables with rows of an event, each after those that it refers to. A test fails for a table of an event
// that is neither here nor in left.
var tables = []*table{
	{name: "users", of: "id IN (" + ofUsers + ")", stays: ofTheHouse, only: []string{"id", "email", "email_key", "name"}},
	{name: "files", of: "id IN (" + ofFiles + ")", stays: ofTheHouse},
	{name: "contact_fields", of: "key IN (SELECT field_key FROM contact_values WHERE contact_id IN (" + ofContacts + "))",
		stays: ofTheHouse},
	{name: "contacts", of: "id IN (" + ofAccounts + ")", stays: ofTheHouse, html: []string{"about"},
		urls: []string{"photo_url", "website_url", "linkedin_url"}},
	{name: "contact_aliases", of: "contact_id IN (" + ofContacts + ")", stays: ofTheHouse},
	{name: "contact_values", of: "contact_id IN (" + ofContacts + ")", stays: ofTheHouse},
	{name: "speaker_accounts", of: "contact_id IN (" + ofContacts + ")", stays: ofTheHouse,
		secret: []string{"password_hash"}},
	{name: "dismissed_pairs", stays: ofTheHouse,
		of: "first_id IN (" + ofContacts + ") AND second_id IN (" + ofContacts + ")"},
	{name: "sourcing_stages", of: "id IN (" + referred("sourcing_cards.stage_id", "sourcing_moves.from_stage",
		"sourcing_moves.to_stage") + ")", stays: ofTheHouse},
	{name: "events", of: "id IN @events", copied: every,
		moved: []string{"starts_on", "ends_on", "cfp_opens_at", "cfp_closes_at"}},
	{name: "event_counters", stays: "a copy counts from the start"},
	{name: "event_roles", copied: every},
	{name: "event_looks", copied: every, html: []string{"intro"}, colour: []string{"brand", "paper"}},
	{name: "metadata", copied: every, colour: []string{"color"}},
	{name: "calls", copied: every, moved: []string{"answers_on"}, html: []string{"welcome", "success"}},
	{name: "call_parts", copied: every},
	{name: "call_questions", copied: "removed_at IS NULL"},
	{name: "call_codes", stays: "codes were given to people for one call"},
	{name: "identifying_answers", copied: every},
	{name: "letter_templates", copied: every},
	{name: "review_rounds", copied: every, moved: []string{"opens_at", "closes_at"}},
	{name: "review_criteria", copied: every},
	{name: "round_reviewers", copied: every},
	{name: "embeds", copied: every, emptied: []string{"last_asked_at"}, newID: embed.NewID,
		colour: []string{"accent"}},
	{name: "tasks", copied: every, moved: []string{"due_at"}},
	{name: "saved_views", copied: "is_shared", words: []string{"query"}},
	{name: "segments", copied: "user_id IS NULL", words: []string{"query"}},
	{name: "event_contacts", stays: ofPeople},
	{name: "contact_tags", stays: ofPeople},
	{name: "contact_notes", stays: ofPeople},
	{name: "call_extensions", stays: ofPeople},
	{name: "sessions", stays: ofSessions, last: "composed_into", html: []string{"description"}},
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
	{name: "letters", stays: ofLetters, last: "carried_by"},
	{name: "deliverables", stays: ofPeople},
	{name: "deliverable_versions", stays: ofPeople, urls: []string{"url"}},
	{name: "deliverable_comments", stays: ofPeople},
	{name: "revisions", stays: ofPeople, html: []string{"description", "about"}},
	{name: "sourcing_cards", stays: ofPeople},
	{name: "sourcing_moves", stays: ofPeople},
	{name: "imported", stays: ofSessions, secret: []string{"made_by"}},
	{name: "activity", stays: "nothing has happened yet", secret: []string{"address"},
		kept: "subject NOT IN ('" + strings.Join(ofTheServer, "', '") + "') AND (event_id IS NOT NULL OR subject IN ('" +
			strings.Join(ofPeopleElsewhere, "', '") + "'))"},
}

// ofTheServer are the subjects of activity about one server and its staff.
var ofTheServer = []string{"access", "api_key", "invitation", "organization", "user"}

// ofPeopleElsewhere are the subjects of activity about an organization's people outside of events.
var ofPeopleElsewhere = []string{"contact", "contact_field", "segment", "stage"}

// left are the tables with an event_id of which neither a copy nor an archive has rows, and why.
var left = map[string]string{
	"api_keys":           "keys are of one server",
	"archives":           "they are files of one server",
	"batches":            "work at many sessions is of one server; what it changed stands in them",
	"batch_items":        "work at many sessions is of one server; what it changed stands in them",
	"changes":            "the database keeps them by itself",
	"contact_imports":    "what a file brought stands with the people",
	"moves":              "what they brought is there; tokens and files are of one server",
	"emissions":          "webhooks are of the organization",
	"webhook_deliveries": "webhooks are of the organization",
	"speaker_links":      "links are of one server",
	"speaker_logins":     "logins are of one server",
}

// structs are the structs of all tables' rows, by table.
var structs = func() map[string]any {
	all := map[string]any{}
	for _, rows := range []map[string]any{
		store.Rows, staff.Rows, outbox.Rows, models.Rows, call.Rows, reviews.Rows, look.Rows, embed.Rows, tasks.Rows, people.Rows,
		arrival.Rows, desk.Rows, agenda.Rows, letters.Rows,
	} {
		maps.Copy(all, rows)
	}
	return all
}()
