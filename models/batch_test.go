package models_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// abstracts makes pending abstracts and returns their ids.
func abstracts(t *testing.T, f *modelstest.Fixture, count int) []string {
	t.Helper()
	var ids []string
	for i := range count {
		s := modelstest.Must(f.Programme().CreateSession(t.Context(),
			models.NewSession{Title: fmt.Sprint("T", i), IsAbstract: true}))(t)
		ids = append(ids, s.ID)
	}
	return ids
}

func TestABatchChangesWhatASearchFinds(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids := abstracts(t, f, 20)
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "T", IsAbstract: true}))(t)
		programme := modelstest.Must(f.Programme().CreateSession(t.Context(), models.NewSession{Title: "P"}))(t)
		modelstest.Must(f.Programme().DeleteSession(t.Context(), ids[19]))(t)
		modelstest.Emitted(t, f)
		by := store.By{Door: "admin", ActorID: "user", ActorName: "Ada"}
		p := f.Store.Programme(f.Programme().Event(), by)
		q := &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true)}}
		b, err := p.StartBatch(t.Context(), nil, q, models.BatchChange{Status: new(models.Accepted)})
		if err != nil || b.Total != 19 || b.State != models.BatchRunning || b.Succeeded+b.Failed != 0 {
			t.Fatalf("%+v, %v", b, err)
		}
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 19 && b.Failed == 0 && len(b.Failures) == 0 && b.ActorName == "Ada", "%+v", b)
		for i, id := range ids {
			s := modelstest.Must(p.Session(t.Context(), id))(t)
			modelstest.Want(t, fmt.Sprint("abstract ", i, " is accepted"), s.Status == models.Accepted, i < 19)
		}
		kinds := modelstest.EmissionCounts(t, f)
		modelstest.Holds(t, kinds[outbox.SessionUpdated] == 19 && kinds[outbox.DecisionCommitted] == 19 && len(kinds) == 2,
			"emitted %v", kinds)
		lines := modelstest.Must(p.Activity(t.Context(), ids[0]))(t)
		modelstest.Holds(t, len(lines) == 2 && lines[0].Door == "admin" && lines[0].ActorID == "user" &&
			lines[0].ActorName == "Ada", "%+v", lines[0])
		for _, s := range []*models.Session{modelstest.Must(f.Elsewhere().Session(t.Context(), other.ID))(t),
			modelstest.Must(p.Session(t.Context(), programme.ID))(t)} {
			modelstest.Holds(t, s.UpdatedAt.Equal(s.CreatedAt.Time), "%s changed", s.FriendlyID)
		}
	})
}

func TestABatchTagsTracksDeletesAndRestores(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids := abstracts(t, f, 3)
		row := func(family models.Family, name string) string {
			return modelstest.Must(f.Programme().CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t).ID
		}
		track, red, blue := row(models.Tracks, "T"), row(models.Tags, "red"), row(models.Tags, "blue")
		run := func(c models.BatchChange) *models.Batch {
			t.Helper()
			b := modelstest.Must(f.Programme().StartBatch(t.Context(), ids, nil, c))(t)
			b = modelstest.Finish(t, f, b.ID)
			modelstest.Want(t, fmt.Sprintf("succeed of %+v", c), b.Succeeded, 3)
			return b
		}
		shows := func(want string) {
			t.Helper()
			for _, id := range ids {
				s := modelstest.Must(f.Programme().Session(t.Context(), id))(t)
				got := fmt.Sprintf("%s %t %t", s.Status, s.Track != nil, s.DeletedAt != nil)
				for _, tag := range s.Tags {
					got += " " + tag.Name
				}
				modelstest.Want(t, "it shows", got, want)
			}
		}
		run(models.BatchChange{AddTags: []string{red}})
		run(models.BatchChange{AddTags: []string{blue, red}, TrackID: store.Some(track), Status: new(models.Draft)})
		shows("draft true false red blue")
		last := run(models.BatchChange{RemoveTags: []string{red}, TrackID: store.Null[string]()})
		shows("draft false false blue")
		undo := modelstest.Must(f.Programme().UndoBatch(t.Context(), last.ID))(t)
		undo = modelstest.Finish(t, f, undo.ID)
		modelstest.Holds(t, undo.Succeeded == 3 && *undo.Undoes == last.ID, "%+v", undo)
		shows("draft true false red blue")
		undone := modelstest.Must(f.Programme().Batch(t.Context(), last.ID))(t)
		modelstest.Holds(t, undone.UndoneBy == undo.ID && !undone.CanUndo() && undo.CanUndo(), "%+v, %+v", undone, undo)
		redo := modelstest.Must(f.Programme().UndoBatch(t.Context(), undo.ID))(t)
		modelstest.Finish(t, f, redo.ID)
		shows("draft false false blue")
		deleted := run(models.BatchChange{Operation: models.BatchDelete})
		shows("draft false true blue")
		run(models.BatchChange{Operation: models.BatchRestore})
		shows("draft false false blue")
		for name, id := range map[string]string{"twice": last.ID, "a deletion": deleted.ID} {
			modelstest.Answers(f.Programme().UndoBatch(t.Context(), id))(t, name, store.Invalid)
		}
	})
}

