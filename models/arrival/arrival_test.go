package arrival_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// moved is a conference of another system: two tracks, a room, a tag, two people and two submissions, of which the
// first is held twice.
type moved struct {
	labels   []arrival.Label
	people   []arrival.Person
	sessions []arrival.Session
}

func conference() *moved {
	ten := store.At(time.Date(2027, 5, 20, 10, 0, 0, 0, time.UTC))
	eleven, two, three := store.At(ten.Add(time.Hour)), store.At(ten.Add(4*time.Hour)), store.At(ten.Add(5*time.Hour))
	named := func(family models.Family, key, name string) arrival.Label {
		return arrival.Label{Key: key, Family: family, NewMetadata: models.NewMetadata{Name: name}}
	}
	return &moved{
		labels: []arrival.Label{named(models.Tracks, "track/1", "Boats"), named(models.Tracks, "track/2", "Rivers"),
			named(models.Rooms, "room/1", "Hall"), named(models.Tags, "tag/1", "beginner")},
		people: []arrival.Person{{Key: "ADA", NewContact: models.NewContact{FirstName: "Ada", LastName: "Ng",
			Email: "ada@example.org", About: "<p>Hi</p>"}, Away: "2027-05-20 12:00-15:00"}, {Key: "BO",
			NewContact: models.NewContact{FirstName: "Bo", LastName: "Ek", Email: "bo@example.org"}}},
		sessions: []arrival.Session{
			{Key: "AAA", Title: "Ferries", Description: "<p>Of ferries</p>", Status: models.Accepted, Track: "track/1",
				Tags: []string{"tag/1"}, People: []string{"ADA", "BO"}, Answers: models.AnswersInput{{Key: "needs",
					Value: "A boat"}},
				Slots: []arrival.Slot{{Start: ten, End: eleven, Room: "room/1"}, {Start: two, End: three, Room: "room/1"}}},
			{Key: "BBB", Title: "Dams", Status: models.Declined, Track: "track/2", People: []string{"BO"}},
		}}
}

func (m *moved) into(t *testing.T, p *models.Programme) arrival.Summary {
	t.Helper()
	a := arrival.Of(p).Begin()
	modelstest.Fine(t, a.Labels(t.Context(), m.labels))
	modelstest.Fine(t, a.People(t.Context(), m.people))
	modelstest.Fine(t, a.Sessions(t.Context(), m.sessions))
	modelstest.Fine(t, a.Dates(t.Context(), "2027-05-20", "2027-05-21"))
	return a.Summary()
}

// arrivedAs returns a line for each session: what it is, its state, track, people, answers and times.
func arrivedAs(t *testing.T, p *models.Programme) (lines []string) {
	t.Helper()
	for _, abstract := range []bool{true, false} {
		rows := modelstest.First(p.SearchSessions(t.Context(), models.SessionSearch{Sort: models.ByFriendlyID,
			Ascending: true, Filter: models.SessionFilter{IsAbstract: &abstract}, Page: store.Page{Size: 100}}))(t)
		for _, s := range rows {
			line := s.FriendlyID + " " + s.Title + " " + string(s.Status)
			if s.Track != nil {
				line += " " + s.Track.Name
			}
			for _, x := range s.Participants {
				line += ", " + x.FullName
			}
			if s.StartsAt != nil {
				line += fmt.Sprint(" at ", s.StartsAt.Format("15:04"), " in ", s.Room.Name)
			}
			if s.CompositionStatus.IsLinked {
				line += " linked"
			}
			lines = append(lines, fmt.Sprint(line, " ", len(s.Tags), s.CustomFields))
		}
	}
	return lines
}

func TestAConferenceArrivesWithEachStateAndSlot(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		summary := conference().into(t, f.Programme())
		if summary.Abstracts.Created != 2 || summary.Sessions.Created != 2 || summary.Contacts.Created != 2 ||
			summary.Tracks != 2 || summary.Rooms != 1 || summary.Tags != 1 || len(summary.Skipped) != 0 || summary.StartsOn == "" {
			t.Errorf("%+v", summary)
		}
		want := []string{
			"A-1 Ferries accepted Boats, Ada Ng, Bo Ek linked 1 [{needs A boat}]", "A-2 Dams declined Rivers, Bo Ek 0 []",
			"S-1 Ferries accepted Boats, Ada Ng, Bo Ek at 10:00 in Hall linked 1 []",
			"S-2 Ferries accepted Boats, Ada Ng, Bo Ek at 14:00 in Hall 1 []"}
		modelstest.WantAll(t, "arrived as", arrivedAs(t, f.Programme()), want)
		modelstest.WantAll(t, "emissions of an arrival", modelstest.EmittedTypes(t, f), nil)
		f.Clock.Move(time.Hour)
		again := conference().into(t, f.Programme())
		if again.Abstracts.Unchanged != 2 || again.Sessions.Unchanged != 2 || again.Contacts.Unchanged != 2 ||
			again.Abstracts.Updated+again.Sessions.Updated+again.Contacts.Updated+again.Tracks != 0 {
			t.Errorf("once more: %+v", again)
		}
	})
}

