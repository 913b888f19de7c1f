package letters_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// joined is an event in which one letter tells Ana of the acceptance of “Tide” and the refusal of “Ebb”; others have
// one of each.
type joined struct {
	*modelstest.Fixture
	t       *testing.T
	p       *models.Programme
	yes, no string            // the abstracts
	letters map[string]string // Ana's, by their abstracts
}

func join(t *testing.T, f *modelstest.Fixture) *joined {
	j := &joined{Fixture: f, t: t, p: f.Programme()}
	j.yes, j.no = modelstest.AbstractOf(t, f, "Tide", "b@x.org"), modelstest.AbstractOf(t, f, "Ebb", "c@x.org")
	ana := f.Speaker(t, f.Event, j.yes, models.NewContact{FirstName: "Ana", Email: "a@x.org"})
	f.Join(t, f.Event, j.no, ana, models.Speaking)
	modelstest.SetStatus(t, j.p, j.yes, models.Accepted)
	modelstest.SetStatus(t, j.p, j.no, models.Declined)
	j.letters = map[string]string{}
	for _, l := range modelstest.Drafts(t, j.p, "a@x.org") {
		j.letters[*l.SessionID] = l.ID
	}
	modelstest.Want(t, "people whose letters are joined", modelstest.Must(letters.Of(j.p).JoinLetters(t.Context()))(t), 1)
	return j
}

// letter returns Ana's letter about an abstract.
func (j *joined) letter(of string) *models.LetterRow {
	j.t.Helper()
	l, _, err := letters.Of(j.p).Letter(j.t.Context(), j.letters[of])
	modelstest.Fine(j.t, err)
	return l
}

// stand checks the states of Ana's letters, and how many drafts can be sent.
func (j *joined) stand(when string, yes, no models.LetterState, ready int64) {
	j.t.Helper()
	a, b := j.letter(j.yes), j.letter(j.no)
	if n := modelstest.Must(letters.Of(j.p).Counts(j.t.Context()))(j.t).Ready; a.State != yes || b.State != no || n != ready {
		j.t.Errorf("%s: the yes is %s, the no %s, and %d are ready; want %s, %s and %d", when, a.State, b.State, n, yes, no,
			ready)
	}
}

// attempt sends all that is ready, and claims Ana's letter.
func (j *joined) attempt(ready int64) *models.OutgoingLetter {
	j.t.Helper()
	ctx := j.t.Context()
	modelstest.Must(letters.Of(j.p).SendChosen(ctx, letters.Choice{}, ready))(j.t)
	j.Clock.Move(letters.Hold)
	for {
		l := modelstest.Must(j.ClaimLetter(ctx, "h"))(j.t)
		if l == nil {
			j.t.Fatal("Ana's letter is not due")
		}
		if l.Email == "a@x.org" {
			return l
		}
		j.end(l, models.LetterSent)
	}
}

func (j *joined) end(l *models.OutgoingLetter, state models.LetterState) {
	j.t.Helper()
	modelstest.Fine(j.t, j.EndLetter(j.t.Context(), l, models.LetterEnd{State: state}))
}

func (j *joined) saysBoth(body string, both bool) {
	j.t.Helper()
	if strings.Contains(body, "“Ebb”") != both || !strings.Contains(body, "“Tide”") {
		j.t.Errorf("reads %q", body)
	}
}

func TestOneLetterIsMadeOfAYesAndANo(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j, ctx := join(t, f), t.Context()
		modelstest.Want(t, "another event joins letters of",
			modelstest.Must(letters.Of(f.Elsewhere()).JoinLetters(ctx))(t), 0)
		modelstest.Want(t, "people whose letters are joined again", modelstest.Must(letters.Of(j.p).JoinLetters(ctx))(t), 0)
		j.stand("joined", models.LetterDraft, models.LetterDraft, 3)
		if rows := modelstest.Drafts(t, j.p, "a@x.org"); len(rows) != 1 || !rows[0].Carries || rows[0].HasOther {
			t.Errorf("Ana's drafts are %+v", rows)
		}
		l := j.letter(j.yes)
		if text := l.Shown(); strings.Count(text, "Dear") != 1 || strings.Count(text, "The programme committee") != 1 ||
			strings.Index(text, "“Tide”") > strings.Index(text, "“Ebb”") || !strings.Contains(text, "“Ebb”") {
			t.Errorf("reads %q", text)
		}
		if no := j.letter(j.no); no.Within != "Tide" || strings.Contains(no.Body, "Tide") {
			t.Errorf("the refusal is %+v", no)
		}
		modelstest.WantKind(t, "the refusal alone", letters.Of(j.p).SendLetter(ctx, j.letter(j.no).ID), store.Stale)
		out := j.attempt(3)
		j.saysBoth(out.Body, true)
		j.stand("on its way", models.LetterSending, models.LetterSending, 0)
		j.end(out, models.LetterSent)
		j.stand("sent", models.LetterSent, models.LetterTold, 0)
		j.saysBoth(j.letter(j.yes).Body, true)
		if no := j.letter(j.no); !strings.Contains(no.Reason, "Tide") {
			t.Errorf("the refusal was told %q", no.Reason)
		}
	})
}

