package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestPeopleAreKept goes the way of who keeps the people of an event: added, edited by two, invited together, their
// travel saved, and found by a field of one's own.
func TestPeopleAreKept(t *testing.T) { journey(t, contactsJourney) }

func contactsJourney(t *testing.T, s *site) {
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.owner()
	hook := newReceiver(t)
	s.run("webhook", "create", "--url", hook.URL)

	w.follow("Contacts")
	w.sees("No contacts yet")
	w.accessible("contacts-empty")
	w.follow("Fields of people")
	w.sees("No fields of your own yet")
	w.fill("Label", "Shirt")
	w.choose("Type", "One of several choices")
	w.press("Add field")
	w.sees("there is nothing to choose from")
	w.fill("Choices", "Small\nLarge")
	w.press("Add field")
	w.sees("“Shirt” is added.")
	w.accessible("contact-fields")
	w.follow("Shirt")
	w.accessible("contact-field")
	w.follow("Contacts")
	w.follow("Fields of people")
	w.fill("Label", "Remark")
	w.choose("Type", "Text")
	w.press("Add field")
	w.sees("“Remark” is added.")

	w.follow("Speakers")
	w.sees("No speakers yet")
	add := func(first, last, email string) {
		w.follow("Speakers")
		w.follow("Add person")
		w.fill("First name", first)
		w.fill("Last name", last)
		w.fill("E-mail", email)
	}
	add("Nomvula", "Dlamini", "not an address")
	w.press("Add person")
	w.sees("must be an address such as ana@example.org")
	w.accessible("person-new")
	w.fill("E-mail", "nomvula@example.org")
	w.fill("Company", "Ledgerline")
	w.choose("Shirt", "Large")
	w.press("Add person")
	w.sees("Nomvula Dlamini is added.", "Ledgerline", "Shirt", "Large")
	record := w.url()
	add("Bruno", "Silva", "bruno@example.org")
	w.press("Add person")
	w.sees("Bruno Silva is added.")
	add("Somebody", "Else", "NOMVULA@example.org")
	w.press("Add person")
	w.sees("belongs to Nomvula Dlamini, who is at this event now. Nothing of theirs was changed.")

	two(t, s, w, record)

	w.follow("Speakers")
	w.follow("Everybody")
	w.sees("2 people")
	w.tick("Select Bruno Silva")
	w.tick("Select Nomvula Dlamini")
	w.press("Invited")
	w.sees("Invited: 2 people.")
	w.accessible("roster")
	w.press("Undo")
	w.sees("Undone.")
	w.press("Filter")
	w.accessible("roster-filters")
	w.press("Shirt")
	w.tick("Large")
	w.press("Show")
	w.sees("1 of 2", "Nomvula Dlamini")
	w.doesNotSee("Bruno Silva")
	segmentsAreKept(t, s, w)

	w.follow("Nomvula Dlamini")
	w.fill("Hotel", "Pensão do Cais")
	w.fill("Access needs", "Step-free stage")
	w.press("Save travel")
	w.sees("Saved.", "Staff only. Never on public pages.")
	w.fill("Add a note for the team", "Brings her own adding machine.")
	w.press("Add note")
	w.sees("The note is added.", "Brings her own adding machine.")
	w.accessible("person-kept")
	travelIsToldOnce(t, hook)

	noDoorShows(t, s, w, hook)

	w.follow("Take off the event")
	w.press("Take off the event")
	w.sees("They were not taken off: this person has a card on the sourcing board; remove that first.")
	w.follow("Idea")
	w.follow("Remove from the board")
	w.press("Remove from the board")
	w.sees("Nomvula Dlamini is not on the board any more.")
	w.follow("Speakers")
	w.follow("Everybody")
	w.follow("Nomvula Dlamini")
	w.follow("Take off the event")
	w.press("Take off the event")
	w.sees("Nomvula Dlamini is not at this event any more.")
	w.press("Undo")
	w.sees("Nomvula Dlamini is at this event now.")
	w.follow("Contacts")
	w.sees("2 people", "in 1 event.")
	w.accessible("contacts")
	w.follow("Overview")
	w.sees("Ledgerline", "Returning speakers")
	w.accessible("contacts-overview")
	w.follow("Ledgerline")
	w.sees("1 of 2", "Nomvula Dlamini")
	w.follow("New contact")
	w.fill("First name", "Somebody else")
	w.fill("E-mail", "nomvula@example.org")
	w.press("Add person")
	w.sees("belongs to Nomvula Dlamini. Nothing of theirs was changed.", "Ledgerline")
	w.accessible("contact")
}

