package changes_test

import (
	"context"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/changes"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

// TestWhoFollowsTheChangesHasWhatTheAPIShows makes one change after the other, also such as no webhook reports, and
// compares the mirror after each.
func TestWhoFollowsTheChangesHasWhatTheAPIShows(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, p := t.Context(), f.Programme()
		mirror := &modelstest.Mirror{}
		followed := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			p = modelstest.Must(p.Anew(ctx))(t)
			modelstest.Fine(t, mirror.Follow(ctx, p))
			t.Log(what)
			mirror.WantWhole(t, p)
		}
		followed("nothing", nil)

		hall, annex := modelstest.RowOf(t, p, models.Rooms, "Hall"), modelstest.RowOf(t, p, models.Rooms, "Annex")
		tag := modelstest.RowOf(t, p, models.Tags, "hands-on")
		followed("rows of metadata", nil)
		ada := modelstest.Contact(t, p, "Ada", "ada@example.org")
		bob := modelstest.Contact(t, p, "Bob", "bob@example.org")
		cleo := modelstest.Contact(t, p, "Cleo", "cleo@example.org")
		abstract := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Abstract", IsAbstract: true,
			People: []models.Participation{{ContactID: ada.ID, Role: models.Speaking}}}))(t)
		session := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Session",
			SessionInput: models.SessionInput{RoomID: store.Some(hall.ID), TagIDs: &[]string{tag.ID}},
			People: []models.Participation{{ContactID: bob.ID, Role: models.Moderator},
				{ContactID: ada.ID, Role: models.Speaking}, {ContactID: cleo.ID, Role: models.Speaking}}}))(t)
		followed("people on sessions", nil)

		bare := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "Bare", IsAbstract: true}))(t)
		followed("a session with nobody", nil)
		_, err := p.UpdateSession(ctx, bare.ID, models.SessionChange{
			SessionInput: models.SessionInput{TagIDs: &[]string{tag.ID}}})
		followed("a tag set", err)

		_, err = metadata.Of(p).Update(ctx, models.Rooms, hall.ID, metadata.Change{Name: new("Great hall")})
		followed("a room renamed", err)
		_, err = metadata.Of(p).Update(ctx, models.Tags, tag.ID, metadata.Change{Name: new("workshop")})
		followed("a tag renamed", err)
		followed("rooms in another order", metadata.Of(p).Move(ctx, models.Rooms, annex.ID, 0))
		followed("a room deleted, its sessions in another", metadata.Of(p).Delete(ctx, models.Rooms, hall.ID, &annex.ID))
		followed("a tag deleted", metadata.Of(p).Delete(ctx, models.Tags, tag.ID, nil))
		at := store.At(time.Date(2027, 5, 20, 9, 0, 0, 0, time.UTC))
		pause := modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{
			Kind: models.Pause, Title: "Coffee", StartsAt: at,
			EndsAt: store.At(at.Add(time.Hour))}))(t)
		followed("a break", nil)
		_, err = agenda.Of(p).UpdateBreak(ctx, pause.ID, models.BreakChange{Title: new("Tea")})
		followed("a break renamed", err)
		followed("a break deleted", modelstest.ErrorOf(agenda.Of(p).DeleteBreak(ctx, pause.ID)))
		modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Tea", StartsAt: at,
			EndsAt: store.At(at.Add(time.Hour)), RoomID: &annex.ID}))(t)
		followed("a break in one room", nil)
		followed("the room deleted, and with it the break", metadata.Of(p).Delete(ctx, models.Rooms, annex.ID, nil))
		followed("the event renamed", modelstest.ErrorOf(p.UpdateEvent(ctx, models.EventChange{Name: new("Another")})))

		_, err = people.In(p.Directory()).Update(ctx, ada.ID, modelstest.Values("phone", "+32 2", "last_name", "Lovelace"))
		followed("a contact edited", err)
		modelstest.Must(f.Elsewhere().CreateSession(ctx, models.NewSession{Title: "Elsewhere",
			People: []models.Participation{{ContactID: bob.ID, Role: models.Speaking}}}))(t)
		_, err = people.In(f.Elsewhere().Directory()).Update(ctx, bob.ID, modelstest.Values("company_name", "Elsewhere"))
		followed("a contact edited at another event", err)
		target := modelstest.Must(p.Compose(ctx, []string{abstract.ID}, ""))(t)
		followed("composed", nil)
		_, err = p.UpdateSession(ctx, target.ID, models.SessionChange{Title: new("Anew")})
		followed("what it is composed into renamed", err)
		followed("deleted", modelstest.ErrorOf(p.DeleteSession(ctx, target.ID)))
		followed("restored", modelstest.ErrorOf(p.RestoreSession(ctx, target.ID)))
		modelstest.Merged(t, f, bob.ID, ada.ID)
		followed("two people merged", nil)
		followed("the last of somebody deleted", modelstest.ErrorOf(p.DeleteSession(ctx, session.ID)))
		on := func(id string) []models.Participation {
			return []models.Participation{{ContactID: id, Role: models.Chairperson}}
		}
		followed("somebody on another", modelstest.ErrorOf(p.SetParticipants(ctx, bare.ID, on(cleo.ID))))
		followed("nobody left", modelstest.ErrorOf(p.SetParticipants(ctx, bare.ID, nil)))

		guest := func(since string) string {
			return "UPDATE event_contacts SET guest_since = " + since + " WHERE event_id = '" + f.Event.ID + "'"
		}
		p = f.Store.Programme(p.Event(), modelstest.Tester) // as a key reaches it
		modelstest.Must(people.In(p.Directory()).Update(ctx, bob.ID, modelstest.Values("phone", "+32 2")))(t)
		followed("somebody with a phone", modelstest.ErrorOf(p.SetParticipants(ctx, bare.ID, on(bob.ID))))
		modelstest.Exec(t, f.SQL, guest("created_at"))
		followed("a guest, whose phone is nobody's business", nil)
		modelstest.Exec(t, f.SQL, guest("NULL"))
		followed("a guest no more", nil)
		other := modelstest.Must(f.CreateEvent(ctx, models.NewEvent{Name: "New", Slug: "new", Timezone: "UTC"}))(t)
		mirror, p = &modelstest.Mirror{}, f.Store.Programme(other, modelstest.Tester)
		followed("another event", nil)
	})
}

