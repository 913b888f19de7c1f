package moving_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/moving"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
)

func moved(t *testing.T, p *models.Programme, h *harbour) *moving.Report {
	t.Helper()
	return modelstest.Must(moving.Into(t.Context(), p, h, nil))(t)
}

func titled(t *testing.T, p *models.Programme, title string) *models.Session {
	t.Helper()
	s := modelstest.SessionsByTitle(t, p, models.SessionFilter{IsAbstract: new(true)})[title]
	if s == nil {
		t.Fatalf("%s did not come", title)
	}
	return s
}

func TestAConferenceMovesInWithAnswersPhotosAndReviews(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		r := moved(t, p, newHarbour())
		if r.Questions.Created != 4 || r.Photos != 5 || r.Answers != 5 || r.Reviews.Created != 3 || r.Contacts.Created != 5 ||
			r.Abstracts.Created != 4 || len(r.Skipped) != 0 || r.From != "Harbour" {
			t.Errorf("%+v", r)
		}
		s := titled(t, p, "Talk 0")
		modelstest.WantAll(t, "custom fields", s.CustomFields, (models.Answers{{Key: "notes", Value: "Secret"},
			{Key: "needs", Value: "Water, A boat"}, {Key: "question/9", Value: "Of none"}}))
		if s.Participants[0].PhotoURL == nil {
			t.Error("the photo did not come")
		}
		modelstest.Want(t, "those who confirmed", modelstest.Must(p.ComingOf(t.Context(), []string{s.ID}))(t)[s.ID], "2 come")
		open := modelstest.Must(reviews.Of(p).Sight(t.Context(), reviews.OpenEyes))(t)
		if !open.Hides("notes") || open.Hides("needs") {
			t.Error("reviewers see notes of the organizers")
		}
		own := modelstest.Must(call.Of(p).OwnAnswers(t.Context(), s.Participants[0].ContactID))(t)
		if len(own.Values) != 2 || own.Form.Questions()[1].Label != "Needs (speaker)" {
			t.Errorf("%+v", own.Values)
		}
		modelstest.WantAll(t, "emissions of a move", modelstest.EmittedTypes(t, f), nil)
		again := moved(t, p, newHarbour())
		if again.Questions.Unchanged != 4 || again.Photos+again.Answers+again.Reviews.Created+again.Reviews.Updated != 0 ||
			again.Reviews.Unchanged != 3 || again.Contacts.Unchanged != 5 || again.Abstracts.Unchanged != 4 {
			t.Errorf("once more: %+v", again)
		}
	})
}

func TestReviewsComeWithTheirAuthorsWhoCannotSignIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		known := f.Hire(t, "r1", staff.Reviewer)
		h := newHarbour()
		h.reviews[1].Email = known.Email
		moved(t, p, h)
		got := modelstest.Must(p.Reviews(t.Context(), titled(t, p, "Talk 0").ID, ""))(t)
		if len(got) != 2 {
			t.Fatalf("%+v", got)
		}
		said := modelstest.Must(reviews.Of(p).Answers(t.Context(), got))(t)
		for i, r := range got { // scales begin at 0, and the best that was given is the top
			want := map[string]int{"Reviewer 0": 100, known.Name: 300}[r.Reviewer]
			if r.Points == nil || int(*r.Points) != want || len(said[i]) != 2 || said[i][1].Text != "0.5" || r.Comment != "Good" {
				t.Errorf("%s: %v %+v", r.Reviewer, r.Points, said[i])
			}
		}
		members := modelstest.Must(p.Team().Members(t.Context()))(t)
		modelstest.Want(t, "who reviewed elsewhere is staff here",
			slices.ContainsFunc(members, func(u *staff.User) bool { return u.Email == "r0@example.org" }), false)
		h.reviews[0].Scores[0].Value, h.reviews[2].Comment = 9, "Better"
		r := moved(t, p, h)
		if r.Reviews.Updated != 1 || r.Reviews.Unchanged != 1 || len(r.Skipped) != 1 {
			t.Errorf("one is beyond the scale, one says something else: %+v", r)
		}
	})
}

