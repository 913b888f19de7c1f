package decisions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/decisions"
	"lectern/models/letters"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

var bothQueues = &models.SessionSearch{Filter: models.SessionFilter{Statuses: []models.Status{models.AcceptQueue,
	models.DeclineQueue}}}

// queued makes abstracts with a person each, the first half of them in the accept queue, the others in the decline
// queue.
func queued(t *testing.T, f *modelstest.Fixture, count int) []string {
	t.Helper()
	ids := make([]string, count)
	for i := range ids {
		ids[i] = modelstest.AbstractOf(t, f, fmt.Sprint("Q", i), fmt.Sprintf("q%d@x.org", i))
		modelstest.SetStatus(t, f.Programme(), ids[i], map[bool]models.Status{true: models.AcceptQueue,
			false: models.DeclineQueue}[i < count/2])
	}
	return ids
}

// parts returns the counts of a commit's parts in words.
func parts(c *decisions.Commit) string {
	var all []string
	for _, of := range []models.CommitOutcome{models.CommitDecides, models.CommitLeftOut, models.CommitChanged,
		models.CommitDecided, models.CommitWithdrawn, models.CommitNoQueue} {
		if part := c.Parts[of]; part != nil {
			all = append(all, fmt.Sprintf("%s:%d", of, part.Count))
		}
	}
	return strings.Join(all, " ")
}

func TestACommitDecidesWhatIsQueuedAndSaysWhatItDoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := queued(t, f, 10)
		f.Speaker(t, f.Event, ids[0], models.NewContact{FirstName: "No", LastName: "Address"})
		f.Join(t, f.Event, ids[1], peopleOf(t, p, ids[0])[0], models.Moderator) // one person on two of them
		theirs := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Leak", IsAbstract: true}))(t)
		modelstest.SetStatus(t, f.Elsewhere(), theirs.ID, models.AcceptQueue)
		pending, decided, gone := modelstest.AbstractOf(t, f, "Waits"), modelstest.AbstractOf(t, f, "Done", "d@x.org"),
			modelstest.AbstractOf(t, f, "Gone")
		modelstest.SetStatus(t, p, decided, models.Accepted)
		modelstest.Must(p.DeleteSession(ctx, gone))(t)
		modelstest.Emitted(t, f)

		b := modelstest.Must(decisions.Of(p).Open(ctx, append([]string{pending, decided}, ids...), nil))(t)
		if worked := modelstest.Must(f.RunBatch(ctx, 10))(t); worked || b.Total != 12 || !b.Prepared {
			t.Fatalf("an opened commit is at work: %+v", b)
		}
		// What others do meanwhile.
		modelstest.SetStatus(t, p, ids[2], models.DeclineQueue)
		modelstest.SetStatus(t, p, ids[3], models.Pending)
		modelstest.SetStatus(t, p, ids[7], models.Withdrawn)
		modelstest.SetStatus(t, p, ids[8], models.Declined)
		modelstest.Must(p.DeleteSession(ctx, ids[9]))(t)
		modelstest.Fine(t, decisions.Of(p).Choose(ctx, b.ID, decisions.Choice{Out: []string{ids[5], theirs.ID}}))
		c := modelstest.Must(decisions.Of(p).Commit(ctx, b.ID, store.Page{}))(t)
		modelstest.Want(t, "parts", parts(c), ":4 left_out:1 changed:3 decided:2 withdrawn:1 no_queue:1")
		if want := (decisions.Effects{Accepted: 3, Declined: 1, Letters: 5, People: 4, Unreachable: 1}); c.Effects != want {
			t.Errorf("%+v", c.Effects)
		}
		changed := c.Parts[models.CommitChanged].Rows
		if len(changed) != 3 || changed[0].SeenStatus != models.AcceptQueue || changed[0].Status != models.DeclineQueue ||
			changed[0].ChangedAt == nil || changed[0].ChangedBy != modelstest.Tester.ActorName || !changed[2].Deleted {
			t.Errorf("%+v", changed[0])
		}
		if rows := c.Parts[models.CommitDecides].Rows; len(rows) != 5 || len(rows[0].People) != 2 ||
			rows[0].Title != "Q0" || rows[3].Outcome != models.CommitLeftOut {
			t.Errorf("%+v", rows)
		}
		// One that was looked at again is included as it is now; with an outdated token it stays out.
		modelstest.Fine(t, decisions.Of(p).Choose(ctx, b.ID, decisions.Choice{Include: map[string]store.Time{
			ids[2]: changed[0].UpdatedAt, ids[3]: store.At(time.Unix(0, 0))}}))
		modelstest.EmissionCounts(t, f)
		by := store.By{Door: "admin", ActorID: "user", ActorName: "Ada"}
		ada := f.Store.Programme(f.Event, by)
		modelstest.Must(decisions.Of(ada).Start(ctx, b.ID, decisions.Choice{Out: []string{ids[4]}}))(t)
		modelstest.Finish(t, f, b.ID)
		c = modelstest.Must(decisions.Of(p).Commit(ctx, b.ID, store.Page{}))(t)
		modelstest.Want(t, "parts", parts(c), ":4 left_out:2 changed:2 decided:2 withdrawn:1 no_queue:1")
		if want := (decisions.Effects{Accepted: 2, Declined: 2, Letters: 5, People: 4, Unreachable: 1}); c.Effects != want {
			t.Errorf("%+v", c.Effects)
		}
		want := "accepted accepted declined pending accept_queue decline_queue declined withdrawn declined decline_queue"
		got := store.Map(ids, func(id string) string { return string(modelstest.Must(p.Session(ctx, id))(t).Status) })
		modelstest.Want(t, "rows", strings.Join(got, " "), want)
		if kinds := modelstest.EmissionCounts(t, f); kinds[outbox.DecisionCommitted] != 4 || kinds[outbox.SessionUpdated] != 4 ||
			len(kinds) != 2 {
			t.Errorf("emitted %v", kinds)
		}
		if lines := modelstest.Must(p.Activity(ctx, ids[0]))(t); lines[0].ActorName != "Ada" || lines[0].RequestID != b.ID {
			t.Errorf("%+v", lines[0])
		}
		modelstest.Want(t, "another event's submission was decided",
			modelstest.Must(f.Elsewhere().Session(ctx, theirs.ID))(t).Status, models.AcceptQueue)
		again := modelstest.Must(decisions.Of(ada).Start(ctx, b.ID, decisions.Choice{In: []string{ids[4]}}))(t)
		modelstest.Finish(t, f, b.ID)
		if kinds := modelstest.EmissionCounts(t, f); len(kinds) != 0 || again.State != models.BatchFinished {
			t.Errorf("committed again emits %v", kinds)
		}
		if twice := modelstest.Must(decisions.Of(p).Commit(ctx, b.ID, store.Page{}))(t); parts(twice) != parts(c) ||
			twice.Effects != c.Effects {
			t.Errorf("committed again it shows %s %+v", parts(twice), twice.Effects)
		}
		if all := modelstest.Must(decisions.Of(p).Commits(ctx,
			5))(t); len(all) != 1 || all[0].Decided != 4 || all[0].Letters != 5 {
			t.Errorf("%+v", all)
		}
	})
}