func TestARefusalOutlivesTheLetterItStoodIn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j, ctx := join(t, f), t.Context()
		modelstest.Fine(t, letters.Of(j.p).RewriteLetter(ctx, j.letter(j.yes).ID))
		j.saysBoth(j.letter(j.yes).Shown(), true) // a new text of the one leaves the other as it is
		modelstest.Must(j.p.DeleteSession(ctx, j.yes))(t)
		j.stand("its abstract deleted", models.LetterDraft, models.LetterDraft, 2)
		modelstest.Must(j.p.RestoreSession(ctx, j.yes))(t)
		j.stand("restored", models.LetterDraft, models.LetterDraft, 3)
		modelstest.Fine(t, modelstest.ErrorOf(j.p.UndoDecision(ctx, j.yes, models.Undoing{To: models.Pending})))
		j.stand("undone", models.LetterSuperseded, models.LetterDraft, 2)
		if l := j.letter(j.no); l.Within != "" || !strings.Contains(l.Body, "“Ebb”") {
			t.Errorf("the refusal is %+v", l)
		}
		j.end(j.attempt(2), models.LetterSent)
		modelstest.Want(t, "the refusal is", j.letter(j.no).State, models.LetterSent)
	})
}

func TestAnUndoneRefusalIsNotSaidInAnotherLetter(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j := join(t, f)
		modelstest.Fine(t, modelstest.ErrorOf(j.p.UndoDecision(t.Context(), j.no, models.Undoing{To: models.Pending})))
		j.stand("undone", models.LetterDraft, models.LetterSuperseded, 2)
		j.saysBoth(j.letter(j.yes).Shown(), false)
		out := j.attempt(2)
		j.saysBoth(out.Body, false)
		j.end(out, models.LetterSent)
		j.stand("sent", models.LetterSent, models.LetterSuperseded, 0)
	})
}

func TestAnAttemptOfAJoinedLetterEndsForBoth(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j, ctx := join(t, f), t.Context()
		j.end(j.attempt(3), models.LetterFailed)
		j.stand("failed", models.LetterFailed, models.LetterDraft, 0)
		modelstest.Must(letters.Of(j.p).RetryLetters(ctx, 1))(t)
		out := j.attempt(0)
		modelstest.Want(t, "the second attempt reads "+out.Body, strings.Count(out.Body, "“Ebb”"),
			strings.Count(j.letter(j.yes).Shown(), "“Ebb”"))
		f.Clock.Move(2 * models.LetterClaim)
		if n := modelstest.Must(f.AbandonLetters(ctx))(t); n == 0 {
			t.Error("nothing is abandoned")
		}
		j.stand("abandoned", models.LetterUnknown, models.LetterUnknown, 0)
		modelstest.WantKind(t, "the refusal alone", letters.Of(j.p).SendLetter(ctx, j.letter(j.no).ID), store.Stale)
		j.end(out, models.LetterSent) // which came late
		j.stand("sent after all", models.LetterSent, models.LetterTold, 0)
		j.saysBoth(j.letter(j.yes).Body, true)
	})
}

func TestARefusalUndoneOnItsWayWasTold(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j := join(t, f)
		out := j.attempt(3)
		modelstest.Fine(t, modelstest.ErrorOf(j.p.UndoDecision(t.Context(), j.no, models.Undoing{To: models.Pending})))
		if rows := modelstest.Drafts(t, j.p, "a@x.org"); len(rows) != 1 || rows[0].Kind != models.LetterUndone {
			t.Errorf("what takes it back is %+v", rows)
		}
		j.end(out, models.LetterSent)
		j.saysBoth(j.letter(j.yes).Body, true)
	})
}

func TestJoinedLettersArePartedAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		j, ctx := join(t, f), t.Context()
		id := j.letter(j.yes).ID
		modelstest.WantKind(t, "of another event", letters.Of(f.Elsewhere()).PartLetters(ctx, id), store.NotFound)
		modelstest.Fine(t, letters.Of(j.p).PartLetters(ctx, id))
		j.stand("parted", models.LetterDraft, models.LetterDraft, 4)
		j.saysBoth(j.letter(j.yes).Shown(), false)
		modelstest.WantKind(t, "twice", letters.Of(j.p).PartLetters(ctx, id), store.Stale)
	})
}