func TestWhatIsWithheldKeepsNothingElseOut(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := newHarbour()
		h.photo, h.withheld = moving.NotGiven("is gone there"), moving.NotGiven("may not be read")
		r := moved(t, f.Programme(), h)
		if r.Abstracts.Created != 4 || r.Photos != 0 || len(r.Skipped) != 6 || r.Skipped[5].Reason != "may not be read" {
			t.Errorf("%+v", r)
		}
		h.photo, h.withheld = nil, nil
		if r = moved(t, f.Programme(), h); r.Photos != 5 || r.Reviews.Created != 3 || len(r.Skipped) != 0 {
			t.Errorf("they come the next time: %+v", r)
		}
	})
}

func TestAMoveThatWasCutShortGoesOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var created arrival.Counts
		for fails := 2; fails < 12; fails += 2 {
			h := newHarbour()
			h.fails = fails
			r, err := moving.Into(t.Context(), f.Programme(), h, nil)
			if !errors.Is(err, errCut) {
				t.Fatalf("after %d: %v", fails, err)
			}
			created.Created += r.Contacts.Created + r.Abstracts.Created
		}
		r := moved(t, f.Programme(), newHarbour())
		if created.Created+r.Contacts.Created+r.Abstracts.Created != 9 || r.Contacts.All() != 5 || r.Abstracts.All() != 4 {
			t.Errorf("%d and then %+v", created.Created, r)
		}
	})
}

func TestTwoMovesAtOnceBringNothingTwice(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var asked atomic.Int32
		modelstest.AllSucceed(t, 2, func(int) error {
			p := f.Store.Programme(f.Event, store.By{Door: store.ImportDoor, ActorName: "Test key", RequestID: store.NewID()})
			r, err := moving.Into(t.Context(), p, newHarbour(), nil)
			if err == nil {
				asked.Add(int32(r.Questions.Created))
			}
			return err
		})
		made := modelstest.RowsOf(t, f, "SELECT count(*) FROM imported WHERE kind = 'question' AND made_by <> ''")
		if n := asked.Load(); n != 4 || made != 4 {
			t.Errorf("%d questions were asked, and %d have a maker", n, made)
		}
		r := moved(t, f.Programme(), newHarbour())
		if r.Abstracts.Unchanged != 4 || r.Contacts.Unchanged != 5 || r.Questions.Unchanged != 4 || r.Reviews.Unchanged != 3 {
			t.Errorf("%+v", r)
		}
		for what, want := range map[string]int{"sessions": 4, "contacts": 5, "review_rounds WHERE NOT gives_all": 1, "reviews": 3} {
			modelstest.Want(t, what, modelstest.RowsOf(t, f, "SELECT count(*) FROM "+what), want)
		}
	})
}

// TestAnAnswerThatStaffChangedStays has one answer change there and another one here.
func TestAnAnswerThatStaffChangedStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h, cfp := newHarbour(), call.Of(f.Programme())
		moved(t, f.Programme(), h)
		id := titled(t, f.Programme(), "Talk 0").Participants[0].ContactID
		before := modelstest.Must(cfp.OwnAnswers(t.Context(), id))(t)
		vegan, needs := before.Form.Questions()[0].Key, before.Form.Questions()[1].Key
		_, faults, err := cfp.SaveOwn(t.Context(), id, call.Saving{Values: call.Values{vegan: field.No}})
		if err != nil || len(faults) > 0 {
			t.Fatal(err, faults)
		}
		h.people[0].Answers[1].Values = []string{"Two chairs"}
		moved(t, f.Programme(), h)
		if v := modelstest.Must(cfp.OwnAnswers(t.Context(), id))(t).Values; v[vegan] != field.No || v[needs] != "Two chairs" {
			t.Errorf("%v", v)
		}
		h.people[0].Answers = h.people[0].Answers[:1]
		moved(t, f.Programme(), h)
		if v := modelstest.Must(cfp.OwnAnswers(t.Context(), id))(t).Values; v[vegan] != field.No || v[needs] != "" {
			t.Errorf("an answer that is gone there: %v", v)
		}
	})
}

