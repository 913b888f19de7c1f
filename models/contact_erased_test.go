package models_test

import (
	"bytes"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestNothingIsKeptOfWhoWasErased(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), f.Programme().Directory()
		rider := modelstest.Must(people.In(modelstest.DirectoryOf(f)).AddOwnField(ctx, people.OwnFieldInput{Label: "Rider",
			Type: field.File}))(t).Key
		ada, bob := contactNamed(t, p, "Ada"), contactNamed(t, p, "Bob")
		modelstest.Fine(t, people.In(modelstest.DirectoryOf(f)).Erase(ctx, ada.ID))
		for what, change := range map[string]func(id string) error{
			"the profile": func(id string) error {
				return modelstest.ErrorOf(people.In(d).Update(ctx, id, modelstest.Values("phone", "+1 555 123 4567")))
			},
			"travel": func(id string) error {
				return modelstest.ErrorOf(people.In(d).Update(ctx, id, modelstest.Values("hotel", "Quay")))
			},
			"a note": func(id string) error { return modelstest.ErrorOf(people.Of(p).AddContactNote(ctx, id, "Was here.")) },
			"a photo": func(id string) error {
				return modelstest.ErrorOf(d.SetPhoto(ctx, id, models.Upload{Content: modelstest.Picture(t, 9, 9)}))
			},
			"a file": func(id string) error {
				return modelstest.ErrorOf(people.In(d).SetFile(ctx, id, rider, models.Upload{Name: "rider.txt",
					Content: []byte("Rider")}))
			},
			"an event": func(id string) error { return modelstest.ErrorOf(people.Of(f.Elsewhere()).PutAtEvent(ctx, id)) },
		} {
			modelstest.WantKind(t, what, change(ada.ID), store.Invalid)
			modelstest.WantKind(t, what+" of another", change(bob.ID), 0)
		}
		moves := []people.StatusMove{{ContactID: ada.ID, To: models.Invited}, {ContactID: bob.ID, To: models.Invited}}
		if done := modelstest.Must(people.Of(p).MoveStatuses(ctx, moves, true))(t); len(done) != 1 ||
			done[0].ContactID != bob.ID {
			t.Errorf("moved %v", done)
		}
		if found := modelstest.Must(p.FindContacts(ctx, "person", 5))(t); len(found) != 0 {
			t.Errorf("found %v", found)
		}
		modelstest.WantSound(t, f)
	})
}

func TestWhoHasAPhotoOfAnotherServerIsExported(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		address := "https://lectern.example/photos/" + strings.Repeat("a", 26) + ".jpg"
		ada := modelstest.Must(f.Programme().CreateContact(t.Context(), models.NewContact{FirstName: "Ada",
			PhotoURL: address}))(t)
		var out bytes.Buffer
		modelstest.Must(people.In(modelstest.DirectoryOf(f)).ExportPerson(t.Context(), ada.ID, &out))(t)
		if files := modelstest.Unzip(t, out.Bytes()); len(files) != 1 || !strings.Contains(files["person.json"], address) {
			t.Errorf("exported %v", files)
		}
	})
}
