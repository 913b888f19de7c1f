package people_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// withMarker makes a person with a marker in every private and public field.
func withMarker(t *testing.T, f *modelstest.Fixture, marker string) *models.Person {
	t.Helper()
	ctx, p := t.Context(), f.Programme()
	own := modelstest.Must(people.In(modelstest.DirectoryOf(f)).AddOwnField(ctx,
		people.OwnFieldInput{Label: "Own " + marker, Type: field.Text}))(t)
	c := modelstest.Values("first_name", marker, "last_name", "Dlamini", "email", marker+"@example.org", "website_url",
		"https://"+marker+".example", "linkedin_url", "https://"+marker+".example/in", own.Key, marker)
	for _, name := range []string{"company_name", "job_title", "phone", "about", "arrival_details", "departure_details", "hotel", "dietary", "access",
		"travel_notes", "logistics_notes", "availability"} {
		c.Values[name] = marker + " " + name
	}
	person := modelstest.First(people.Of(p).AddPerson(ctx, c))(t)
	modelstest.Must(people.Of(p).AddContactNote(ctx, person.ID, marker+" note"))(t)
	return person
}

// tell writes to a person: about a decision, by hand, and a single letter, which was sent.
func tell(t *testing.T, f *modelstest.Fixture, person *models.Person, marker string) {
	t.Helper()
	ctx, p := t.Context(), f.Programme()
	abstract := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Told", IsAbstract: true,
		People: []models.Participation{{ContactID: person.ID}}}))(t)
	modelstest.SetStatus(t, p, abstract.ID, models.Accepted)
	drafts := modelstest.First(letters.Of(p).LettersIn(ctx, letters.DraftLetters, letters.Choice{Text: person.Email},
		store.Page{Size: 100}))(t)
	drafted := drafts[0]
	modelstest.Fine(t, letters.Of(p).EditLetter(ctx, drafted.ID, drafted.UpdatedAt, "Dear "+marker, marker+" by hand"))
	mailing := modelstest.Must(letters.Of(p).StartMailing(ctx, modelstest.DirectoryOf(f), []string{person.ID}))(t)
	modelstest.Must(letters.Of(p).SaveMailing(ctx, mailing.ID, 0, "For "+marker, marker+" alone"))(t)
	modelstest.Must(letters.Of(p).SendMailing(ctx, mailing.ID, 1))(t)
	f.Clock.Move(2 * time.Minute)
	sending := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
	modelstest.Fine(t, f.EndLetter(ctx, sending, models.LetterEnd{State: models.LetterSent}))
}

func TestAnExportHasAllOfOnePersonAndNothingOfOthers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		ada, bob := withMarker(t, f, "adamark"), withMarker(t, f, "bobmark")
		twin := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Twinmark", "email", "twinmark@example.org")))(t)
		_, foreign := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Foreignmark"))
		modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Together", People: []models.Participation{
			{ContactID: ada.ID, Role: models.Moderator}, {ContactID: bob.ID}}}))(t)
		tell(t, f, ada, "adamark")
		tell(t, f, bob, "bobmark")
		modelstest.Fine(t, people.In(d).DismissPair(ctx, ada.ID, bob.ID))
		modelstest.Merged(t, f, ada.ID, twin.ID)
		var out bytes.Buffer
		modelstest.Must(people.In(d).ExportPerson(ctx, ada.ID, &out))(t)
		text := modelstest.Unzip(t, out.Bytes())["person.json"]
		for _, part := range []string{"adamark note", "adamark hotel", "adamark phone", "adamark availability", "Own adamark", "Together",
			"moderator", "Twinmark", "twinmark@example.org", "contact.merged", "session.created", f.Event.Name, "adamark by hand", "adamark alone", "Dear adamark"} {
			modelstest.Holds(t, strings.Contains(text, part), "%s is missing in %s", part, text)
		}
		for _, other := range []string{"bobmark", bob.ID, "Foreignmark", modelstest.Tester.ActorName} {
			modelstest.Holds(t, !strings.Contains(text, other), "%s is in %s", other, text)
		}
		modelstest.Holds(t, json.Valid([]byte(text)), "is no JSON")
		modelstest.Want(t, "exports recorded",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE subject_id = $1 AND action = 'exported'",
				ada.ID), 1)
		out.Reset()
		modelstest.Answers(people.In(d).ExportPerson(ctx, foreign.ID, &out))(t, "a foreigner", store.NotFound)
		modelstest.Holds(t, out.Len() == 0, "wrote something of a foreigner")
	})
}

