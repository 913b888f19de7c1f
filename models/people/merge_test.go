package people_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/field"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAMergeMovesEverythingAndLeavesSessionsTokensAlone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		food := modelstest.Must(people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: "Shirt", Type: field.Text}))(t)
		red, blue := modelstest.RowOf(t, p, models.Tags, "Red"), modelstest.RowOf(t, p, models.Tags, "Blue")
		ada := modelstest.First(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "Nomvula", "last_name", "Dlamini",
			"email", "nomvula@ledger.example", "job_title", "Auditor", "about", "<p>Long.</p>", "tags", red.ID, "arrival",
			"2027-05-17T09:00:00Z")))(t)
		twin := modelstest.First(people.Of(p).AddPerson(ctx, modelstest.Values("first_name", "N.", "last_name", "Dlamini",
			"email", "N.Dlamini@ledger.example", "job_title", "Head", "phone", "+27 1 234 5678", "tags", blue.ID+"\n"+red.ID,
			"arrival", "2027-05-18T09:00:00Z", "dietary", "No shellfish", food.Key, "XL")))(t)
		elsewhere := modelstest.Must(f.Store.CreateEvent(ctx, models.NewEvent{Name: "Later", Slug: "later",
			Timezone: "UTC"}))(t)
		later := f.Store.Programme(elsewhere, modelstest.Tester).Reaching(models.Everybody)
		modelstest.Must(people.Of(later).PutAtEvent(ctx, twin.ID))(t)
		modelstest.Must(people.Of(p).AddContactNote(ctx, twin.ID, "Prefers mornings."))(t)
		both := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Both", People: []models.Participation{
			{ContactID: ada.ID, Role: models.Chairperson}, {ContactID: twin.ID},
			{New: &models.NewContact{FirstName: "Third"}}}}))(t)
		hers := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Hers", People: []models.Participation{
			{ContactID: twin.ID, Role: models.Moderator}}}))(t)
		modelstest.Emitted(t, f)

		c := modelstest.Must(people.In(d).Compare(ctx, people.MergePair{SurvivorID: ada.ID, RemovedID: twin.ID,
			Take: []string{"job_title"}}))(t)
		m := c.Moves
		modelstest.Holds(t, m.Sessions == 1 && m.Notes == 1 && m.Tags == 1 && m.Events == 2 && m.Values == 1 &&
			len(m.Doubled) == 1 && m.Doubled[0].Role == models.Speaking, "would move %+v", m)
		results := map[string]string{}
		for _, row := range c.Fields {
			results[row.Name] = map[bool]string{false: row.Survivor, true: row.Removed}[row.Taken]
		}
		if results["job_title"] != "Head" || results["name"] != "Nomvula Dlamini" || results["phone"] != "+27 1 234 5678" ||
			results[f.Event.ID+".arrival"] != "2027-05-17T09:00:00.000Z" || results[f.Event.ID+".dietary"] != "No shellfish" {
			t.Errorf("would become %v", results)
		}
		modelstest.Merged(t, f, ada.ID, twin.ID, "job_title", f.Event.ID+".arrival")

		after := modelstest.Must(p.Directory().Person(ctx, ada.ID))(t)
		if after.JobTitle != "Head" || after.Phone == "" || after.About != "<p>Long.</p>" || after.Here.Arrival.Day() != 18 ||
			after.Here.Dietary != "No shellfish" || after.Own[food.Key] != "XL" || len(after.Tags) != 2 ||
			after.Email != "nomvula@ledger.example" {
			t.Errorf("became %+v %+v %v %v", after.Contact, after.Here, after.Own, after.Tags)
		}
		modelstest.Must(later.Directory().Person(ctx, ada.ID))(t)
		modelstest.Want(t, "has notes", len(modelstest.Must(people.In(d).ContactNotes(ctx, ada.ID, []string{f.Event.ID}))(t)),
			1)
		seen := modelstest.SessionsByTitle(t, p, models.SessionFilter{Text: "nomvula"})
		for _, s := range []*models.Session{both, hers} {
			if now := seen[s.Title]; now == nil || !now.UpdatedAt.Equal(s.UpdatedAt.Time) {
				t.Errorf("%s is found by the survivor and keeps its token: %+v", s.Title, now)
			}
		}
		seats := seen["Both"].Participants
		if len(seats) != 2 || seats[0].ContactID != ada.ID || seats[0].Role != models.Speaking || seats[1].Position != 1 ||
			seen["Hers"].Participants[0].Role != models.Moderator {
			t.Errorf("seats %+v %+v", seats[0], seen["Hers"].Participants[0])
		}
		modelstest.Want(t, "speakers", modelstest.Must(p.SpeakerCount(ctx))(t), 2)
		emitted := modelstest.Emitted(t, f)
		var data map[string]any
		if len(emitted) != 1 || emitted[0].Type != outbox.ContactMerged || emitted[0].ResourceID != ada.ID ||
			json.Unmarshal([]byte(emitted[0].Data), &data) != nil || data["mergedAwayId"] != twin.ID || data["id"] != ada.ID ||
			data["job_title"] != nil || strings.Contains(emitted[0].Data, "shellfish") {
			t.Errorf("emitted %+v", emitted)
		}
		modelstest.WantSound(t, f)
	})
}

