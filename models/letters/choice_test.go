package letters_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestLettersAreSentByKind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		for i, status := range []models.Status{models.Accepted, models.Accepted, models.Accepted, models.Declined} {
			modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "Tide", fmt.Sprintf("p%d@x.org", i)), status)
		}
		kinds := func(text string) string {
			var out string
			for _, k := range modelstest.Must(letters.Of(p).DraftKinds(ctx, text))(t) {
				out += fmt.Sprintf("%s %d/%d ", k.Kind, k.Ready, k.Drafts)
			}
			return out
		}
		modelstest.Want(t, "kinds", kinds(""), "accepted 3/3 declined 1/1 undone 0/0 free 0/0 ")
		modelstest.Want(t, "kinds", kinds("p1@x.org"), "accepted 1/1 declined 0/0 undone 0/0 free 0/0 ")
		refusals, one := letters.Choice{Kind: models.LetterDeclined}, letters.Choice{Text: "p1@x.org"}
		modelstest.Answers(letters.Of(p).SendChosen(ctx, refusals, 4))(t, "the number of all", store.Stale)
		modelstest.Want(t, "people", modelstest.Must(letters.Of(p).ReadyPeople(ctx, refusals))(t), 1)
		modelstest.Must(letters.Of(p).SendChosen(ctx, refusals, 1))(t)
		modelstest.Want(t, "kinds", kinds(""), "accepted 3/3 declined 0/0 undone 0/0 free 0/0 ")
		modelstest.Must(letters.Of(p).SendChosen(ctx, one, 1))(t)
		rows := modelstest.First(letters.Of(p).LettersIn(ctx, letters.DraftLetters,
			letters.Choice{Kind: models.LetterAccepted}, store.Page{}))(t)
		if len(rows) != 2 || kinds("p1@x.org") != "accepted 0/0 declined 0/0 undone 0/0 free 0/0 " {
			t.Errorf("%d acceptances are left, %s", len(rows), kinds(""))
		}
		modelstest.Answers(letters.Of(f.Elsewhere()).SendChosen(ctx, letters.Choice{}, 2))(t, "another event", store.Stale)
	})
}

// undecided takes a decision back within a transaction, and runs its next statement.
func undecided(ctx context.Context, p *models.Programme, id string) error {
	_, err := p.UpdateSession(ctx, id,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Pending)}})
	if err == nil {
		_, err = letters.Of(p).Counts(ctx)
	}
	return err
}

func TestALetterThatIsSupersededAsItIsSentOffStaysBehind(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		sent := make(chan error, 1)
		modelstest.Fine(t, p.Write(ctx, func(tx *store.Tx) error {
			if err := undecided(tx.Within(ctx), p, id); err != nil {
				return err
			}
			go func() { _, err := letters.Of(f.Programme()).SendChosen(ctx, letters.Choice{}, 1); sent <- err }()
			modelstest.Waits(t, f, 1)
			return nil
		}))
		modelstest.WantKind(t, "sending it off", <-sent, store.Stale)
		modelstest.Want(t, "letters are in line", modelstest.Must(letters.Of(p).Counts(ctx))(t).Outbox, 0)
	})
}

func TestWhoseLetterLeavesAsTheDecisionIsUndoneIsWrittenTo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
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
		modelstest.Want(t, "letters take it back", <-undone, 1)
	})
}

func TestALetterOfWhatWasDeletedWhileItWasTriedIsADraftAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := modelstest.AbstractOf(t, f, "Tide", "a@x.org")
		modelstest.SetStatus(t, p, id, models.Accepted)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		f.Clock.Move(letters.Hold)
		attempt := modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterQueued, Answer: "452: full"}))
		f.Clock.Move(time.Hour)
		modelstest.Want(t, "the letter is", modelstest.Must(f.ClaimLetter(ctx, "h"))(t).State, models.LetterDraft)
		if l := modelstest.Must(f.ClaimLetter(ctx, "h"))(t); l != nil {
			t.Error("it is due once more")
		}
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(letters.Of(p).SendChosen(ctx, letters.Choice{}, 1))(t)
		// One that failed is not tried again either.
		f.Clock.Move(letters.Hold)
		attempt = modelstest.Must(f.ClaimLetter(ctx, "h"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, attempt, models.LetterEnd{State: models.LetterFailed, Answer: "550: no"}))
		modelstest.Must(p.DeleteSession(ctx, id))(t)
		modelstest.Want(t, "would be tried again", modelstest.Must(letters.Of(p).Counts(ctx))(t).Retries, 0)
		modelstest.Answers(letters.Of(p).RetryLetters(ctx, 1))(t, "trying again", store.Stale)
		modelstest.WantKind(t, "sending it", letters.Of(p).SendLetter(ctx, attempt.ID), store.Stale)
		modelstest.Must(p.RestoreSession(ctx, id))(t)
		modelstest.Must(letters.Of(p).RetryLetters(ctx, 1))(t)
	})
}

func TestPlaceholdersWorkInTheTextOfOneLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		modelstest.SetStatus(t, p, modelstest.AbstractOf(t, f, "About {{first_name}}", "a@x.org"), models.Accepted)
		l := modelstest.Drafts(t, p, "")[0]
		modelstest.WantKind(t, "a letter elsewhere", letters.Of(f.Elsewhere()).EditLetter(ctx, l.ID, l.UpdatedAt, "S", "{{first_name}}"),
			store.NotFound)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, l.ID, l.UpdatedAt, "On {{session_title}}",
			"Dear {{first_name}},\n\n{{session_id}} is yours: {{place_link}}"))
		l, _, err := letters.Of(p).Letter(ctx, l.ID)
		if err != nil || l.Subject != "On About {first_name}" || l.Missing != "" || !l.IsEdited ||
			l.Body != "Dear Name0,\n\nA-1 is yours: {{place_link}}" {
			t.Errorf("%q, %q, %v", l.Subject, l.Body, err)
		}

		m := modelstest.Must(letters.Of(p).StartMailing(ctx, p.Directory(), []string{l.ContactID}))(t)
		modelstest.Must(letters.Of(p).SaveMailing(ctx, m.ID, 0, "Travel", "Hello"))(t)
		one := modelstest.Mailed(t, p, m.ID)[0]
		modelstest.WantKind(t, "of a decision", letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "S", "{{session_title}}"), store.Invalid)
		modelstest.Fine(t, letters.Of(p).EditLetter(ctx, one.ID, one.UpdatedAt, "{{full_name}}", "Hello {{first_name}}"))
		if one = modelstest.Mailed(t, p, m.ID)[0]; one.Subject != "Name0 Last" || one.Body != "Hello Name0" {
			t.Errorf("%q, %q", one.Subject, one.Body)
		}
	})
}
