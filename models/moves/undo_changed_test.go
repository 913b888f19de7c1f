package moves_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/call"
	"lectern/models/modelstest"
	"lectern/models/moves"
	"lectern/models/people"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
)

// democonCame imports a pretalx without photos, whose one review was given by a member of staff; rewritten changes its
// answers.
func democonCame(t *testing.T, f *modelstest.Fixture, rewritten *strings.Replacer) *moves.Move {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := strings.ReplaceAll(democon[strings.TrimPrefix(r.URL.Path, "/api/events/democon/")], "BASE/ada.png", "")
		fmt.Fprint(w, rewritten.Replace(answer))
	}))
	defer server.Close()
	m := begin(t, f, moves.Asked{Kind: "pretalx", Address: server.URL + "/democon", Token: "hidden"})
	worked(t, f, m.ID)
	m = brought(t, f, m.ID)
	f.Clock.Move(time.Minute)
	return m
}

// asItWas answers as the other system does.
var asItWas = strings.NewReplacer()

// wantHeld checks that an undo is refused because of a row.
func wantHeld(t *testing.T, f *modelstest.Fixture, m *moves.Move, title string) {
	t.Helper()
	held, _, err := moves.Of(asker(f)).Obstacles(t.Context(), m)
	if err != nil || len(held.Rows) == 0 || held.Rows[0].Title != title {
		t.Errorf("%+v, %v", held, err)
	}
	modelstest.Answers(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t, "undoing it", store.Invalid)
}

// undone undoes a move, and returns what it left here.
func undone(t *testing.T, f *modelstest.Fixture, m *moves.Move) (stayed []string) {
	t.Helper()
	m = ends(t, f, m.ID, moves.Undone)
	for _, row := range m.Report.Stayed {
		stayed = append(stayed, row.Title)
	}
	modelstest.WantSound(t, f)
	return stayed
}

// imported returns the round of a move's reviews.
func imported(t *testing.T, f *modelstest.Fixture) *reviews.Round {
	t.Helper()
	for _, r := range modelstest.Must(reviews.Of(f.Programme()).List(t.Context()))(t) {
		if !r.GivesAll {
			return r
		}
	}
	t.Fatal("no round came")
	return nil
}

// TestAReviewThatStaffGaveStays has a member of staff review in another round, beside their imported review.
func TestAReviewThatStaffGaveStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		owner := f.Hire(t, "owner", staff.Owner)
		r := modelstest.Hire(t, f, owner, staff.Invitation{Email: "r@example.org", Role: staff.Reviewer, Everywhere: true})
		m := democonCame(t, f, asItWas)
		fish := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{})["Fish"]
		modelstest.Fine(t, f.Programme().GiveReview(t.Context(), r, fish.ID, models.Opinion{Score: 3}))
		wantHeld(t, f, m, "Fish")
	})
}

func TestAReviewThatItsAuthorChangedStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		owner := f.Hire(t, "owner", staff.Owner)
		r := modelstest.Hire(t, f, owner, staff.Invitation{Email: "r@example.org", Role: staff.Reviewer, Everywhere: true})
		m := democonCame(t, f, asItWas)
		fish, e := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{})["Fish"], moves.Of(asker(f))
		change := func() {
			f.Clock.Move(time.Minute)
			modelstest.Fine(t, reviews.Of(f.Programme()).AddReviewers(t.Context(), imported(t, f).ID, []string{r.ID}))
			modelstest.Fine(t, reviews.Of(f.Programme()).Give(t.Context(), r, imported(t, f).ID, fish.ID,
				reviews.Verdict{State: models.Abstained}))
		}
		modelstest.Must(e.Undo(t.Context(), m.ID))(t)
		change() // once the undo is in line
		if stayed := fmt.Sprint(undone(t, f, m)); !strings.Contains(stayed, "Fish") ||
			!strings.Contains(stayed, "Reviews of pretalx") {
			t.Error(stayed)
		}
		modelstest.Want(t, "the review is gone",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM reviews WHERE state = 'abstained'"), 1)
		all := modelstest.SessionsByTitle(t, f.Programme(), models.SessionFilter{})
		if all["Fish"] == nil || all["Boats"] != nil {
			t.Errorf("%v", all)
		}
	})
}