func TestAMergedAddressIsStillTheirs(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		ada := modelstest.Contact(t, p, "Ada", "ada@new.example")
		old := modelstest.Contact(t, p, "Ada", "Ada@Old.example")
		theirs, foreign := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Ada", "email", "ada@old.example"))
		modelstest.Merged(t, f, ada.ID, old.ID)

		_, err := p.CreateContact(ctx, models.NewContact{FirstName: "Other", Email: "ada@old.example"})
		modelstest.WantKind(t, "a new contact with an alias", err, store.Invalid)
		bob := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Bob"}))(t)
		_, err = people.In(p.Directory()).Update(ctx, bob.ID, modelstest.Values("email", "ada@OLD.example"))
		modelstest.WantKind(t, "an alias for somebody else", err, store.Invalid)
		if found, known, err := people.Of(p).AddPerson(ctx,
			modelstest.Values("email", "ADA@old.example", "first_name", "x")); err != nil || !known || found.ID != ada.ID {
			t.Errorf("adding the address opens %+v, %v", found, err)
		}
		if found := modelstest.Must(p.FindContacts(ctx, "ada@old.example", 5))(t); len(found) != 1 || found[0].ID != ada.ID {
			t.Errorf("finds %v", found)
		}
		modelstest.Want(t, "the other organization has", modelstest.Must(theirs.Person(ctx, foreign.ID))(t).Email,
			"ada@old.example")
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", People: []models.Participation{
			{New: &models.NewContact{FirstName: "A.", Email: "ada@old.example"}}}}))(t)
		modelstest.Holds(t, len(s.Participants) == 1 && s.Participants[0].ContactID == ada.ID,
			"a session has %+v", s.Participants)
		const schedule = `<schedule><conference><title>C</title></conference><day date="2027-05-20"><room name="Hall">
			<event id="1"><start>10:00</start><duration>00:30</duration><title>First</title><persons>
				<person id="7" email="ada@old.example">Ada Ng</person><person id="8">Ada Ng</person></persons></event>
			</room></day></schedule>`
		modelstest.Must(arrival.Of(p).Import(ctx, modelstest.Must(frab.Parse(strings.NewReader(schedule), time.UTC))(t),
			arrival.Options{}))(t)
		modelstest.Want(t, "made by an import with the alias", modelstest.RowsOf(t, f, "SELECT count(*) FROM contacts "+
			"WHERE email_key = 'ada@old.example' AND organization_id = $1", f.Event.OrganizationID), 0)
		// An alias becomes one's own again, and then is no alias.
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("email", "ada@old.example")))(t)
		modelstest.Want(t, "aliases", modelstest.RowsOf(t, f, "SELECT count(*) FROM contact_aliases"), 0)
		modelstest.WantSound(t, f)
	})
}

