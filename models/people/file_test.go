package people_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func fileField(t *testing.T, f *modelstest.Fixture, label string) string {
	t.Helper()
	return modelstest.Must(people.In(modelstest.DirectoryOf(f)).AddOwnField(t.Context(), people.OwnFieldInput{Label: label,
		Type: field.File}))(t).Key
}

func named(name string) models.Upload {
	return models.Upload{Name: name, Content: []byte("of " + name)}
}

func contactCalled(t *testing.T, p *models.Programme, name string) *models.Contact {
	t.Helper()
	return modelstest.Contact(t, p, name, name+"@example.org")
}

// sweptLater moves the clock on, and sweeps all bytes that are due.
func sweptLater(t *testing.T, f *modelstest.Fixture, after time.Duration) (kept int) {
	t.Helper()
	for range 2 {
		f.Clock.Move(after)
		modelstest.Must(f.SweepFiles(t.Context(), 10))(t)
	}
	return len(modelstest.KeysKept(t, f))
}

func TestAFileOfAnOwnFieldIsUploadedReplacedAndRemoved(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), f.Programme().Directory()
		passport, rider := fileField(t, f, "Passport"), fileField(t, f, "Rider")
		ada := contactCalled(t, p, "Ada")
		modelstest.Emitted(t, f)
		modelstest.Must(people.In(d).SetFile(ctx, ada.ID, rider, named("rider.txt")))(t)
		one := modelstest.Must(people.In(d).SetFile(ctx, ada.ID, passport, named(`C:\scans\one.pdf`)))(t)
		kept := modelstest.Must(people.In(d).File(ctx, ada.ID, passport))(t)
		if kept.Name != "one.pdf" || kept.Size != int64(len(`of C:\scans\one.pdf`)) ||
			kept.MediaType != "application/octet-stream" || kept.UploadedByName != modelstest.Tester.ActorName ||
			one.Own[passport] != kept.ID || !one.UpdatedAt.After(ada.UpdatedAt.Time) {
			t.Errorf("kept %+v as %q", kept, one.Own[passport])
		}
		modelstest.Must(people.In(d).SetFile(ctx, ada.ID, passport, named("two.pdf")))(t)
		line := modelstest.Must(p.Activity(ctx, ada.ID))(t)[0]
		was := store.ReadFacts(line.Before)[passport].(map[string]any)
		is := store.ReadFacts(line.After)[passport].(map[string]any)
		modelstest.Holds(t, was["file"] == "one.pdf" && is["file"] == "two.pdf" && len(store.ReadFacts(line.After)) == 1,
			"recorded %v %v", line.Before, line.After)
		if n := modelstest.RowsOf(t, f, "SELECT count(*) FROM files"); n != 2 || sweptLater(t, f, 25*time.Hour) != 2 {
			t.Errorf("%d files, the bytes %v", n, modelstest.KeysKept(t, f))
		}
		for filter, want := range map[string]int{"two": 1, "one": 0} {
			_, page, err := people.In(d).Search(ctx, people.Search{Page: store.Page{Size: 10}, Filter: people.Filter{
				Own: map[string]people.OwnFilter{passport: {Type: field.File, Words: filter}}}})
			modelstest.Holds(t, err == nil && page.TotalResults == int64(want),
				"%s finds %d, %v", filter, page.TotalResults, err)
		}
		modelstest.WantSound(t, f)
		modelstest.Want(t, "left", modelstest.Must(people.In(d).RemoveFile(ctx, ada.ID, passport))(t).Own[passport], "")
		modelstest.Answers(people.In(d).File(ctx, ada.ID, passport))(t, "what was removed", store.NotFound)
		modelstest.Must(people.In(modelstest.DirectoryOf(f)).DeleteOwnField(ctx, rider))(t)
		if n := modelstest.RowsOf(t, f, "SELECT count(*) FROM files"); n != 0 || sweptLater(t, f, 25*time.Hour) != 0 {
			t.Errorf("%d files, the bytes %v", n, modelstest.KeysKept(t, f))
		}
		modelstest.WantAll(t, "told", modelstest.ContactEmissions(t, f), nil)
		modelstest.WantSound(t, f)
	})
}

