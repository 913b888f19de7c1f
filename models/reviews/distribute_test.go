package reviews_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/store"
)

func seats(n int) (all []reviews.Seat) {
	for i := range n {
		all = append(all, reviews.Seat{UserID: fmt.Sprint("u", i), Name: fmt.Sprint("Reviewer ", i)})
	}
	return all
}

func papers(n int) (all []reviews.Paper) {
	for i := range n {
		all = append(all, reviews.Paper{SessionID: fmt.Sprintf("s%03d", i)})
	}
	return all
}

func TestPapersAreDistributedEvenly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ papers, seats, each int }{{40, 3, 2}, {7, 5, 1}, {100, 7, 3}, {1, 4, 4}, {0, 3, 2}} {
		plan := reviews.Distribute(papers(c.papers), seats(c.seats), c.each, 0)
		least, most, seen := 1<<30, 0, map[reviews.Pair]bool{}
		for _, s := range plan.Seats {
			least, most = min(least, s.Load), max(most, s.Load)
		}
		for _, pair := range plan.Given {
			if seen[pair] {
				t.Errorf("%v: %v twice", c, pair)
			}
			seen[pair] = true
		}
		if most-least > 1 || len(plan.Given) != c.papers*c.each || len(plan.Short) != 0 {
			t.Errorf("%v: from %d to %d, %d given, short %v", c, least, most, len(plan.Given), plan.Short)
		}
		if again := reviews.Distribute(papers(c.papers), seats(c.seats), c.each, 0); !reflect.DeepEqual(plan, again) {
			t.Errorf("%v: another plan the second time", c)
		}
	}
}

func TestADistributionKeepsToItsLimitAndSaysWhatIsShort(t *testing.T) {
	t.Parallel()
	three := seats(3)
	three[0].Load = 4 // already full
	plan := reviews.Distribute(papers(5), three, 2, 4)
	for _, s := range plan.Seats {
		if s.Load > 4 {
			t.Errorf("%s has %d", s.UserID, s.Load)
		}
	}
	want := []reviews.Shortage{{SessionID: "s003", Missing: 1}, {SessionID: "s004", Missing: 1}}
	if len(plan.Given) != 8 || !reflect.DeepEqual(plan.Short, want) {
		t.Errorf("%d given, short %v", len(plan.Given), plan.Short)
	}
	// Who has enough reviewers gets none, and more are asked for than there are.
	some := papers(2)
	some[0].Has = 2
	plan = reviews.Distribute(some, seats(3), 2, 0)
	if len(plan.Given) != 2 || plan.Given[0].SessionID != "s001" {
		t.Errorf("%v", plan.Given)
	}
	plan = reviews.Distribute(papers(1), seats(2), 5, 0)
	if len(plan.Given) != 2 || plan.Short[0].Missing != 3 {
		t.Errorf("%v short %v", plan.Given, plan.Short)
	}
	plan = reviews.Distribute(papers(1), nil, 1, 3)
	modelstest.Want(t, "short", len(plan.Short), 1)
}

func TestEachPaperHasOneReviewerBeforeAnyHasTwo(t *testing.T) {
	t.Parallel()
	some := papers(27)
	some[3].Has, some[3].Barred = 1, []string{"u9"}
	some[5].Barred = []string{"u0", "u1"} // few can have it
	for _, c := range []struct{ limit, each int }{{4, 2}, {10, 2}, {14, 3}} {
		plan := reviews.Distribute(some, seats(3), c.each, c.limit)
		given := map[string]int{"s003": 1}
		for _, pair := range plan.Given {
			given[pair.SessionID]++
		}
		least, most := 1<<30, 0
		for _, p := range some {
			least, most = min(least, given[p.SessionID]), max(most, given[p.SessionID])
		}
		if most-least > 1 || len(plan.Given) != 3*c.limit {
			t.Errorf("at most %d each: %d given, from %d to %d", c.limit, len(plan.Given), least, most)
		}
		for _, short := range plan.Short {
			modelstest.Want(t, "missing", short.Missing, c.each-given[short.SessionID])
		}
	}
}