func TestABatchOfMergesIsAChainAndLeavesOutWhatChanged(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		var ids []string
		for i := range 6 {
			c := modelstest.Contact(t, p, fmt.Sprint("Twin ", i), fmt.Sprintf("t%d@example.org", i))
			ids = append(ids, c.ID)
		}
		theirs, foreign := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Foreign"))
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", People: []models.Participation{
			{ContactID: ids[2]}, {ContactID: ids[0]}}}))(t)
		modelstest.Emitted(t, f)
		c := modelstest.Must(people.In(d).Compare(ctx, people.MergePair{SurvivorID: ids[3], RemovedID: ids[4]}))(t)
		modelstest.Must(people.In(d).Update(ctx, ids[4], modelstest.Values("phone", "1")))(t)
		done := modelstest.Must(people.In(d).Merge(ctx, []people.MergePair{
			{SurvivorID: ids[1], RemovedID: ids[2]}, {SurvivorID: ids[0], RemovedID: ids[1]},
			{SurvivorID: ids[3], RemovedID: ids[4], Version: c.Version}, {SurvivorID: ids[2], RemovedID: ids[0]},
			{SurvivorID: ids[5], RemovedID: foreign.ID},
		}))(t)
		for i, last := range []string{ids[0], ids[0], "", "", ""} {
			modelstest.Holds(t, done[i].LastID == last && (done[i].Reason == "") == (last != ""),
				"pair %d became %+v", i, done[i])
		}
		emitted := modelstest.Emitted(t, f)
		if len(emitted) != 2 || emitted[0].ResourceID != ids[0] || !strings.Contains(emitted[0].Data, ids[2]) ||
			emitted[1].ResourceID != ids[0] || !strings.Contains(emitted[1].Data, ids[1]) {
			t.Errorf("emitted %+v", emitted)
		}
		now := modelstest.Must(p.Session(ctx, s.ID))(t)
		modelstest.Holds(t, len(now.Participants) == 1 && now.Participants[0].ContactID == ids[0] &&
			now.Participants[0].Position == 0, "seats %+v", now.Participants)
		modelstest.Want(t, "aliases",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM contact_aliases WHERE contact_id = $1", ids[0]), 2)
		modelstest.Must(theirs.Person(ctx, foreign.ID))(t)
		for _, pairs := range [][]people.MergePair{nil, slices.Repeat([]people.MergePair{{}}, people.MaxMergePairs+1)} {
			modelstest.Answers(people.In(d).Merge(ctx, pairs))(t, fmt.Sprint(len(pairs), " pairs"), store.Invalid)
		}
		_, err := people.In(d).Compare(ctx, people.MergePair{SurvivorID: ids[0], RemovedID: foreign.ID})
		modelstest.WantKind(t, "a foreigner", err, store.NotFound)
		modelstest.WantSound(t, f)
	})
}

func TestAMergeIsLookedUpWithAllValuesOfWhoIsGone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Ada", "email", "a@example.org", "company_name", "Engines")))(t)
		twin := modelstest.First(people.Of(p).AddPerson(ctx,
			modelstest.Values("first_name", "Adah", "email", "b@example.org", "company_name", "Looms", "hotel", "Quay")))(t)
		s := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "T", People: []models.Participation{
			{ContactID: twin.ID, Role: models.Moderator}}}))(t)
		modelstest.Merged(t, f, ada.ID, twin.ID, "company_name")
		db := f.SQL
		var before, after string
		modelstest.Fine(t, db.QueryRow("SELECT before, after FROM activity WHERE subject_id = $1 AND action = 'merged'", ada.ID).
			Scan(&before, &after))
		was, is := store.ReadFacts(before), store.ReadFacts(after)
		removed := was["removed"].(map[string]any)
		if was["company_name"] != "Engines" || is["company_name"] != "Looms" || is["merged_away_id"] != twin.ID ||
			removed["first_name"] != "Adah" || removed["email"] != "b@example.org" ||
			removed["events"].(map[string]any)[f.Event.ID].(map[string]any)["hotel"] != "Quay" ||
			removed["sessions"].([]any)[0].(map[string]any)["id"] != s.ID {
			t.Errorf("keeps %s %s", before, after)
		}
		modelstest.Want(t, "lines are still of who is gone",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM activity WHERE subject_id = $1", twin.ID), 0)
	})
}