// segmentsAreKept keeps the list under a name, changes it, finds it as somebody else, renames, deletes and restores it.
func segmentsAreKept(t *testing.T, s *site, w *window) {
	t.Helper()
	w.press("Segments")
	w.fill("Keep this list as", "Large shirts")
	w.tick("All of the team have it")
	w.press("Keep segment")
	w.sees("“Large shirts” is kept for the team.", "1 of 2", "Nomvula Dlamini")
	segment := w.url()
	if !strings.Contains(segment, "/segments/") {
		t.Errorf("the segment is at %s", segment)
	}
	w.press("Columns")
	w.tick("Phone")
	w.press("Show")
	w.sees("This is “Large shirts” with changes.", "+27 31 555 0142")
	w.accessible("segment-changed")
	w.press("Keep them in the segment")
	w.sees("“Large shirts” keeps this list now.", "+27 31 555 0142")
	other := s.window()
	other.signIn("ada@example.org")
	other.visit(segment)
	other.sees("Nomvula Dlamini", "+27 31 555 0142")
	other.doesNotSee("Bruno Silva", "with changes")
	w.press("Segments")
	w.accessible("segments")
	w.follow("Rename, share or delete")
	w.accessible("segment")
	w.fill("Name", "Large ones")
	w.press("Save segment")
	w.sees("“Large ones” is saved.")
	other.follow("Speakers")
	other.follow("Large ones")
	other.sees("Nomvula Dlamini")
	w.press("Segments")
	w.follow("Rename, share or delete")
	w.press("Delete segment")
	w.sees("“Large ones” is deleted; the people stay.")
	w.press("Undo")
	w.sees("“Large ones” is kept for the team.", "Nomvula Dlamini")
	w.doesNotSee("Bruno Silva")
}

// noDoorShows fills every private field with a marker, puts the person on a session, and searches for it what keys,
// tools, receivers and strangers are shown, and the log.
func noDoorShows(t *testing.T, s *site, w *window, hook *receiver) {
	t.Helper()
	const marker = "qqmarkerqq"
	record := w.url()
	for _, label := range []string{"Arrival details", "Departure details", "Hotel", "Dietary needs", "Access needs", "Travel notes",
		"Logistics notes"} {
		w.fill(label, label+" "+marker)
	}
	w.press("Save travel")
	w.sees("Saved.")
	w.fill("Anything else about time", "Friday "+marker)
	w.press("Save availability")
	w.sees("Saved.")
	w.fill("Add a note for the team", "Noted "+marker)
	w.press("Add note")
	w.sees("Noted " + marker)
	w.follow("Edit profile")
	w.fill("Remark", "Remarked "+marker)
	w.press("Save")
	w.sees("Saved.", "Remarked "+marker)
	w.visit("/admin/contacts/fields")
	w.fill("Label", "Rider "+marker)
	w.choose("Type", "File")
	w.press("Add field")
	w.visit(record)
	w.press("Add a file for Rider " + marker)
	form, err := js[string](w, `() => document.querySelector(".facts input[type=file]").id`)
	w.check(err, "the file's field")
	w.attach(form, marker+".txt", "Bring "+marker)
	w.press("Save file")
	w.sees("The file is saved.", marker+".txt")
	w.follow("Speakers")
	w.follow("Everybody")
	w.fill("Search", "nomvula")
	w.press("Search")
	w.press("Segments")
	w.fill("Keep this list as", "Segment "+marker)
	w.press("Keep segment")
	w.sees("“Segment " + marker + "” is kept")
	w.visit("/admin/contacts/stages")
	w.follow("Edit Idea")
	w.fill("Name", "Idea "+marker)
	w.press("Save")
	w.visit(record)
	w.press("Place on the board")
	w.sees("is on the board now, in Idea " + marker)
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	key, event := made["key"].(string), "/v1/event/"+made["event_id"].(string)
	talk := s.ok(key, "POST", event+"/sessions/create", `{"title": "Ledgers", "is_abstract": true}`)["id"].(string)
	w.visit("/admin/events/" + made["event_id"].(string) + "/sessions/" + talk)
	w.search("nomvula", "Nomvula Dlamini")
	w.press("Add Nomvula Dlamini")
	w.sees("Nomvula Dlamini is on A-1 now.")

	shown := fmt.Sprint(hook.wait(t, 5)) // saved three times, then created and updated
	person := record[strings.LastIndex(record, "/")+1:]
	person, _, _ = strings.Cut(person, "?")
	person, _, _ = strings.Cut(person, "#")
	for _, path := range []string{"/speakers/" + person, "/sessions/" + talk} {
		shown += fmt.Sprint(s.ok(key, "GET", event+path, ""))
	}
	for _, path := range []string{"/speakers/search", "/sessions/search"} {
		found := s.ok(key, "POST", event+path, `{"filters": {"text": "nomvula"}}`)
		if fmt.Sprint(found["pagination"].(map[string]any)["totalResults"]) != "1" {
			t.Errorf("%s finds %v", path, found)
		}
		shown += fmt.Sprint(found)
		if none := s.ok(key, "POST", event+path, `{"filters": {"text": "`+marker+`"}}`); strings.Contains(fmt.Sprint(none), person) {
			t.Errorf("%s finds by what is private: %v", path, none)
		}
	}
	agent := s.agent(keyed(key))
	shown += fmt.Sprint(agent.tool("search_speakers", map[string]any{"query": "nomvula"}),
		agent.tool("get_submission", map[string]any{"submission_id": talk}), agent.tool("list_submissions", nil))
	shown += everyRead(t, s, key, map[string]string{"{eventId}": made["event_id"].(string), "{contactId}": person,
		"{sessionId}": talk})
	if !strings.Contains(shown, "Nomvula") || strings.Contains(shown, marker) || strings.Contains(shown, "Large") {
		t.Errorf("what is private is shown: %s", shown)
	}
	if strangers := strangersSee(t, s); strings.Contains(strangers, marker) || strings.Contains(strangers, "Nomvula") {
		t.Errorf("strangers see %s", strangers)
	}
	w.visit("/admin/events/" + made["event_id"].(string) + "/sessions/" + talk)
	w.press("Remove Nomvula Dlamini")
	w.sees("is not on A-1 any more.")
	w.visit(record)
}

