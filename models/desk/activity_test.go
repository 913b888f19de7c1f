package desk_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestActivityKeepsFactsAndNamesTheirIDs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		track := modelstest.RowOf(t, p, models.Tracks, "Databases")
		ada := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Lovelace"}))(t)
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T", IsAbstract: true}))(t)
		f.Clock.Move(time.Minute)
		change := models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, change))(t)
		f.Clock.Move(time.Minute)
		people := []models.Participation{{ContactID: ada.ID, Role: models.Moderator}}
		modelstest.Must(f.Programme().SetParticipants(t.Context(), s.ID, people))(t)
		filter := desk.ActivityFilter{Subject: "session", SubjectID: s.ID}
		entries, pagination, err := desk.Of(f.Programme()).ActivityLog(t.Context(), filter, store.Page{Size: 2})
		if err != nil || len(entries) != 2 || pagination.TotalResults != 3 || pagination.TotalPages != 2 {
			t.Fatalf("%d entries, %+v, %v", len(entries), pagination, err)
		}
		for _, e := range entries {
			if e.Action != "updated" || e.Actor != modelstest.Tester.ActorName || e.Door != "api" || e.Subject != "session" ||
				e.SubjectID != s.ID || e.SubjectName != "A-1 T" || e.Names[track.ID] != "Databases" ||
				e.Names[ada.ID] != "Ada Lovelace" {
				t.Errorf("%+v", e)
			}
		}
		if !entries[0].At.After(entries[1].At.Time) {
			t.Error("the newest does not come first")
		}
		got := fmt.Sprint(entries[0].Before, entries[0].After, entries[1].Before, entries[1].After)
		modelstest.Want(t, "got", got, "map[participants:[]] map[participants:[map[id:"+ada.ID+
			" role:moderator]]] map[track_id:<nil>] map[track_id:"+track.ID+"]")
	})
}

func TestActivityStaysInTheEventAndCostsAFixedNumberOfStatements(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret"}))(t)
		track := modelstest.RowOf(t, f.Elsewhere(), models.Tracks, "Secret")
		p := f.Programme()
		for _, id := range []string{other.ID, track.ID, store.NewID(), "x", "' OR 1=1 --"} {
			entries, pagination, err := desk.Of(p).ActivityLog(t.Context(), desk.ActivityFilter{SubjectID: id}, store.Page{})
			if err != nil || len(entries) != 0 || pagination.TotalResults != 0 {
				t.Errorf("%q: %+v, %v", id, entries, err)
			}
		}
		if _, _, err := desk.Of(p).ActivityLog(t.Context(), desk.ActivityFilter{},
			store.Page{Size: 101}); store.KindOf(err) != store.Invalid {
			t.Error(err)
		}
		// An id of elsewhere in a line of ours is not named.
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: other.ID + " " + track.ID}))(t)
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: &other.ID}))(t)
		count := func() int {
			return len(f.Statement.During(func() {
				entries, _, err := desk.Of(f.Programme()).ActivityLog(t.Context(), desk.ActivityFilter{}, store.Page{Size: 100})
				if err != nil || len(entries) == 0 {
					t.Fatal(len(entries), err)
				}
				for _, e := range entries {
					if text := fmt.Sprintf("%+v", *e); strings.Contains(text, "Secret") {
						t.Errorf("the other event shows: %s", text)
					}
				}
			}))
		}
		few := count()
		modelstest.Full(t, f, 8)
		count() // reads the metadata anew
		if many := count(); many > few || many > 7 {
			t.Errorf("%d statements, then %d", few, many)
		}
	})
}

func TestDeletedRowsKeepTheirNamesInActivity(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		going := modelstest.RowOf(t, f.Programme(), models.Tracks, "Going")
		theirs := modelstest.RowOf(t, f.Elsewhere(), models.Tracks, "Theirs")
		s := modelstest.Must(f.Programme().CreateSession(ctx,
			models.NewSession{Title: "T", SessionInput: models.SessionInput{TrackID: store.Some(going.ID)}}))(t)
		modelstest.Fine(t, metadata.Of(f.Programme()).Delete(ctx, models.Tracks, going.ID, nil))
		modelstest.Fine(t, metadata.Of(f.Elsewhere()).Delete(ctx, models.Tracks, theirs.ID, nil))
		lines, _, err := desk.Of(f.Programme()).ActivityLog(ctx, desk.ActivityFilter{}, store.Page{})
		if err != nil || len(lines) != 4 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		for _, line := range lines {
			if line.Subject == "track" && (line.SubjectName != "Going" || !line.Gone) || line.Subject == "session" && line.Gone {
				t.Errorf("%+v", line)
			}
			if line.SubjectID == s.ID && line.Names[going.ID] != "Going" {
				t.Errorf("%+v", line)
			}
		}
	})
}

