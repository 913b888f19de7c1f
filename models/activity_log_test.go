package models_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestActivityIsToldInWords(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		row := func(family models.Family, name string) string {
			return modelstest.Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t).ID
		}
		track, red, blue := row(models.Tracks, "Databases"), row(models.Tags, "red"), row(models.Tags, "blue")
		ada := modelstest.Must(p.CreateContact(t.Context(), models.NewContact{FirstName: "Ada", LastName: "Lovelace"}))(t)
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "T", IsAbstract: true}))(t)
		f.Clock.Move(time.Minute)
		start := models.At(time.Date(2027, 7, 1, 8, 0, 0, 0, time.UTC))
		modelstest.Must(f.Programme().UpdateSession(t.Context(), s.ID, models.SessionChange{Title: new("New"), SessionInput: models.SessionInput{
			Status: new(models.AcceptQueue), TrackID: models.Some(track), TagIDs: &[]string{red, blue}, StartsAt: models.Some(start),
			Description:  new("<p>Long</p>" + strings.Repeat("x", 400)),
			CustomFields: &models.AnswersInput{{Key: "Diet", Value: "none"}},
		}}))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().SetParticipants(t.Context(), s.ID, []models.Participation{{ContactID: ada.ID, Role: models.Moderator}}))(t)
		f.Clock.Move(time.Minute)
		target := modelstest.Must(f.Programme().Compose(t.Context(), []string{s.ID}, ""))(t)
		p = f.Programme()
		entries, pagination, err := p.ActivityLog(t.Context(), models.ActivityFilter{Subject: "session", SubjectID: s.ID}, models.Page{})
		if err != nil || len(entries) != 3 || pagination.TotalResults != 3 {
			t.Fatalf("%d entries, %+v, %v", len(entries), pagination, err)
		}
		for i, action := range []string{"updated", "updated", "created"} {
			e := entries[i]
			if e.Action != action || e.Actor != modelstest.Tester.ActorName || e.Door != "api" || e.Subject != "session" || e.SubjectID != s.ID || e.SubjectName != "A-1 New" {
				t.Errorf("entry %d: %+v", i, e)
			}
		}
		if !entries[0].At.After(entries[1].At.Time) {
			t.Error("the newest does not come first")
		}
		said := func(e *models.ActivityEntry) (out []string) {
			for _, c := range e.Changes {
				out = append(out, fmt.Sprintf("%s: %.40q → %.40q", c.Field, c.Before, c.After))
			}
			return out
		}
		for _, c := range []struct {
			entry *models.ActivityEntry
			want  []string
		}{
			{entries[0], []string{`Participants: "" → "Ada Lovelace (moderator)"`}},
			{entries[1], []string{
				`Title: "T" → "New"`, `Status: "pending" → "accept queue"`, `Track: "" → "Databases"`, `Start: "" → "1 Jul 2027, 10:00 CEST"`,
				`Tags: "" → "red, blue"`, `Description: "" → "Long ` + strings.Repeat("x", 35) + `"`, `Diet: "" → "none"`,
			}},
			{entries[2], []string{`Title: "" → "T"`, `Status: "" → "pending"`, `Public: "" → "No"`}},
		} {
			if got := said(c.entry); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		}
		entries, _, err = p.ActivityLog(t.Context(), models.ActivityFilter{SubjectID: target.ID}, models.Page{})
		if err != nil || len(entries) != 1 || said(entries[0])[0] != `Composed of: "" → "A-1 New"` {
			t.Errorf("%+v, %v", entries, err)
		}
		if _, pagination, err = p.ActivityLog(t.Context(), models.ActivityFilter{}, models.Page{Size: 2}); err != nil || pagination.TotalResults != 8 || pagination.TotalPages != 4 {
			t.Errorf("%+v, %v", pagination, err)
		}
	})
}

func TestActivityStaysInTheEventAndCostsAFixedNumberOfStatements(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		other := modelstest.Must(f.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Secret"}))(t)
		track := modelstest.Must(f.Elsewhere().CreateMetadata(t.Context(), models.Tracks, models.NewMetadata{Name: "Secret"}))(t)
		p := f.Programme()
		for _, id := range []string{other.ID, track.ID, models.NewID(), "x", "' OR 1=1 --"} {
			entries, pagination, err := p.ActivityLog(t.Context(), models.ActivityFilter{SubjectID: id}, models.Page{})
			if err != nil || len(entries) != 0 || pagination.TotalResults != 0 {
				t.Errorf("%q: %+v, %v", id, entries, err)
			}
		}
		if _, _, err := p.ActivityLog(t.Context(), models.ActivityFilter{}, models.Page{Size: 101}); models.KindOf(err) != models.Invalid {
			t.Error(err)
		}
		// An id of elsewhere in a line of ours is not named.
		s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: other.ID + " " + track.ID}))(t)
		modelstest.Must(p.UpdateSession(t.Context(), s.ID, models.SessionChange{Title: &other.ID}))(t)
		count := func() int {
			return len(f.Statement.During(func() {
				entries, _, err := f.Programme().ActivityLog(t.Context(), models.ActivityFilter{}, models.Page{Size: 100})
				if err != nil || len(entries) == 0 {
					t.Fatal(len(entries), err)
				}
				for _, e := range entries {
					if text := fmt.Sprintf("%+v", *e); strings.Contains(text, "Secret") {
						t.Errorf("the other event shows: %s", text)
					}
				}
			}))
		}
		few := count()
		full(t, f, 8)
		count() // reads the metadata anew
		if many := count(); many > few || many > 7 {
			t.Errorf("%d statements, then %d", few, many)
		}
	})
}

func TestDeletedRowsKeepTheirNamesInActivity(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		going := rowOf(t, f.Programme(), models.Tracks, "Going")
		theirs := rowOf(t, f.Elsewhere(), models.Tracks, "Theirs")
		s := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: "T", SessionInput: with(models.Tracks, going.ID)}))(t)
		fine(t, f.Programme().DeleteMetadata(ctx, models.Tracks, going.ID, nil))
		fine(t, f.Elsewhere().DeleteMetadata(ctx, models.Tracks, theirs.ID, nil))
		lines, _, err := f.Programme().ActivityLog(ctx, models.ActivityFilter{}, models.Page{})
		if err != nil || len(lines) != 4 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		for _, line := range lines {
			if line.Subject == "track" && (line.SubjectName != "Going" || !line.Gone) || line.Subject == "session" && line.Gone {
				t.Errorf("%+v", line)
			}
			for _, change := range line.Changes {
				if change.Field == "Track" && change.Before != "Going" && change.After != "Going" {
					t.Errorf("%s: %+v", s.ID, change)
				}
			}
		}
	})
}
