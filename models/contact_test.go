package models_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/field"
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
		if is := store.ReadFacts(line.After); len(is) != 1 || is["arrival"] != "2027-05-20T12:20:00.000Z" {
			t.Errorf("recorded %v", is)
		}
		for _, text := range []string{"Monday", "2027-05-20", "2027-05-20T14:20", "0900-01-01T00:00:00Z"} {
			modelstest.Answers(people.In(d).Update(ctx, ada.ID, modelstest.Values("departure", text)))(t, text, store.Invalid)
		}
		if now = modelstest.Must(people.In(d).Update(ctx, ada.ID, modelstest.Values("arrival",
			"")))(t); now.Here.Arrival != nil {
			t.Errorf("left %s", now.Here.Arrival)
		}
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
		if part.From != until {
			t.Errorf("%s follows %s", part.From, until)
		}
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
