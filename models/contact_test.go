package models_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/people"
	"lectern/models/store"
)

func TestMomentsAreImportedInManyFormsAndRefusedInPlainWords(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) { // in Brussels
		read := map[string]string{
			"2027-05-20 14:20": "2027-05-20T12:20:00.000Z", "2027-05-20T14:20": "2027-05-20T12:20:00.000Z",
			"20.05.2027 14:20": "2027-05-20T12:20:00.000Z", "20.5.2027, 14.20 Uhr": "2027-05-20T12:20:00.000Z",
			"20/05/2027 2:20 pm": "2027-05-20T12:20:00.000Z", "05/20/2027 2 PM": "2027-05-20T12:00:00.000Z",
			"20 May 2027, 14:20": "2027-05-20T12:20:00.000Z", "Thu, May 20, 2027 at 14:20": "2027-05-20T12:20:00.000Z",
			"Thursday 20 May 2027 14h20": "2027-05-20T12:20:00.000Z", "20. May 2027 um 12:00": "2027-05-20T10:00:00.000Z",
			"2027-12-20 14:20:30": "2027-12-20T13:20:30.000Z", "2027-05-20 14:20 +01:00": "2027-05-20T13:20:00.000Z",
			"2027-05-20T14:20:00Z": "2027-05-20T14:20:00.000Z", "2027年5月20日 14:20": "2027-05-20T12:20:00.000Z",
			"2027-10-31 02:30 +01:00": "2027-10-31T01:30:00.000Z", "2027-05-20 12:05 a.m.": "2027-05-19T22:05:00.000Z",
		}
		refused := map[string]string{
			"2027-05-20": "Needs a time of day as well", "20 May 2027": "Needs a time of day as well",
			"Monday": "Must be a date and a time, such as 2027-05-20 14:20", "14:20": "Must be a date and a time",
			"2027-02-30 14:20": "Must be a date, such as", "2027-05-20 25:00": "Must be a date and a time",
			"2027-05-20 14:20 pm": "Must be a date and a time", "05/06/2027 14:20": "Can be read in two ways",
			"2027-03-28 02:30": "Does not exist in Europe/Brussels, where the clocks go forward that day",
			"2027-10-31 02:30": "Comes twice that night in Europe/Brussels, because the clocks go back; " +
				"write 2027-10-31 02:30 +02:00 or 2027-10-31 02:30 +01:00",
		}
		p, file, at := f.Programme(), "First name,Email,Arrival\n", map[string]string{}
		for text := range read {
			at[text] = "p" + store.NewID() + "@example.org"
			file += "P," + at[text] + ",\"" + text + "\"\n"
		}
		for text := range refused {
			file += "P,r" + store.NewID() + "@example.org,\"" + text + "\"\n"
		}
		i := modelstest.UploadPeople(t, p, file)
		if !slices.Contains(i.Mapping, "arrival") {
			t.Fatalf("mapped %v", i.Mapping)
		}
		check := modelstest.Must(people.Of(p).CheckImport(t.Context(), i.ID))(t)
		modelstest.Want(t, "faults", len(check.Faults), len(refused))
		for _, fault := range check.Faults {
			if want := refused[fault.Text]; want == "" || !strings.HasPrefix(fault.Reason, want) {
				t.Errorf("%q: %s", fault.Text, fault.Reason)
			}
		}
		modelstest.ImportPeople(t, f, file, people.ImportFill)
		for text, want := range read {
			if x := modelstest.PersonBy(t, f, at[text]); x == nil || x.Here.Arrival == nil || x.Here.Arrival.String() != want {
				t.Errorf("%q is kept as %+v, want %s", text, x, want)
			}
		}
	})
}

func TestMomentsAreKeptInUTCToldAndEmptied(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Programme().Directory()
		ada := contactNamed(t, f.Programme(), "Ada")
		now := modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival", "2027-05-20T14:20:00+02:00")))(t)
		modelstest.Want(t, "kept as", now.Here.Arrival.String(), "2027-05-20T12:20:00.000Z")
		modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival", "2027-05-20T12:20:00Z")))(t) // as it is
		modelstest.WantAll(t, "emitted", modelstest.ContactEmissions(t, f), []outbox.EmissionType{outbox.ContactUpdated})
		line := modelstest.Must(f.Programme().Activity(ctx, ada.ID))(t)[0]
		is := store.ReadFacts(line.After)
		modelstest.Holds(t, len(is) == 1 && is["arrival"] == "2027-05-20T12:20:00.000Z", "recorded %v", is)
		for _, text := range []string{"Monday", "2027-05-20", "2027-05-20T14:20", "0900-01-01T00:00:00Z"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("departure", text)))(t, text, store.Invalid)
		}
		now = modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival", "")))(t)
		modelstest.Want(t, "the arrival left", now.Here.Arrival, nil)
	})
}

