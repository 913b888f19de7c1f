package reviews_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
)

// committee is an event with submissions, two reviewers and a round.
type committee struct {
	*modelstest.Fixture
	t         testing.TB
	rounds    *reviews.Rounds
	round     *reviews.Round
	ada, li   *staff.User
	papers    []*models.Session
	elsewhere *models.Session // of the other event
}

func convene(t testing.TB, f *modelstest.Fixture, n int, s reviews.Settings) *committee {
	t.Helper()
	c := &committee{Fixture: f, t: t, ada: f.Hire(t, "ada", staff.Reviewer), li: f.Hire(t, "li", staff.Reviewer)}
	for i := range n {
		c.papers = append(c.papers, modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{
			Title: fmt.Sprint("Paper ", i+1), IsAbstract: true}))(t))
	}
	c.elsewhere = modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Leaked", IsAbstract: true}))(t)
	c.rounds = reviews.Of(f.Programme())
	c.round = modelstest.Must(c.rounds.Create(t.Context(), s))(t)
	c.fine(c.rounds.AddReviewers(t.Context(), c.round.ID, []string{c.ada.ID, c.li.ID}))
	return c
}

func (c *committee) fine(err error) {
	c.t.Helper()
	modelstest.Fine(c.t, err)
}

func (c *committee) assign(paper int, users ...*staff.User) {
	c.t.Helper()
	ids := store.Map(users, func(u *staff.User) string { return u.ID })
	c.fine(c.rounds.AssignTo(c.t.Context(), c.round.ID, c.papers[paper].ID, ids))
}

func (c *committee) give(by *staff.User, paper int, v reviews.Verdict) error {
	return c.rounds.Give(c.t.Context(), by, c.round.ID, c.papers[paper].ID, v)
}

func TestAQueueIsExactlyWhatIsAssigned(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 3, reviews.Settings{Name: "First", IsBlind: true})
		c.assign(0, c.ada)
		c.assign(1, c.ada, c.li)
		queue := func(by *staff.User) (titles []string) {
			return store.Map(modelstest.Must(c.rounds.Entries(t.Context(), by, c.round.ID))(t),
				func(e *reviews.Entry) string { return e.Title })
		}
		modelstest.Want(t, "queue", fmt.Sprint(queue(c.ada), queue(c.li)), "[Paper 1 Paper 2] [Paper 2]")
		verdict := reviews.Verdict{State: models.Abstained}
		for _, id := range []string{c.papers[0].ID, c.papers[2].ID, c.elsewhere.ID, store.NewID(), "nonsense", ""} {
			modelstest.Answers(c.rounds.Sheet(t.Context(), c.li, c.round.ID, id))(t, "reading "+id, store.NotFound)
			modelstest.WantKind(t, "giving "+id, c.rounds.Give(t.Context(), c.li, c.round.ID, id, verdict), store.NotFound)
		}
		// Nor is it there by another round, or another event's handle.
		other := modelstest.Must(c.rounds.Create(t.Context(), reviews.Settings{Name: "Second"}))(t)
		modelstest.Answers(c.rounds.Sheet(t.Context(), c.li, other.ID, c.papers[1].ID))(t, "another round", store.NotFound)
		elsewhere := reviews.Of(f.Elsewhere())
		modelstest.Answers(elsewhere.Sheet(t.Context(), c.li, c.round.ID, c.papers[1].ID))(t, "elsewhere", store.NotFound)
		modelstest.Answers(elsewhere.Round(t.Context(), c.round.ID))(t, "another event's round", store.NotFound)
		modelstest.Answers(c.rounds.Queue(t.Context(), c.li, other.ID))(t, "a queue of others", store.NotFound)
		modelstest.WantKind(t, "another event's submission",
			c.rounds.AssignTo(t.Context(), c.round.ID, c.elsewhere.ID, []string{c.li.ID}), store.NotFound)
		// Who was taken off has nothing any more, also of what they reviewed.
		c.fine(c.give(c.li, 1, verdict))
		c.fine(c.rounds.RemoveReviewer(t.Context(), c.round.ID, c.li.Email))
		modelstest.Answers(c.rounds.Sheet(t.Context(), c.li, c.round.ID, c.papers[1].ID))(t, "taken off", store.NotFound)
		// What is withdrawn leaves the queue.
		modelstest.Update(t, f.Programme(), c.papers[0].ID, models.SessionInput{Status: new(models.Withdrawn)})
		modelstest.WantAll(t, "queue", queue(c.ada), []string{"Paper 2"})
		modelstest.Must(f.Programme().DeleteSession(t.Context(), c.papers[1].ID))(t)
		modelstest.WantAll(t, "queue", queue(c.ada), nil)
		modelstest.Answers(c.rounds.Sheet(t.Context(), c.ada, c.round.ID, c.papers[1].ID))(t, "deleted", store.NotFound)
	})
}

