package store_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

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
				if got != want {
					t.Errorf("connection %d, quick %v: %s is %v, not %v", len(held), quick, pragma, got, want)
				}
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