func TestAbsencesAreKeptInOneForm(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, d := t.Context(), f.Programme().Directory()
		ada := modelstest.Must(f.Programme().CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		for text, want := range map[string]string{
			"":           "",
			" ; \r\n":    "",
			"2027-05-21": "2027-05-21 00:00-24:00",
			"2027-05-21 12:00–15:00; 2027-05-20 18:00-24:00\r\n2027-05-21 12:00-15:00": "2027-05-20 18:00-24:00\n" +
				"2027-05-21 12:00-15:00",
		} {
			now := modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", text)))(t)
			modelstest.Want(t, text+" is kept as", now.Here.Away, want)
		}
		for _, text := range []string{"Friday", "2027-02-30", "2027-05-20 12:00", "2027-05-20 15:00-12:00",
			"2027-05-20 12:00-12:00", "2027-05-20 24:00-24:00", "2027-05-20 09:60-12:00", "2027-05-20 09:00-25:00",
			"2027-05-20 09:00-12:00 x", strings.Repeat("2027-05-20 09:00-12:0", 2), "<script>"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", text)))(t, text, store.Invalid)
		}
		var many strings.Builder
		for minute := range models.MaxAbsences + 1 {
			many.WriteString("2027-05-20 00:00-" + "0" + string(rune('0'+minute/60)) + ":" + string(rune('0'+minute%60/10)) +
				string(rune('0'+minute%10)) + "\n")
		}
		modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("away", strings.Replace(many.String(),
			"2027-05-20 00:00-00:00\n", "", 1)+"2027-05-20 00:00-23:59")))(t, "too many", store.Invalid)
	})
}

func TestDayPartsAreTheDay(t *testing.T) {
	t.Parallel()
	until := "00:00"
	for _, part := range models.DayParts {
		modelstest.Want(t, "a part follows from", part.From, until)
		until = part.Until
	}
	modelstest.Want(t, "the day ends at", until, "24:00")
}

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
		done := modelstest.Must(people.Of(p).MoveStatuses(ctx, moves, true))(t)
		modelstest.Holds(t, len(done) == 1 && done[0].ContactID == bob.ID, "moved %v", done)
		modelstest.Want(t, "found", len(modelstest.Must(p.FindContacts(ctx, "person", 5))(t)), 0)
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
		files := modelstest.Unzip(t, out.Bytes())
		modelstest.Holds(t, len(files) == 1 && strings.Contains(files["person.json"], address), "exported %v", files)
	})
}

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
		modelstest.Holds(t, c.UpdatedAt.After(ada.UpdatedAt.Time), "the token did not grow")
		photo := modelstest.Must(f.Photo(ctx, keyIn(c)))(t)
		if photo.Name != "Ada 1.png" || photo.MediaType != "image/jpeg" || *photo.Width != 1024 || *photo.Height != 256 ||
			photo.UploadedByName != modelstest.Tester.ActorName || !photo.CreatedAt.Equal(f.Now().Time) ||
			photo.OrganizationID != f.Event.OrganizationID {
			t.Errorf("%+v", photo)
		}
		there := modelstest.Must(f.OpenFile(ctx, photo))(t)
		defer there.Close()
		made := modelstest.Must(jpeg.DecodeConfig(there))(t)
		modelstest.Holds(t, made.Width == 1024 && made.Height == 256, "the bytes are %+v", made)
		modelstest.Want(t, "the contact has", modelstest.Must(p.Directory().Photo(ctx, ada.ID))(t).ID, photo.ID)
		lines := modelstest.Must(p.Activity(ctx, ada.ID))(t)
		modelstest.Holds(t, len(lines) == 2 && strings.Contains(lines[0].After, *c.PhotoURL) &&
			strings.Contains(lines[0].Before, "null"), "the activity has %+v", lines[0])

		// Another one takes its place, and then none.
		again := modelstest.Must(p.Directory().SetPhoto(ctx, ada.ID,
			models.Upload{Name: "b", Content: modelstest.Picture(t, 9, 9)}))(t)
		modelstest.Answers(f.Photo(ctx, keyIn(c)))(t, "the photo before", store.NotFound)
		modelstest.Must(f.Photo(ctx, keyIn(again)))(t)
		none := modelstest.Must(p.Directory().RemovePhoto(ctx, ada.ID))(t)
		modelstest.Holds(t, none.PhotoURL == nil && none.UpdatedAt.After(again.UpdatedAt.Time), "%+v", none)
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
		e := store.AsError(err)
		modelstest.Holds(t, e != nil && len(e.Fields) == 1 && e.Fields[0].Field == "photo" &&
			strings.Contains(e.Message, "JPEG, PNG or WebP"), "%v", err)
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
			_, got := p.Directory().SetPhoto(ctx, ada.ID, models.Upload{Content: modelstest.Picture(t, 8,
				8)})
			modelstest.Holds(t, errors.Is(got, err), "%v", got)
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
		modelstest.Want(t, "unused, though somebody has it,", modelstest.Must(f.Photo(ctx, key))(t).UnusedSince, nil)
		move(ben.ID, "")
		sweep()
		modelstest.Answers(f.Photo(ctx, key))(t, "a photo that nobody has", store.NotFound)
		f.Clock.Move(20 * 24 * time.Hour)
		sweep()
		move("", ada.ID)
		sweep()
		modelstest.Want(t, "unused, though somebody has it again,", modelstest.Must(f.Photo(ctx, key))(t).UnusedSince, nil)
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
			e := store.AsError(err)
			modelstest.Holds(t, e != nil && strings.Contains(e.Message, "file store"), "%s: %v", name, err)
		}
		f.Options.Files = good
		modelstest.Want(t, "the photo before is lost", modelstest.Must(p.Directory().Photo(ctx, ada.ID))(t).Key, keyIn(c))
	})
}
