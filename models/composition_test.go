package models_test

import (
	"cmp"
	"context"
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

// factsOf returns the changes in a line of activity by field, with names in place of the ids that have one.
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

// lastChanges returns the changes of a record's latest line of activity with this action.
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
		modelstest.Update(t, f.Programme(), first.ID, models.SessionInput{TrackID: store.Some(track.ID)})
		same, bare := create("Second", true, red, li), create("Third", true, blue, ada)
		modelstest.Emitted(t, f)
		f.Clock.Move(time.Minute)

		target := modelstest.Must(f.Programme().Compose(ctx, []string{first.ID}, into.ID))(t)
		wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
		read := modelstest.Must(f.Programme().Session(ctx, into.ID))(t)
		modelstest.Holds(t, fmt.Sprintf("%+v", target.CompositionStatus) == fmt.Sprintf("%+v", read.CompositionStatus) &&
			target.UpdatedAt == read.UpdatedAt, "answered %+v, read %+v", target, read)
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
		wantEmitted(t, f)
		for _, before := range []*models.Session{target, same, bare} {
			now := modelstest.Must(f.Programme().Session(ctx, before.ID))(t)
			modelstest.Holds(t, now.UpdatedAt == before.UpdatedAt && !now.CompositionStatus.IsLinked,
				"%s has another token or is linked: %+v", before.Title, now)
		}
		modelstest.Want(t, "source count",
			modelstest.Must(f.Programme().Session(ctx, into.ID))(t).CompositionStatus.SourceCount, 3)
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
			modelstest.Holds(t, len(s.Tags) == 2 && s.Tags[0].ID == blue && s.Tags[1].ID == red, "into %q came %v", into, s.Tags)
		}
	})
}

func TestANewCompositionIsCreatedAsItIsRead(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		target := modelstest.Full(t, f, 1)[0]
		emitted := modelstest.Emitted(t, f)
		last := emitted[len(emitted)-1]
		read := modelstest.Must(json.Marshal(modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t)))(t)
		modelstest.Holds(t, last.Type == outbox.SessionCreated && last.Data == string(read),
			"%s of\n%s, read as\n%s", last.Type, last.Data, read)
		modelstest.Holds(t, target.CompositionStatus.Role == "target" && target.CompositionStatus.IsLinked &&
			target.CompositionStatus.SourceCount == 1, "%+v", target.CompositionStatus)
		before := modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t)
		f.Clock.Move(time.Minute)
		modelstest.Must(f.Programme().Detach(t.Context(), target.ID))(t)
		now := modelstest.Must(f.Programme().Session(t.Context(), target.ID))(t)
		modelstest.Holds(t, now.UpdatedAt == before.UpdatedAt && len(modelstest.Emitted(t, f)) == 0,
			"detaching moves the token or emits")
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

func TestASharedTextIsEditedFromEitherSide(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		a := titled(t, f, "One")[0]
		s := modelstest.Must(p.Compose(ctx, []string{a.ID}, ""))(t)
		modelstest.Emitted(t, f)
		edit := func(id, title string, own, other *store.Time) error {
			f.Clock.Move(time.Minute)
			_, err := p.ChangeText(ctx, id, models.TextChange{Title: &title, UpdatedAt: own, OtherUpdatedAt: other})
			return err
		}
		for i, sides := range [][2]*models.Session{{s, a}, {a, s}} {
			own, other := now(t, f, sides[0]), now(t, f, sides[1])
			title := fmt.Sprint("Title ", i)
			modelstest.Fine(t, edit(own.ID, title, &own.UpdatedAt, &other.UpdatedAt))
			wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
			modelstest.Holds(t, now(t, f, s).Title == title && now(t, f, a).Title == title, "it has two titles")
			modelstest.Fine(t, edit(own.ID, title, &now(t, f, own).UpdatedAt, &now(t, f, other).UpdatedAt))
			wantEmitted(t, f) // which changed nothing

			// Either token may be the one that is outdated, by whatever was changed.
			own, other = now(t, f, sides[0]), now(t, f, sides[1])
			for _, moved := range []*models.Session{own, other} {
				modelstest.Update(t, p, moved.ID, models.SessionInput{Capacity: store.Some(10 + i)})
				modelstest.Emitted(t, f)
				modelstest.WantKind(t, "a stale "+moved.FriendlyID, edit(own.ID, "Lost", &own.UpdatedAt, &other.UpdatedAt),
					store.Stale)
				own, other = now(t, f, sides[0]), now(t, f, sides[1])
			}
			modelstest.WantKind(t, "who did not know of the other", edit(own.ID, "Lost", &own.UpdatedAt, nil), store.Stale)
			wantEmitted(t, f)
		}
		own, other := now(t, f, a), now(t, f, s)
		modelstest.Must(p.Detach(ctx, s.ID))(t)
		modelstest.WantKind(t, "detached since", edit(a.ID, "Lost", &own.UpdatedAt, &other.UpdatedAt), store.Stale)
		modelstest.Fine(t, edit(a.ID, "Its own", &own.UpdatedAt, nil))
		wantEmitted(t, f, "session.updated A-1")
		modelstest.WantKind(t, "no title", edit(a.ID, " ", nil, nil), store.Invalid)
		_, err := f.Elsewhere().ChangeText(ctx, s.ID, models.TextChange{Title: new("Theirs")})
		modelstest.WantKind(t, "of another event", err, store.NotFound)
		modelstest.Want(t, "the session's title changed", now(t, f, s).Title, other.Title)
	})
}

