package decision_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/decision"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// sendAll sends all drafts.
func sendAll(t *testing.T, f *modelstest.Fixture) {
	t.Helper()
	for _, l := range modelstest.Drafts(t, f.Programme(), "") {
		modelstest.Fine(t, letters.Of(f.Programme()).SendLetter(t.Context(), l.ID))
	}
	f.Clock.Move(letters.Hold)
	for {
		out := modelstest.Must(f.ClaimLetter(t.Context(), "post.test"))(t)
		if out == nil {
			return
		}
		modelstest.Fine(t, f.EndLetter(t.Context(), out, models.LetterEnd{State: models.LetterSent}))
	}
}

// lettersOf returns the letters of an abstract: kind, number, state, and whether they belong to the current decision.
func lettersOf(t *testing.T, f *modelstest.Fixture, id string) string {
	t.Helper()
	var all []string
	for _, l := range modelstest.Must(modelstest.AllLetters(t, f))(t) {
		if l.SessionID != nil && *l.SessionID == id {
			all = append(all, fmt.Sprint(l.Kind, " ", *l.Number, " ", l.State, map[bool]string{true: "",
				false: " old"}[l.IsCurrent]))
		}
	}
	return strings.Join(all, ", ")
}

func TestAMistakenDecisionIsUndoneAndNothingIsLost(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id, other := modelstest.AbstractOf(t, f, "Ledgers", "a@x.org", ""), modelstest.AbstractOf(t, f, "Else", "z@x.org")
		modelstest.SetStatus(t, p, id, models.AcceptQueue)
		for _, of := range []string{id, other} {
			modelstest.SetStatus(t, p, of, models.Accepted)
		}
		undo := func(u models.Undoing) (*models.Session, int) {
			t.Helper()
			s, n, err := p.UndoDecision(ctx, id, u)
			modelstest.Fine(t, err)
			return s, n
		}
		shows := func(want string) {
			t.Helper()
			if got := lettersOf(t, f, id); got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
		}
		modelstest.EmissionCounts(t, f)
		// Nobody has been told: nobody is written to.
		if s, n := undo(models.Undoing{To: models.AcceptQueue,
			Reason: "Wrong row"}); s.Status != models.AcceptQueue || n != 0 {
			t.Errorf("%s, %d letters", s.Status, n)
		}
		shows("accepted 1 superseded old")
		if kinds := modelstest.EmissionCounts(t, f); kinds[outbox.SessionUpdated] != 1 || len(kinds) != 1 {
			t.Errorf("emitted %v", kinds)
		}
		lines := modelstest.Must(p.Activity(ctx, id))(t)
		if lines[0].Action != "undone" || !strings.Contains(lines[0].After, "Wrong row") || lines[1].Action != "updated" {
			t.Errorf("%+v", lines[0])
		}
		// Who has their letter gets one that takes it back, which the next decision ends.
		modelstest.SetStatus(t, p, id, models.Accepted)
		sendAll(t, f)
		if _, n := undo(models.Undoing{To: models.Pending}); n != 1 {
			t.Errorf("%d letters take it back", n)
		}
		shows("accepted 1 superseded old, accepted 3 sent old, undone 4 draft")
		if l := modelstest.Drafts(t, p, "")[0]; !strings.Contains(l.Subject, "set our last letter aside") ||
			!strings.Contains(l.Body, "Name0") {
			t.Errorf("%q %q", l.Subject, l.Body)
		}
		modelstest.SetStatus(t, p, id, models.Declined)
		shows("accepted 1 superseded old, accepted 3 sent old, undone 4 superseded old, declined 5 draft")
		// The other decision has letters of its own.
		modelstest.EmissionCounts(t, f)
		if s, n := undo(models.Undoing{To: models.Accepted, Reason: "It was a yes"}); s.Status != models.Accepted || n != 1 {
			t.Errorf("%s, %d letters", s.Status, n)
		}
		shows("accepted 1 superseded old, accepted 3 sent old, undone 4 superseded old, declined 5 superseded old, accepted 6 draft")
		if kinds := modelstest.EmissionCounts(t, f); kinds[outbox.DecisionCommitted] != 1 || kinds[outbox.SessionUpdated] != 1 {
			t.Errorf("emitted %v", kinds)
		}
		_, err := p.UpdateSession(ctx, id, models.SessionChange{IsPublic: new(true)})
		modelstest.WantKind(t, "publishing before its letter", err, store.GateHeld)
		// They may have seen it in their place.
		if _, n := undo(models.Undoing{To: models.Pending, Everybody: true}); n != 1 {
			t.Errorf("%d letters to everybody", n)
		}
		d := modelstest.Must(p.DecisionOf(ctx, id))(t)
		if d.Decision.Decision != models.DecisionUndone || d.Number != 7 || d.Previous != models.Accepted ||
			d.Letters[models.LetterDraft] != 1 {
			t.Errorf("%+v", d)
		}
		modelstest.Want(t, "another abstract has", lettersOf(t, f, other), "accepted 1 sent")
	})
}

