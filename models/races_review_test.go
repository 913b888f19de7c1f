package models_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
)

type operation = func(context.Context, *models.Programme, *rand.Rand) error

// panel is a round of reviews with its reviewers.
type panel struct {
	round     string
	reviewers []*staff.User
}

func newPanel(t *testing.T, f *modelstest.Fixture) *panel {
	t.Helper()
	rounds, ctx := reviews.Of(f.Programme()), t.Context()
	c := &panel{round: modelstest.Must(rounds.Create(ctx, reviews.Settings{Name: "Second look", IsBlind: true}))(t).ID,
		reviewers: []*staff.User{f.Hire(t, "bo", staff.Reviewer), f.Hire(t, "cy", staff.Reviewer),
			f.Hire(t, "dee", staff.Reviewer)}}
	for _, u := range c.reviewers {
		modelstest.Fine(t, rounds.AddReviewers(ctx, c.round, []string{u.ID}))
	}
	return c
}

// operations returns changes of a round, to run while the programme changes.
func (c *panel) operations(r *race) map[string]operation {
	who := func(random *rand.Rand) *staff.User { return c.reviewers[random.IntN(len(c.reviewers))] }
	return map[string]operation{
		"assign": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			return reviews.Of(p).AssignTo(ctx, c.round, one(random, r.abstracts), []string{who(random).ID})
		},
		"distribute": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			wish, err := reviews.Wish{Each: 1 + random.IntN(2)}, error(nil)
			for range 20 { // what it is about changes all the time
				var plan *reviews.Preview
				if plan, err = reviews.Of(p).Plan(ctx, c.round, wish); err != nil {
					return err
				}
				if _, err = reviews.Of(p).Distribute(ctx, c.round, wish, plan.Print()); store.KindOf(err) != store.Stale {
					return err
				}
			}
			return err
		},
		"verdict": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			by, id := who(random), one(random, r.abstracts)
			if err := reviews.Of(p).AssignTo(ctx, c.round, id, []string{by.ID}); err != nil {
				return err
			}
			return reviews.Of(p).Give(ctx, by, c.round, id, reviews.Verdict{State: "abstained"})
		},
		"reviewers of a round": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			u := c.reviewers[random.IntN(2)] // the third stays, so that there is always somebody
			if err := reviews.Of(p).RemoveReviewer(ctx, c.round, u.Email); err != nil {
				return err
			}
			return reviews.Of(p).AddReviewers(ctx, c.round, []string{u.ID})
		},
		"round that was a mistake": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			rounds := reviews.Of(p)
			made, err := rounds.Create(ctx, reviews.Settings{Name: "Mistake"})
			if err == nil {
				err = rounds.AddReviewers(ctx, made.ID, []string{who(random).ID})
			}
			if err != nil {
				return err
			}
			if err := rounds.AssignTo(ctx, made.ID, one(random, r.abstracts), nil); err != nil && !ofTheDomain(err) {
				return err
			}
			return rounds.Delete(ctx, made.ID)
		},
		"round": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			return reviews.Of(p).Change(ctx, c.round, reviews.Settings{Name: "Look", IsBlind: random.IntN(2) == 0})
		},
	}
}

// letterOperations returns changes of letters, to run while the programme and its people change.
func (r *race) letterOperations() map[string]operation {
	return map[string]operation{
		"letter to people": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			m, err := letters.Of(p).StartMailing(ctx, p.Directory(), []string{one(random, r.people), one(random, r.people)})
			if err != nil {
				return err
			}
			if _, err = letters.Of(p).SaveMailing(ctx, m.ID, 0, "Hello", "Dear {{first_name}}"); err != nil {
				return err
			}
			row, err := letters.Of(p).Mailing(ctx, m.ID)
			if err == nil && random.IntN(2) == 0 {
				_, err = letters.Of(p).DiscardMailing(ctx, m.ID)
			} else if err == nil {
				_, err = letters.Of(p).SendMailing(ctx, m.ID, row.Ready)
			}
			return err
		},
		"letters sent off": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			var err error
			for range 5 { // others draft and send meanwhile
				var c *letters.Counts
				if c, err = letters.Of(p).Counts(ctx); err == nil {
					_, err = letters.Of(p).SendChosen(ctx, letters.Choice{}, c.Ready)
				}
				if store.KindOf(err) != store.Stale {
					break
				}
			}
			if err == nil && random.IntN(2) == 0 {
				_, err = letters.Of(p).HoldLetters(ctx, "")
			}
			return err
		},
		"letters under way": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			if _, err := letters.Of(p).SendLettersNow(ctx); err != nil {
				return err
			}
			l, err := r.stores[random.IntN(len(r.stores))].ClaimLetter(ctx, "post.test")
			if l == nil || err != nil {
				return err
			}
			return r.EndLetter(ctx, l,
				models.LetterEnd{State: []models.LetterState{models.LetterSent, models.LetterFailed}[random.IntN(2)], Answer: "x"})
		},
		"letters joined and parted": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			who := []models.Participation{{ContactID: one(random, r.people), Role: models.Speaking}}
			for _, status := range []models.Status{models.Accepted, models.Declined} {
				if _, err := p.CreateSession(ctx, models.NewSession{Title: "Both", IsAbstract: true, People: who,
					SessionInput: models.SessionInput{Status: &status}}); err != nil {
					return err
				}
			}
			_, err := letters.Of(p).JoinLetters(ctx)
			drafts, _, found := letters.Of(p).LettersIn(ctx, letters.DraftLetters, letters.Choice{}, store.Page{})
			for _, l := range drafts {
				if err == nil && l.Carries && random.IntN(4) == 0 {
					err = letters.Of(p).PartLetters(ctx, l.ID)
				}
			}
			return cmp.Or(err, found)
		},
		"drafts made anew": func(ctx context.Context, p *models.Programme, _ *rand.Rand) error {
			return modelstest.ErrorOf(letters.Of(p).RegenerateLetters(ctx))
		},
		"mail to staff": func(ctx context.Context, p *models.Programme, _ *rand.Rand) error {
			return p.Mails().Send(ctx, models.Note{Email: "bo@example.org", Subject: "Reviews", Text: "Two wait."})
		},
	}
}
