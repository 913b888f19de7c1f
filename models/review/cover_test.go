package review_test

import (
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/store"
)

func TestSubmissionsOfARoundComeByHowFewReviewersTheyHave(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 4, review.Settings{Name: "First"})
		c.assign(0, c.ada, c.li)
		c.assign(1, c.ada)
		c.assign(2, c.ada, c.li)
		c.fine(c.give(c.ada, 2, review.Verdict{State: models.Abstained}))
		cover := func(text string, page, size int) string {
			rows, found, err := c.rounds.Cover(t.Context(), c.round.ID, text, store.Page{Number: page, Size: size})
			c.fine(err)
			var out []string
			for _, r := range rows {
				out = append(out, fmt.Sprint(r.FriendlyID, " ", r.Assigned, "-", r.Aside))
			}
			return fmt.Sprint(out, " of ", found.TotalResults)
		}
		for _, c := range []struct{ got, want string }{
			{cover("", 1, 3), "[A-4 0-0 A-2 1-0 A-3 2-1] of 4"}, {cover("", 2, 3), "[A-1 2-0] of 4"},
			{cover("paper 3", 1, 9), "[A-3 2-1] of 1"}, {cover("leaked", 1, 9), "[] of 0"},
		} {
			if c.got != c.want {
				t.Errorf("%s, want %s", c.got, c.want)
			}
		}
		// A round that is over is not offered, nor is the one that gives everything.
		ago := store.At(f.Store.Now().Add(-time.Hour))
		over := modelstest.Must(c.rounds.Create(t.Context(), review.Settings{Name: "Over", ClosesAt: &ago}))(t)
		seats := modelstest.Must(c.rounds.Seats(t.Context(), c.papers[0].ID))(t)
		if len(seats) != 1 || seats[0].RoundID == over.ID || seats[0].Assigned != 2 {
			t.Errorf("%+v", seats)
		}
		if seats = modelstest.Must(review.Of(f.Elsewhere()).Seats(t.Context(), c.papers[0].ID))(t); len(seats) != 0 {
			t.Errorf("another event's %+v", seats[0])
		}
	})
}

func TestARoundCountsWhatIsStillReviewed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		c := convene(t, f, 3, review.Settings{Name: "First"})
		p := f.Programme()
		for i := range 3 {
			c.assign(i, c.ada)
			c.fine(c.give(c.ada, i, review.Verdict{State: models.Abstained}))
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