func TestATextSharedWithWhatIsInTheTrash(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		of := titled(t, f, "One", "Two")
		s := modelstest.Must(p.Compose(ctx, []string{of[0].ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, of[0].ID))(t)
		other := modelstest.Must(p.Counterpart(ctx, now(t, f, s)))(t)
		if other == nil || other.ID != of[0].ID {
			t.Fatalf("%+v", other)
		}
		modelstest.Must(p.ChangeText(ctx, s.ID, models.TextChange{Description: new("<p>Other</p>"), UpdatedAt: &s.UpdatedAt,
			OtherUpdatedAt: &other.UpdatedAt}))(t)
		modelstest.Want(t, "a restore would find two texts", now(t, f, of[0]).Description, "<p>Other</p>")
		gone := modelstest.Must(p.Compose(ctx, []string{of[1].ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		_, err := p.ChangeText(ctx, of[1].ID, models.TextChange{Title: new("Lost")})
		modelstest.WantKind(t, "the text of a session in the Trash", err, store.NotFound)
		if other := modelstest.Must(p.Counterpart(ctx, now(t, f, of[1])))(t); other == nil || other.ID != gone.ID {
			t.Errorf("%+v", other)
		}
	})
}

func TestOfManyWhoEditASharedTextAtOnceOneDoes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		a := titled(t, f, "One")[0]
		s := modelstest.Must(f.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		sides := [][2]*models.Session{{s, now(t, f, a)}, {now(t, f, a), s}}
		modelstest.Emitted(t, f)
		modelstest.OneSucceeds(t, 8, store.Stale, func(i int) error {
			own, other := sides[i%2][0], sides[i%2][1]
			return modelstest.ErrorOf(f.Programme().ChangeText(context.Background(), own.ID, models.TextChange{
				Title: new(fmt.Sprint("By ", i)), UpdatedAt: &own.UpdatedAt, OtherUpdatedAt: &other.UpdatedAt}))
		})
		modelstest.Want(t, "the session's title", now(t, f, s).Title, now(t, f, a).Title)
		wantEmitted(t, f, "session.updated S-1", "session.updated A-1")
	})
}