func TestABlindSheetHasNoNames(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 1, reviews.Settings{Name: "Blind", IsBlind: true})
		marked := models.NewContact{Email: "marked@example.org", FirstName: "Marked", LastName: "Person", CompanyName: "MarkedCorp",
			About: "<p>Marked biography</p>"}
		f.Speaker(t, f.Event, c.papers[0].ID, marked)
		f.Speaker(t, f.Event, c.papers[0].ID, models.NewContact{Email: "marked2@example.org", FirstName: "Markedtoo", LastName: "X"})
		modelstest.Update(t, f.Programme(), c.papers[0].ID, models.SessionInput{CustomFields: &models.AnswersInput{
			{Key: "Where do you work?", Value: "At Marked"}, {Key: "Level", Value: "Plain"}}})
		c.fine(c.rounds.Identify(t.Context(), []string{"where do you work?"}))
		c.assign(0, c.ada, c.li)
		whole := func(s *reviews.Sheet) string { return string(modelstest.Must(json.Marshal(s))(t)) }
		sheet := modelstest.Must(c.rounds.Sheet(t.Context(), c.ada, c.round.ID, c.papers[0].ID))(t)
		if text := whole(sheet); strings.Contains(strings.ToLower(text), "marked") || !strings.Contains(text, "Plain") || !sheet.Blind {
			t.Errorf("a blind sheet: %s", text)
		}
		// An open round shows names, but not to who is in a blind one that is not over.
		blind := c.round
		c.round = modelstest.Must(c.rounds.Create(t.Context(), reviews.Settings{Name: "Open"}))(t)
		mei := f.Hire(t, "mei", staff.Reviewer)
		c.fine(c.rounds.AddReviewers(t.Context(), c.round.ID, []string{c.ada.ID, mei.ID}))
		c.assign(0, c.ada, mei)
		open := func(by *staff.User) string {
			return whole(modelstest.Must(c.rounds.Sheet(t.Context(), by, c.round.ID, c.papers[0].ID))(t))
		}
		if text := open(mei); !strings.Contains(text, "Marked Person") || !strings.Contains(text, "At Marked") {
			t.Errorf("an open sheet: %s", text)
		}
		if text := open(c.ada); strings.Contains(strings.ToLower(text), "marked") {
			t.Errorf("by an open round: %s", text)
		}
		f.Clock.Move(time.Hour)
		c.fine(c.rounds.Change(t.Context(), blind.ID, reviews.Settings{Name: "Blind", IsBlind: true, ClosesAt: new(f.Now())}))
		if text := open(c.ada); !strings.Contains(text, "Marked Person") {
			t.Errorf("once the blind one is over: %s", text)
		}
		sheet = modelstest.Must(c.rounds.Sheet(t.Context(), c.ada, blind.ID, c.papers[0].ID))(t)
		if text := whole(sheet); strings.Contains(strings.ToLower(text), "marked") || sheet.Closed == "" {
			t.Errorf("the blind one itself: %s", text)
		}
		modelstest.WantKind(t, "giving when it is over",
			c.rounds.Give(t.Context(), c.ada, blind.ID, c.papers[0].ID, reviews.Verdict{State: models.Abstained}), store.Invalid)
	})
}

