package visit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestActivityIsToldInWords(t *testing.T) {
	modelstest.OnOne(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		row := func(family models.Family, name string) string {
			return modelstest.RowOf(t, p, family, name).ID
		}
		track, red, blue := row(models.Tracks, "Databases"), row(models.Tags, "red"), row(models.Tags, "blue")
		ada := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Lovelace"}))(t)
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T", IsAbstract: true}))(t)
		f.Clock.Move(time.Minute)
		start := store.At(time.Date(2027, 7, 1, 8, 0, 0, 0, time.UTC))
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID,
			models.SessionChange{Title: new("New"), SessionInput: models.SessionInput{
				Status: new(models.AcceptQueue), TrackID: store.Some(track), TagIDs: &[]string{red, blue},
				StartsAt:     store.Some(start),
				Description:  new("<p>Long</p>" + strings.Repeat("x", 400)),
				CustomFields: &models.AnswersInput{{Key: "Diet", Value: "none"}},
			}}))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().SetParticipants(t.Context(), s.ID,
			[]models.Participation{{ContactID: ada.ID, Role: models.Moderator}}))(t)
		f.Clock.Move(time.Minute)
		target := modelstest.Must(f.Programme().Compose(t.Context(), []string{s.ID}, ""))(t)
		p = f.Programme()
		entries, pagination, err := desk.Of(p).ActivityLog(t.Context(),
			desk.ActivityFilter{Subject: "session", SubjectID: s.ID}, store.Page{})
		if err != nil || len(entries) != 4 || pagination.TotalResults != 4 {
			t.Fatalf("%d entries, %+v, %v", len(entries), pagination, err)
		}
		said := func(e *store.ActivityEntry) (out []string) {
			for _, c := range ChangesOf(e, f.Event.Location(), nil) {
				out = append(out, fmt.Sprintf("%s: %.40q → %.40q", c.Field, c.Before, c.After))
			}
			return out
		}
		for _, c := range []struct {
			entry *store.ActivityEntry
			want  []string
		}{
			{entries[0], []string{`Session: "" → "S-1 New"`}},
			{entries[1], []string{`People: "" → "Ada Lovelace (moderator)"`}},
			{entries[2], []string{
				`Title: "T" → "New"`, `Status: "Pending" → "Accept queue"`, `Track: "" → "Databases"`,
				`Start: "" → "1 Jul 2027, 10:00 CEST"`,
				`Tags: "" → "red, blue"`, `Description: "" → "Long ` + strings.Repeat("x", 35) + `"`, `Diet: "" → "none"`,
			}},
			{entries[3], nil}, // what it was created with is the record
		} {
			modelstest.Want(t, "got", strings.Join(said(c.entry), "\n"), strings.Join(c.want, "\n"))
		}
		entries, _, err = desk.Of(p).ActivityLog(t.Context(), desk.ActivityFilter{SubjectID: target.ID}, store.Page{})
		if err != nil || len(entries) != 1 || said(entries[0])[0] != `Made from: "" → "A-1 New"` {
			t.Errorf("%+v, %v", entries, err)
		}
	})
}