// TestACursorOfAnotherDatabaseIsRefused: its numbers would mean other changes here.
func TestACursorOfAnotherDatabaseIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, feed := context.Background(), changes.Of(f.Programme())
		page := modelstest.Must(feed.Since(ctx, changes.Cursor{}, changes.Kinds, 10))(t)
		for _, text := range []string{"x", "a.b..", page.Cursor.String() + ".", "0.1.session.x", "a.-1..", "a.1.cake.x"} {
			modelstest.Answers(changes.ParseCursor(text))(t, text, store.Invalid)
		}
		ahead, foreign := page.Cursor, page.Cursor
		ahead.Number++
		foreign.Series = "elsewhere"
		for _, cursor := range []changes.Cursor{ahead, foreign} {
			modelstest.Answers(feed.Since(ctx, cursor, changes.Kinds, 10))(t, cursor.String(), store.Gone)
		}
		_, err := changes.Of(f.Elsewhere()).Since(ctx, page.Cursor, changes.Kinds, 10)
		modelstest.WantKind(t, "of another event", err, store.Gone)
		before := page.Cursor // as it was given before cursors had their event
		before.Event = ""
		parsed := modelstest.Must(changes.ParseCursor(before.String()))(t)
		if old := modelstest.Must(feed.Since(ctx, parsed, changes.Kinds, 10))(t); len(old.Changes) != 0 || parsed != before {
			t.Errorf("behind a cursor without an event %d changes are told", len(old.Changes))
		}
		if again := modelstest.Must(feed.Since(ctx, page.Cursor, changes.Kinds, 10))(t); len(again.Changes) != 0 ||
			again.Cursor != page.Cursor {
			t.Errorf("nothing changed, and %d changes are told, %s behind %s", len(again.Changes), again.Cursor, page.Cursor)
		}
		if f.Store.Embedded() {
			modelstest.Fine(t, changes.Restored(ctx, f.Store))
			modelstest.Answers(feed.Since(ctx, page.Cursor, changes.Kinds, 10))(t, "behind a restore", store.Gone)
		}
	})
}

// TestAnEditThatIsCommittedWhileSomebodyIsPutOnASessionIsTold has an edit look for the sessions of its contact before
// the contact is on one, and commits the edit afterwards.
func TestAnEditThatIsCommittedWhileSomebodyIsPutOnASessionIsTold(t *testing.T) {
	f := modelstest.Open(t, "postgres") // SQLite has one writer
	ctx, p := t.Context(), f.Programme()
	cleo := modelstest.Must(p.CreateContact(ctx, models.NewContact{FirstName: "Cleo"}))(t)
	session := modelstest.Must(p.CreateSession(ctx, models.NewSession{Title: "One"}))(t)
	mirror := &modelstest.Mirror{}
	modelstest.Fine(t, mirror.Follow(ctx, p))

	tx := modelstest.Must(f.SQL.BeginTx(ctx, nil))(t)
	defer tx.Rollback()
	for _, statement := range []string{"UPDATE contacts SET company_name = 'Late' WHERE id = '" + cleo.ID + "'",
		"SET CONSTRAINTS ALL IMMEDIATE"} {
		modelstest.Must(tx.ExecContext(ctx, statement))(t)
	}
	seated := make(chan error, 1)
	go func() {
		_, err := p.SetParticipants(ctx, session.ID, []models.Participation{{ContactID: cleo.ID, Role: models.Speaking}})
		seated <- err
	}()
	isEarly := false
	select {
	case err := <-seated:
		modelstest.Fine(t, err)
		isEarly = true
	case <-time.After(200 * time.Millisecond): // it waits for the number that the edit has taken
	}
	modelstest.Fine(t, mirror.Follow(ctx, p))
	modelstest.Fine(t, tx.Commit())
	if !isEarly {
		modelstest.Fine(t, <-seated)
	}
	modelstest.Fine(t, mirror.Follow(ctx, p))
	mirror.WantWhole(t, p)
}

// TestCursorsAreRefusedOnceADumpIsBroughtBack restores the rows of a dump into a table that was made anew.
func TestCursorsAreRefusedOnceADumpIsBroughtBack(t *testing.T) {
	f := modelstest.Open(t, "postgres")
	ctx, feed := t.Context(), changes.Of(f.Programme())
	cursor := modelstest.Must(feed.Now(ctx))(t)
	for _, statement := range []string{"CREATE TABLE dumped AS SELECT * FROM change_numbers", "DROP TABLE change_numbers",
		"ALTER TABLE dumped RENAME TO change_numbers"} {
		modelstest.Exec(t, f.SQL, statement)
	}
	modelstest.Answers(feed.Since(ctx, cursor, changes.Kinds, 10))(t, "a cursor of before", store.Gone)
}
