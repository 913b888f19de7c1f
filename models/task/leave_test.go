package task_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/models/task"
)

func TestWhoHandedSomethingInIsNotTakenOffTheEvent(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		own, deck := s.define(t, task.Change{Title: new("Photo")}), s.define(t, slides)
		modelstest.Fine(t, s.tasks.Decide(ctx, own.ID, s.cyd, task.Waive, "No need", nil))
		modelstest.Fine(t, s.place(s.ada).Upload(ctx, deck.ID, s.tides.ID, pdf("deck")))
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, s.tides.ID, "Hello"))
		modelstest.Must(f.Programme().ChangePeople(ctx, s.tides.ID, models.PeopleChange{}))(t)
		off := func(id string) error { return modelstest.ErrorOf(people.Of(f.Programme()).TakeOffEvent(ctx, id)) }
		modelstest.WantKind(t, "who handed in", off(s.ada), store.Invalid)
		modelstest.WantKind(t, "who said something", off(s.bo), store.Invalid)
		modelstest.Must(f.Programme().ChangePeople(ctx, s.ebb.ID, models.PeopleChange{}))(t)
		modelstest.Fine(t, off(s.cyd))
	})
}
