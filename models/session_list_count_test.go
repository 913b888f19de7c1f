package models_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// starting makes a session of the programme that starts then, "" for never.
func starting(t *testing.T, p *models.Programme, at string) *models.Session {
	t.Helper()
	n := models.NewSession{Title: "At " + at}
	if at != "" {
		n.StartsAt = store.Some(modelstest.Must(store.ParseTime(at))(t))
	}
	return modelstest.Must(p.CreateSession(t.Context(), n))(t)
}

func TestSessionsAreCountedByTheDaysOfTheEventsZone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("America/New_York"),
			StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(t)
		p := f.Programme()
		for _, at := range []string{"2027-05-21T03:59:59Z", "2027-05-20T04:00:00Z", "2027-05-21T04:00:00Z", "", "",
			"2027-06-01T12:00:00Z"} {
			starting(t, p, at)
		}
		starting(t, f.Elsewhere(), "2027-05-20T12:00:00Z")
		modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "An abstract", IsAbstract: true}))(t)
		public := starting(t, p, "2027-05-22T12:00:00Z")
		modelstest.Must(p.UpdateSession(t.Context(), public.ID, models.SessionChange{IsPublic: new(true),
			PublishOverride: true}))(t)
		p = f.Programme()
		filter := models.SessionFilter{IsAbstract: new(false), Scheduled: new(true)} // the start is ignored
		d := modelstest.Must(p.SessionDays(t.Context(), filter))(t)
		want := []models.DayCount{{"2027-05-20", 2}, {"2027-05-21", 1}, {"2027-05-22", 1}, {"2027-06-01", 1}}
		modelstest.Holds(t, slices.Equal(d.Days, want) && d.Unplaced == 2 && d.Total == 7 && d.Public == 1 &&
			d.On("2027-05-20") == 2, "%+v", d)
		for _, day := range want {
			f := models.SessionFilter{IsAbstract: new(false)}
			if !f.Day(day.Day, p.Event().Location()) {
				t.Fatal(day.Day)
			}
			modelstest.Want(t, "on "+day.Day, int64(len(allOf(t, p, models.SessionSearch{Filter: f}))), day.Count)
		}
		for _, odd := range []string{"", "x", "2027-02-30", "0001-01-01", "2027-05-20T00:00:00Z"} {
			if f := (models.SessionFilter{}); f.Day(odd, p.Event().Location()) || f.StartsAfter != nil {
				t.Errorf("%q is a day", odd)
			}
		}
		count := func() int {
			return len(f.Statement.During(func() { modelstest.Must(p.SessionDays(t.Context(), filter))(t) }))
		}
		modelstest.Want(t, "statements of the same again", count(), 0)
		_, err := p.SessionDays(t.Context(), models.SessionFilter{TrackIDs: []string{"x"}})
		if store.KindOf(err) != store.Invalid {
			t.Error(err)
		}
	})
}

func TestLettersAreKnownOfManySessionsInOneStatement(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 5)
		states := []models.LetterState{models.LetterSent, models.LetterDraft, models.LetterFailed, ""}
		for i, state := range states {
			modelstest.SetStatus(t, p, ids[i], models.Accepted)
			if state != "" {
				f.SetLetter(t, f.Event, ids[i], state)
			}
		}
		both := modelstest.Must(p.Compose(t.Context(), ids[:2], ""))(t)
		sent := modelstest.Must(p.Compose(t.Context(), ids[2:4], ""))(t)
		alone := starting(t, p, "")
		rows := store.Map(append(ids, both.ID, sent.ID, alone.ID),
			func(id string) *models.Session { return modelstest.Must(p.Session(t.Context(), id))(t) })
		var got map[string]models.LetterState
		statements := f.Statement.During(func() { got = modelstest.Must(p.LetterStates(t.Context(), rows))(t) })
		want := map[string]models.LetterState{ids[0]: states[0], ids[1]: states[1], ids[2]: states[2], ids[3]: states[3],
			ids[4]: "", both.ID: models.LetterDraft, sent.ID: models.LetterFailed}
		modelstest.Holds(t, len(statements) == 1 && fmt.Sprint(got) == fmt.Sprint(want),
			"%v, want %v, by %d statements", got, want, len(statements))
		// A letter for a decision that does not stand any more says nothing of the one that does.
		modelstest.SetStatus(t, p, ids[0], models.Declined)
		got = modelstest.Must(p.LetterStates(t.Context(), rows))(t)
		modelstest.Want(t, "the letter's state", got[ids[0]], "")
		got = modelstest.Must(f.Elsewhere().LetterStates(t.Context(), rows))(t)
		modelstest.Want(t, "states that another event tells", len(got), 0)
	})
}

