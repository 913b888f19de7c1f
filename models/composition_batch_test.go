package models_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

func TestABatchMakesASessionOfEachAcceptedAbstractThatIsInNone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		accepted := func(title string) *models.Session {
			return modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true,
				SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
		}
		var ready []*models.Session
		for i := range 4 {
			ready = append(ready, accepted(fmt.Sprint("Ready ", i)))
		}
		li := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
		f.Join(t, f.Event, ready[0].ID, li.ID, models.Speaking)
		f.Join(t, f.Event, ready[1].ID, li.ID, models.Speaking)
		f.SetLetter(t, f.Event, ready[0].ID, models.LetterSent)
		composed, gone, pending := accepted("Composed"), accepted("Gone"), titled(t, f, "Pending")[0]
		modelstest.Must(p.Compose(ctx, []string{composed.ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Theirs", IsAbstract: true,
			SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)

		all := &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true)}}
		plan := modelstest.Must(p.PlanCompose(ctx, nil, all))(t)
		modelstest.Want(t, "plan", *plan, models.ComposePlan{Sessions: 4, Composed: 1, Undecided: 1, People: 1, Untold: 3})
		some := modelstest.Must(p.PlanCompose(ctx, []string{ready[2].ID, pending.ID}, nil))(t)
		if *some != (models.ComposePlan{Sessions: 1, Undecided: 1, Untold: 1}) {
			t.Errorf("%+v", *some)
		}

		need := &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true), Needs: models.NeedsSession}}
		first := modelstest.Must(p.StartBatch(ctx, nil, need, models.BatchChange{Operation: models.BatchCompose}))(t)
		second := modelstest.Must(p.StartBatch(ctx, nil, need, models.BatchChange{Operation: models.BatchCompose}))(t)
		status := models.Withdrawn // by its speakers, after the preview
		withdrawn := models.SessionChange{SessionInput: models.SessionInput{Status: &status}}
		modelstest.Must(p.UpdateSession(ctx, ready[3].ID, withdrawn))(t)
		modelstest.Emitted(t, f)
		b, again := modelstest.Finish(t, f, first.ID), modelstest.Finish(t, f, second.ID)
		if b.Succeeded != 3 || b.Failed != 1 || !b.CanUndo() || again.CanUndo() || again.Succeeded != 0 || again.Failed != 4 {
			t.Errorf("%+v, %+v", b, again)
		}
		if got := b.Failures[0].Message; !strings.Contains(got, "is not accepted") {
			t.Error(got)
		}
		if got := again.Failures[0].Message; !strings.Contains(got, "is in a session already") {
			t.Error(got)
		}
		emitted := modelstest.Emitted(t, f)
		for _, e := range emitted {
			if e.Type != outbox.SessionCreated {
				t.Error(e.Type)
			}
		}
		modelstest.Want(t, "emissions", len(emitted), 3)
		for _, s := range ready[:3] {
			if status := now(t, f, s).CompositionStatus; status.Role != "source" || !status.IsLinked {
				t.Errorf("%+v", status)
			}
		}
		if plan := modelstest.Must(p.PlanCompose(ctx, nil, all))(t); plan.Sessions != 0 || plan.Composed != 4 {
			t.Errorf("%+v", *plan)
		}
	})
}

func TestABatchOfCompositionsIsTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		var all []*models.Session
		for _, title := range []string{"As it was", "Told anew", "With another", "The other", "In the Trash"} {
			all = append(all, modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: title, IsAbstract: true,
				SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t))
		}
		ids := []string{all[0].ID, all[1].ID, all[2].ID, all[4].ID}
		b := modelstest.Must(p.StartBatch(ctx, ids, nil, models.BatchChange{Operation: models.BatchCompose}))(t)
		modelstest.Finish(t, f, b.ID)
		into := func(s *models.Session) string { return now(t, f, s).CompositionStatus.Target.ID }
		modelstest.Must(p.ChangeText(ctx, into(all[1]), models.TextChange{Title: new("Told another way")}))(t)
		modelstest.Must(p.Compose(ctx, []string{all[3].ID}, into(all[2])))(t)
		modelstest.Must(p.DeleteSession(ctx, into(all[4])))(t)
		made := into(all[0])
		modelstest.Emitted(t, f)

		undo := modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(ctx, b.ID))(t).ID)
		if undo.Succeeded != 1 || undo.Failed != 3 || undo.CanUndo() {
			t.Errorf("%+v", undo)
		}
		for _, x := range undo.Failures {
			modelstest.Want(t, x.Title, x.Message, "session was changed since, so nothing is undone here")
		}
		modelstest.Want(t, "role", now(t, f, all[0]).CompositionStatus.Role, "standalone")
		if s := modelstest.Must(p.Session(ctx, made))(t); s.DeletedAt == nil {
			t.Error("what was made of it is not in the Trash")
		}
		for _, s := range all[1:4] {
			modelstest.Want(t, s.Title+" was taken out", now(t, f, s).CompositionStatus.Role, "source")
		}
		if emitted := modelstest.Emitted(t, f); len(emitted) != 1 || emitted[0].Type != outbox.SessionDeleted || emitted[0].ResourceID != made {
			t.Errorf("%+v", emitted)
		}
		modelstest.Answers(p.UndoBatch(ctx, b.ID))(t, "undone before", store.Invalid)
		modelstest.Answers(p.UndoBatch(ctx, undo.ID))(t, "the undoing", store.Invalid)
		// What was taken out may be composed anew.
		modelstest.Must(p.Compose(ctx, []string{all[0].ID}, ""))(t)
	})
}
