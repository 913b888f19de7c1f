package modelstest

import (
	"testing"

	"lectern/models"
	"lectern/models/outbox"
)

// EmittedTypes returns the types of the emissions since the last call, oldest first.
func EmittedTypes(t testing.TB, f *Fixture) (types []outbox.EmissionType) {
	t.Helper()
	for _, e := range Emitted(t, f) {
		types = append(types, e.Type)
	}
	return types
}

// EmissionCounts counts the emissions by type.
func EmissionCounts(t *testing.T, f *Fixture) map[outbox.EmissionType]int {
	t.Helper()
	kinds := map[outbox.EmissionType]int{}
	for _, kind := range EmittedTypes(t, f) {
		kinds[kind]++
	}
	return kinds
}

// Finish runs batches until there is nothing left to do, and returns the one with this id.
func Finish(t *testing.T, f *Fixture, id string) *models.Batch {
	t.Helper()
	for worked := true; worked; {
		worked = Must(f.RunBatch(t.Context(), 7))(t)
	}
	b := Must(f.Programme().Batch(t.Context(), id))(t)
	if b.State != models.BatchFinished || b.FinishedAt == nil || b.Succeeded+b.Failed != b.Total {
		t.Fatalf("the batch stands at %+v", b)
	}
	return b
}

// AllLetters returns the letters of the event under test.
func AllLetters(t *testing.T, f *Fixture) (letters []*models.Letter, err error) {
	err = f.Read(t.Context()).Where("event_id = ?", f.Event.ID).Order("created_at, id").Find(&letters).Error
	return letters, err
}
