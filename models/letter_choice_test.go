package models_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestLettersAreSentByKind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i, status := range []models.Status{models.Accepted, models.Accepted, models.Accepted, models.Declined} {
			setStatus(t, p, withPeople(t, f, "Tide", fmt.Sprintf("p%d@x.org", i)), status)
		}
		kinds := func(text string) string {
			var out string
			for _, k := range modelstest.Must(p.DraftKinds(ctx, text))(t) {
				out += fmt.Sprintf("%s %d/%d ", k.Kind, k.Ready, k.Drafts)
			}
			return out
		}
		if got := kinds(""); got != "accepted 3/3 declined 1/1 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		if got := kinds("p1@x.org"); got != "accepted 1/1 declined 0/0 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		refusals, one := models.LetterChoice{Kind: models.LetterDeclined}, models.LetterChoice{Text: "p1@x.org"}
		_, err := p.SendChosen(ctx, refusals, 4)
		modelstest.WantKind(t, "the number of all", err, store.Stale)
		if n := modelstest.Must(p.ReadyPeople(ctx, refusals))(t); n != 1 {
			t.Errorf("%d people", n)
		}
		modelstest.Must(p.SendChosen(ctx, refusals, 1))(t)
		if got := kinds(""); got != "accepted 3/3 declined 0/0 undone 0/0 free 0/0 " {
			t.Error(got)
		}
		modelstest.Must(p.SendChosen(ctx, one, 1))(t)
		rows, _, err := p.LettersIn(ctx, models.DraftLetters, models.LetterChoice{Kind: models.LetterAccepted}, store.Page{})
		modelstest.Fine(t, err)
		if len(rows) != 2 || kinds("p1@x.org") != "accepted 0/0 declined 0/0 undone 0/0 free 0/0 " {
			t.Errorf("%d acceptances are left, %s", len(rows), kinds(""))
		}
		_, err = f.Elsewhere().SendChosen(ctx, models.LetterChoice{}, 2)
		modelstest.WantKind(t, "another event", err, store.Stale)
	})
}

// undecided takes a decision back, and sees what goes with its next statement to the database.
func undecided(ctx context.Context, p *models.Programme, id string) error {
	_, err := p.UpdateSession(ctx, id, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}})
	if err == nil {
		_, err = p.LetterCounts(ctx)
	}
	return err
}

func TestALetterThatIsSupersededAsItIsSentOffStaysBehind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := withPeople(t, f, "Tide", "a@x.org")
		setStatus(t, p, id, models.Accepted)
		sent := make(chan error, 1)
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if err := undecided(tx.Within(ctx), p, id); err != nil {
				return err
			}
			go func() { _, err := f.Programme().SendLetters(ctx, 1); sent <- err }()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.WantKind(t, "sending it off", <-sent, store.Stale)
		if c := modelstest.Must(p.LetterCounts(ctx))(t); c.Outbox != 0 {
			t.Errorf("%d letters are in line", c.Outbox)
		}
	})
}

func TestWhoseLetterLeavesAsTheDecisionIsUndoneIsWrittenTo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := withPeople(t, f, "Tide", "a@x.org")
		setStatus(t, p, id, models.Accepted)
		modelstest.Must(p.SendLetters(ctx, 1))(t)
		f.Clock.Move(models.LetterHold)
		undone := make(chan int, 1)
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if _, err := f.ClaimLetter(tx.Within(ctx), "h"); err != nil {
				return err
			}
			go func() {
				_, letters, err := f.Programme().UndoDecision(ctx, id, models.Undoing{To: models.Pending})
				if err != nil {
					t.Error(err)
				}
				undone <- letters
			}()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		if n := <-undone; n != 1 {
			t.Errorf("%d letters take it back", n)
		}
	})
}

func TestALetterOfWhatWasDeletedWhileItWasTriedIsADraftAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := withPeople(t, f, "Tide", "a@x.org")
		setStatus(t, p, id, models.Accepted)
		modelstest.Must(p.SendLetters(ctx, 1))(t)
		f.Clock.Move(models.LetterHold)
		attempt := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterQueued, Answer: "452: full"}))
		f.Clock.Move(time.Hour)
		if l := modelstest.Must(f.ClaimLetter(ctx, "h"))(t); l.State != models.LetterDraft {
			t.Errorf("the letter is %s", l.State)
		}
		if l := modelstest.Must(f.ClaimLetter(ctx, "h"))(t); l != nil {
			t.Error("it is due once more")
		}
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(p.SendLetters(ctx, 1))(t)
		// One that failed is not tried again either.
		f.Clock.Move(models.LetterHold)
		attempt = modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterFailed, Answer: "550: no"}))
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		if c := modelstest.Must(p.LetterCounts(ctx))(t); c.Retries != 0 {
			t.Errorf("%d would be tried again", c.Retries)
		}
		_, err := p.RetryLetters(ctx, 1)
		modelstest.WantKind(t, "trying again", err, store.Stale)
		modelstest.WantKind(t, "sending it", p.SendLetter(ctx, attempt.ID), store.Stale)
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(p.RetryLetters(ctx, 1))(t)
	})
}
