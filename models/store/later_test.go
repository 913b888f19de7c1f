package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// rename gives the fixture's event another name later.
func rename(tx *store.Tx, f *modelstest.Fixture, name *string) error {
	return tx.Later().Exec("UPDATE events SET name = ? WHERE id = ?", name, f.Event.ID).Error
}

func name(t *testing.T, f *modelstest.Fixture) (name string) {
	t.Helper()
	modelstest.Fine(t, f.SQL.QueryRow("SELECT name FROM events WHERE id = $1", f.Event.ID).Scan(&name))
	return name
}

func TestWhatIsMadeLaterIsMadeInItsOrder(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		var read []string
		modelstest.Fine(t, f.Write(t.Context(), func(tx *store.Tx) error {
			look := func() error {
				var now string
				err := tx.Raw("SELECT name FROM events WHERE id = ?", f.Event.ID).Scan(&now).Error
				read = append(read, now)
				return err
			}
			later := "first"
			err := rename(tx, f, &later)
			later = "what a pointer leads to afterwards"
			err = errors.Join(err, look(), rename(tx, f, new("second")))
			changed := tx.Exec("UPDATE events SET name = name || ' and third' WHERE id = ?", f.Event.ID)
			modelstest.Want(t, "rows changed", changed.RowsAffected, 1)
			err = errors.Join(err, changed.Error, look())
			for range 200 { // more than are kept
				err = errors.Join(err, tx.Later().Exec("UPDATE events SET name = name || '.' WHERE id = ?", f.Event.ID).Error)
			}
			tx.BeforeCommit(func() error { return rename(tx, f, new("last")) })
			return err
		}))
		modelstest.WantAll(t, "read", read, []string{"first", "second and third"})
		modelstest.Want(t, "the event in the end", name(t, f), "last")
	})
}

// TestWhatGoesWrongLaterTakesAllBack has statements fail that nobody waits for; the fault comes with the commit or with
// a later statement.
func TestWhatGoesWrongLaterTakesAllBack(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	before := name(t, f)
	for what, fault := range map[string]struct {
		statement string
		kind      store.Kind
	}{
		"an event that is gone":      {"INSERT INTO event_counters VALUES ('nobody', 0, 0, 0, 0, 0, 0)", store.Invalid},
		"a statement that is none":   {"UPDATE nothing SET name = ''", 0},
		"a connection that is ended": {"SELECT pg_terminate_backend(pg_backend_pid())", store.Unavailable},
		"a time that is over":        {"SELECT pg_sleep(20)", store.Unavailable},
	} {
		for _, read := range []bool{false, true} {
			ctx, cancel := context.WithCancel(t.Context())
			if what == "a time that is over" {
				go endsAtWork(f, cancel)
			}
			began, committed := time.Now(), false
			kind := fault.kind
			if what == "a time that is over" && !read {
				kind = store.Unknown // the commit was sent with it
			}
			err := f.Write(ctx, func(tx *store.Tx) error {
				tx.AfterCommit(func() { committed = true })
				modelstest.WantKind(t, what+" is known at once",
					errors.Join(rename(tx, f, new("Leak")), tx.Later().Exec(fault.statement).Error), 0)
				if read {
					var n int64
					return tx.Table("events").Count(&n).Error
				}
				return nil
			})
			cancel()
			if err == nil || store.KindOf(err) != kind || committed {
				t.Errorf("%s, read %t: %v (kind %d), committed %t", what, read, err, store.KindOf(err), committed)
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("%s: it took %s", what, took)
			}
			modelstest.Want(t, what+": the event is called", name(t, f), before)
			modelstest.Fine(t, f.Ready(t.Context())) // by the next connection, or the same
		}
	}
	err := f.Write(t.Context(), func(tx *store.Tx) error {
		return errors.Join(rename(tx, f, new("Leak")), errors.New("a fault of the operation"))
	})
	if after := name(t, f); err == nil || after != before {
		t.Errorf("a fault of the operation: %v, and the event is called %q", err, after)
	}
}

// endsAtWork cancels a caller while the database runs their statement.
func endsAtWork(f *modelstest.Fixture, end func()) {
	modelstest.Comes(func() bool {
		var n int
		err := f.SQL.QueryRow("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() " +
			"AND state = 'active' AND query LIKE 'SELECT pg_sleep%'").Scan(&n)
		return err != nil || n > 0
	})
	end()
}

// TestATransactionThatStoodInTheWayLaterIsTriedAgain has the database end the first attempt at its commit.
func TestATransactionThatStoodInTheWayLaterIsTriedAgain(t *testing.T) {
	t.Parallel()
	f, attempts := modelstest.Open(t, "postgres"), 0
	modelstest.Fine(t, f.Write(t.Context(), func(tx *store.Tx) error {
		if attempts++; attempts == 1 {
			return tx.Later().Exec("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40P01'; END $$").Error
		}
		return rename(tx, f, new("Again"))
	}))
	if got := name(t, f); attempts != 2 || got != "Again" {
		t.Errorf("%d attempts, and the event is called %q", attempts, got)
	}
}

// TestACommitThatIsRefusedTakesNothingForDone has a statement fail whose error nobody reads.
func TestACommitThatIsRefusedTakesNothingForDone(t *testing.T) {
	t.Parallel()
	f, committed := modelstest.Open(t, "postgres"), false
	before := name(t, f)
	err := f.Write(t.Context(), func(tx *store.Tx) error {
		tx.AfterCommit(func() { committed = true })
		_ = tx.Exec("UPDATE nothing SET name = ''")
		return rename(tx, f, new("Leak"))
	})
	if after := name(t, f); err == nil || committed || after != before {
		t.Errorf("%v, committed %t, and the event is called %q", err, committed, after)
	}
}

func TestARecordedChangeIsNotMadeWithoutItsLines(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	modelstest.Exec(t, f.SQL, "ALTER TABLE emissions ADD CHECK (data NOT LIKE '%Unlucky%')")
	p := f.Programme()
	kept := modelstest.Must(p.CreateSession(t.Context(), models.NewSession{Title: "Lucky"}))(t)
	_, err := p.UpdateSession(t.Context(), kept.ID, models.SessionChange{Title: new("Unlucky")})
	after := modelstest.Must(p.Session(t.Context(), kept.ID))(t)
	if err == nil || after.Title != "Lucky" || len(modelstest.Must(p.Activity(t.Context(), kept.ID))(t)) != 1 {
		t.Errorf("%v, and it is called %q", err, after.Title)
	}
}
