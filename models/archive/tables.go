// Package archive takes an event as a whole, on top of all that it has: it copies one for another year, writes one to a
// file, and brings one in from there. The tables of this page say what belongs to an event and what becomes of it;
// rows, ids and days are treated alike in all of them.
package archive

import (
	"maps"
	"strings"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/arrival"
	"lectern/models/cfp"
	"lectern/models/desk"
	"lectern/models/embed"
	"lectern/models/letters"
	"lectern/models/look"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/models/task"
)

// table is one with rows of an event, or of its organization to which such rows refer.
type table struct {
	name string
	of   string // the condition of the rows of events, of @events; "event_id IN @events" where it is ""

	copied  string        // a condition of the rows that a copy has too; "" of none
	stays   string        // why a copy has none of them
	moved   []string      // dates and moments that move with the first day of a copy, in their order
	words   []string      // texts of which the dates move too, and that name ids of which a copy may have no row
	emptied []string      // what a copy does not have of a row
	newID   func() string // of new rows, where it is not as all ids

	last   string   // a column that refers to another row of the table; rows in which it says so come last
	only   []string // the columns that an archive has, nil for all
	secret []string // columns that leave empty
	html   []string // of which nothing comes in but what everybody may write
	urls   []string // likewise, of addresses on the web
	colour []string // likewise
	kept   string   // a condition of the rows that an archive has, "" for all
}

// every is the condition of all rows of an event.
const every = "1 = 1"

// Why a copy begins without some rows.
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

// referred is a query of what columns of an event's rows hold.
func referred(columns ...string) string {
	queries := make([]string, len(columns))
	for i, column := range columns {
		table, name, _ := strings.Cut(column, ".")
		queries[i] = "SELECT " + name + " FROM " + table + " WHERE event_id IN @events"
	}
	return strings.Join(queries, " UNION ")
}

// tables are all that hold rows of an event, those that others refer to before them. A test fails for a table of an
// event that is neither here nor among the left.
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

// ofTheServer are the subjects of activity that tell of a server and its staff.
var ofTheServer = []string{"access", "api_key", "invitation", "organization", "user"}

// ofPeopleElsewhere are those that tell of the people of an organization where they do so of no event.
var ofPeopleElsewhere = []string{"contact", "contact_field", "segment", "stage"}

// left are the tables with a column of events of which neither a copy nor an archive has anything, and why.
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

// structs are those of all tables' rows.
var structs = func() map[string]any {
	all := map[string]any{}
	for _, rows := range []map[string]any{
		store.Rows, staff.Rows, outbox.Rows, models.Rows, cfp.Rows, review.Rows, look.Rows, embed.Rows, task.Rows, people.Rows,
		arrival.Rows, desk.Rows, agenda.Rows, letters.Rows,
	} {
		maps.Copy(all, rows)
	}
	return all
}()
