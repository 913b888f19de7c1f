package people

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestPeopleAreKept adds people to an event, edits one in two browsers, invites both, filters by a field of the
// organization, saves travel, and takes somebody off the event. Nothing private is shown outside.
func TestPeopleAreKept(t *testing.T) {
	OnlyLong(t)
	Journey(t, contactsJourney)
}

func contactsJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.Owner()
	hook := NewReceiver(t)
	s.Run("webhook", "create", "--url", hook.URL)

	w.Follow("Contacts")
	w.Follow("Fields of people")
	w.Fill("Label", "Shirt")
	w.Choose("Type", "One of several choices")
	w.Fill("Choices", "Small\nLarge")
	w.Press("Add field")
	w.Sees("“Shirt” is added.")
	w.Fill("Label", "Remark")
	w.Choose("Type", "Text")
	w.Press("Add field")
	w.Sees("“Remark” is added.")

	add := func(first, last, email string) {
		w.Follow("Speakers")
		w.Follow("Add person")
		w.Fill("First name", first)
		w.Fill("Last name", last)
		w.Fill("E-mail", email)
	}
	add("Nomvula", "Dlamini", "nomvula@example.org")
	w.Fill("Company", "Ledgerline")
	w.Choose("Shirt", "Large")
	w.Press("Add person")
	w.Sees("Nomvula Dlamini is added.", "Ledgerline", "Shirt", "Large")
	record := w.URL()
	add("Bruno", "Silva", "bruno@example.org")
	w.Press("Add person")
	w.Sees("Bruno Silva is added.")

	two(t, s, w, record)

	w.Follow("Speakers")
	w.Follow("Everybody")
	w.Sees("2 people")
	w.Tick("Select Bruno Silva")
	w.Tick("Select Nomvula Dlamini")
	w.Press("Invited")
	w.Sees("Invited: 2 people.")
	w.Accessible("roster")
	w.Press("Undo")
	w.Sees("Undone.")
	w.Press("Filter")
	w.Accessible("roster-filters")
	w.Press("Shirt")
	w.Tick("Large")
	w.Press("Show")
	w.Sees("1 of 2", "Nomvula Dlamini")
	w.DoesNotSee("Bruno Silva")

	w.Follow("Nomvula Dlamini")
	w.Fill("Hotel", "Pensão do Cais")
	w.Fill("Access needs", "Step-free stage")
	w.Press("Save travel")
	w.Sees("Saved.", "Staff only. Never on public pages.")
	w.Fill("Add a note for the team", "Brings her own adding machine.")
	w.Press("Add note")
	w.Sees("The note is added.", "Brings her own adding machine.")
	w.Accessible("person-kept")

	noDoorShows(t, s, w, hook)

	w.Follow("Take off the event")
	w.Press("Take off the event")
	w.Sees("They were not taken off: this person has a card on the sourcing board; remove that first.")
	w.Follow("Idea")
	w.Follow("Remove from the board")
	w.Press("Remove from the board")
	w.Sees("Nomvula Dlamini is not on the board any more.")
	w.Follow("Speakers")
	w.Follow("Everybody")
	w.Follow("Nomvula Dlamini")
	w.Follow("Take off the event")
	w.Press("Take off the event")
	w.Sees("Nomvula Dlamini is not at this event any more.")
	w.Press("Undo")
	w.Sees("Nomvula Dlamini is at this event now.")
	w.Follow("Contacts")
	w.Sees("2 people", "in 1 event.")
	w.Accessible("contacts")
	w.Follow("Overview")
	w.Sees("Ledgerline", "Returning speakers")
	w.Accessible("contacts-overview")
	w.Follow("Ledgerline")
	w.Sees("1 of 2", "Nomvula Dlamini")
}