func TestNobodyIsGivenWhatTheyAreBarredFrom(t *testing.T) {
	t.Parallel()
	// u0 may have s002 alone, which is the last in line and would go to u0 or u1 alike; one each at most.
	three := papers(3)
	three[0].Barred, three[1].Barred = []string{"u0", "u2"}, []string{"u0"}
	plan := reviews.Distribute(three, seats(3), 1, 1)
	want := []reviews.Pair{{SessionID: "s000", UserID: "u1"}, {SessionID: "s001", UserID: "u2"}, {SessionID: "s002", UserID: "u0"}}
	if !reflect.DeepEqual(plan.Given, want) || len(plan.Short) != 0 {
		t.Errorf("%v short %v", plan.Given, plan.Short)
	}
	// s000 and s001 look alike; u0 was given s000 and must hand it on for s001, which u1 is barred from as well as u2.
	alike := papers(2)
	alike[0].Barred, alike[1].Barred = []string{"u2"}, []string{"u1"}
	plan = reviews.Distribute(alike, seats(3)[:2], 1, 1)
	want = []reviews.Pair{{SessionID: "s000", UserID: "u1"}, {SessionID: "s001", UserID: "u0"}}
	if !reflect.DeepEqual(plan.Given, want) || len(plan.Short) != 0 {
		t.Errorf("%v short %v", plan.Given, plan.Short)
	}
	all := papers(1)
	all[0].Barred = []string{"u0", "u1"}
	if plan = reviews.Distribute(all, seats(2), 1, 0); len(plan.Given) != 0 || len(plan.Short) != 1 {
		t.Errorf("%v", plan)
	}
}

func TestSubmissionsOfARoundComeByHowFewReviewersTheyHave(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 4, reviews.Settings{Name: "First"})
		c.assign(0, c.ada, c.li)
		c.assign(1, c.ada)
		c.assign(2, c.ada, c.li)
		c.fine(c.give(c.ada, 2, reviews.Verdict{State: models.Abstained}))
		cover := func(text string, page, size int) string {
			rows, found, err := c.rounds.Cover(t.Context(), c.round.ID, text, store.Page{Number: page, Size: size})
			c.fine(err)
			out := store.Map(rows, func(r *reviews.Covered) string {
				return fmt.Sprint(r.FriendlyID, " ", r.Assigned, "-", r.Aside)
			})
			return fmt.Sprint(out, " of ", found.TotalResults)
		}
		for _, c := range []struct{ got, want string }{
			{cover("", 1, 3), "[A-4 0-0 A-2 1-0 A-3 2-1] of 4"}, {cover("", 2, 3), "[A-1 2-0] of 4"},
			{cover("paper 3", 1, 9), "[A-3 2-1] of 1"}, {cover("leaked", 1, 9), "[] of 0"},
		} {
			modelstest.Want(t, "covered", c.got, c.want)
		}
		// A round that is over is not offered, nor is the one that gives everything.
		ago := store.At(f.Store.Now().Add(-time.Hour))
		over := modelstest.Must(c.rounds.Create(t.Context(), reviews.Settings{Name: "Over", ClosesAt: &ago}))(t)
		seats := modelstest.Must(c.rounds.Seats(t.Context(), c.papers[0].ID))(t)
		if len(seats) != 1 || seats[0].RoundID == over.ID || seats[0].Assigned != 2 {
			t.Errorf("%+v", seats)
		}
		seats = modelstest.Must(reviews.Of(f.Elsewhere()).Seats(t.Context(), c.papers[0].ID))(t)
		modelstest.Want(t, "another event's seats", len(seats), 0)
	})
}

func TestARoundCountsWhatIsStillReviewed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 3, reviews.Settings{Name: "First"})
		p := f.Programme()
		for i := range 3 {
			c.assign(i, c.ada)
			c.fine(c.give(c.ada, i, reviews.Verdict{State: models.Abstained}))
		}
		c.fine(c.rounds.RemoveReviewer(t.Context(), c.round.ID, c.li.Email))
		for _, s := range c.papers {
			c.fine(p.GiveReview(t.Context(), c.li, s.ID, models.Opinion{Score: 4}))
		}
		modelstest.SetStatus(t, p, c.papers[0].ID, models.Withdrawn)
		modelstest.Must(p.DeleteSession(t.Context(), c.papers[1].ID))(t)
		// All rounds count what the queues and the page of reviews do.
		for _, r := range modelstest.Must(c.rounds.List(t.Context()))(t) {
			if r.Answered != 1 || !r.GivesAll && r.Assigned != 1 {
				t.Errorf("%s: %d of %d", r.Name, r.Answered, r.Assigned)
			}
		}
		for _, one := range modelstest.Must(c.rounds.Reviewers(t.Context(), c.round.ID))(t) {
			if one.Assigned != 1 || one.Answered != 1 || one.Aside != 1 {
				t.Errorf("%+v", one)
			}
		}
		var given int64
		for _, one := range modelstest.Must(p.ReviewProgress(t.Context()))(t) {
			given += one.Given
		}
		modelstest.Want(t, "given", given, 1)
	})
}
