package review_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/store"
)

func TestARoundGoesUntilAReviewWasGivenInIt(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, c := t.Context(), convene(t, f, 2, review.Settings{Name: "Mistake", IsBlind: true})
		c.assign(0, c.ada, c.li)
		modelstest.WantKind(t, "by another event", review.Of(f.Elsewhere()).Delete(ctx, c.round.ID), store.NotFound)
		modelstest.WantKind(t, "the round of all", c.rounds.Delete(ctx, f.Event.ID), store.Invalid)
		c.fine(c.rounds.Delete(ctx, c.round.ID))
		modelstest.WantKind(t, "once more", c.rounds.Delete(ctx, c.round.ID), store.NotFound)
		modelstest.Want(t, "queues", len(modelstest.Must(c.rounds.Queues(ctx, c.ada))(t)), 0)
		db := f.SQL
		var left int
		modelstest.Fine(t, db.QueryRow(`SELECT (SELECT count(*) FROM review_assignments) + (SELECT count(*) FROM round_reviewers) +
			(SELECT count(*) FROM review_criteria)`).Scan(&left))
		modelstest.Want(t, "rows are left of it", left, 0)

		c.round = modelstest.Must(c.rounds.Create(ctx, review.Settings{Name: "Used"}))(t)
		c.fine(c.rounds.AddReviewers(ctx, c.round.ID, []string{c.ada.ID}))
		c.assign(1, c.ada)
		c.fine(c.give(c.ada, 1, review.Verdict{State: models.Abstained}))
		modelstest.WantKind(t, "with a review", c.rounds.Delete(ctx, c.round.ID), store.Invalid)
		modelstest.Want(t, "assigned", len(modelstest.Must(c.rounds.Entries(ctx, c.ada, c.round.ID))(t)), 1)
	})
}
