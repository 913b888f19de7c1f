package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestALostAnswerToACommitIsNoRefusal loses the server's answer to a commit.
func TestALostAnswerToACommitIsNoRefusal(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	wire := modelstest.NewWire(t, f)
	wire.Cut = func(_ net.Conn, said []byte, _ bool) bool { return bytes.Contains(said, modelstest.Committed) }
	deaf := modelstest.Must(models.Open(t.Context(), wire.Address, store.Options{Now: f.Clock.Now}))(t)
	defer deaf.Close()
	for _, later := range []bool{true, false} {
		called, committed := "waited for", false
		if later {
			called = "with the commit"
		}
		err := deaf.Write(t.Context(), func(tx *store.Tx) error {
			tx.AfterCommit(func() { committed = true })
			if later {
				return rename(tx, f, &called)
			}
			return tx.Exec("UPDATE events SET name = ? WHERE id = ?", called, f.Event.ID).Error
		})
		if store.KindOf(err) != store.Unknown || committed {
			t.Errorf("%s: %v (kind %d), told as committed: %t", called, err, store.KindOf(err), committed)
		}
		if got := name(t, f); got != called {
			t.Errorf("%s: the event is called %q", called, got)
		}
	}
}

// atCommit has the server run a statement as it commits a change of an event.
func atCommit(t *testing.T, f *modelstest.Fixture, statement string) {
	t.Helper()
	modelstest.Exec(t, f.SQL, "DROP TRIGGER IF EXISTS at_commit ON events")
	modelstest.Exec(t, f.SQL, "CREATE OR REPLACE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "+
		statement+"; RETURN NULL; END $$")
	modelstest.Exec(t, f.SQL, "CREATE CONSTRAINT TRIGGER at_commit AFTER UPDATE ON events "+
		"DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()")
}

// TestACommitIsRefusedOnlyWhereItWasNotMade has the caller leave, the server end and a rule refuse in the midst of a
// commit that waits for a lock.
func TestACommitIsRefusedOnlyWhereItWasNotMade(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "postgres")
	for _, c := range []struct {
		what, statement string
		goes, lets      bool // whether the caller goes meanwhile, and whether it can be committed then
		kind            store.Kind
		fault           bool
	}{
		{"who goes a moment too early", "NULL", true, true, 0, false},
		{"who goes long before", "NULL", true, false, store.Unknown, true},
		{"a server that ends", "PERFORM pg_terminate_backend(pg_backend_pid())", false, true, store.Unknown, true},
		{"a full disk", "RAISE EXCEPTION USING ERRCODE = '53100'", false, true, store.Unavailable, true},
		{"a rule", "RAISE EXCEPTION USING ERRCODE = '23503'", false, true, store.Invalid, true},
		{"a fault", "RAISE EXCEPTION 'no'", false, true, 0, true},
	} {
		for _, later := range []bool{true, false} {
			atCommit(t, f, "PERFORM pg_advisory_xact_lock(7); "+c.statement)
			before, release := name(t, f), holdCommit(t, f)
			ctx, goes := context.WithCancel(t.Context())
			go func() {
				awaitCommit(f)
				if c.goes {
					goes()
				}
				if c.lets {
					release()
				}
			}()
			err := f.Write(ctx, func(tx *store.Tx) error {
				if later {
					return rename(tx, f, &c.what)
				}
				return tx.Exec("UPDATE events SET name = ? WHERE id = ?", c.what, f.Event.ID).Error
			})
			goes()
			release()
			if (err != nil) != c.fault || store.KindOf(err) != c.kind {
				t.Errorf("%s, later %t: %v (kind %d)", c.what, later, err, store.KindOf(err))
			}
			if after := name(t, f); !c.fault && after != c.what || c.fault && !c.goes && after != before {
				t.Errorf("%s, later %t: the event is called %q", c.what, later, after)
			}
		}
	}
}

// holdCommit makes commits wait until release is called.
func holdCommit(t *testing.T, f *modelstest.Fixture) (release func()) {
	t.Helper()
	held := modelstest.Must(f.SQL.Conn(t.Context()))(t)
	_ = modelstest.Must(held.ExecContext(t.Context(), "SELECT pg_advisory_lock(7)"))(t)
	return sync.OnceFunc(func() {
		held.ExecContext(context.Background(), "SELECT pg_advisory_unlock(7)")
		held.Close()
	})
}

// awaitCommit returns once a commit waits.
func awaitCommit(f *modelstest.Fixture) {
	for waiting := 0; waiting == 0; time.Sleep(5 * time.Millisecond) {
		err := f.Store.SQL().QueryRow("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 " +
			"AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())").Scan(&waiting)
		if err != nil {
			return
		}
	}
}

// TestWhoGoesBeforeTheCommitIsRefused has the caller leave once all is written: no commit was sent, so it is a refusal.
func TestWhoGoesBeforeTheCommitIsRefused(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		before := name(t, f)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		err := f.Write(ctx, func(tx *store.Tx) error {
			err := tx.Exec("UPDATE events SET name = 'Leak' WHERE id = ?", f.Event.ID).Error
			cancel()
			return err
		})
		modelstest.WantKind(t, "who goes", err, store.Unavailable)
		modelstest.Want(t, "the event is called", name(t, f), before)
	})
}