func TestWhatChangedSinceIsNotUndone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids, p := abstracts(t, f, 3), f.Programme()
		same := modelstest.Update(t, p, ids[2], models.SessionInput{Status: new(models.AcceptQueue)})
		b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(models.AcceptQueue)}))(t)
		modelstest.Answers(p.UndoBatch(t.Context(), b.ID))(t, "a running batch", store.Invalid)
		modelstest.Finish(t, f, b.ID)
		modelstest.SetStatus(t, p, ids[1], models.Withdrawn)
		undo := modelstest.Must(p.UndoBatch(t.Context(), b.ID))(t)
		undo = modelstest.Finish(t, f, undo.ID)
		modelstest.Holds(t, undo.Total == 2 && undo.Succeeded == 1 && len(undo.Failures) == 1 &&
			undo.Failures[0].SessionID == ids[1], "%+v", undo)
		for i, want := range []models.Status{models.Pending, models.Withdrawn, same.Status} {
			modelstest.Want(t, fmt.Sprintf("abstract %d is", i), modelstest.Must(p.Session(t.Context(), ids[i]))(t).Status, want)
		}
		// Set back by hand, the failed one can be tried again.
		modelstest.SetStatus(t, p, ids[1], models.AcceptQueue)
		modelstest.Must(p.RetryFailed(t.Context(), undo.ID))(t)
		undo = modelstest.Finish(t, f, undo.ID)
		modelstest.Holds(t, undo.Succeeded == 2 && undo.Failed == 0, "%+v", undo)
	})
}

func TestAFailureIsKeptAndCanBeRetried(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids, p := abstracts(t, f, 4), f.Programme()
		b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Operation: models.BatchDelete}))(t)
		modelstest.Must(p.DeleteSession(t.Context(), ids[1]))(t) // somebody was quicker
		b = modelstest.Finish(t, f, b.ID)
		if b.Succeeded != 3 || b.Failed != 1 || len(b.Failures) != 1 || b.Failures[0].SessionID != ids[1] ||
			b.Failures[0].FriendlyID != "A-2" || b.Failures[0].Title != "T1" ||
			!strings.Contains(b.Failures[0].Message, "no such session") {
			t.Errorf("%+v %+v", b, b.Failures)
		}
		modelstest.Must(p.RestoreSession(t.Context(), ids[1]))(t)
		b = modelstest.Must(p.RetryFailed(t.Context(), b.ID))(t)
		modelstest.Holds(t, b.State == models.BatchRunning && b.Failed == 0 && b.Total-b.Succeeded-b.Failed == 1, "%+v", b)
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 4 && b.Failed == 0, "%+v", b)
		b = modelstest.Must(p.RetryFailed(t.Context(), b.ID))(t)
		modelstest.Want(t, "a retry of nothing is", b.State, models.BatchFinished)
	})
}

