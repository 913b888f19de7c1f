package archive_test

import (
	"encoding/json"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/archive"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/revisions"
	"lectern/models/setup"
	"lectern/models/staff"
	"lectern/models/store"
)

// comesInBesideItsOriginal reads an archive into the database that it came from: the rows of the event are new, people,
// fields and staff are met, and nothing of the original changes.
func comesInBesideItsOriginal(t *testing.T, h *house) {
	whole := take(t, h.programme(h.event))
	before := h.all(h.event)
	contacts, users := len(h.rows("contacts", "1 = 1")), len(h.rows("users", "1 = 1"))
	_, err := bring(t, h.Store, whole, archive.Arrival{})
	if err == nil || !strings.Contains(err.Error(), "is taken by another event") {
		t.Errorf("a taken slug: %v", err)
	}
	arrived := modelstest.Must(bring(t, h.Store, whole, archive.Arrival{Name: "Again", Slug: "again"}))(t)
	if arrived.Known != arrived.People || arrived.Staff != 0 || arrived.Event.Name != "Again" || arrived.Renamed < 500 {
		t.Errorf("%+v", arrived)
	}
	modelstest.Want(t, "people and staff",
		[2]int{len(h.rows("contacts", "1 = 1")), len(h.rows("users", "1 = 1"))}, [2]int{contacts, users})
	was, is := unpack(t, whole), unpack(t, take(t, h.programme(arrived.Event)))
	withoutWaiting(t, was)
	was["data/activity.jsonl"] += "\n" // of the arrival itself
	for name, part := range was {
		if strings.HasPrefix(name, "data/") && name != "data/event_roles.jsonl" &&
			strings.Count(part, "\n") != strings.Count(is[name], "\n") {
			t.Errorf("%s has %d rows, then %d", name, strings.Count(part, "\n"), strings.Count(is[name], "\n"))
		}
	}
	h.staysApart(was, is)
	for table, rows := range h.all(h.event) {
		if table != "activity" && strings.Join(said(rows, nil), "\n") != strings.Join(said(before[table], nil), "\n") {
			t.Errorf("%s of the original changed", table)
		}
	}
	modelstest.WantSound(t, h.Fixture)
}

// withoutWaiting removes a changed profile and its photo, which wait for approval here too, from an archive.
func withoutWaiting(t *testing.T, was map[string]string) {
	t.Helper()
	for row := range strings.Lines(was["data/revisions.jsonl"]) {
		var one struct {
			ContactID string `json:"contact_id"`
			PhotoID   string `json:"photo_id"`
		}
		modelstest.Fine(t, json.Unmarshal([]byte(row), &one))
		if one.ContactID == "" {
			continue
		}
		was["data/revisions.jsonl"] = strings.Replace(was["data/revisions.jsonl"], row, "", 1)
		for file := range strings.Lines(was["data/files.jsonl"]) {
			if strings.Contains(file, one.PhotoID) {
				was["data/files.jsonl"] = strings.Replace(was["data/files.jsonl"], file, "", 1)
			}
		}
	}
}

// staysApart checks that no row of the event that came in refers to a row of its original.
func (h *house) staysApart(was, is map[string]string) {
	h.Helper()
	theirs := map[string]bool{}
	for name, part := range was {
		switch strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".jsonl") {
		case "users", "contacts", "contact_fields", "contact_values", "contact_aliases", "sourcing_stages", "files",
			"speaker_accounts":
			continue
		}
		for row := range strings.Lines(part) {
			if id, found := strings.CutPrefix(row, `{"id":"`); found && strings.HasPrefix(name, "data/") {
				theirs[id[:36]] = true
			}
		}
	}
	for name, part := range is {
		if !strings.HasPrefix(name, "data/") || name == "data/users.jsonl" {
			continue
		}
		for _, id := range anID.FindAllString(part, -1) {
			if theirs[id] {
				h.Errorf("%s names %s of the original", name, id)
				break
			}
		}
	}
}