func TestAQuestionThatChangedThereChangesHere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		h := newHarbour()
		moved(t, f.Programme(), h)
		h.frame.Questions[0].Label, h.frame.Questions[0].Options = "What you need", []string{"Water", "A boat", "Air"}
		h.people[0].Answers[1].Values = []string{"Two chairs"}
		h.people[1].Email, h.people[2].Email = "another@example.org", "p3@example.org"
		r := moved(t, f.Programme(), h)
		if r.Questions.Updated != 1 || r.Answers != 1 || len(r.Skipped) != 1 || !strings.Contains(r.Skipped[0].Reason, "p3@") {
			t.Errorf("%+v", r)
		}
		modelstest.Want(t, "email", titled(t, f.Programme(), "Talk 0").Participants[1].Email, "another@example.org")
		form := modelstest.Must(call.Of(f.Programme()).Form(t.Context()))(t)
		if q := form.Known("needs"); q == nil || q.Label != "What you need" || len(q.Options) != 3 {
			t.Errorf("%+v", q)
		}
	})
}

func TestTheNameOfAReviewerWhoIsOfAnotherOrganizationIsNotTaken(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		foreign, _ := modelstest.ForeignOwner(t, f)
		h := newHarbour()
		h.reviews[0].Email = foreign.Email
		if r := moved(t, f.Programme(), h); r.Reviews.Created != 2 || len(r.Skipped) != 1 {
			t.Errorf("%+v", r)
		}
		_, err := f.Programme().Team().Remember(t.Context(), "none", "")
		modelstest.WantKind(t, "an address that is none", err, store.Invalid)
	})
}

func TestWhoIsNotAvailableIsAway(t *testing.T) {
	t.Parallel()
	lisbon := modelstest.Must(time.LoadLocation("Europe/Lisbon"))(t)
	at := func(day, hour, minute int) time.Time { return time.Date(2027, 5, day, hour, minute, 0, 0, time.UTC) }
	for want, available := range map[string][]moving.Span{
		"": nil,
		"2027-05-20 00:00-09:00\n2027-05-20 13:30-24:00\n2027-05-21 00:00-24:00": {{From: at(20, 8, 0),
			Until: at(20, 12, 30)}},
		"2027-05-20 00:00-24:00\n2027-05-21 00:00-24:00": {{From: at(1, 8, 0), Until: at(2, 8, 0)}},
		"2027-05-20 00:00-09:00": {{From: at(20, 10, 0), Until: at(22, 12, 0)},
			{From: at(20, 8, 0), Until: at(20, 11, 0)}},
		"2027-05-20 11:00-12:00": {{From: at(19, 8, 0), Until: at(20, 10, 0)},
			{From: at(20, 11, 0), Until: at(21, 23, 0)}},
	} {
		modelstest.Want(t, "away", moving.Away(available, "2027-05-20", "2027-05-21", lisbon), want)
	}
	modelstest.Want(t, "a conference without days has absences",
		strings.Contains(moving.Away([]moving.Span{{From: at(20, 8, 0), Until: at(20, 9, 0)}}, "", "", lisbon), "20"), false)
	months := []moving.Span{{From: at(1, 0, 0), Until: at(300, 0, 0)}}
	modelstest.Want(t, "a conference that lasts for ever is looked at to its end",
		moving.Away(months, "2027-05-20", "9998-12-31", lisbon), "")
}

// TestAReportDoesNotTellWhomTheOrganizationKnows imports a photo of a person whom another event knows.
func TestAReportDoesNotTellWhomTheOrganizationKnows(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.Must(f.Elsewhere().CreateContact(t.Context(), models.NewContact{FirstName: "Person", LastName: "0",
			Email: "p0@example.org"}))(t)
		r := moved(t, f.Store.Programme(f.Event, store.By{Door: store.ImportDoor, RequestID: store.NewID()}), newHarbour())
		if len(r.Skipped) == 0 {
			t.Error("the photo came")
		}
		for _, row := range r.Skipped {
			if strings.Contains(row.Reason, "outside of your events") {
				t.Errorf("%+v", row)
			}
		}
	})
}
