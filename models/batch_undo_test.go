package models_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/outbox"
)

// TestAnUndoDecidesNothing: who is accepted or declined is only told so after a question.
func TestAnUndoDecidesNothing(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p, ids := f.Programme(), abstracts(t, f, 2)
		start := func(to models.Status) *models.Batch {
			t.Helper()
			b := modelstest.Must(p.StartBatch(t.Context(), ids, nil, models.BatchChange{Status: new(to)}))(t)
			return modelstest.Finish(t, f, b.ID)
		}
		if accepted := start(models.Accepted); !accepted.CanUndo() {
			t.Error("acceptances of what was pending cannot be undone")
		}
		back := start(models.Pending)
		modelstest.Want(t, "taking decisions back is offered to be undone", back.CanUndo(), false)
		modelstest.Emitted(t, f)
		undo := modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(t.Context(), back.ID))(t).ID)
		if undo.Succeeded != 0 || undo.Failed != 2 || !strings.Contains(undo.Failures[0].Message, "decided before") {
			t.Errorf("%+v", undo)
		}
		for _, e := range modelstest.Emitted(t, f) {
			if e.Type == outbox.DecisionCommitted {
				t.Error("an undo committed a decision")
			}
		}
		for _, id := range ids {
			if s := modelstest.Must(p.Session(t.Context(), id))(t); s.Status != models.Pending {
				t.Errorf("%s is %s", s.FriendlyID, s.Status)
			}
		}
	})
}
