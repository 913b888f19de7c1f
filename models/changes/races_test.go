package changes_test

import (
	"testing"
	"time"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestAnEditThatIsCommittedWhileSomebodyIsPutOnASessionIsTold has the edit look for the sessions of its contact before
// the contact is on one, and be committed after.
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

// TestCursorsAreRefusedOnceADumpIsBroughtBack has what a dump keeps in a table that was made anew.
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
