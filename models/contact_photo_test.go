package models_test

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func contactNamed(t *testing.T, p *models.Programme, name string) *models.Contact {
	t.Helper()
	return modelstest.Contact(t, p, name, name+"@example.org")
}

// keyIn returns the key in a photo's address.
func keyIn(c *models.Contact) string {
	return strings.TrimSuffix(filepath.Base(*c.PhotoURL), ".jpg")
}

func TestAPhotoIsKeptWithWhoBroughtItAndWhen(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada, other := contactNamed(t, p, "Ada"), contactNamed(t, f.Elsewhere(), "Other")
		modelstest.Emitted(t, f)
		c := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Name: `C:\Photos\Ada 1.png`,
			Content: modelstest.Picture(t, 2048, 512)}))(t)
		if c.PhotoURL == nil || *c.PhotoURL != modelstest.BaseURL+"/photos/"+keyIn(c)+".jpg" || !files.IsKey(keyIn(c)) {
			t.Fatalf("the address is %v", *c.PhotoURL)
		}
		if !c.UpdatedAt.After(ada.UpdatedAt.Time) {
			t.Error("the token did not grow")
		}
		photo := modelstest.Must(f.Photo(ctx, keyIn(c)))(t)
		if photo.Name != "Ada 1.png" || photo.MediaType != "image/jpeg" || *photo.Width != 1024 || *photo.Height != 256 ||
			photo.UploadedByName != modelstest.Tester.ActorName || !photo.CreatedAt.Equal(f.Now().Time) ||
			photo.OrganizationID != f.Event.OrganizationID {
			t.Errorf("%+v", photo)
		}
		there := modelstest.Must(f.OpenFile(ctx, photo))(t)
		defer there.Close()
		made := modelstest.Must(jpeg.DecodeConfig(there))(t)
		if made.Width != 1024 || made.Height != 256 {
			t.Errorf("the bytes are %+v", made)
		}
		modelstest.Want(t, "the contact has", modelstest.Must(p.Directory().Photo(ctx, ada.ID))(t).ID, photo.ID)
		lines := modelstest.Must(p.Activity(ctx, ada.ID))(t)
		if len(lines) != 2 || !strings.Contains(lines[0].After, *c.PhotoURL) || !strings.Contains(lines[0].Before, "null") {
			t.Errorf("the activity has %+v", lines[0])
		}

		// Another one takes its place, and then none.
		again := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID,
			models.Upload{Name: "b", Content: modelstest.Picture(t, 9, 9)}))(t)
		modelstest.Answers(f.Photo(ctx, keyIn(c)))(t, "the photo before", store.NotFound)
		modelstest.Must(f.Photo(ctx, keyIn(again)))(t)
		none := modelstest.Must(p.Directory().RemovePhoto(ctx, ada.ID))(t)
		if none.PhotoURL != nil || !none.UpdatedAt.After(again.UpdatedAt.Time) {
			t.Errorf("%+v", none)
		}
		modelstest.Want(t, "removing nothing is a change",
			modelstest.Must(p.Directory().RemovePhoto(ctx, ada.ID))(t).UpdatedAt, none.UpdatedAt)
		modelstest.Answers(p.Directory().Photo(ctx, ada.ID))(t, "no photo", store.NotFound)
		modelstest.Answers(f.Photo(ctx, keyIn(again)))(t, "a removed photo", store.NotFound)

		// Nobody of another event is reached.
		for _, id := range []string{other.ID, store.NewID(), "x"} {
			_, err := p.Directory().SetPhoto(ctx, id, models.Upload{Content: modelstest.Picture(t, 1, 1)})
			modelstest.WantKind(t, "setting "+id, err, store.NotFound)
			modelstest.Answers(p.Directory().RemovePhoto(ctx, id))(t, "removing "+id, store.NotFound)
			modelstest.Answers(p.Directory().Photo(ctx, id))(t, "reading "+id, store.NotFound)
		}
		modelstest.WantAll(t, "a photo emitted", modelstest.EmittedTypes(t, f), nil)
	})
}