func TestErasingLeavesNothingOfSomebodyButTheirSeats(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		ada, bob := withMarker(t, f, "adamark"), withMarker(t, f, "bobmark")
		twin := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "adamark twin", "email", "twin.adamark@example.org")))(t)
		_, foreign := modelstest.Foreigner(t, f, modelstest.Values("first_name", "adamark of others"))
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Together", People: []models.Participation{
			{ContactID: twin.ID}, {ContactID: bob.ID}}}))(t)
		modelstest.Merged(t, f, ada.ID, twin.ID)
		modelstest.Must(people.In(p.Directory()).Update(ctx, ada.ID, modelstest.Values("hotel", "adamark again")))(t) // emits
		tell(t, f, ada, "adamark")
		tell(t, f, bob, "bobmark")
		modelstest.Emitted(t, f)

		known := modelstest.TablesWith(t, f, "adamark")
		for _, table := range []string{"contact_notes", "contact_values", "contact_aliases", "emissions", "activity"} {
			modelstest.Want(t, "before, they are in "+table, slices.Contains(known, table), true)
		}
		modelstest.Fine(t, people.In(d).Erase(ctx, ada.ID))
		modelstest.WantAll(t, "emitted", modelstest.EmittedTypes(t, f), nil)
		for table, columns := range map[string][]string{
			"contacts":  {"email", "first_name", "last_name", "full_name", "company_name", "job_title", "phone", "about", "search", "website_url"},
			"activity":  {"before", "after"},
			"emissions": {"data"}, "contact_notes": {"text"}, "contact_values": {"value"}, "contact_aliases": {"email"},
			"event_contacts": {"hotel", "arrival_details", "dietary", "travel_notes", "availability", "away"}, "sessions": {"search"},
			"webhook_deliveries": {"request_body"}, "mailings": {"subject", "body"},
			"letters": {"subject", "body", "sent_to", "to_name", "to_email", "missing", "answer"},
		} {
			for _, column := range columns {
				modelstest.Want(t, "of "+table+"."+column+" still have it", modelstest.RowsOf(t, f,
					"SELECT count(*) FROM "+table+" WHERE CAST("+column+" AS text) LIKE '%adamark%' AND "+
						map[bool]string{true: "organization_id <> '" + foreign.OrganizationID + "'", false: "1 = 1"}[table == "contacts" ||
							table == "activity"]+map[bool]string{true: " AND subject <> 'contact_field'", false: ""}[table == "activity"]), 0)
			}
		}
		now := modelstest.Must(p.Session(ctx, s.ID))(t)
		if now.Participants[0].FullName != "Erased person" || now.Participants[0].ContactID != ada.ID || now.Participants[0].Email != "" ||
			!now.UpdatedAt.Equal(s.UpdatedAt.Time) || now.Participants[1].FullName != "bobmark Dlamini" {
			t.Errorf("seats %+v", now.Participants)
		}
		if modelstest.RowsOf(t, f, "SELECT count(*) FROM emissions WHERE data LIKE '%bobmark%'") == 0 ||
			modelstest.RowsOf(t, f, "SELECT count(*) FROM letters WHERE body LIKE 'bobmark%'") != 2 ||
			modelstest.RowsOf(t, f, "SELECT count(*) FROM mailings WHERE body = 'bobmark alone'") != 1 {
			t.Error("others are erased too")
		}
		modelstest.WantKind(t, "again", people.In(d).Erase(ctx, ada.ID), store.Invalid)
		modelstest.WantKind(t, "a foreigner", people.In(d).Erase(ctx, foreign.ID), store.NotFound)
		_, err := people.In(d).Compare(ctx, people.MergePair{SurvivorID: bob.ID, RemovedID: ada.ID})
		modelstest.WantKind(t, "a merge with who was erased", err, store.Invalid)
		o := modelstest.Must(people.In(d).Merge(ctx, []people.MergePair{{SurvivorID: bob.ID,
			RemovedID: ada.ID}}))(t)
		modelstest.Holds(t, o[0].Reason != "", "was merged although erased")
		modelstest.WantSound(t, f)
	})
}

// TestAnErasureKeepsWhatMeansOthers erases people whose names are also those of others, or words of letters.
func TestAnErasureKeepsWhatMeansOthers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		add := func(first, last, email string) string {
			person, _,
				err := people.Of(p).AddPerson(ctx, modelstest.Values("first_name", first, "last_name", last, "email", email))
			modelstest.Fine(t, err)
			return person.ID
		}
		reader := add("Jane", "Smith", "jane@example.org")
		mailing := modelstest.Must(letters.Of(p).StartMailing(ctx, d, []string{reader}))(t)
		const text = "Jane Smith, this will be good; mark it. Ada Lovelace (ADA@example.org) and an ada lovelace come."
		modelstest.Must(letters.Of(p).SaveMailing(ctx, mailing.ID, 0, "Hello", text))(t)
		for _, erased := range []string{add("Jane", "Smith", "other@example.org"), add("Will", "", "will@example.org"),
			add("", "Mark", ""), add("Ada", "Lovelace", "ada@example.org")} {
			statements := f.Statement.During(func() { modelstest.Fine(t, people.In(d).Erase(ctx, erased)) })
			held := slices.DeleteFunc(statements, func(statement string) bool {
				return !strings.Contains(statement, `FROM "letters"`) || !strings.Contains(statement, "FOR NO KEY UPDATE")
			})
			if len(held) != 1 && !f.Embedded() {
				t.Errorf("letters are held by %d statements, so in no one order: %v", len(held), held)
			}
		}
		var kept string
		modelstest.Fine(t, f.SQL.QueryRow("SELECT body FROM letters").Scan(&kept))
		modelstest.Want(t, "the letter is", kept,
			"Jane Smith, this will be good; mark it. Erased person (Erased person) and an ada lovelace come.")
	})
}