func TestARoundNarrowsWhatItsReviewersSee(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 1, reviews.Settings{Name: "First"})
		owner, free := f.Hire(t, "owner", staff.Owner), f.Hire(t, "free", staff.Reviewer)
		c.fine(c.rounds.AddReviewers(t.Context(), c.round.ID, []string{owner.ID}))
		c.fine(c.rounds.Expect(t.Context(), c.round.ID, "Late@Example.org"))
		late := modelstest.Hire(t, f, owner, staff.Invitation{Email: "late@example.org", Role: staff.Viewer,
			Roles: map[string]staff.Role{f.Event.ID: staff.Reviewer, f.Other.ID: staff.Viewer}})
		roles := func(u *staff.User) string {
			now := modelstest.Must(reviews.Narrow(t.Context(), f.Store, u))(t)
			return fmt.Sprint(now.RoleAt(f.Event.ID), ", ", now.RoleAt(f.Other.ID), ", ", now.RoleAt(""))
		}
		for want, u := range map[string]*staff.User{"round reviewer, reviewer, ": c.ada, "owner, owner, owner": owner,
			"reviewer, reviewer, reviewer": free, "round reviewer, viewer, ": late} {
			modelstest.Want(t, u.Name, roles(u), want)
		}
		// Once the round of all submissions is closed, who is on no other sees nothing either.
		c.fine(c.rounds.Change(t.Context(), f.Event.ID, reviews.Settings{Name: "All", ClosesAt: new(f.Now())}))
		modelstest.Want(t, "roles", roles(free), "round reviewer, reviewer, ")
		modelstest.WantKind(t, "a review of the closed round", f.Programme().GiveReview(t.Context(), owner, c.papers[0].ID,
			models.Opinion{Score: 3}), store.Invalid)
		modelstest.WantKind(t, "blind of all", c.rounds.Change(t.Context(), f.Event.ID, reviews.Settings{Name: "All", IsBlind: true}),
			store.Invalid)
	})
}