func TestAFileThatIsNoPhotoIsRefusedInWords(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		ada := contactNamed(t, p, "Ada")
		_, err := p.Directory().SetPhoto(t.Context(), ada.ID, models.Upload{Content: []byte("GIF89a")})
		modelstest.WantKind(t, "a GIF", err, store.Invalid)
		if e := store.AsError(err); e == nil || len(e.Fields) != 1 || e.Fields[0].Field != "photo" ||
			!strings.Contains(e.Message, "JPEG, PNG or WebP") {
			t.Errorf("%v", err)
		}
		modelstest.WantAll(t, "it left", modelstest.KeysKept(t, f), nil)
	})
}

// failing is a file store that fails after it has stored a file.
type failing struct {
	files.Storage
	put func() error
}

func (p failing) Put(ctx context.Context, key string, content io.ReadSeeker) error {
	if err := p.Storage.Put(ctx, key, content); err != nil {
		return err
	}
	return p.put()
}

func TestWhatIsCutShortLosesNothingAndIsSwept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := contactNamed(t, p, "Ada")
		c := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)}))(t)

		// Killed between the bytes and the row, and before the bytes were whole.
		place := f.Options.Files
		for _, err := range []error{errors.New("killed"), context.Canceled} {
			f.Options.Files = failing{place, func() error { return err }}
			if _, got := p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8,
				8)}); !errors.Is(got, err) {
				t.Errorf("%v", got)
			}
		}
		f.Options.Files = place
		if keys := modelstest.KeysKept(t, f); len(keys) != 3 {
			t.Fatalf("%v", keys)
		}
		modelstest.Want(t, "the photo before is lost", modelstest.Must(p.Directory().Photo(ctx, ada.ID))(t).Key, keyIn(c))
		sweep := func() {
			t.Helper()
			for more := true; more; {
				more = modelstest.Must(f.SweepFiles(ctx, 1))(t)
			}
		}
		sweep()
		modelstest.Want(t, "an upload under way was swept", len(modelstest.KeysKept(t, f)), 3)
		f.Clock.Move(25 * time.Hour)
		sweep()
		if keys := modelstest.KeysKept(t, f); len(keys) != 1 || keys[0] != keyIn(c) {
			t.Errorf("%v are kept, not %s", keys, keyIn(c))
		}
		modelstest.Must(p.Directory().RemovePhoto(ctx, ada.ID))(t)
		sweep()
		modelstest.Want(t, "bytes that a copy of the database may name are gone at once", len(modelstest.KeysKept(t, f)), 1)
		f.Clock.Move(25 * time.Hour)
		sweep()
		modelstest.WantAll(t, "are kept for nobody", modelstest.KeysKept(t, f), nil)
	})
}

func TestAnUploadThatWasSweptMeanwhileIsNotKept(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := contactNamed(t, p, "Ada")
		f.Options.Files = failing{f.Options.Files, func() error {
			f.Clock.Move(25 * time.Hour)
			return modelstest.ErrorOf(f.SweepFiles(ctx, 10))
		}}
		_, err := p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)})
		modelstest.WantKind(t, "too late", err, store.Unavailable)
		modelstest.WantAll(t, "keys kept", modelstest.KeysKept(t, f), nil)
	})
}