func TestMergingAndErasingKnowEveryTableOfContacts(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		query := `SELECT t.relname, a.attname FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid
			JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey)
			WHERE k.confrelid IN ('contacts'::regclass, 'event_contacts'::regclass)`
		if f.Dialect() == "sqlite" {
			query = `SELECT m.name, k."from" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) k
				WHERE m.type = 'table' AND k."table" IN ('contacts', 'event_contacts')`
		}
		refers := map[[2]string]bool{}
		rows := modelstest.Must(f.SQL.Query(query))(t)
		for rows.Next() {
			var of [2]string
			modelstest.Fine(t, rows.Scan(&of[0], &of[1]))
			refers[of] = of[1] != "organization_id" && of[1] != "event_id"
		}
		for table, columns := range modelstest.Columns(t, f) {
			for column := range columns {
				of := [2]string{table, column}
				refers[of] = refers[of] || strings.HasSuffix(column, "contact_id")
			}
		}
		found := 0
		for of, does := range refers {
			if does {
				if found++; !people.KnowsContactTable(of[0], of[1]) {
					t.Errorf("%s.%s is of contacts, and contactTables does not know it", of[0], of[1])
				}
			}
		}
		modelstest.Holds(t, found >= 8, "found %d columns of contacts", found)
	})
}

func TestWhoWasMergedLeadsToWhoStayed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), modelstest.DirectoryOf(f)
		var ids []string
		for _, name := range []string{"Ada", "Bob", "Cy", "Di"} {
			ids = append(ids, modelstest.Must(people.In(d).Create(ctx, modelstest.Values("first_name", name)))(t).ID)
		}
		modelstest.Merged(t, f, ids[1], ids[0])
		modelstest.Merged(t, f, ids[2], ids[1])
		for _, gone := range ids[:2] {
			modelstest.Want(t, "leads to", modelstest.Must(people.In(d).MergedInto(ctx, gone))(t).ID, ids[2])
		}
		foreign, _ := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Else"))
		modelstest.Answers(people.In(foreign).MergedInto(ctx, ids[0]))(t, "another organization", store.NotFound)
		for _, never := range []string{store.NewID(), "%"} {
			modelstest.Answers(people.In(d).MergedInto(ctx, never))(t, "never merged", store.NotFound)
		}
		modelstest.Fine(t, people.In(d).Erase(ctx, ids[2]))
		modelstest.Answers(people.In(d).MergedInto(ctx, ids[0]))(t, "erased", store.NotFound)
	})
}