func TestResultsAreTheWeightedMeanTheCountAndTheSpread(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 3, reviews.Settings{Name: "First"})
		c.fine(c.rounds.SetCard(t.Context(), c.round.ID, reviews.Card{
			{Name: "New", Kind: reviews.Number, Low: new(0), High: new(10), Weight: new(3)},
			{Name: "Clear", Kind: reviews.Number, Low: new(1), High: new(5), Weight: new(1)},
			{Name: "Length", Kind: reviews.Choice, Choices: []string{"Short", "Long"}}, {Name: "To improve", Kind: reviews.Text}}))
		card := modelstest.Must(c.rounds.Round(t.Context(), c.round.ID))(t).Card
		c.assign(0, c.ada, c.li)
		c.assign(1, c.ada)
		c.assign(2, c.ada)
		marks := func(newness, clear string) reviews.Verdict {
			return reviews.Verdict{State: models.Scored, Answers: map[string]string{card[0].ID: newness, card[1].ID: clear,
				card[2].ID: "Long", card[3].ID: " More <b> "}, Comment: "Fine"}
		}
		c.fine(c.give(c.ada, 0, marks("10", "1"))) // (3 * 5 + 1) / 4 = 4.00
		c.fine(c.give(c.li, 0, marks("5", "3")))   // 3.00
		c.fine(c.give(c.ada, 1, reviews.Verdict{State: models.InConflict, Comment: "A friend"}))
		rows, page, err := c.rounds.Results(t.Context(), c.round.ID, reviews.ResultSearch{Order: reviews.ByMean})
		c.fine(err)
		var told []string
		for _, r := range rows {
			line := fmt.Sprint(r.Title, " ", r.Answered, "/", r.Assigned, " aside ", r.Aside, " scored ", r.Scored)
			if r.Mean != nil {
				line += fmt.Sprint(" ", r.Mean, " ±", r.Spread())
			}
			told = append(told, line)
		}
		want := []string{"Paper 1 2/2 aside 0 scored 2 3.50 ±0.50", "Paper 2 1/1 aside 1 scored 0", "Paper 3 0/1 aside 0 scored 0"}
		slices.Sort(told[1:]) // without a score they are in the order of their ids
		if !slices.Equal(told, want) || page.TotalResults != 3 {
			t.Errorf("%q", told)
		}
		if s := modelstest.Must(f.Programme().Session(t.Context(), c.papers[0].ID))(t); s.Score == nil || *s.Score != 350 || s.Reviews != 2 {
			t.Errorf("the list says %v of %d", s.Score, s.Reviews)
		}
		all := modelstest.Must(f.Programme().Reviews(t.Context(), c.papers[0].ID, ""))(t)
		said := modelstest.Must(c.rounds.Answers(t.Context(), all))(t)
		for i, r := range all {
			if got, want := fmt.Sprint(said[i]), "[{New "+r.Answers[card[0].ID]+" of 10} {Clear "+r.Answers[card[1].ID]+
				" of 5} {Length Long} {To improve More <b>}]"; got != want {
				t.Errorf("%s said %s, want %s", r.Reviewer, got, want)
			}
		}
		if of := modelstest.Must(reviews.Of(f.Elsewhere()).Answers(t.Context(), all))(t); len(all) != 2 || len(of[0]) > 0 {
			t.Errorf("of %d reviews another event knows %v", len(all), of)
		}
		all = modelstest.Must(f.Programme().Reviews(t.Context(), c.papers[1].ID, ""))(t)
		if len(all) != 0 {
			t.Errorf("who is in conflict counts: %+v", all[0])
		}
		// A review of all submissions is another round's, and both make the score of the lists.
		c.fine(f.Programme().GiveReview(t.Context(), c.ada, c.papers[0].ID, models.Opinion{Score: 5}))
		if s := modelstest.Must(f.Programme().Session(t.Context(), c.papers[0].ID))(t); *s.Score != 400 || s.Reviews != 3 {
			t.Errorf("%v of %d", s.Score, s.Reviews)
		}
		rows, _, _ = c.rounds.Results(t.Context(), f.Event.ID, reviews.ResultSearch{Order: reviews.ByMean})
		if len(rows) != 1 || *rows[0].Mean != 500 || rows[0].Assigned != 0 {
			t.Errorf("%+v", rows)
		}
		if told := modelstest.Emitted(t, f); slices.ContainsFunc(told, func(e outbox.Emission) bool {
			return strings.Contains(string(e.Data), "score") || strings.Contains(string(e.Data), "review")
		}) {
			t.Error("scores are told outside")
		}
		broken := []reviews.Verdict{marks("11", "1"), marks("", "1"), marks("x", "1"), {State: "odd"}, {State: models.Scored}}
		odd := marks("1", "1")
		odd.Answers[card[2].ID] = "Medium"
		for i, v := range append(broken, odd) {
			modelstest.WantKind(t, fmt.Sprint("verdict ", i), c.give(c.ada, 2, v), store.Invalid)
		}
		modelstest.WantKind(t, "another card once there are reviews", c.rounds.SetCard(t.Context(), c.round.ID, reviews.Card{
			{Name: "X", Kind: reviews.Text}}), store.Invalid)
	})
}