func peopleOf(t *testing.T, p *models.Programme, id string) (ids []string) {
	t.Helper()
	return store.Map(modelstest.Must(p.Session(t.Context(), id))(t).Participants,
		func(x *models.Participant) string { return x.ContactID })
}

func TestTwoWhoCommitOneQueueDecideEachOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids := queued(t, f, 24)
		modelstest.EmissionCounts(t, f)
		var opened []string
		for range 2 {
			opened = append(opened, modelstest.Must(decisions.Of(f.Programme()).Open(t.Context(), nil, bothQueues))(t).ID)
		}
		var replicas [4]*modelstest.Fixture
		for i := range replicas {
			replicas[i] = modelstest.Replica(t, f)
		}
		modelstest.AllSucceed(t, 4, func(i int) error {
			p := replicas[i].Store.Programme(f.Event, modelstest.Tester)
			_, err := decisions.Of(p).Start(context.Background(), opened[i%2], decisions.Choice{})
			for worked := true; err == nil && worked; {
				worked, err = replicas[i].RunBatch(context.Background(), 3)
			}
			return err
		})
		decided := 0
		for _, id := range opened {
			modelstest.Finish(t, f, id)
			c := modelstest.Must(decisions.Of(f.Programme()).Commit(t.Context(), id, store.Page{}))(t)
			decided += c.Effects.Decisions()
			if c.Failed != 0 || c.Succeeded != 24 {
				t.Errorf("%+v", c.Batch)
			}
		}
		letters := modelstest.Must(modelstest.AllLetters(t, f))(t)
		if kinds := modelstest.EmissionCounts(t, f); decided != 24 || kinds[outbox.DecisionCommitted] != 24 || len(letters) != 24 {
			t.Errorf("%d decided, emitted %v, %d letters", decided, kinds, len(letters))
		}
		for i, id := range ids {
			if s := modelstest.Must(f.Programme().Session(t.Context(), id))(t); (s.Status == models.Accepted) != (i < 12) {
				t.Errorf("%s is %s", s.Title, s.Status)
			}
		}
	})
}