func TestAQuestionThatSomebodyWorkedOnStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		cfp := call.Of(f.Programme())
		modelstest.Fine(t, cfp.Start(t.Context()))
		question := func() *call.Question {
			for _, q := range modelstest.Must(cfp.Form(t.Context()))(t).Questions() {
				if q.Label == "Needs" {
					return q
				}
			}
			return nil
		}
		m := democonCame(t, f, asItWas)
		in := call.InputOf(question())
		in.Help = "So that we can plan."
		modelstest.Must(cfp.ChangeQuestion(t.Context(), question().ID, in, nil))(t)
		wantHeld(t, f, m, "Needs")
		modelstest.Exec(t, f.SQL, "UPDATE call_questions SET updated_at = (SELECT brought_at FROM imported "+
			"WHERE record_id = call_questions.id) WHERE label = 'Needs'")
		modelstest.Must(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t)
		// Once the undo is in line somebody answers it.
		modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "New", IsAbstract: true,
			SessionInput: models.SessionInput{CustomFields: &models.AnswersInput{{Key: question().Key, Value: "A boat"}}}}))(t)
		if stayed := undone(t, f, m); fmt.Sprint(stayed) != "[Needs]" || question() == nil {
			t.Errorf("%v stay, and of the form %+v", stayed, question())
		}
	})
}

func TestARoundThatStaffWorkedOnStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		owner := f.Hire(t, "owner", staff.Owner)
		m := democonCame(t, f, asItWas)
		modelstest.Must(moves.Of(asker(f)).Undo(t.Context(), m.ID))(t)
		modelstest.Fine(t, reviews.Of(f.Programme()).AddReviewers(t.Context(), imported(t, f).ID, []string{owner.ID}))
		if stayed := undone(t, f, m); fmt.Sprint(stayed) != "[Reviews of pretalx]" || imported(t, f) == nil {
			t.Errorf("%v stay", stayed)
		}
	})
}

// TestWhatIsChangedUnderAnUndoStays changes a break, a person and a session after the undo was asked for.
func TestWhatIsChangedUnderAnUndoStays(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		m := democonCame(t, f, asItWas)
		e, p := moves.Of(asker(f)), f.Programme()
		modelstest.Must(e.Undo(t.Context(), m.ID))(t)
		ada := modelstest.PersonBy(t, f, "ada@example.org")
		modelstest.Must(people.In(p.Directory()).Update(t.Context(), ada.ID, modelstest.Values("phone", "+351 1")))(t)
		breaks := func() []*models.Break {
			return modelstest.Must(p.Breaks(t.Context(), store.At(f.Clock.Now()), store.At(f.Clock.Now().AddDate(9, 0, 0))))(t)
		}
		b := breaks()[0]
		modelstest.Must(agenda.Of(p).UpdateBreak(t.Context(), b.ID, models.BreakChange{Title: new("Long lunch")}))(t)
		modelstest.Want(t, "stay", fmt.Sprint(undone(t, f, m)), "[Long lunch Ada Ng Diet]")
		// Diet is what Ada answered.
		modelstest.Want(t, "rows are still the move's",
			modelstest.RowsOf(t, f, "SELECT count(*) FROM imported WHERE made_by <> ''"), 0)
		if len(breaks()) != 1 || modelstest.PersonBy(t, f, "ada@example.org") == nil {
			t.Error("what was changed is gone")
		}
		// It holds up no earlier move.
		held, _, err := e.Obstacles(t.Context(), m)
		if err != nil || held.By != nil {
			t.Errorf("%+v, %v", held, err)
		}
	})
}

// TestTheFirstOfTwoMovesIsUndoneAfterTheLast has the second move write over a session of the first.
func TestTheFirstOfTwoMovesIsUndoneAfterTheLast(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		first := democonCame(t, f, asItWas)
		second := democonCame(t, f, strings.NewReplacer(`"Boats", "speakers"`, `"Ships", "speakers"`))
		if second.Report.Sessions.Updated != 1 {
			t.Fatalf("%+v", second.Report)
		}
		e := moves.Of(asker(f))
		modelstest.Must(e.Undo(t.Context(), second.ID))(t)
		undone(t, f, second)
		modelstest.Must(e.Undo(t.Context(), first.ID))(t)
		modelstest.WantAll(t, "stay", undone(t, f, first), nil)
		modelstest.Want(t, "sessions stay", modelstest.RowsOf(t, f, "SELECT count(*) FROM sessions"), 0)
	})
}