// TestOneLineStandsForAnImportOfPeople: each person keeps a line, which a page of the event hides. Lines of imports
// from before these lines were marked are found by their request.
func TestOneLineStandsForAnImportOfPeople(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		elsewhere := models.NewContact{FirstName: "Elsewhere", Email: "e@example.org"}
		modelstest.Must(f.Elsewhere().CreateContact(ctx, elsewhere))(t)
		before := len(page(t, f, desk.ActivityFilter{}))
		byHand := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "By hand"}))(t)
		i := modelstest.ImportPeople(t, f, modelstest.ManyPeople(60)+"Else,Where,e@example.org,\n", people.ImportFill)
		person, known := modelstest.PersonBy(t, f, "person59@example.org"), modelstest.PersonBy(t, f, "e@example.org")
		latest := modelstest.Must(desk.Of(f.Programme()).LatestActivity(ctx, 100))(t)
		for name, lines := range map[string][]*store.ActivityEntry{
			"page": page(t, f, desk.ActivityFilter{}), "latest": latest,
			"by who did it": page(t, f, desk.ActivityFilter{ActorID: modelstest.Tester.ActorID}),
		} {
			if len(lines) != before+2 || lines[0].Subject != "contact_import" || lines[0].SubjectID != i.ID ||
				lines[0].SubjectName != i.Name || lines[1].SubjectID != byHand.ID {
				t.Errorf("%s: %d lines, the newest %+v", name, len(lines), lines[0])
			}
		}
		lines := page(t, f, desk.ActivityFilter{Subject: "contact"})
		if len(lines) != 1 || lines[0].SubjectID != byHand.ID {
			t.Errorf("%d lines of people", len(lines))
		}
		for id, action := range map[string]string{person.ID: "created", known.ID: "updated"} {
			if lines := page(t, f, desk.ActivityFilter{SubjectID: id}); len(lines) != 1 || lines[0].Action != action {
				t.Errorf("a person has %d lines", len(lines))
			}
			history := modelstest.Must(people.In(f.Programme().Directory()).History(ctx, id, []string{f.Event.ID}))(t)
			if len(history) != 1 || history[0].Action != action {
				t.Errorf("a person's page has %d lines", len(history))
			}
		}
	})
}

func page(t *testing.T, f *modelstest.Fixture, filter desk.ActivityFilter) []*store.ActivityEntry {
	t.Helper()
	lines, pagination, err := desk.Of(f.Programme()).ActivityLog(t.Context(), filter, store.Page{Number: 1, Size: 100})
	if modelstest.Fine(t, err); int(pagination.TotalResults) != len(lines) {
		t.Errorf("%d lines of %d", len(lines), pagination.TotalResults)
	}
	return lines
}

func TestSavedViews(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		user := func(name string) string {
			return modelstest.Must(f.Staff.CreateUser(t.Context(),
				staff.NewUser{Email: name + "@example.org", Name: name, Role: staff.Organizer, Password: "correct horse"}))(t).ID
		}
		ada, bob, p := user("ada"), user("bob"), f.Programme()
		save := func(user, page, name string, shared bool) *desk.SavedView {
			t.Helper()
			return modelstest.Must(desk.Of(p).SaveView(t.Context(), user,
				desk.NewSavedView{Page: page, Name: name, Query: "status=" + name, IsShared: shared}))(t)
		}
		own := save(ada, "submissions", "mine", false)
		save(ada, "submissions", " Also mine ", true)
		save(ada, "sessions", "mine", false)
		shared := save(bob, "submissions", "a shared one", true)
		hidden := save(bob, "submissions", "mine", false)
		elsewhere := modelstest.Must(desk.Of(f.Elsewhere()).SaveView(t.Context(), ada,
			desk.NewSavedView{Page: "submissions", Name: "mine", IsShared: true}))(t)
		names := func(user, page string) string {
			names := store.Map(modelstest.Must(desk.Of(p).SavedViews(t.Context(), user, page))(t),
				func(v *desk.SavedView) string { return fmt.Sprintf("%s %t", v.Name, v.UserID == user) })
			return strings.Join(names, ", ")
		}
		modelstest.Want(t, "names", names(ada, "submissions"), "Also mine true, mine true, a shared one false")
		modelstest.Want(t, "names", names(bob, "submissions"), "a shared one true, mine true, Also mine false")
		modelstest.Want(t, "names", names(store.NewID(), "submissions"), "a shared one false, Also mine false")
		modelstest.Want(t, "names", names(ada, "contacts"), "")
		for _, id := range []string{shared.ID, hidden.ID, elsewhere.ID, store.NewID(), "x"} {
			modelstest.Answers(desk.Of(p).DeleteView(t.Context(), ada, id))(t, id, store.NotFound)
		}
		if gone, err := desk.Of(p).DeleteView(t.Context(), ada, own.ID); err != nil || gone.Name != own.Name ||
			names(ada, "submissions") != "Also mine true, a shared one false" {
			t.Error(err, names(ada, "submissions"))
		}
	})
}

func TestSavedViewsAreChecked(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ada := modelstest.Must(f.Staff.CreateUser(t.Context(),
			staff.NewUser{Email: "ada@example.org", Name: "Ada", Role: staff.Viewer, Password: "correct horse"}))(t).ID
		p := f.Programme()
		modelstest.Must(desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p", Name: "n",
			Query: strings.Repeat("é", 2000)}))(t)
		for field, n := range map[string]desk.NewSavedView{
			"page":  {Page: "", Name: "x"},
			"name":  {Page: "p", Name: " n "},
			"query": {Page: "p", Name: "x", Query: strings.Repeat("x", 2001)},
		} {
			v, err := desk.Of(p).SaveView(t.Context(), ada, n)
			if e, ok := err.(*store.Error); !ok || e.Kind != store.Invalid || e.Fields[0].Field != field || v != nil {
				t.Errorf("%s: %v", field, err)
			}
		}
		for _, user := range []string{store.NewID(), "", "x"} {
			modelstest.Answers(desk.Of(p).SaveView(t.Context(), user, desk.NewSavedView{Page: "p", Name: "x"}))(t, user,
				store.NotFound)
		}
		for i := range desk.MaxSavedViews - 1 {
			modelstest.Must(desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p", Name: fmt.Sprint(i)}))(t)
		}
		if _, err := desk.Of(p).SaveView(t.Context(), ada, desk.NewSavedView{Page: "p",
			Name: "one more"}); store.KindOf(err) != store.Invalid {
			t.Error(err)
		}
	})
}
