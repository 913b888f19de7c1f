package demo

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/letters"
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
