package models_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/outbox"
	"lectern/models/store"
)

// factsOf are what a line of activity tells, by field; ids that have a name stand
// there by it.
func factsOf(t *testing.T, e *store.ActivityEntry) (said []string) {
	t.Helper()
	side := func(value any) string {
		text := string(modelstest.Must(json.Marshal(value))(t))
		for id, name := range e.Names {
			text = strings.ReplaceAll(text, `"`+id+`"`, cmp.Or(name, "?"))
		}
		return text
	}
	for _, field := range slices.Sorted(maps.Keys(e.After)) {
		said = append(said, field+": "+side(e.Before[field])+" → "+side(e.After[field]))
	}
	return said
}

// lastChanges are the latest change of a record in the activity.
func lastChanges(t *testing.T, f *modelstest.Fixture, id, action string) []string {
	t.Helper()
	entries, _, err := desk.Of(f.Programme()).ActivityLog(t.Context(), desk.ActivityFilter{SubjectID: id}, store.Page{})
	modelstest.Fine(t, err)
	for _, e := range entries {
		if e.Action == action {
			return factsOf(t, e)
		}
	}
	return nil
}

// wantUpdated checks that session.updated was emitted for these records alone,
// in this order, each as it is read.
func wantUpdated(t *testing.T, f *modelstest.Fixture, ids ...string) {
	t.Helper()
	var got []string
	for _, e := range modelstest.Emitted(t, f) {
		got = append(got, e.ResourceID)
		read := modelstest.Must(json.Marshal(modelstest.Must(f.Programme().Session(t.Context(), e.ResourceID))(t)))(t)
		if e.Type != outbox.SessionUpdated || e.Data != string(read) {
			t.Errorf("%s of\n%s, read as\n%s", e.Type, e.Data, read)
		}
	}
	modelstest.WantAll(t, "updated", got, ids)
}

func TestComposingIntoASessionTellsWhatItChanges(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		track, red, blue := modelstest.RowOf(t, p, models.Tracks, "Data"), modelstest.RowOf(t, p, models.Tags, "red"),
			modelstest.RowOf(t, p, models.Tags, "blue")
		ada := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Ada"}))(t)
		li := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
		create := func(title string, abstract bool, tag *models.Metadata, person *models.Contact) *models.Session {
			s := modelstest.Must(f.Programme().CreateSession(ctx, models.NewSession{Title: title, IsAbstract: abstract,
				SessionInput: models.SessionInput{TagIDs: &[]string{tag.ID}, Description: new("<p>" + title + "</p>")}}))(t)
			return modelstest.Must(p.SetParticipants(ctx, s.ID, []models.Participation{{ContactID: person.ID}}))(t)
		}
		into, first := create("Session", false, blue, ada), create("First", true, red, li)
		modelstest.Must(f.Programme().UpdateSession(ctx, first.ID,
			models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
		same, bare := create("Second", true, red, li), create("Third", true, blue, ada)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)

		target := modelstest.Must(f.Programme().Compose(ctx, []string{first.ID}, into.ID))(t)
		wantUpdated(t, f, into.ID, first.ID)
		if read := modelstest.Must(f.Programme().Session(ctx, into.ID))(t); fmt.Sprintf("%+v",
			target.CompositionStatus) != fmt.Sprintf("%+v", read.CompositionStatus) || target.UpdatedAt != read.UpdatedAt {
			t.Errorf("answered %+v, read %+v", target, read)
		}
		modelstest.WantAll(t, "the session's line says", lastChanges(t, f, into.ID, "updated"),
			[]string{`participants: [{"id":Ada,"role":"speaker"}] → [{"id":Ada,"role":"speaker"},{"id":Li,"role":"speaker"}]`,
				"track_id: null → Data"})
		modelstest.WantAll(t, "the abstract's line says", lastChanges(t, f, first.ID, "updated"),
			[]string{`description: "\u003cp\u003eFirst\u003c/p\u003e" → "\u003cp\u003eSession\u003c/p\u003e"`,
				`title: "First" → "Session"`})
		modelstest.WantAll(t, "the composition's line says",
			lastChanges(t, f, into.ID, "composed"), []string{"sources: null → [A-1 Session]"})

		// What adds nothing changes no row; the link that it ends changes no text.
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().Compose(ctx, []string{same.ID, bare.ID}, into.ID))(t)
		wantUpdated(t, f)
		for _, before := range []*models.Session{target, same, bare} {
			if now := modelstest.Must(f.Programme().Session(ctx, before.ID))(t); now.UpdatedAt != before.UpdatedAt ||
				now.CompositionStatus.IsLinked {
				t.Errorf("%s has another token or is linked: %+v", before.Title, now)
			}
		}
		if now := modelstest.Must(f.Programme().Session(ctx, into.ID))(t); now.CompositionStatus.SourceCount != 3 {
			t.Errorf("%+v", now.CompositionStatus)
		}
	})
}

func TestASessionWithoutTagsTakesThoseOfAllItIsComposedOf(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		blue, red := modelstest.RowOf(t, p, models.Tags, "blue").ID, modelstest.RowOf(t, p, models.Tags, "red").ID
		create := func(isAbstract bool, tags ...string) string {
			return modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Tides", IsAbstract: isAbstract,
				SessionInput: models.SessionInput{TagIDs: &tags}}))(t).ID
		}
		for _, into := range []string{"", create(false)} {
			s := modelstest.Must(p.Compose(t.Context(), []string{create(true, blue), create(true, red)}, into))(t)
			if len(s.Tags) != 2 || s.Tags[0].ID != blue || s.Tags[1].ID != red {
				t.Errorf("into %q came %v", into, s.Tags)
			}
		}
	})
}

func TestANewCompositionIsCreatedAsItIsRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		target := modelstest.Full(t, f, 1)[0]
		emitted := modelstest.Emitted(t, f)
		last := emitted[len(emitted)-1]
		read := modelstest.Must(json.Marshal(modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t)))(t)
		if last.Type != outbox.SessionCreated || last.Data != string(read) {
			t.Errorf("%s of\n%s, read as\n%s", last.Type, last.Data, read)
		}
		if target.CompositionStatus.Role != "target" || !target.CompositionStatus.IsLinked ||
			target.CompositionStatus.SourceCount != 1 {
			t.Errorf("%+v", target.CompositionStatus)
		}
		before := modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().Detach(t.Context(), target.ID))(t)
		if now := modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t); now.UpdatedAt != before.UpdatedAt ||
			len(modelstest.Emitted(t, f)) != 0 {
			t.Error("detaching moves the token or emits")
		}
	})
}

func TestAnAbstractIsNotUpdatedTogetherWithItsSession(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		p := f.Programme()
		var abstracts []string
		for _, title := range []string{"One", "Two"} {
			s := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: title, IsAbstract: true}))(t)
			abstracts = append(abstracts, s.ID)
		}
		composed := modelstest.Must(p.Compose(t.Context(), abstracts, ""))(t).ID
		update := func(id string) models.SessionUpdate {
			return models.SessionUpdate{ID: id, SessionChange: models.SessionChange{Title: new("Another")}}
		}
		for _, all := range [][]models.SessionUpdate{{update(composed), update(abstracts[0])}, {update(abstracts[1]), update(composed)}} {
			if _, err := p.UpdateSessions(t.Context(), all); !errors.Is(err, models.ErrApart) {
				t.Errorf("their emissions would be told with each other's old titles: %v", err)
			}
		}
		modelstest.Must(p.UpdateSessions(t.Context(), []models.SessionUpdate{update(abstracts[0]), update(abstracts[1])}))(t)
	})
}
