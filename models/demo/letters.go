package demo

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/reviews"
	"lectern/models/store"
)

// lettersSent is for how many accepted submissions letters were sent; those of the others wait.
const lettersSent = 18

// letters has an organizer write to the people of the nth accepted submission, a day after the decision, and call those
// without an address. Two letters fail, and one ends unknown.
func (e *edition) letters(x *entry, at time.Time, n int) {
	failing := map[int]models.LetterEnd{
		18: {State: models.LetterFailed, Answer: "550 5.1.1: the address does not exist"},
		19: {State: models.LetterFailed, Answer: "452 4.2.2: the mailbox is full"},
		20: {State: models.LetterUnknown, Answer: "The connection broke after the letter was handed over. It may have arrived"},
	}
	end, fails := failing[n]
	if n >= lettersSent && !fails {
		return
	}
	e.at(at, "writing to the people of "+x.title, func(ctx context.Context) error {
		p := e.by(e.staff.Beatriz)
		drafts, _, err := letters.Of(p).LettersIn(ctx, letters.DraftLetters,
			letters.Choice{Text: x.title}, store.Page{Size: store.MaxPageSize})
		if err != nil {
			return err
		}
		sent := 0
		for _, l := range drafts {
			if *l.SessionID != x.row.ID || l.Email == "" {
				continue
			}
			if err := letters.Of(p).SendLetter(ctx, l.ID); err != nil {
				return err
			}
			sent++
		}
		if sent == 0 && !fails {
			return p.MarkTold(ctx, x.row.ID, "", "There is no address: told by telephone")
		}
		return nil
	})
	if !fails {
		end = models.LetterEnd{State: models.LetterSent, Answer: "250 2.0.0: accepted"}
	}
	e.at(at.Add(letters.Hold+time.Second), "sending the letters of "+x.title, func(ctx context.Context) error {
		for {
			l, err := e.db.ClaimLetter(ctx, "tideline.example")
			if l == nil || err != nil {
				return err
			}
			if err := e.db.EndLetter(ctx, l, end); err != nil {
				return err
			}
		}
	})
}

// blindRound is a second look, by somebody who sees no names, at what the first reviewers could not agree on: a round
// with its own scorecard, partly reviewed.
func (s *story) blindRound(e *edition) {
	var round *reviews.Round
	rounds := func() *reviews.Rounds { return reviews.Of(e.by(s.staff.Beatriz)) }
	s.at(s.daysAgo(9, 9, 30), "asking somebody for a second look", func(ctx context.Context) (err error) {
		if round, err = rounds().Create(ctx, reviews.Settings{Name: "Second look", IsBlind: true}); err != nil {
			return err
		}
		return rounds().AddReviewers(ctx, round.ID, []string{s.staff.Ilias.ID})
	})
	s.at(s.daysAgo(9, 9, 40), "making its scorecard", func(ctx context.Context) error {
		return rounds().SetCard(ctx, round.ID, reviews.Card{
			{Name: "New to our audience", Kind: reviews.Number, Low: new(1), High: new(5), Weight: new(2)},
			{Name: "Clearly told", Kind: reviews.Number, Low: new(1), High: new(5), Weight: new(1)},
			{Name: "Best as", Kind: reviews.Choice, Choices: []string{"Lightning talk", "Talk", "Workshop"}},
			{Name: "What would make it better", Kind: reviews.Text},
		})
	})
	s.at(s.daysAgo(9, 10, 5), "assigning a second look", func(ctx context.Context) error {
		wish := reviews.Wish{Each: 1, Limit: 12}
		p, err := rounds().Plan(ctx, round.ID, wish)
		if err == nil {
			_, err = rounds().Distribute(ctx, round.ID, wish, p.Print())
		}
		return err
	})
	for i, marks := range [][2]string{{"4", "5"}, {"2", "3"}, {"5", "4"}, {}} {
		s.at(s.daysAgo(8, 20, 10*i), "a second look", func(ctx context.Context) error {
			mine := reviews.Of(e.by(s.staff.Ilias))
			waiting, err := mine.Next(ctx, s.staff.Ilias, round.ID, "")
			if err != nil || waiting == "" {
				return err
			}
			verdict := reviews.Verdict{State: models.InConflict, Comment: "I know this project from the inside."}
			if marks[0] != "" {
				full, err := rounds().Round(ctx, round.ID)
				if err != nil {
					return err
				}
				verdict = reviews.Verdict{State: models.Scored, Answers: map[string]string{full.Card[0].ID: marks[0], full.Card[1].ID: marks[1]}}
			}
			return mine.Give(ctx, s.staff.Ilias, round.ID, waiting, verdict)
		})
	}
}
