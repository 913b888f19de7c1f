package arrival_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/store"
)

// excerpt returns the schedule of the frab package's tests.
func excerpt(t *testing.T) *frab.Schedule {
	t.Helper()
	file := modelstest.Must(os.Open("../frab/testdata/schedule.xml"))(t)
	defer file.Close()
	return modelstest.Must(frab.Parse(file, time.UTC))(t)
}

func importInto(t *testing.T, p *models.Programme, s *frab.Schedule, o arrival.Options) *arrival.Summary {
	t.Helper()
	return modelstest.Must(arrival.Of(p).Import(t.Context(), s, o))(t)
}

func TestImportMakesTheProgrammeOfTheSchedule(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		summary := importInto(t, p, modelstest.TwoTalks(t, "First", "&lt;p&gt;Hi&lt;script&gt;x()&lt;/script&gt;&lt;/p&gt;"),
			arrival.Options{})
		if summary.Sessions.Created != 2 || summary.Contacts.Created != 2 || summary.Rooms != 1 || summary.Tracks != 1 ||
			summary.Formats != 1 || len(summary.Skipped) != 0 {
			t.Errorf("%+v", summary)
		}
		first := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{Text: "ada ng"})["First"]
		if first == nil {
			t.Fatal("the session is not found by its speaker")
		}
		if first.IsAbstract || first.Status != models.Accepted || first.StartsAt.String() != "2027-05-20T10:00:00.000Z" ||
			first.EndsAt.String() != "2027-05-20T10:30:00.000Z" ||
			first.Room.Name != "Hall" || first.Track.Name != "Data" || first.Format.Name != "talk" ||
			first.Description != "<p>Hi</p>" {
			t.Errorf("%+v", first)
		}
		if len(first.Participants) != 2 || first.Participants[0].ContactID == first.Participants[1].ContactID {
			t.Error("two people of one name became one")
		}
		modelstest.WantAll(t, "emissions of an import", modelstest.EmittedTypes(t, f), nil)
		modelstest.Want(t, "the other event has sessions now",
			len(modelstest.SessionsByTitle(t, f.Elsewhere(), models.SessionFilter{IncludeDeleted: true})), 0)
		if _, page, err := f.Elsewhere().Speakers(t.Context(), "", store.Page{}); err != nil || page.TotalResults != 0 {
			t.Error("the other event has speakers now", err)
		}
	})
}

func TestSecondImportChangesOnlyWhatTheScheduleChanged(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		options := arrival.Options{AsSubmissions: true}
		importInto(t, f.Programme(), modelstest.TwoTalks(t, "First", "Text"), options)
		before := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{IsAbstract: new(false)})
		// What the schedule does not carry stays as staff set it.
		f.Clock.Move(time.Hour)
		change := models.SessionChange{IsPublic: new(true), PublishOverride: true}
		change.Status, change.Capacity = new(models.Withdrawn), store.Some(12)
		modelstest.Must(f.Programme().UpdateSession(t.Context(), before["First"].ID, change))(t)

		summary := importInto(t, f.Programme(), modelstest.TwoTalks(t, "First", "Text"), options)
		if summary.Sessions.Unchanged != 2 || summary.Abstracts.Unchanged != 2 || summary.Contacts.Unchanged != 2 ||
			summary.Sessions.Updated+summary.Sessions.Created != 0 {
			t.Errorf("the same schedule again: %+v", summary)
		}
		modelstest.Want(t, "an unchanged session has a new token", modelstest.SessionsByTitle(t, f.Programme(),
			models.SessionFilter{IsAbstract: new(false)})["Second"].UpdatedAt, before["Second"].UpdatedAt)
		summary = importInto(t, f.Programme(), modelstest.TwoTalks(t, "First, renamed", "Text"), options)
		modelstest.Want(t, "sessions", summary.Sessions, arrival.Counts{Updated: 1, Unchanged: 1})
		after := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{IsAbstract: new(false)})["First, renamed"]
		if after == nil || after.ID != before["First"].ID || !after.IsPublic || after.Status != models.Withdrawn ||
			*after.Capacity != 12 || !after.UpdatedAt.After(before["First"].UpdatedAt.Time) {
			t.Errorf("%+v", after)
		}
		source := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{IsAbstract: new(true)})["First, renamed"]
		if source == nil || !source.CompositionStatus.IsLinked || source.CompositionStatus.Target.ID != after.ID {
			t.Errorf("the linked abstract has another text: %+v", source)
		}
		// Without the option the linked abstract follows all the same.
		importInto(t, f.Programme(), modelstest.TwoTalks(t, "First, once more", "Text"), arrival.Options{})
		if modelstest.SessionsByTitle(t, f.Programme(),
			models.SessionFilter{IsAbstract: new(true)})["First, once more"] == nil {
			t.Error("the linked abstract kept the old text")
		}
	})
}