func TestAFileIsTakenFromAnUploadAloneAndNeverFromOthers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		key := fileField(t, f, "Passport")
		shirt := modelstest.Must(people.In(d).AddOwnField(ctx, people.OwnFieldInput{Label: "Shirt", Type: field.Text}))(t).Key
		ada, bob := contactCalled(t, p, "Ada"), contactCalled(t, p, "Bob")
		stranger, eve := modelstest.Foreigner(t, f, modelstest.Values("first_name", "Eve"))
		theirs := modelstest.Must(people.In(stranger).AddOwnField(ctx, people.OwnFieldInput{Label: "P",
			Type: field.File}))(t).Key
		foreign := modelstest.Must(people.In(stranger).SetFile(ctx, eve.ID, theirs, named("eve.pdf")))(t).Own[theirs]
		own := modelstest.Must(people.In(d).SetFile(ctx, bob.ID, key, named("bob.pdf")))(t).Own[key]
		for what, id := range map[string]string{"another organization's": foreign, "another person's": own,
			"none": store.NewID(), "a text": "x"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values(key, id)))(t, what, store.Invalid)
			_, err := people.In(d).Create(ctx, modelstest.Values("first_name", "New", key, id))
			modelstest.WantKind(t, what+" of somebody new", err, store.Invalid)
		}
		_, err := models.FileOf(d.Read(ctx), d.ID, models.OwnFile, foreign)
		modelstest.WantKind(t, "another organization's by id", err, store.NotFound)
		_, err = models.FileOf(d.Read(ctx), d.ID, models.PhotoFile, own)
		modelstest.WantKind(t, "one of something else by id", err, store.NotFound)
		for what, try := range map[string]func() error{
			"another organization's field": func() error {
				return modelstest.ErrorOf(people.In(d).SetFile(ctx, ada.ID, theirs, named("a")))
			},
			"another organization's person": func() error {
				return modelstest.ErrorOf(people.In(d).SetFile(ctx, eve.ID, key, named("a")))
			},
			"a field of texts": func() error { return modelstest.ErrorOf(people.In(d).SetFile(ctx, ada.ID, shirt, named("a"))) },
			"their file":       func() error { _, err := people.In(d).File(ctx, eve.ID, key); return err },
			"removing theirs":  func() error { _, err := people.In(d).RemoveFile(ctx, eve.ID, theirs); return err },
			"who is elsewhere": func() error {
				return modelstest.ErrorOf(people.In(f.Elsewhere().Directory()).SetFile(ctx, ada.ID, key, named("a")))
			},
		} {
			modelstest.WantKind(t, what, try(), store.NotFound)
		}
		for _, content := range [][]byte{nil, make([]byte, models.MaxFileBytes+1)} {
			_, err := people.In(d).SetFile(ctx, ada.ID, key, models.Upload{Name: "x", Content: content})
			modelstest.WantKind(t, "no size for a file", err, store.Invalid)
		}
		modelstest.Want(t, "files", modelstest.RowsOf(t, f, "SELECT count(*) FROM files"), 2)
	})
}

func TestAMergeKeepsTheFileThatIsChosenAndErasingNone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, d := t.Context(), f.Programme(), modelstest.DirectoryOf(f)
		both, one, kept := fileField(t, f, "Both"), fileField(t, f, "One"), fileField(t, f, "Kept")
		ada, twin := contactCalled(t, p, "Ada"), contactCalled(t, p, "Twin")
		modelstest.Must(people.In(d).SetFile(ctx, ada.ID, both, named("ada.pdf")))(t)
		modelstest.Must(people.In(d).SetFile(ctx, ada.ID, kept, named("same.pdf")))(t)
		modelstest.Must(people.In(d).SetFile(ctx, twin.ID, both, named("twin.pdf")))(t)
		modelstest.Must(people.In(d).SetFile(ctx, twin.ID, one, named("one.pdf")))(t)
		modelstest.Must(people.In(d).SetFile(ctx, twin.ID, kept, named("same.pdf")))(t)
		modelstest.Merged(t, f, ada.ID, twin.ID, both)
		now := modelstest.Must(d.Person(ctx, ada.ID))(t)
		names := store.Map([]string{both, one, kept}, func(key string) string { return now.Files[now.Own[key]].Name })
		modelstest.WantAll(t, "the files", names, []string{"twin.pdf", "one.pdf", "same.pdf"})
		modelstest.WantSound(t, f)
		modelstest.Want(t, "files stay for a month, so that the merge can be taken apart",
			sweptLater(t, f, 20*24*time.Hour), 5)
		var out bytes.Buffer
		modelstest.Must(people.In(d).ExportPerson(ctx, ada.ID, &out))(t)
		archive := modelstest.Unzip(t, out.Bytes())
		modelstest.Holds(t, len(archive) == 4 && strings.Contains(archive["person.json"], `"One": "one.pdf"`),
			"exported %v", archive)
		for name, content := range archive {
			if name != "person.json" && !strings.HasSuffix(name, strings.TrimPrefix(content, "of ")) {
				t.Errorf("%s has %q", name, content)
			}
		}
		modelstest.Fine(t, people.In(d).Erase(ctx, ada.ID))
		if n := modelstest.RowsOf(t, f, "SELECT count(*) FROM files"); n != 0 || sweptLater(t, f, 25*time.Hour) != 0 {
			t.Errorf("%d files are left, the bytes %v", n, modelstest.KeysKept(t, f))
		}
		modelstest.WantSound(t, f)
	})
}