func TestABatchMakesASessionOfEachAcceptedAbstractThatIsInNone(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		accepted := func(title string) *models.Session {
			return modelstest.Abstract(t, p, title, models.Accepted)
		}
		var ready []*models.Session
		for i := range 4 {
			ready = append(ready, accepted(fmt.Sprint("Ready ", i)))
		}
		li := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Li"}))(t)
		f.Join(t, f.Event, ready[0].ID, li.ID, models.Speaking)
		f.Join(t, f.Event, ready[1].ID, li.ID, models.Speaking)
		f.SetLetter(t, f.Event, ready[0].ID, models.LetterSent)
		composed, gone, pending := accepted("Composed"), accepted("Gone"), titled(t, f, "Pending")[0]
		modelstest.Must(p.Compose(ctx, []string{composed.ID}, ""))(t)
		modelstest.Must(p.DeleteSession(ctx, gone.ID))(t)
		modelstest.Abstract(t, f.Elsewhere(), "Theirs", models.Accepted)

		all := &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true)}}
		plan := modelstest.Must(p.PlanCompose(ctx, nil, all))(t)
		modelstest.Want(t, "plan", *plan, models.ComposePlan{Sessions: 4, Composed: 1, Undecided: 1, People: 1, Untold: 3})
		some := modelstest.Must(p.PlanCompose(ctx, []string{ready[2].ID, pending.ID}, nil))(t)
		modelstest.Want(t, "the plan", *some, models.ComposePlan{Sessions: 1, Undecided: 1, Untold: 1})

		need := &models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true), Needs: models.NeedsSession}}
		first := modelstest.Must(p.StartBatch(ctx, nil, need, models.BatchChange{Operation: models.BatchCompose}))(t)
		second := modelstest.Must(p.StartBatch(ctx, nil, need, models.BatchChange{Operation: models.BatchCompose}))(t)
		status := models.Withdrawn // by its speakers, after the preview
		withdrawn := models.SessionChange{SessionInput: models.SessionInput{Status: &status}}
		modelstest.Must(p.UpdateSession(ctx, ready[3].ID, withdrawn))(t)
		modelstest.Emitted(t, f)
		b, again := modelstest.Finish(t, f, first.ID), modelstest.Finish(t, f, second.ID)
		modelstest.Holds(t, b.Succeeded == 3 && b.Failed == 1 && b.CanUndo() && !again.CanUndo() && again.Succeeded == 0 &&
			again.Failed == 4, "%+v, %+v", b, again)
		if got := b.Failures[0].Message; !strings.Contains(got, "is not accepted") {
			t.Error(got)
		}
		if got := again.Failures[0].Message; !strings.Contains(got, "is in a session already") {
			t.Error(got)
		}
		emitted := modelstest.Emitted(t, f)
		for _, e := range emitted {
			modelstest.Want(t, "emitted", e.Type, outbox.SessionCreated)
		}
		modelstest.Want(t, "emissions", len(emitted), 3)
		for _, s := range ready[:3] {
			if status := now(t, f, s).CompositionStatus; status.Role != "source" || !status.IsLinked {
				t.Errorf("%+v", status)
			}
		}
		if plan := modelstest.Must(p.PlanCompose(ctx, nil, all))(t); plan.Sessions != 0 || plan.Composed != 4 {
			t.Errorf("%+v", *plan)
		}
	})
}

func TestABatchOfCompositionsIsTakenBack(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		var all []*models.Session
		for _, title := range []string{"As it was", "Told anew", "With another", "The other", "In the Trash"} {
			all = append(all, modelstest.Abstract(t, p, title, models.Accepted))
		}
		ids := []string{all[0].ID, all[1].ID, all[2].ID, all[4].ID}
		b := modelstest.Must(p.StartBatch(ctx, ids, nil, models.BatchChange{Operation: models.BatchCompose}))(t)
		modelstest.Finish(t, f, b.ID)
		into := func(s *models.Session) string { return now(t, f, s).CompositionStatus.Target.ID }
		modelstest.Must(p.ChangeText(ctx, into(all[1]), models.TextChange{Title: new("Told another way")}))(t)
		modelstest.Must(p.Compose(ctx, []string{all[3].ID}, into(all[2])))(t)
		modelstest.Must(p.DeleteSession(ctx, into(all[4])))(t)
		made := into(all[0])
		modelstest.Emitted(t, f)

		undo := modelstest.Finish(t, f, modelstest.Must(p.UndoBatch(ctx, b.ID))(t).ID)
		modelstest.Holds(t, undo.Succeeded == 1 && undo.Failed == 3 && !undo.CanUndo(), "%+v", undo)
		for _, x := range undo.Failures {
			modelstest.Want(t, x.Title, x.Message, "session was changed since, so nothing is undone here")
		}
		modelstest.Want(t, "role", now(t, f, all[0]).CompositionStatus.Role, "standalone")
		if s := modelstest.Must(p.Session(ctx, made))(t); s.DeletedAt == nil {
			t.Error("what was made of it is not in the Trash")
		}
		for _, s := range all[1:4] {
			modelstest.Want(t, s.Title+" was taken out", now(t, f, s).CompositionStatus.Role, "source")
		}
		if emitted := modelstest.Emitted(t, f); len(emitted) != 1 || emitted[0].Type != outbox.SessionDeleted || emitted[0].ResourceID != made {
			t.Errorf("%+v", emitted)
		}
		modelstest.Answers(p.UndoBatch(ctx, b.ID))(t, "undone before", store.Invalid)
		modelstest.Answers(p.UndoBatch(ctx, undo.ID))(t, "the undoing", store.Invalid)
		// What was taken out may be composed anew.
		modelstest.Must(p.Compose(ctx, []string{all[0].ID}, ""))(t)
	})
}
