package task_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
)

// What an erased person said about a task is in no mail to others any more, sent or not; what others said stays.
func TestWhatAnErasedPersonSaidIsInNoMail(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		s, ctx := newStage(t, f), t.Context()
		deck := s.define(t, slides)
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "My secret illness"))
		modelstest.Exec(t, f.SQL, "UPDATE letters SET state = 'sent', message_id = 'x@y', sent_at = created_at, "+
			"due_at = NULL")
		modelstest.Fine(t, s.place(s.ada).Comment(ctx, deck.ID, s.tides.ID, "My second secret"))
		modelstest.Fine(t, s.place(s.bo).Comment(ctx, deck.ID, s.tides.ID, "Bo brings it"))
		modelstest.Fine(t, s.tasks.Comment(ctx, deck.ID, s.tides.ID, "Staff said"))
		if len(modelstest.TablesWith(t, f, "My secret illness")) < 2 { // the comment, and the mail to Bo
			t.Fatal("nobody was mailed what Ada said")
		}
		modelstest.Fine(t, people.In(f.Directory(f.Event.OrganizationID, modelstest.Tester)).Erase(ctx, s.ada))
		for _, said := range []string{"My secret illness", "My second secret", "Ada Marker"} {
			modelstest.WantAll(t, said+" is still in", modelstest.TablesWith(t, f, said), nil)
		}
		var letters []*models.Letter
		modelstest.Fine(t, f.Store.Read(ctx).Where("contact_id = ?", s.bo).Order("created_at, id").Find(&letters).Error)
		if len(letters) != 2 || letters[0].Body+letters[1].Body == "" ||
			!strings.Contains(letters[0].Body+letters[1].Body, "Staff said") {
			t.Errorf("Bo has %d letters", len(letters)) // the one that was sent, empty, and that of staff
		}
	})
}