// noDoorShows fills each private field with a marker, adds the person to a session, and checks that no answer to a key,
// a tool, a webhook receiver or a stranger contains the marker.
func noDoorShows(t *testing.T, s *Site, w *Window, hook *Receiver) {
	t.Helper()
	const marker = "qqmarkerqq"
	record := w.URL()
	for _, label := range []string{"Arrival details", "Departure details", "Hotel", "Dietary needs", "Access needs",
		"Travel notes", "Logistics notes"} {
		w.Fill(label, label+" "+marker)
	}
	w.Press("Save travel")
	w.Sees("Saved.")
	w.Fill("Anything else about time", "Friday "+marker)
	w.Press("Save availability")
	w.Sees("Saved.")
	w.Fill("Add a note for the team", "Noted "+marker)
	w.Press("Add note")
	w.Sees("Noted " + marker)
	w.Follow("Edit profile")
	w.Fill("Remark", "Remarked "+marker)
	w.Press("Save")
	w.Sees("Saved.", "Remarked "+marker)
	w.Visit("/admin/contacts/fields")
	w.Fill("Label", "Rider "+marker)
	w.Choose("Type", "File")
	w.Press("Add field")
	w.Visit(record)
	w.Press("Add a file for Rider " + marker)
	form, err := JS[string](w, `() => document.querySelector(".facts input[type=file]").id`)
	w.Check(err, "the file's field")
	w.Attach(form, marker+".txt", "Bring "+marker)
	w.Press("Save file")
	w.Sees("The file is saved.", marker+".txt")
	w.Follow("Speakers")
	w.Follow("Everybody")
	w.Fill("Search", "nomvula")
	w.Press("Search")
	w.Press("Segments")
	w.Fill("Keep this list as", "Segment "+marker)
	w.Press("Keep segment")
	w.Sees("“Segment " + marker + "” is kept")
	w.Visit("/admin/contacts/stages")
	w.Follow("Edit Idea")
	w.Fill("Name", "Idea "+marker)
	w.Press("Save")
	w.Visit(record)
	w.Press("Place on the board")
	w.Sees("is on the board now, in Idea " + marker)
	event, key := s.Key()
	talk := s.Ok(key, "POST", event+"/sessions/create", `{"title": "Ledgers", "is_abstract": true}`)["id"].(string)
	w.Visit(Admin(event) + "/sessions/" + talk)
	search(w, "nomvula", "Nomvula Dlamini")
	w.Press("Add Nomvula Dlamini")
	w.Sees("Nomvula Dlamini is on A-1 now.")

	shown := fmt.Sprint(hook.Wait(t, 5)) // the person saved three times, the session created and updated
	person := record[strings.LastIndex(record, "/")+1:]
	person, _, _ = strings.Cut(person, "?")
	person, _, _ = strings.Cut(person, "#")
	for _, path := range []string{"/speakers/" + person, "/sessions/" + talk} {
		shown += fmt.Sprint(s.Ok(key, "GET", event+path, ""))
	}
	for _, path := range []string{"/speakers/search", "/sessions/search"} {
		found := s.Ok(key, "POST", event+path, `{"filters": {"text": "nomvula"}}`)
		if fmt.Sprint(found["pagination"].(map[string]any)["totalResults"]) != "1" {
			t.Errorf("%s finds %v", path, found)
		}
		shown += fmt.Sprint(found)
		if none := s.Ok(key, "POST", event+path, `{"filters": {"text": "`+marker+`"}}`); strings.Contains(fmt.Sprint(none), person) {
			t.Errorf("%s finds by what is private: %v", path, none)
		}
	}
	agent := s.Agent(Keyed(key))
	shown += fmt.Sprint(agent.Tool("search_speakers", map[string]any{"query": "nomvula"}),
		agent.Tool("get_submission", map[string]any{"submission_id": talk}), agent.Tool("list_submissions", nil))
	shown += everyRead(t, s, key, map[string]string{"{eventId}": strings.TrimPrefix(event, "/v1/event/"),
		"{contactId}": person, "{sessionId}": talk})
	if !strings.Contains(shown, "Nomvula") || strings.Contains(shown, marker) || strings.Contains(shown, "Large") {
		t.Errorf("what is private is shown: %s", shown)
	}
	if strangers := strangersSee(t, s); strings.Contains(strangers, marker) || strings.Contains(strangers, "Nomvula") {
		t.Errorf("strangers see %s", strangers)
	}
	w.Visit(Admin(event) + "/sessions/" + talk)
	w.Press("Remove Nomvula Dlamini")
	w.Sees("is not on A-1 any more.")
	w.Visit(record)
}

// everyRead returns the answers of all reading operations that the API's own description lists.
func everyRead(t *testing.T, s *Site, key string, ids map[string]string) (shown string) {
	t.Helper()
	reads := 0
	paths := s.Ok(key, "GET", "/v1/openapi.json", "")["paths"].(map[string]any)
	for _, described := range slices.Sorted(maps.Keys(paths)) {
		path := described
		for name, id := range ids {
			path = strings.ReplaceAll(path, name, id)
		}
		for method := range paths[described].(map[string]any) {
			body := ""
			switch {
			case strings.HasSuffix(path, "/free"):
				path += "?day=2027-05-20"
			case strings.HasSuffix(path, "/{id}"): // a room, a track and the like, which lists show whole
				continue
			case method == "post" && (strings.HasSuffix(path, "/create") || strings.HasSuffix(path, "/bulk") ||
				strings.HasSuffix(path, "/restore")), method != "get" && method != "post":
				continue
			case method == "post":
				body = "{}"
			}
			reads++
			shown += fmt.Sprint(s.Ok(key, strings.ToUpper(method), path, body))
		}
	}
	if reads < 10 {
		t.Errorf("%d operations read", reads)
	}
	return shown
}

// strangersSee returns the pages that are shown without a key.
func strangersSee(t *testing.T, s *Site) (shown string) {
	t.Helper()
	for _, path := range []string{"/", "/sign-in", "/docs", "/v1/openapi.json", "/healthz", "/readyz", "/metrics",
		"/admin/contacts", "/admin/contacts.csv"} {
		res, err := http.Get(s.Base + path)
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

// two has two browsers edit one person at once.
func two(t *testing.T, s *Site, w *Window, record string) {
	t.Helper()
	other := s.Window()
	other.SignIn("ada@example.org")
	w.Visit(record)
	w.Follow("Edit profile")
	other.Visit(record)
	other.Follow("Edit profile")
	other.Fill("Phone", "+27 31 555 0142")
	other.Fill("Company", "Quay")
	other.Press("Save")
	other.Sees("Saved.")
	w.Fill("Phone", "+27 31 555 0000")
	w.Press("Save")
	w.Sees("changed Company and Phone just now, while you were editing.", "+27 31 555 0142")
	w.Accessible("person-conflict")
	w.Tick("Theirs")
	w.Press("Save")
	w.Sees("Nomvula Dlamini", "Quay")
	w.Follow("Edit profile")
	modelstest.Want(t, "the phone became", w.Value("Phone"), "+27 31 555 0142")
	w.Fill("Company", "Ledgerline")
	w.Press("Save")
	w.Sees("Saved.", "Ledgerline")
}