func TestHooksRunOnceAndInTheirOrderAroundTheCommit(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx, organization := t.Context(), f.Organization(f.Event.OrganizationID, modelstest.Tester)
		events := func() int { return modelstest.RowsOf(t, f, "SELECT count(*) FROM events WHERE name = 'Hooked'") }
		var said []string
		say := func(what string) { said = append(said, what) }
		attempts := 0
		write := func(ctx context.Context, fault error) error {
			return organization.Write(ctx, func(tx *store.Tx) error {
				tx.AfterCommit(func() { say("after") })
				tx.BeforeCommit(func() error {
					say("before")
					return errors.Join(fault, tx.Exec("UPDATE events SET name = 'Hooked' WHERE id = ?", f.Event.ID).Error)
				})
				say("operation")
				if attempts++; attempts == 1 { // what PostgreSQL says when others were in the way
					return &pgconn.PgError{Code: "40001"}
				}
				return nil
			})
		}
		want := func(what string, wanted ...string) {
			t.Helper()
			modelstest.WantAll(t, what, said, wanted)
			said = nil
		}
		fault := errors.New("fault")
		if err := write(ctx, fault); !errors.Is(err, fault) || events() != 0 {
			t.Errorf("a fault before the commit: %v, %d changed", err, events())
		}
		want("a fault before the commit", "operation", "operation", "before")
		_, _, err := f.Once(ctx, models.OnceByForm("f", "r"), func(ctx context.Context) (string, error) {
			defer say("answer")
			return "", errors.Join(write(ctx, nil), write(ctx, nil))
		})
		modelstest.Fine(t, err)
		want("two joined", "operation", "operation", "answer", "before", "before", "after", "after")
		modelstest.Want(t, "changed", events(), 1)
	})
}

func TestEveryConnectionOfSQLiteWaitsForTheDisk(t *testing.T) {
	t.Parallel()
	for quick, want := range map[bool]int{false: 2, true: 1} {
		store := modelstest.Must(models.Open(t.Context(), "sqlite://"+filepath.Join(t.TempDir(), "lectern.db"),
			store.Options{QuickSQLite: quick}))(t)
		defer store.Close()
		pool := store.SQL()
		var held []*sql.Conn
		for range store.Stats().MaxOpenConnections {
			conn := modelstest.Must(pool.Conn(context.Background()))(t) // none comes back, so each is a new one
			held = append(held, conn)
			for pragma, want := range map[string]any{"synchronous": int64(want), "foreign_keys": int64(1),
				"busy_timeout": int64(5000), "journal_mode": "wal"} {
				var got any
				modelstest.Fine(t, conn.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
				modelstest.Want(t, fmt.Sprintf("connection %d, quick %v: %s is", len(held), quick, pragma), got, want)
			}
		}
		for _, conn := range held {
			modelstest.Fine(t, conn.Close())
		}
		if len(held) < 2 {
			t.Errorf("the pool has %d connections", len(held))
		}
	}
}

func TestACacheFindsTheLastStateAndForgetsWhenItIsFull(t *testing.T) {
	t.Parallel()
	ctx, cache, made := t.Context(), store.NewCache[string, int, string](2), 0
	get := func(key string, state int, wantMade bool) {
		t.Helper()
		before := made
		value, err := cache.Get(ctx, key, state, func() (string, error) { made++; return key, nil })
		if err != nil || value != key || (made > before) != wantMade {
			t.Errorf("%s of %d: %q, %v, made %t", key, state, value, err, made > before)
		}
	}
	get("a", 1, true)
	get("a", 1, false)
	get("b", 1, true)
	get("a", 2, true) // takes the place of the other state
	get("b", 1, false)
	get("a", 1, true)
	get("c", 1, true) // one too many
	get("a", 1, true)
	get("c", 1, false)
	boom := errors.New("boom")
	if _, err := cache.Get(ctx, "d", 1, func() (string, error) { return "", boom }); !errors.Is(err, boom) {
		t.Error(err)
	}
	get("d", 1, true)
}

func TestACacheNeitherTellsNorLearnsWithinATransaction(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		cache := store.NewCache[string, int, string](2)
		cache.Put(t.Context(), "k", 1, "outside")
		_, _, err := f.Once(t.Context(), models.OnceByForm("f", "r"), func(ctx context.Context) (string, error) {
			return cache.Get(ctx, "k", 1, func() (string, error) { return "inside", nil })
		})
		modelstest.Fine(t, err)
		kept := modelstest.Must(f.Answered(t.Context(), models.OnceByForm("f", "r")))(t)
		if value, _ := cache.Find(t.Context(), "k", 1); kept.Answer != "inside" || value != "outside" {
			t.Errorf("within %s, then %s", kept.Answer, value)
		}
	})
}