func TestAnEventOfAMonthHasAllItsDays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		modelstest.Must(f.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-01"),
			EndsOn: store.Some("2027-05-31")}))(t)
		p := f.Programme()
		days := modelstest.Must(agenda.Of(p).Days(ctx))(t).Days
		if len(days) != 31 || days[30].Day != "2027-05-31" {
			t.Fatalf("%d days", len(days))
		}
		// Who is away on each part of each day says so.
		var away []string
		for _, day := range days {
			for _, part := range models.DayParts {
				away = append(away, models.Absence{Day: day.Day, From: part.From, Until: part.Until}.String())
			}
		}
		c := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
		modelstest.Must(people.Of(p).PutAtEvent(ctx, c.ID))(t)
		modelstest.IsAway(t, f, c.ID, strings.Join(away, "\n"))
	})
}

// TestDraftsAreInNoCountOfSubmissions has two submissions and three drafts: with somebody who is on nothing else, with
// nobody, and with a speaker of a submission.
func TestDraftsAreInNoCountOfSubmissions(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ada := modelstest.Must(p.Session(ctx, modelstest.AbstractOf(t, f, "In", "ada@x.org")))(t).Participants[0].ContactID
		modelstest.AbstractOf(t, f, "In too", "bob@x.org")
		mere := modelstest.AbstractOf(t, f, "Draft", "mere@x.org")
		more := modelstest.AbstractOf(t, f, "Hers")
		f.Join(t, f.Event, more, ada, models.Speaking)
		for _, id := range []string{mere, more, modelstest.AbstractOf(t, f, "Nobody's")} {
			modelstest.SetStatus(t, f.Programme(), id, models.Draft)
		}
		want := func(submissions, speakers int64) {
			t.Helper()
			p := f.Programme()
			modelstest.Want(t, "submissions", modelstest.First(p.KindCounts(ctx))(t), submissions)
			modelstest.Want(t, "speakers", modelstest.Must(p.SpeakerCount(ctx))(t), speakers)
			if _, on, err := people.In(modelstest.DirectoryOf(f)).Counts(ctx, people.Filter{}); err != nil || on != speakers {
				t.Errorf("%d people on submissions, %v", on, err)
			}
			d := modelstest.Must(desk.Of(p).Dashboard(ctx, store.At(f.Clock.Now())))(t)
			var came int64
			for _, span := range d.Created {
				came += span.Count
			}
			modelstest.Holds(t, d.AbstractsTotal == submissions && came == submissions && len(d.Needs) == 0,
				"the dashboard has %d, %d came in, %v", d.AbstractsTotal, came, d.Needs)
			filter := models.SessionFilter{IsAbstract: new(true), NoDrafts: true}
			_, found, err := p.SearchSessions(ctx, models.SessionSearch{Filter: filter})
			modelstest.Holds(t, err == nil && found.TotalResults == submissions, "%d are found, %v", found.TotalResults, err)
			// The API's speakers are all who are on a live session, as its contract says.
			_, all, err := p.Speakers(ctx, "", store.Page{})
			modelstest.Holds(t, err == nil && all.TotalResults == 3, "the API has %d speakers, %v", all.TotalResults, err)
		}
		want(2, 2)
		modelstest.SetStatus(t, f.Programme(), mere, models.Pending)
		want(3, 3)
		modelstest.SetStatus(t, f.Programme(), mere, models.Draft)
		want(2, 2)
	})
}
