package people_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestABiographyIsRestored(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		d := people.In(f.Store.Directory(f.Event.OrganizationID, modelstest.Tester))
		ada := modelstest.Must(people.In(d.Directory).Create(ctx,
			people.Change{Values: map[string]string{"first_name": "Ada", "about": "<p>One.</p>"}}))(t)
		change := func(field, value string) {
			ada = modelstest.Must(people.In(d.Directory).Update(ctx, ada.ID,
				people.Change{Values: map[string]string{field: value}}))(t)
		}
		change("about", "<p>Two.</p>")
		change("job_title", `"about":`)
		change("about", "")
		versions := modelstest.Must(d.Biographies(ctx, &ada.Contact, nil))(t)
		texts := store.Map(versions, func(v *models.Version) string { return v.Text.Description })
		if len(texts) != 4 || texts[0] != "" || texts[1] != "<p>Two.</p>" || texts[2] != "<p>One.</p>" || versions[1].Before.Description != "<p>One.</p>" {
			t.Fatalf("%q", texts)
		}
		_, err := d.Restore(ctx, &ada.Contact, nil, versions[1].ID, new(store.At(ada.UpdatedAt.AddDate(0, 0, -1))))
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		modelstest.Answers(d.Restore(ctx, &ada.Contact, nil, store.NewID(), nil))(t, "no version", store.NotFound)
		modelstest.Must(d.Restore(ctx, &ada.Contact, nil, versions[1].ID, &ada.UpdatedAt))(t)
		modelstest.Want(t, "it is", modelstest.Must(d.Person(ctx, ada.ID))(t).About, "<p>Two.</p>")
	})
}

// The organizer of one event reads no biography that was written at an event of others, of a guest not even what no
// event has.
func TestBiographiesOfElsewhereAreNotRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		write := func(d *models.Directory, id, about string) {
			modelstest.Must(people.In(d).Update(ctx, id, people.Change{Values: map[string]string{"about": about}}))(t)
		}
		all := f.Store.Directory(f.Event.OrganizationID, modelstest.Tester)
		ada := modelstest.Must(people.In(all).Create(ctx, people.Change{Values: map[string]string{"first_name": "Ada",
			"email": "ada@example.org"}}))(t)
		write(all, ada.ID, "<p>Of none.</p>")
		modelstest.Must(people.Of(f.Elsewhere()).PutAtEvent(ctx, ada.ID))(t)
		write(f.Elsewhere().Directory(), ada.ID, "<p>Secret of elsewhere.</p>")
		write(all, ada.ID, "<p>Now.</p>")

		mine := f.Store.Programme(f.Event, modelstest.Tester)
		modelstest.Fine(t, modelstest.ErrorOf(people.Of(mine).AddPerson(ctx,
			people.Change{Values: map[string]string{"first_name": "A", "email": "ada@example.org"}})))
		d := people.In(mine.Directory())
		guest := modelstest.Must(d.Person(ctx, ada.ID))(t)
		if versions := modelstest.Must(d.Biographies(ctx, &guest.Contact, []string{f.Event.ID}))(t); len(versions) != 1 ||
			versions[0].Text.Description != "<p>Now.</p>" || versions[0].Before != nil {
			t.Errorf("of a guest: %+v", versions)
		}

		modelstest.Must(people.Of(f.Programme()).PutAtEvent(ctx, ada.ID))(t)
		versions := modelstest.Must(d.Biographies(ctx, &guest.Contact, []string{f.Event.ID}))(t)
		for _, v := range versions {
			if v.Text.Description == "<p>Secret of elsewhere.</p>" {
				t.Error("what was written at another event is a version here")
			}
		}
		if len(versions) != 3 || versions[1].Text.Description != "<p>Of none.</p>" {
			t.Errorf("of one of the event's people: %+v", versions)
		}
	})
}