// TestPeopleAreMetByTheirAddresses reads an archive where one of its people has another name, and another one was
// erased.
func TestPeopleAreMetByTheirAddresses(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s := smallEvent(t, f)
		s.event = modelstest.Must(s.programme(s.event).UpdateEvent(t.Context(),
			models.EventChange{EndsOn: store.Some("2026-12-31")}))(t)
		p := s.programme(s.event)
		session := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Tides"}))(t)
		ana := f.Speaker(t, s.event, session.ID, models.NewContact{FirstName: "Ana", LastName: "Lima",
			Email: "Ana@example.org"})
		f.Speaker(t, s.event, session.ID, models.NewContact{FirstName: "Bo", LastName: "Ek"})
		modelstest.Must(p.UpdateSession(t.Context(), session.ID,
			models.SessionChange{ContentState: new(models.ContentApproved)}))(t)
		account := &call.Account{OrganizationID: s.event.OrganizationID, ContactID: ana,
			ConfirmedAt: new(store.At(f.Clock.Now()))}
		place := call.PlaceOf(f.Store, &call.Login{Account: account}, store.By{Door: "call"})
		if !modelstest.Must(place.SaveProfile(t.Context(), s.event, modelstest.Values("about", "<p>Waits.</p>")))(t) {
			t.Error("her change does not wait")
		}
		whole := take(t, p)
		there := modelstest.Open(t, f.Dialect())
		theirs := modelstest.Must(there.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Known"}))(t)
		known := there.Speaker(t, there.Other, theirs.ID, models.NewContact{FirstName: "Anna", LastName: "Silva",
			Email: "ana@example.org"})
		arrived := modelstest.Must(bring(t, there.Store, whole, archive.Arrival{Slug: "here"}))(t)
		modelstest.Want(t, "people, and those known", [2]int{arrived.People, arrived.Known}, [2]int{2, 1})
		here := there.Store.Programme(arrived.Event, modelstest.Tester)
		for text, want := range map[string]int64{"Silva": 1, "Lima": 0, "Ek": 1} {
			_, found, err := here.SearchSessions(t.Context(), models.SessionSearch{Filter: models.SessionFilter{Text: text}})
			if err != nil || found.TotalResults != want {
				t.Errorf("%q finds %d sessions, %v", text, found.TotalResults, err)
			}
		}
		again := modelstest.Must(here.Session(t.Context(), session.ID))(t)
		modelstest.Want(t, "the speaker is", again.Participants[0].ContactID, known)
		if waits := modelstest.Must(revisions.Of(here).OfPerson(t.Context(), known))(t); waits == nil ||
			*waits.About != "<p>Waits.</p>" {
			t.Errorf("of her waits %+v", waits)
		}
	})
}

// staffMayDoNothing moves an owner, a reviewer and a viewer to an empty Lectern, where they have no rights.
func staffMayDoNothing(t *testing.T, h *house, db *models.Store, arrived *archive.Arrived) {
	t.Helper()
	if arrived.Staff < 2 {
		t.Errorf("%d came", arrived.Staff)
	}
	if needed := modelstest.Must(setup.IsNeeded(t.Context(), db))(t); !needed {
		t.Error("whoever comes first cannot set it up")
	}
	_, _, err := db.Staff.SignIn(t.Context(), staff.SignIn{Email: h.owner.Email, Password: modelstest.SecretPhrase})
	modelstest.WantKind(t, "signing in", err, store.Unauthorized)
	owner := modelstest.Must(setup.Do(t.Context(), db, setup.Input{Organization: "Here", Owner: staff.NewUser{
		Email: h.owner.Email, Name: "Ada", Password: modelstest.SecretPhrase}}))(t)
	team := modelstest.Team(t.Context(), db, owner)
	modelstest.Want(t, "staff", len(modelstest.Must(team.Members(t.Context()))(t)), 1)
	modelstest.Want(t, "events that the owner sees", len(modelstest.Must(db.EventsFor(t.Context(), owner))(t)), 1)
}