// everyRead is what all operations of the API answer that read, by its own description.
func everyRead(t *testing.T, s *site, key string, ids map[string]string) (shown string) {
	t.Helper()
	reads := 0
	for path, methods := range s.ok(key, "GET", "/v1/openapi.json", "")["paths"].(map[string]any) {
		for name, id := range ids {
			path = strings.ReplaceAll(path, name, id)
		}
		for method := range methods.(map[string]any) {
			body := ""
			switch {
			case method == "post" && (strings.HasSuffix(path, "/create") || strings.HasSuffix(path, "/bulk") ||
				strings.HasSuffix(path, "/restore")), method != "get" && method != "post":
				continue
			case method == "post":
				body = "{}"
			}
			reads++
			shown += fmt.Sprint(s.ok(key, strings.ToUpper(method), path, body))
		}
	}
	if reads < 10 {
		t.Errorf("%d operations read", reads)
	}
	return shown
}

// strangersSee is what is shown without any key.
func strangersSee(t *testing.T, s *site) (shown string) {
	t.Helper()
	for _, path := range []string{"/", "/sign-in", "/docs", "/v1/openapi.json", "/healthz", "/readyz", "/metrics", "/admin/contacts",
		"/admin/contacts.csv"} {
		res, err := http.Get(s.base + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		shown += string(body)
	}
	return shown
}

// two edit one person at once.
func two(t *testing.T, s *site, w *window, record string) {
	t.Helper()
	other := s.window()
	other.signIn("ada@example.org")
	w.visit(record)
	w.follow("Edit profile")
	other.visit(record)
	other.follow("Edit profile")
	other.fill("Phone", "+27 31 555 0142")
	other.fill("Company", "Quay")
	other.press("Save")
	other.sees("Saved.")
	w.fill("Phone", "+27 31 555 0000")
	w.press("Save")
	w.sees("changed Company and Phone just now, while you were editing.", "+27 31 555 0142")
	w.accessible("person-conflict")
	w.tick("Theirs")
	w.press("Save")
	w.sees("Nomvula Dlamini", "Quay")
	w.follow("Edit profile")
	if got := w.value("Phone"); got != "+27 31 555 0142" {
		t.Errorf("the phone became %q", got)
	}
	w.fill("Company", "Ledgerline")
	w.press("Save")
	w.sees("Saved.", "Ledgerline")
}

// travelIsToldOnce waits for what saving travel emits: one contact.updated without anything of it.
func travelIsToldOnce(t *testing.T, hook *receiver) {
	t.Helper()
	bodies := hook.wait(t, 1)
	if len(bodies) != 1 || !strings.Contains(bodies[0], `"contact.updated"`) || strings.Contains(bodies[0], "Cais") ||
		strings.Contains(bodies[0], "Step-free") || strings.Contains(bodies[0], "Large") {
		t.Errorf("the receiver saw %s", bodies)
	}
}