func TestBatchesRefuseWhatIsWrongOrElsewhere(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids, p := abstracts(t, f, 1), f.Programme()
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "T"}))(t)
		track := modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Tracks, models.NewMetadata{Name: "T"}))(t)
		tag := modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Tags, models.NewMetadata{Name: "T"}))(t)
		many := make([]string, models.MaxBatchIDs+1)
		for i := range many {
			many[i] = store.NewID()
		}
		fine, every := models.BatchChange{Operation: models.BatchDelete}, &models.SessionSearch{}
		for _, c := range []struct {
			name   string
			ids    []string
			q      *models.SessionSearch
			change models.BatchChange
			want   store.Kind
		}{
			{"another event's session", []string{ids[0], other.ID}, nil, fine, store.NotFound},
			{"no id", []string{"x"}, nil, fine, store.NotFound},
			{"nothing chosen", nil, nil, fine, store.Invalid},
			{"both", ids, every, fine, store.Invalid},
			{"too many", many, nil, fine, store.Invalid},
			{"no change", ids, nil, models.BatchChange{}, store.Invalid},
			{"an unknown operation", ids, nil, models.BatchChange{Operation: "bury"}, store.Invalid},
			{"a change and a deletion", ids, nil, models.BatchChange{Operation: models.BatchDelete, Status: new(models.Draft)},
				store.Invalid},
			{"a status", ids, nil, models.BatchChange{Status: new(models.Status("lost"))}, store.Invalid},
			{"a track", ids, nil, models.BatchChange{TrackID: store.Some(track.ID)}, store.Invalid},
			{"a tag", ids, nil, models.BatchChange{AddTags: []string{tag.ID}}, store.Invalid},
			{"a tag to take away", ids, nil, models.BatchChange{RemoveTags: []string{"x"}}, store.Invalid},
			{"a search that finds nothing", nil, &models.SessionSearch{Filter: models.SessionFilter{Text: "nowhere"}}, fine,
				store.Invalid},
			{"a search that is none", nil, &models.SessionSearch{Sort: "x"}, fine, store.Invalid},
		} {
			if b, err := p.StartBatch(t.Context(), c.ids, c.q, c.change); store.KindOf(err) != c.want || b != nil {
				t.Errorf("%s: %+v, %v", c.name, b, err)
			}
		}
		modelstest.Want(t, "a refused batch is at work", modelstest.Must(f.RunBatch(t.Context(), 10))(t), false)
		theirs := modelstest.Must(f.Elsewhere().StartBatch(t.Context(), []string{other.ID}, nil, fine))(t)
		for name, operation := range map[string]func(context.Context, string) (*models.Batch, error){
			"Batch": p.Batch, "RetryFailed": p.RetryFailed, "UndoBatch": p.UndoBatch,
		} {
			for _, id := range []string{theirs.ID, store.NewID(), "x"} {
				if b, err := operation(t.Context(), id); store.KindOf(err) != store.NotFound || b != nil {
					t.Errorf("%s of %q: %+v, %v", name, id, b, err)
				}
			}
		}
	})
}

// TestAnItemCutShortIsDoneOnce cuts the process's connection at each statement
// of the batch in turn, as a kill would.
func TestAnItemCutShortIsDoneOnce(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids, p := abstracts(t, f, 2), f.Programme()
		modelstest.Emitted(t, f)
		b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(models.Withdrawn)}))(t)
		cuts, runs := 0, 0
		for at := 1; ; at++ {
			if runs++; runs > 500 {
				t.Fatalf("after %d cuts nothing becomes of it any more", cuts)
			}
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
			modelstest.Rests(t, f)
			if !was {
				modelstest.Fine(t, err)
				if modelstest.Must(p.Batch(t.Context(), b.ID))(t).State == models.BatchFinished {
					break
				}
				at-- // the database still takes back what was cut, and holds its items
				continue
			}
			cuts++
		}
		b = modelstest.Finish(t, f, b.ID)
		if emitted := modelstest.Emitted(t, f); cuts < 10 || b.Succeeded != 2 || b.Failed != 0 || len(emitted) != 2 {
			t.Errorf("after %d cuts %+v, %d emissions", cuts, b, len(emitted))
		}
		for _, id := range ids {
			modelstest.Want(t, "lines of activity", len(modelstest.Must(p.Activity(t.Context(), id))(t)), 2)
		}
	})
}

// Batches that were stored before a batch had an operation are still run, and can be undone.
func TestABatchOfBeforeIsStillRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, db := f.Programme(), f.SQL
		start := func(kept string, ids ...string) *models.Batch {
			b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(models.Draft)}))(t)
			modelstest.Must(db.Exec("UPDATE batches SET change = $1 WHERE id = $2", kept, b.ID))(t)
			return modelstest.Finish(t, f, b.ID)
		}
		shows := func(id string, status models.Status, deleted bool) {
			t.Helper()
			s := modelstest.Must(p.Session(t.Context(), id))(t)
			modelstest.Holds(t, s.Status == status && (s.DeletedAt != nil) == deleted,
				"%s is %s, deleted %v", s.FriendlyID, s.Status, s.DeletedAt)
		}
		ids := abstracts(t, f, 2)
		if b := start(`{"delete":true}`, ids[0]); b.Change.Operation != models.BatchDelete || b.CanUndo() {
			t.Errorf("%+v", b)
		}
		shows(ids[0], models.Pending, true)
		start(`{"restore":true}`, ids[0])
		shows(ids[0], models.Pending, false)
		changed := start(`{"status":"accepted","track_id":null}`, ids...)
		shows(ids[1], models.Accepted, false)
		undo := modelstest.Must(p.UndoBatch(t.Context(), changed.ID))(t)
		modelstest.Must(db.Exec("UPDATE batches SET change = '{}' WHERE id = $1", undo.ID))(t)
		modelstest.Finish(t, f, undo.ID)
		shows(ids[1], models.Pending, false)
	})
}