func TestAnUndoRefusesWhatIsWrongOrElsewhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		decided, pending := modelstest.AbstractOf(t, f, "T", "a@x.org"), modelstest.AbstractOf(t, f, "P")
		before := modelstest.Must(p.Session(ctx, decided))(t).UpdatedAt
		modelstest.SetStatus(t, p, decided, models.Declined)
		for name, c := range map[string]struct {
			p    *models.Programme
			id   string
			u    models.Undoing
			want store.Kind
		}{
			"not decided": {p, pending, models.Undoing{To: models.AcceptQueue}, store.Invalid},
			"the same":    {p, decided, models.Undoing{To: models.Declined}, store.Invalid},
			"withdrawn":   {p, decided, models.Undoing{To: models.Withdrawn}, store.Invalid},
			"no status":   {p, decided, models.Undoing{}, store.Invalid},
			"a long reason": {p, decided, models.Undoing{To: models.Pending, Reason: strings.Repeat("x",
				models.MaxReason+1)}, store.Invalid},
			"an old token":    {p, decided, models.Undoing{To: models.Pending, UpdatedAt: &before}, store.Stale},
			"another event's": {f.Elsewhere(), decided, models.Undoing{To: models.Pending}, store.NotFound},
			"nothing there":   {p, store.NewID(), models.Undoing{To: models.Pending}, store.NotFound},
		} {
			modelstest.Answers(c.p.UndoDecision(ctx, c.id, c.u))(t, name, c.want)
		}
		modelstest.Want(t, "letters of", lettersOf(t, f, decided), "declined 1 draft")
		if d := modelstest.Must(f.Elsewhere().DecisionOf(ctx, decided))(t); d != nil {
			t.Errorf("another event reads %+v", d)
		}
	})
}

// TestAWholeCommitIsUndone: later decisions stay, and whoever was told gets a letter.
func TestAWholeCommitIsUndone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := queued(t, f, 4)
		b := modelstest.Must(decision.Of(p).Open(ctx, nil, bothQueues))(t)
		modelstest.Must(decision.Of(p).Start(ctx, b.ID, decision.Choice{Out: ids[3:]}))(t)
		if b = modelstest.Finish(t, f, b.ID); !b.CanUndo() {
			t.Fatalf("%+v", b)
		}
		modelstest.Fine(t, letters.Of(p).SendLetter(ctx, modelstest.Drafts(t, p, "Q0")[0].ID))
		f.Clock.Move(letters.Hold)
		out := modelstest.Must(f.ClaimLetter(ctx, "post.test"))(t)
		modelstest.Fine(t, f.EndLetter(ctx, out, models.LetterEnd{State: models.LetterSent}))
		modelstest.SetStatus(t, p, ids[1], models.Declined)
		undo := modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(ctx, b.ID))(t).ID)
		if undo.Total != 3 || undo.Succeeded != 2 || undo.Failed != 1 {
			t.Errorf("%+v", undo)
		}
		for i, want := range []string{"accepted 1 sent old, undone 2 draft",
			"accepted 1 superseded old, declined 2 draft",
			"declined 1 superseded old", ""} {
			modelstest.Want(t, fmt.Sprint(i), lettersOf(t, f, ids[i]), want)
		}
		for i, want := range []models.Status{models.AcceptQueue, models.Declined, models.DeclineQueue, models.DeclineQueue} {
			modelstest.Want(t, fmt.Sprintf("%d is", i), modelstest.Must(p.Session(ctx, ids[i]))(t).Status, want)
		}
	})
}