func TestPeopleWhoLookAlikeAreSuggestedWithTheirReasons(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		add := func(n models.NewContact) string { return modelstest.Must(p.CreateContact(ctx, n))(t).ID }
		add(models.NewContact{FirstName: "José", LastName: "García", CompanyName: "Harbour"})
		add(models.NewContact{FirstName: "GARCIA,", LastName: "Jose", CompanyName: "HARBOUR"})
		add(models.NewContact{FirstName: "Ada", Email: "ada.love@x.example"})
		add(models.NewContact{FirstName: "A. Lovelace", Email: "Ada.Lo.ve+talks@x.example"})
		add(models.NewContact{FirstName: "Bo", LastName: "Ek", CompanyName: "One", Phone: "+46 (0)8 123 456 78"})
		add(models.NewContact{FirstName: "B.", LastName: "Ek", CompanyName: "Two", Phone: "0046 8 123 456 78"})
		add(models.NewContact{FirstName: "Kim", LastName: "Lee", CompanyName: "One"})
		add(models.NewContact{FirstName: "Kim", LastName: "Lee", CompanyName: "Two"})
		add(models.NewContact{FirstName: "Una", LastName: "Sola", Phone: "12345"})
		add(models.NewContact{FirstName: "Uno", LastName: "Solo", Phone: "12345"})
		_, foreigner := modelstest.Foreigner(t, f,
			modelstest.Values("first_name", "José", "last_name", "García", "company_name", "Harbour"))

		var got []string
		found := modelstest.Must(people.In(d).Suggestions(ctx))(t)
		for _, s := range found.Pairs {
			got = append(got, fmt.Sprint(s.First.FullName, "/", s.Second.FullName, " ", s.Strength, " ", s.Reasons))
		}
		if want := []string{"Ada/A. Lovelace 3 [e-mail]", "José García/GARCIA, Jose 3 [name and company]",
			"Bo Ek/B. Ek 2 [phone]", "Kim Lee/Kim Lee 1 [name]"}; !slices.Equal(got, want) {
			t.Fatalf("suggests\n%q\nwant\n%q", got, want)
		}
		first := found.Pairs[0]
		modelstest.Fine(t, people.In(d).DismissPair(ctx, first.Second.ID, first.First.ID))
		modelstest.Fine(t, people.In(d).DismissPair(ctx, first.First.ID, first.Second.ID))
		modelstest.Want(t, "a dismissed pair is suggested", len(modelstest.Must(people.In(d).Suggestions(ctx))(t).Pairs), 3)
		listed := modelstest.Must(people.In(d).DismissedPairs(ctx))(t)
		modelstest.Holds(t, len(listed) == 1 && listed[0].ByName == modelstest.Tester.ActorName, "dismissed %+v", listed)
		modelstest.Fine(t, people.In(d).BringBackPair(ctx, first.Second.ID, first.First.ID))
		modelstest.WantKind(t, "once more", people.In(d).BringBackPair(ctx, first.First.ID, first.Second.ID), store.NotFound)
		modelstest.WantKind(t, "a foreigner", people.In(d).DismissPair(ctx, first.First.ID, foreigner.ID), store.NotFound)
	})
}

func TestWhoWasToldApartStaysSoBehindAMerge(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		var ids []string
		for range 3 {
			ids = append(ids, modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Kim", LastName: "Lee"}))(t).ID)
		}
		modelstest.Fine(t, people.In(d).DismissPair(ctx, ids[0], ids[1]))
		modelstest.Fine(t, people.In(d).DismissPair(ctx, ids[0], ids[2]))
		modelstest.Merged(t, f, ids[2], ids[1])
		modelstest.Want(t, "suggests", len(modelstest.Must(people.In(d).Suggestions(ctx))(t).Pairs), 0)
		modelstest.Want(t, "dismissed", len(modelstest.Must(people.In(d).DismissedPairs(ctx))(t)), 1)
	})
}

func TestANameThatThousandsShareIsBounded(t *testing.T) {
	t.Parallel()
	pairs := func(n int) *people.Suggestions {
		crowd := make([]*people.Lookalike, n)
		for i := range crowd {
			crowd[i] = &people.Lookalike{ID: fmt.Sprintf("%06d", i), FullName: "Kim Lee", CompanyKey: "one",
				Email: fmt.Sprintf("k%d@x.example", i/2), Phone: "+1 555 0100 200"}
		}
		return people.Suggest(crowd, nil)
	}
	found := pairs(5000)
	modelstest.Holds(t, len(found.Pairs) <= 2500+20 && len(found.Crowds) == 3 && found.Crowds[0].People == 5000,
		"%d pairs, crowds %+v", len(found.Pairs), found.Crowds)
	modelstest.GrowsNoFaster(t, 5000, func(n int) { pairs(n) })
}

func TestTheOldestOfACrowdIsSuggestedWithTheNextOnceSomeAreDismissed(t *testing.T) {
	t.Parallel()
	crowd := make([]*people.Lookalike, 30)
	for i := range crowd {
		crowd[i] = &people.Lookalike{ID: fmt.Sprintf("%02d", i), FullName: "Kim Lee"}
	}
	dismissed := map[[2]string]bool{}
	for i := 1; i < 15; i++ {
		dismissed[[2]string{"00", crowd[i].ID}] = true
	}
	found := people.Suggest(crowd, dismissed)
	modelstest.Holds(t, len(found.Pairs) == 15 && found.Pairs[0].Second.ID == "15", "%d pairs", len(found.Pairs))
}