func TestASmallBatchIsMadeWhileSomebodyWaits(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids, p := abstracts(t, f, 6), f.Programme()
		modelstest.Emitted(t, f)
		older := modelstest.Must(p.StartBatch(t.Context(), ids[:1], nil, models.BatchChange{Status: new(models.Draft)}))(t)
		b := modelstest.Must(p.StartBatch(t.Context(), ids[1:], nil, models.BatchChange{Status: new(models.AcceptQueue)}))(t)
		modelstest.Must(p.DeleteSession(t.Context(), ids[5]))(t)
		b = modelstest.Must(p.FinishBatch(t.Context(), b.ID))(t)
		modelstest.Holds(t, b.State == models.BatchFinished && b.Succeeded == 4 && b.Failed == 1 &&
			b.Failures[0].SessionID == ids[5], "%+v", b)
		modelstest.Want(t, "succeeded", modelstest.Must(p.FinishBatch(t.Context(), b.ID))(t).Succeeded, 4)
		undo := modelstest.Must(p.UndoBatch(t.Context(), b.ID))(t)
		undo = modelstest.Must(p.FinishBatch(t.Context(), undo.ID))(t)
		modelstest.Want(t, "taken back", undo.Succeeded, 4)
		for _, id := range ids[1:5] {
			s := modelstest.Must(p.Session(t.Context(), id))(t)
			modelstest.Want(t, s.FriendlyID, s.Status, models.Pending)
		}
		older = modelstest.Must(p.Batch(t.Context(), older.ID))(t)
		modelstest.Want(t, "the other batch is", older.State, models.BatchRunning)
		if b, err := f.Elsewhere().FinishBatch(t.Context(), older.ID); store.KindOf(err) != store.NotFound || b != nil {
			t.Errorf("%+v, %v", b, err)
		}
		modelstest.Finish(t, f, older.ID)
		modelstest.Want(t, "emissions", len(modelstest.Emitted(t, f)), 1+1+4+4)
	})
}

// A request that waits for a batch and the background jobs of two processes share it; each session is changed once.
func TestWhoWaitsAndTheBackgroundShareABatch(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids := abstracts(t, f, 30)
		modelstest.Emitted(t, f)
		b := modelstest.Must(f.Programme().StartBatch(t.Context(), ids, nil,
			models.BatchChange{Status: new(models.AcceptQueue)}))(t)
		replicas := []*modelstest.Fixture{modelstest.Replica(t, f), modelstest.Replica(t, f)}
		modelstest.AllSucceed(t, 4, func(i int) error {
			worked, err := i < 2, error(nil)
			for err == nil && worked {
				worked, err = replicas[i].RunBatch(context.Background(), 3)
			}
			if i < 2 || err != nil {
				return err
			}
			done, err := replicas[i-2].Programme().FinishBatch(context.Background(), b.ID)
			if err == nil && (done.State != models.BatchFinished || done.Succeeded != 30) {
				err = fmt.Errorf("%+v", done)
			}
			return err
		})
		modelstest.Want(t, "emissions", len(modelstest.Emitted(t, f)), 30)
	})
}

// The background goes on with a batch whose request was cut off.
func TestABatchThatWaitedTooLongGoesOnInTheBackground(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ids := abstracts(t, f, 3)
		b := modelstest.Must(f.Programme().StartBatch(t.Context(), ids, nil,
			models.BatchChange{Status: new(models.AcceptQueue)}))(t)
		ctx, cut := context.WithCancel(t.Context())
		n := 0
		stop := f.Statement.Watch(func(string) {
			if n++; n == 15 { // within an item
				cut()
			}
		})
		done, err := f.Programme().FinishBatch(ctx, b.ID)
		stop()
		cut()
		if err == nil || done != nil {
			t.Fatalf("%+v after %d statements", done, n)
		}
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 3 && b.Failed == 0, "%+v", b)
	})
}

func TestABatchPlacesSessionsInARoomAndBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		hall := modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Hall"}))(t)
		theirs := modelstest.RowOf(t, f.Elsewhere(), models.Rooms, "Hall")
		ids := []string{starting(t, p, "").ID, starting(t, p, "").ID}
		room := func(id string) string {
			if s := modelstest.Must(p.Session(t.Context(), id))(t); s.Room != nil {
				return s.Room.Name
			}
			return ""
		}
		p = f.Programme()
		b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{RoomID: store.Some(hall.ID)}))(t)
		if b = modelstest.Must(p.FinishBatch(t.Context(), b.ID))(t); b.Succeeded != 2 || room(ids[1]) != "Hall" {
			t.Errorf("%+v, %q", b, room(ids[1]))
		}
		undo := modelstest.Must(p.UndoBatch(t.Context(), b.ID))(t)
		if undo = modelstest.Must(p.FinishBatch(t.Context(), undo.ID))(t); undo.Succeeded != 2 || room(ids[1]) != "" {
			t.Errorf("%+v, %q", undo, room(ids[1]))
		}
		modelstest.Answers(p.StartBatch(t.Context(), ids, nil, models.BatchChange{RoomID: store.Some(theirs.ID)}))(t,
			"a room of another event", store.Invalid)
	})
}

func TestABatchOfUpdatesIsMadeTogether(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, status := f.Programme(), models.BatchChange{Status: new(models.Withdrawn)}
		statements := func(n int) int {
			b := modelstest.Must(p.StartBatch(t.Context(), abstracts(t, f, n), nil, status))(t)
			made := f.Statement.During(func() { modelstest.Must(f.RunBatch(t.Context(), 60))(t) })
			b = modelstest.Finish(t, f, b.ID)
			modelstest.Want(t, "succeed", b.Succeeded, n)
			return len(made)
		}
		statements(1) // reads the metadata
		few, many := statements(2), statements(25)
		modelstest.Want(t, "statements that 23 more sessions cost, each of which is marked", many-few, 23)
	})
}

func TestWhatABatchCannotMakeTogetherItMakesBesides(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 10)
		modelstest.SetStatus(t, p, ids[2], models.Accepted)
		modelstest.Emitted(t, f)
		b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(models.Withdrawn)}))(t)
		modelstest.Must(p.DeleteSession(t.Context(), ids[5]))(t)
		b = modelstest.Finish(t, f, b.ID)
		modelstest.Holds(t, b.Succeeded == 9 && b.Failed == 1 && len(b.Failures) == 1 && b.Failures[0].SessionID == ids[5] &&
			strings.Contains(b.Failures[0].Message, "session"), "%+v", b)
		for i, id := range ids {
			modelstest.Want(t, fmt.Sprint("abstract ", i, " is withdrawn"),
				modelstest.Must(p.Session(t.Context(), id))(t).Status == models.Withdrawn, i != 5)
		}
		modelstest.Want(t, "emissions, of a deletion and nine updates", len(modelstest.Emitted(t, f)), 10)
	})
}

// TestAnUndoDecidesNothing: only a confirmed decision tells people that they are accepted or declined.
func TestAnUndoDecidesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 2)
		start := func(to models.Status) *models.Batch {
			t.Helper()
			b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(to)}))(t)
			return modelstest.Finish(t, f, b.ID)
		}
		accepted := start(models.Accepted)
		modelstest.Holds(t, accepted.CanUndo(), "acceptances of what was pending cannot be undone")
		back := start(models.Pending)
		modelstest.Want(t, "taking decisions back is offered to be undone", back.CanUndo(), false)
		modelstest.Emitted(t, f)
		undo := modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(t.Context(), back.ID))(t).ID)
		modelstest.Holds(t, undo.Succeeded == 0 && undo.Failed == 2 &&
			strings.Contains(undo.Failures[0].Message, "decided before"), "%+v", undo)
		modelstest.Want(t, "decisions that an undo committed", modelstest.EmissionCounts(t, f)[outbox.DecisionCommitted], 0)
		for _, id := range ids {
			modelstest.Want(t, id, modelstest.Must(p.Session(t.Context(), id))(t).Status, models.Pending)
		}
	})
}
