package cfp

import (
	"testing"

	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/task"
)

// TestWhatATaskAsksIsSaidOnce asks two sections of each speaker, one of them by a task.
func TestWhatATaskAsksIsSaidOnce(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		c := newCast(t, f)
		call := cfp.Of(f.Programme())
		section := func(title, key string) string {
			part := modelstest.Must(call.AddPart(t.Context(), cfp.PartInput{Title: title}))(t)
			modelstest.Must(call.AddQuestion(t.Context(), part.ID, cfp.QuestionInput{Key: key, Type: field.Text, Label: title + "?",
				Required: cfp.Later, AskedOf: cfp.OfSpeaker}))(t)
			return part.ID
		}
		travel := section("Travel", "from")
		const place = "/events/conf/place"
		wants(t, c.ada.get(place, 200), "1 answer of yours is needed.")
		form := c.define(task.Change{Title: new("Travel and food"), Kind: new(task.Form), PartID: &travel})
		wants(t, c.ada.get(place, 200), "Travel and food")
		lacks(t, c.ada.page, "of yours is needed", "All is answered.")
		section("Food", "eats")
		wants(t, c.ada.get(place, 200), "1 answer of yours is needed.")
		modelstest.Fine(t, c.desk.Decide(t.Context(), form.ID, c.adaID, task.Waive, "We come by ourselves.", nil))
		wants(t, c.ada.get(place, 200), "2 answers of yours are needed.")
	})
}