// TestACommitCutShortGoesOn cuts the process's connection at each statement of a commit in turn, as a kill would.
func TestACommitCutShortGoesOn(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		ids := queued(t, f, 2)
		modelstest.EmissionCounts(t, f)
		b := modelstest.Must(decisions.Of(p).Open(t.Context(), ids, nil))(t)
		modelstest.Must(decisions.Of(p).Start(t.Context(), b.ID, decisions.Choice{}))(t)
		cuts := 0
		for at := 1; ; at++ {
			ctx, cut := context.WithCancel(t.Context())
			n, was := 0, false
			stop := f.Statement.Watch(func(string) {
				if n++; n == at {
					was = true
					cut()
				}
			})
			_, err := f.RunBatch(ctx, 10)
			stop()
			cut()
			if !was {
				modelstest.Fine(t, err)
				break
			}
			cuts++
		}
		b = modelstest.Finish(t, f, b.ID)
		kinds, letters := modelstest.EmissionCounts(t, f), modelstest.Must(modelstest.AllLetters(t, f))(t)
		if cuts < 10 || b.Failed != 0 || kinds[outbox.DecisionCommitted] != 2 ||
			kinds[outbox.SessionUpdated] != 2 || len(letters) != 2 {
			t.Errorf("after %d cuts %+v, %v, %d letters", cuts, b, kinds, len(letters))
		}
	})
}

// TestACommitReadsEachTemplateOnce: what all letters have in common is read once.
func TestACommitReadsEachTemplateOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		b := modelstest.Must(decisions.Of(f.Programme()).Open(t.Context(), queued(t, f, 20), nil))(t)
		modelstest.Must(decisions.Of(f.Programme()).Start(t.Context(), b.ID, decisions.Choice{}))(t)
		templates := 0
		statements := f.Statement.During(func() { modelstest.Finish(t, f, b.ID) })
		for _, s := range statements {
			if strings.Contains(s, "letter_templates") {
				templates++
			}
		}
		// finish makes seven at a time: three times two kinds at most.
		if templates > 6 || len(statements) > 20*12+30 {
			t.Errorf("%d reads of templates, %d statements", templates, len(statements))
		}
	})
}

func TestCommitsRefuseWhatIsWrongOrElsewhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		id := queued(t, f, 2)[0]
		session := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "S"}))(t)
		theirs := modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "T", IsAbstract: true}))(t)
		for name, c := range map[string]struct {
			ids  []string
			want store.Kind
		}{
			"a session":          {[]string{id, session.ID}, store.NotFound},
			"another event's":    {[]string{id, theirs.ID}, store.NotFound},
			"no id":              {[]string{"x"}, store.NotFound},
			"nothing":            {nil, store.Invalid},
			"too many of them":   {make([]string, 0), store.Invalid},
			"one that is queued": {[]string{id}, 0},
		} {
			modelstest.Answers(decisions.Of(p).Open(ctx, c.ids, nil))(t, name, c.want)
		}
		modelstest.SetStatus(t, f.Elsewhere(), theirs.ID, models.AcceptQueue)
		other := modelstest.Must(decisions.Of(f.Elsewhere()).Open(ctx, []string{theirs.ID}, nil))(t)
		batch := modelstest.Must(p.StartBatch(ctx, []string{id}, nil, models.BatchChange{Status: new(models.AcceptQueue)}))(t)
		modelstest.Finish(t, f, batch.ID)
		for _, of := range []string{other.ID, batch.ID, "x", store.NewID()} {
			modelstest.Answers(decisions.Of(p).Commit(ctx, of, store.Page{}))(t, "Commit "+of, store.NotFound)
			modelstest.Answers(decisions.Of(p).Start(ctx, of, decisions.Choice{}))(t, "starting "+of, store.NotFound)
			modelstest.WantKind(t, "choosing "+of, decisions.Of(p).Choose(ctx, of, decisions.Choice{}), store.NotFound)
		}
		_, err := p.StartBatch(ctx, []string{id}, nil, models.BatchChange{Operation: models.BatchCommit})
		modelstest.WantKind(t, "a commit that nobody looked at", err, store.Invalid)
		b := modelstest.Must(decisions.Of(p).Open(ctx, []string{id}, nil))(t)
		modelstest.Answers(p.FinishBatch(ctx, b.ID))(t, "finishing what is not started", store.Invalid)
		modelstest.Answers(p.UndoBatch(ctx, b.ID))(t, "undoing it", store.Invalid)
		// What nobody started is swept by whoever opens the next one a day later.
		f.Clock.Move(25 * time.Hour)
		modelstest.Must(decisions.Of(p).Open(ctx, []string{id}, nil))(t)
		modelstest.Answers(decisions.Of(p).Commit(ctx, b.ID, store.Page{}))(t, "an old one", store.NotFound)
	})
}

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
			modelstest.Want(t, "letters", lettersOf(t, f, id), want)
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
		modelstest.Want(t, "read by another event", modelstest.Must(f.Elsewhere().DecisionOf(ctx, decided))(t), nil)
	})
}

// TestAWholeCommitIsUndone: later decisions stay, and whoever was told gets a letter.
func TestAWholeCommitIsUndone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ctx := f.Programme(), t.Context()
		ids := queued(t, f, 4)
		b := modelstest.Must(decisions.Of(p).Open(ctx, nil, bothQueues))(t)
		modelstest.Must(decisions.Of(p).Start(ctx, b.ID, decisions.Choice{Out: ids[3:]}))(t)
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
