package modelstest

import (
	"fmt"
	"testing"
	"time"
)

// Patience is how long a test waits for something, because a busy machine takes its time.
const Patience = 2 * time.Minute

// Comes waits until holds returns true, and tells whether it did within Patience.
func Comes(holds func() bool) bool {
	for end := time.Now().Add(Patience); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// Await waits until holds returns true; what says what holds then.
func Await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	if !Comes(holds) {
		t.Fatalf("waited in vain until %s", what)
	}
}

// Waits returns once many statements wait for locks of other transactions. With SQLite it returns at once, because
// waiting happens before a transaction begins.
func Waits(t *testing.T, f *Fixture, many int) {
	t.Helper()
	Await(t, fmt.Sprint(many, " wait"), func() bool {
		return f.Embedded() || RowsOf(t, f, "SELECT count(*) FROM pg_stat_activity "+
			"WHERE datname = current_database() AND wait_event_type = 'Lock'") >= many
	})
}

// Rests returns once no transaction is open: PostgreSQL ends an interrupted one a moment after its caller has gone on,
// and until then others skip what it has locked.
func Rests(t *testing.T, f *Fixture) {
	t.Helper()
	Await(t, "no transaction is open", func() bool {
		return f.Embedded() || RowsOf(t, f, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "+
			"AND xact_start IS NOT NULL AND pid <> pg_backend_pid() AND backend_type = 'client backend'") == 0
	})
}
