package people_test

import (
	"testing"

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
		versions := modelstest.Must(d.Biographies(ctx, &ada.Contact))(t)
		var texts []string
		for _, v := range versions {
			texts = append(texts, v.Text.Description)
		}
		if len(texts) != 4 || texts[0] != "" || texts[1] != "<p>Two.</p>" || texts[2] != "<p>One.</p>" || versions[1].Before.Description != "<p>One.</p>" {
			t.Fatalf("%q", texts)
		}
		_, err := d.Restore(ctx, &ada.Contact, versions[1].ID, new(store.At(ada.UpdatedAt.AddDate(0, 0, -1))))
		modelstest.WantKind(t, "an outdated token", err, store.Stale)
		_, err = d.Restore(ctx, &ada.Contact, store.NewID(), nil)
		modelstest.WantKind(t, "no version", err, store.NotFound)
		modelstest.Must(d.Restore(ctx, &ada.Contact, versions[1].ID, &ada.UpdatedAt))(t)
		if now := modelstest.Must(d.Person(ctx, ada.ID))(t); now.About != "<p>Two.</p>" {
			t.Errorf("it is %q", now.About)
		}
	})
}