func TestWhatChangedThereComesAndWhatStaffChangedStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		conference().into(t, p)
		f.Clock.Move(time.Hour)
		ferries := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(true)})["Ferries"]
		dams := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(true)})["Dams"]
		change := models.SessionChange{}
		change.Status, change.Title = new(models.Accepted), new("Dams of staff")
		modelstest.Must(p.UpdateSession(t.Context(), dams.ID, change))(t)
		answers := models.SessionChange{}
		answers.CustomFields = &models.AnswersInput{{Key: "needs", Value: "Two boats"}}
		modelstest.Must(p.UpdateSession(t.Context(), ferries.ID, answers))(t)

		there := conference()
		there.labels[0].Name = "Ships"
		there.people[0].LastName, there.people[0].About = "Ng-Li", "<p>Hello</p>"
		there.sessions[0].Title, there.sessions[0].Slots = "Fast ferries", there.sessions[0].Slots[:1]
		there.sessions[0].Slots[0].Start = store.At(there.sessions[0].Slots[0].Start.Add(30 * time.Minute))
		there.sessions[1].Title, there.sessions[1].Status = "Dams of there", models.Withdrawn
		there.sessions[1].Slots = []arrival.Slot{{Start: there.sessions[0].Slots[0].End,
			End: there.sessions[0].Slots[0].End, Room: "room/1"}}
		summary := there.into(t, p)
		if summary.Contacts.Updated != 1 || summary.Sessions.Updated != 1 || summary.Abstracts.Updated != 1 {
			t.Errorf("%+v", summary)
		}
		want := []string{"A-1 Fast ferries accepted Ships, Ada Ng-Li, Bo Ek linked 1 [{needs Two boats}]",
			"A-2 Dams of there accepted Rivers, Bo Ek linked 0 []",
			"S-1 Fast ferries accepted Ships, Ada Ng-Li, Bo Ek at 10:30 in Hall linked 1 []",
			"S-2 Ferries accepted Ships, Ada Ng-Li, Bo Ek at 14:00 in Hall 1 []",
			"S-3 Dams of there accepted Rivers, Bo Ek at 11:00 in Hall linked 0 []"}
		modelstest.WantAll(t, "arrived as", arrivedAs(t, p), want)
		if len(summary.Replaced) != 1 || !strings.Contains(summary.Replaced[0].Reason, "title") {
			t.Errorf("replaced: %+v", summary.Replaced)
		}
		if len(summary.Skipped) != 1 || !strings.Contains(summary.Skipped[0].Reason, "stays accepted") {
			t.Errorf("skipped: %+v", summary.Skipped)
		}
	})
}

func TestWhatIsGoneThereIsToldAndWhatWasDeletedHereStaysSo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		conference().into(t, p)
		dams := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(true)})["Dams"]
		modelstest.Must(p.DeleteSession(t.Context(), dams.ID))(t)
		a, there := arrival.Of(p).Begin(), conference()
		there.sessions[1].Title = "Dams again"
		modelstest.Fine(t, a.Sessions(t.Context(), there.sessions[1:]))
		if s := a.Summary(); len(s.Skipped) != 1 || !strings.Contains(s.Skipped[0].Reason, "deleted here") {
			t.Errorf("%+v", s)
		}
		ferries := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(false)})["Ferries"]
		modelstest.Must(p.DeleteSession(t.Context(), ferries.ID))(t)
		b := arrival.Of(p).Begin()
		there.sessions[0].Answers[0].Value = "No boat"
		modelstest.Fine(t, b.Sessions(t.Context(), there.sessions[:1]))
		if s := b.Summary(); len(s.Skipped) != 1 || s.Abstracts.Updated != 1 {
			t.Errorf("of a session that was deleted here the submission still comes: %+v", s)
		}
		modelstest.Must(p.RestoreSession(t.Context(), ferries.ID))(t)
		want := []arrival.Gone{{Key: "AA", Title: "Ferries"}, {Key: "AA#2", Title: "Ferries"}}
		modelstest.WantAll(t, "gone", modelstest.Must(a.Gone(t.Context(), "A"))(t), want)
		modelstest.Want(t, "gone of another system", len(modelstest.Must(a.Gone(t.Context(), "other/"))(t)), 0)
	})
}

func TestSomebodyWhomTheOrganizationKnowsKeepsTheirName(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		known := modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{
			FirstName: "Adaline", LastName: "Ng", Email: "Ada@Example.org"}))(t)
		conference().into(t, f.Programme())
		person := modelstest.Must(f.Programme().Directory().Person(t.Context(), known.ID))(t)
		if person.FullName != "Adaline Ng" || person.About != "<p>Hi</p>" || person.Here.Away != "2027-05-20 12:00-15:00" {
			t.Errorf("%+v %+v", person.Contact, person.Here)
		}
	})
}

