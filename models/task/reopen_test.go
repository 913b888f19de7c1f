package task_test

import (
	"testing"

	"lectern/models/cfp"
	"lectern/models/modelstest"
	"lectern/models/store"
	"lectern/models/task"
)

// form is a task that asks a question, which needs an answer, of each speaker.
func (s *stage) form(t *testing.T) (of *task.Task, key string) {
	t.Helper()
	call := cfp.Of(s.Programme())
	modelstest.Fine(t, call.Start(t.Context()))
	part := modelstest.Must(call.AddPart(t.Context(), cfp.PartInput{Title: "Travel"}))(t)
	q := modelstest.Must(call.AddQuestion(t.Context(), part.ID, cfp.QuestionInput{Label: "Which train?", Type: "text",
		AskedOf: cfp.OfSpeaker, Required: cfp.Later}))(t)
	return s.define(t, task.Change{Title: new("Travel"), Kind: new(task.Form), PartID: &part.ID}), q.Key
}

func TestAFormWhoseAnswerIsEmptiedIsOpenAgain(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		of, key := s.form(t)
		call := cfp.Of(f.Programme())
		answer := func(text string) {
			t.Helper()
			_, faults, err := call.SaveOwn(ctx, s.ada, cfp.Saving{Values: cfp.Values{key: text}})
			if modelstest.Fine(t, err); len(faults) > 0 {
				t.Errorf("%+v", faults)
			}
		}
		want := func(what string, state task.State) {
			t.Helper()
			if d := modelstest.Must(s.tasks.One(ctx, of.ID, s.ada))(t); d.State != state {
				t.Errorf("%s: it is %s in place of %s", what, d.State, state)
			}
		}
		modelstest.WantKind(t, "without the answer", s.place(s.ada).Finish(ctx, of.ID, s.ada), store.Invalid)
		answer("The 9:12")
		modelstest.Fine(t, s.place(s.ada).Finish(ctx, of.ID, s.ada))
		answer("The 10:12")
		want("changed", task.Done)
		answer("")
		want("emptied", task.Open)
		answer("The 11:12")
		want("answered, not handed in again", task.Open)
		modelstest.Fine(t, s.place(s.ada).Finish(ctx, of.ID, s.ada))
		modelstest.Fine(t, s.tasks.Decide(ctx, of.ID, s.ada, task.Approve, "", nil))
		answer("")
		want("emptied once it was approved", task.Approved)
	})
}

func TestAWaivedTaskTakesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		form, _ := s.form(t)
		deck, link := s.define(t, slides), slides
		link.Kind, link.FileKinds = new(task.Link), nil
		talk, tick, at := s.define(t, link), s.define(t, task.Change{Title: new("Bio")}), s.tides.ID
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, at, pdf("one")))
		first := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t).Latest().ID
		for of, owner := range map[*task.Task]string{form: s.ada, deck: at, talk: at, tick: s.ada} {
			modelstest.Fine(t, s.tasks.Decide(ctx, of.ID, owner, task.Waive, "We do without", nil))
		}
		ada := s.place(s.ada)
		for what, err := range map[string]error{"a form": ada.Finish(ctx, form.ID, s.ada), "a file": ada.Upload(ctx, deck.ID, at, pdf("x")),
			"a link": ada.Link(ctx, talk.ID, at, "https://x.org"), "a tick": ada.Tick(ctx, tick.ID, s.ada, true),
			"an earlier version": ada.MakeLatest(ctx, deck.ID, at, first), "in their stead": s.tasks.Upload(ctx, deck.ID, at, pdf("x"))} {
			if modelstest.WantKind(t, what, err, store.Invalid); err == nil || store.AsError(err).Fields[0].Message != "was waived, so "+
				"nothing has to be handed in. Ask the organizers to open it again" {
				t.Errorf("%s: %v", what, err)
			}
		}
		if now := modelstest.Must(s.tasks.One(ctx, deck.ID, at))(t); now.State != task.Waived || len(now.Versions) != 1 {
			t.Errorf("it is %s with %d versions", now.State, len(now.Versions))
		}
		modelstest.Fine(t, s.tasks.Decide(ctx, deck.ID, at, task.Reopen, "", nil))
		modelstest.Fine(t, ada.Upload(ctx, deck.ID, at, pdf("two")))
	})
}