func TestAPlanIsCarriedOutAsItWasShown(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 5, reviews.Settings{Name: "First"})
		f.Speaker(t, f.Event, c.papers[0].ID, models.NewContact{Email: c.ada.Email, FirstName: "Ada", LastName: "Self"})
		c.assign(1, c.li)
		c.fine(c.give(c.li, 1, reviews.Verdict{State: models.InConflict}))
		wish := reviews.Wish{Each: 2, Limit: 5}
		p := modelstest.Must(c.rounds.Plan(t.Context(), c.round.ID, wish))(t)
		// Ada's own and the one in conflict are short of one each.
		if len(p.Given) != 8 || len(p.Short) != 2 || p.Titles[p.Short[0].SessionID].FriendlyID != "A-1" || p.Papers != 5 {
			t.Errorf("%d given, short %+v", len(p.Given), p.Short)
		}
		print := p.Print()
		extra := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "Late", IsAbstract: true}))(t)
		modelstest.Answers(c.rounds.Distribute(t.Context(), c.round.ID, wish, print))(t, "another plan", store.Stale)
		modelstest.Want(t, "assigned by a refused plan", modelstest.Must(c.rounds.Round(t.Context(), c.round.ID))(t).Assigned,
			1)
		modelstest.Must(f.Programme().DeleteSession(t.Context(), extra.ID))(t)
		modelstest.Must(c.rounds.Distribute(t.Context(), c.round.ID, wish, print))(t)
		all := modelstest.Must(c.rounds.Reviewers(t.Context(), c.round.ID))(t)
		if len(all) != 2 || all[0].Name != "ada" || all[0].Assigned != 4 || all[1].Assigned != 5 || all[1].Waiting() != 4 {
			t.Errorf("%+v %+v", all[0], all[1])
		}
		modelstest.Want(t, "once more", len(modelstest.Must(c.rounds.Plan(t.Context(), c.round.ID, wish))(t).Given), 0)
		track := modelstest.RowOf(t, f.Programme(), models.Tracks, "T")
		modelstest.Want(t, "of an empty track",
			modelstest.Must(c.rounds.Plan(t.Context(), c.round.ID, reviews.Wish{TrackID: track.ID}))(t).Papers, 0)
		modelstest.Answers(c.rounds.Plan(t.Context(), f.Event.ID, wish))(t, "distributing all submissions", store.Invalid)
		_, err := c.rounds.Plan(t.Context(), c.round.ID, reviews.Wish{Each: -1})
		modelstest.WantKind(t, "a wish for less than nothing", err, store.Invalid)
	})
}

func TestARoundGoesUntilAReviewWasGivenInIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), convene(t, f, 2, reviews.Settings{Name: "Mistake", IsBlind: true})
		c.assign(0, c.ada, c.li)
		modelstest.WantKind(t, "by another event", reviews.Of(f.Elsewhere()).Delete(ctx, c.round.ID), store.NotFound)
		modelstest.WantKind(t, "the round of all", c.rounds.Delete(ctx, f.Event.ID), store.Invalid)
		c.fine(c.rounds.Delete(ctx, c.round.ID))
		modelstest.WantKind(t, "once more", c.rounds.Delete(ctx, c.round.ID), store.NotFound)
		modelstest.Want(t, "queues", len(modelstest.Must(c.rounds.Queues(ctx, c.ada))(t)), 0)
		db := f.SQL
		var left int
		modelstest.Fine(t, db.QueryRow(`SELECT (SELECT count(*) FROM review_assignments) + (SELECT count(*) FROM round_reviewers) +
			(SELECT count(*) FROM review_criteria)`).Scan(&left))
		modelstest.Want(t, "rows are left of it", left, 0)

		c.round = modelstest.Must(c.rounds.Create(ctx, reviews.Settings{Name: "Used"}))(t)
		c.fine(c.rounds.AddReviewers(ctx, c.round.ID, []string{c.ada.ID}))
		c.assign(1, c.ada)
		c.fine(c.give(c.ada, 1, reviews.Verdict{State: models.Abstained}))
		modelstest.WantKind(t, "with a review", c.rounds.Delete(ctx, c.round.ID), store.Invalid)
		modelstest.Want(t, "assigned", len(modelstest.Must(c.rounds.Entries(ctx, c.ada, c.round.ID))(t)), 1)
	})
}