func TestDeletedSessionStaysDeletedAndUnusableItemsAreSkippedWithReasons(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		importInto(t, f.Programme(), modelstest.TwoTalks(t, "First", "Text"), arrival.Options{})
		id := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{})["First"].ID
		modelstest.Must(f.Programme().DeleteSession(t.Context(), id))(t)
		summary := importInto(t, f.Programme(), modelstest.TwoTalks(t, strings.Repeat("x", 256), "Text"), arrival.Options{})
		if len(summary.Skipped) != 1 || !strings.Contains(summary.Skipped[0].Reason, "255") || summary.Skipped[0].ID != "1" {
			t.Errorf("an overlong title: %+v", summary.Skipped)
		}
		if printed, _ := json.Marshal(summary); !strings.Contains(string(printed),
			`"skipped":[{"index":1,"id":"1","title":"xxx`) || !strings.Contains(string(printed), `"reason":"title `) {
			t.Errorf("the summary reads %s", printed)
		}
		summary = importInto(t, f.Programme(), modelstest.TwoTalks(t, "First", "Text"), arrival.Options{})
		if len(summary.Skipped) != 1 || !strings.Contains(summary.Skipped[0].Reason, "deleted") {
			t.Errorf("a deleted session: %+v", summary.Skipped)
		}
		if s := modelstest.Must(f.Programme().Session(t.Context(), id))(t); s.DeletedAt == nil {
			t.Error("the import restored a session that staff deleted")
		}
		schedule := excerpt(t)
		summary = importInto(t, f.Elsewhere(), schedule, arrival.Options{AsSubmissions: true})
		if summary.Sessions.Created != len(schedule.Events) || summary.Abstracts.Created != len(schedule.Events) ||
			len(summary.Skipped) != len(schedule.Skipped) || len(summary.Skipped) == 0 {
			t.Errorf("the excerpt: %+v", summary)
		}
	})
}

func TestImportMeetsContactsOfTheOrganizationByEmail(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		known := modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{
			FirstName: "Ada", LastName: "Ng", Email: "Ada@Example.org", CompanyName: "Kept", TravelNotes: "private"}))(t)
		importInto(t, f.Programme(), excerpt(t), arrival.Options{})
		speaker := modelstest.Must(f.Programme().Speaker(t.Context(), known.ID))(t)
		modelstest.Want(t, "company and address",
			[2]string{speaker.CompanyName, speaker.Email}, [2]string{"Kept", "Ada@Example.org"})
	})
}

func TestSeedIsTheSameEveryTimeAndContinuesTheNumbers(t *testing.T) {
	modelstest.InTurn(t)
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		for _, p := range []*models.Programme{f.Programme(), f.Elsewhere()} {
			modelstest.Fine(t, seed.Fill(t.Context(), p, 250, 40))
		}
		titles := func(p *models.Programme) (out []string) {
			rows, page, err := p.SearchSessions(t.Context(), models.SessionSearch{Sort: models.ByFriendlyID, Ascending: true,
				Page: store.Page{Size: 100}})
			if err != nil || page.TotalResults != 250 {
				t.Fatal(err, page)
			}
			return store.Map(rows, func(s *models.Session) string { return s.FriendlyID + " " + s.Title })
		}
		if a, b := titles(f.Programme()), titles(f.Elsewhere()); strings.Join(a, "\n") != strings.Join(b, "\n") {
			t.Error("two seeds differ")
		}
		if n := len(modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{Text: seed.RareWord})); n != 1 {
			t.Errorf("the rare word is in %d rows", n)
		}
		modelstest.Want(t, "the next abstract is", modelstest.Must(f.Programme().CreateSession(t.Context(),
			models.NewSession{Title: "Next", IsAbstract: true}))(t).FriendlyID, "A-151")
		modelstest.WantKind(t, "a second seed", seed.Fill(t.Context(), f.Programme(), 10, 5), 0)
		modelstest.Want(t, "emissions of a seed", len(modelstest.Emitted(t, f)), 1)
	})
}