func TestAPhotoThatNobodyHasAnyMoreStaysForAMonth(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p, db := t.Context(), f.Programme(), f.SQL
		ada, ben := contactNamed(t, p, "Ada"), contactNamed(t, p, "Ben")
		c := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)}))(t)
		key := keyIn(c)
		// As a merge does: the address moves to somebody else. Then to nobody, and back.
		move := func(from, to string) {
			modelstest.Exec(t, db, "UPDATE contacts SET photo_url = NULL, photo_key = '' WHERE id = '"+from+"'")
			modelstest.Exec(t, db, "UPDATE contacts SET photo_url = '"+*c.PhotoURL+"', photo_key = '"+key+"' WHERE id = '"+to+"'")
		}
		sweep := func() { t.Helper(); modelstest.Must(f.SweepFiles(ctx, 10))(t) }
		move(ada.ID, ben.ID)
		for range 3 {
			f.Clock.Move(20 * 24 * time.Hour)
			sweep()
		}
		if photo := modelstest.Must(f.Photo(ctx, key))(t); photo.UnusedSince != nil {
			t.Error("somebody has it")
		}
		move(ben.ID, "")
		sweep()
		modelstest.Answers(f.Photo(ctx, key))(t, "a photo that nobody has", store.NotFound)
		f.Clock.Move(20 * 24 * time.Hour)
		sweep()
		move("", ada.ID)
		sweep()
		if photo := modelstest.Must(f.Photo(ctx, key))(t); photo.UnusedSince != nil {
			t.Error("somebody has it again")
		}
		move(ada.ID, "")
		for range 2 {
			sweep()
			f.Clock.Move(31 * 24 * time.Hour)
		}
		sweep()
		f.Clock.Move(25 * time.Hour)
		sweep()
		modelstest.WantAll(t, "are kept for nobody", modelstest.KeysKept(t, f), nil)
	})
}

func TestAPhotoOfTwoStaysWhenOneGivesItUp(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := contactNamed(t, p, "Ada")
		c := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)}))(t)
		modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ben", PhotoURL: *c.PhotoURL}))(t)
		modelstest.Must(p.Directory().RemovePhoto(ctx, ada.ID))(t)
		modelstest.Must(f.Photo(ctx, keyIn(c)))(t)
	})
}

func TestPhotosFollowThePublicAddress(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		var ours []*models.Contact
		for i := range 3 {
			c := contactNamed(t, p, fmt.Sprint("P", i))
			ours = append(ours, modelstest.Must(p.Directory().SetPhoto(ctx, c.ID,
				models.Upload{Content: modelstest.Picture(t, 8, 8)}))(t))
		}
		foreign := "https://elsewhere.example/photos/" + files.NewKey() + ".jpg"
		theirs := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "F", PhotoURL: foreign}))(t)
		f.Options.BaseURL = "https://new.example"
		for more := true; more; {
			more = modelstest.Must(f.RenewPhotoURLs(ctx, 2))(t)
		}
		for _, c := range ours {
			var now models.Contact
			modelstest.Fine(t, f.Read(ctx).Where("id = ?", c.ID).Take(&now).Error)
			if *now.PhotoURL != "https://new.example/photos/"+keyIn(c)+".jpg" || !now.UpdatedAt.After(c.UpdatedAt.Time) {
				t.Errorf("%s, %s", *now.PhotoURL, now.UpdatedAt)
			}
		}
		var now models.Contact
		modelstest.Fine(t, f.Read(ctx).Where("id = ?", theirs.ID).Take(&now).Error)
		if *now.PhotoURL != foreign || now.UpdatedAt != theirs.UpdatedAt {
			t.Errorf("an address elsewhere became %s", *now.PhotoURL)
		}
	})
}

func TestAFileStoreThatCannotServeSaysSoAndNothingIsLost(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		ada := contactNamed(t, p, "Ada")
		c := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)}))(t)
		good := f.Options.Files
		blocked := filepath.Join(t.TempDir(), "a file")
		modelstest.Fine(t, os.WriteFile(blocked, nil, 0o600))
		for name, place := range map[string]files.Storage{
			"no directory": files.NewDisk(filepath.Join(blocked, "files")),
			"no room":      files.NewDisk("/dev/full"),
		} {
			f.Options.Files = place
			_, err := p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8, 8)})
			modelstest.WantKind(t, name, err, store.Unavailable)
			if e := store.AsError(err); e == nil || !strings.Contains(e.Message, "file store") {
				t.Errorf("%s: %v", name, err)
			}
		}
		f.Options.Files = good
		modelstest.Want(t, "the photo before is lost", modelstest.Must(p.Directory().Photo(ctx, ada.ID))(t).Key, keyIn(c))
	})
}