func TestWhatStaffChangedOfLabelsAndBreaksStaysUntilItChangesThere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, there := f.Programme(), conference()
		there.into(t, p)
		lunch := frab.Break{Key: "lunch", Kind: "break", Title: "Lunch", Room: "room/1",
			Start: there.sessions[0].Slots[0].End.Time, End: there.sessions[0].Slots[1].Start.Time}
		bring := func(want arrival.Counts, replaced int) {
			t.Helper()
			a := arrival.Of(p).Begin()
			modelstest.Fine(t, a.Labels(t.Context(), there.labels))
			modelstest.Fine(t, a.Breaks(t.Context(), []frab.Break{lunch}))
			if s := a.Summary(); s.Breaks != want || len(s.Replaced) != replaced || len(s.Skipped) > 0 {
				t.Errorf("%+v", s)
			}
		}
		bring(arrival.Counts{Created: 1}, 0)
		day := modelstest.Must(agenda.Of(p).Day(t.Context(), "2027-05-20", ""))(t)
		modelstest.Must(agenda.Of(p).UpdateBreak(t.Context(), day.Breaks[0].ID, models.BreakChange{Title: new("Soup")}))(t)
		tracks := modelstest.Must(p.Family(t.Context(), models.Tracks))(t)
		modelstest.Must(metadata.Of(p).Update(t.Context(), models.Tracks, tracks[0].ID,
			metadata.Change{Name: new("Barges")}))(t)
		bring(arrival.Counts{Unchanged: 1}, 0)
		there.labels[0].Name, lunch.Title = "Ships", "Noon"
		bring(arrival.Counts{Updated: 1}, 2)
		modelstest.WantAll(t, "gone", modelstest.Must(arrival.Of(p).Begin().Gone(t.Context(), "lu"))(t),
			[]arrival.Gone{{Key: "nch", Title: "Noon"}})
		modelstest.Must(agenda.Of(p).DeleteBreak(t.Context(), day.Breaks[0].ID))(t)
		modelstest.Want(t, "what was deleted here is not here still",
			len(modelstest.Must(arrival.Of(p).Begin().Gone(t.Context(), "lu"))(t)), 0)
	})
}

func TestOneAddressWithTwoNamesIsOnePerson(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		there := conference()
		there.people[1].Email = "ADA@example.org"
		for _, created := range []int{1, 0} {
			if s := there.into(t,
				f.Programme()); s.Contacts.Created != created || s.Contacts.Updated != 0 || len(s.Skipped) > 0 {
				t.Errorf("%+v", s)
			}
		}
		ferries := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{IsAbstract: new(true)})["Ferries"]
		if len(ferries.Participants) != 1 || ferries.Participants[0].FullName != "Ada Ng" {
			t.Errorf("%+v", ferries.Participants)
		}
	})
}

func TestWhatOfSomebodyBreaksARuleIsLeftOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		there := conference()
		there.people[0].Email = "no address"
		there.sessions[1].Title = strings.Repeat("x", 300)
		s := there.into(t, f.Programme())
		if s.Contacts.Created != 2 || s.Abstracts.Created != 1 || len(s.Skipped) != 2 {
			t.Errorf("%+v", s)
		}
	})
}

// TestARecordIsOfTheMoveThatMadeIt imports a row again after its record was deleted here, and then once more.
func TestARecordIsOfTheMoveThatMadeIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		of := func(move string) *arrival.Arrival {
			return arrival.Of(f.Store.Programme(f.Event, store.By{Door: store.ImportDoor, RequestID: move})).Begin()
		}
		keep := func(move, record string, isMade bool) {
			modelstest.Fine(t, of(move).Keep(t.Context(), arrival.Questions,
				arrival.ArrivedRow{Key: "q", RecordID: record, Said: arrival.FieldHashes{}, IsMade: isMade}))
		}
		want := func(kind, record, move string) {
			t.Helper()
			var is, by string
			modelstest.Fine(t, f.SQL.QueryRow("SELECT record_id, made_by FROM imported WHERE kind = '"+kind+"'").Scan(&is, &by))
			modelstest.Want(t, "record and move", [2]string{is, by}, [2]string{record, move})
		}
		keep("first", "a", true)
		keep("second", "a", false)
		want("question", "a", "first")
		keep("second", "b", true)
		want("question", "b", "second")
		keep("third", "c", false)
		want("question", "c", "")
		for _, round := range []struct{ move, known, made string }{{"first", "", "x"}, {"second", "x", "y"}} {
			modelstest.Must(of(round.move).Claim(t.Context(), arrival.Rounds, "r", round.known, round.made))(t)
			want("round", round.made, round.move)
		}
	})
}
