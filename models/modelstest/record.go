package modelstest

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"lectern/models/outbox"
)

// SQL is a second connection to the fixture's database, for a test that looks behind the store.
func (f *Fixture) SQL(t testing.TB) *sql.DB {
	t.Helper()
	driver, address := "pgx", f.Address
	if path, found := strings.CutPrefix(f.Address, "sqlite://"); found {
		driver, address = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// Emitted returns what was emitted since it was last asked, the oldest first.
func Emitted(t testing.TB, f *Fixture) []outbox.Emission {
	t.Helper()
	db := f.SQL(t)
	defer db.Close()
	rows, err := db.Query(`SELECT seq, id, organization_id, event_id, type, resource_id, data, occurred_at
		FROM emissions WHERE seq > $1 ORDER BY seq`, f.emitted)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []outbox.Emission
	for rows.Next() {
		var e outbox.Emission
		if err := rows.Scan(&e.Seq, &e.ID, &e.OrganizationID, &e.EventID, &e.Type, &e.ResourceID, &e.Data,
			&e.OccurredAt); err != nil {
			t.Fatal(err)
		}
		out, f.emitted = append(out, e), e.Seq
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// NextRound keeps an attempt that ended, if there is one, and begins the next round of a line; it is nil when
// there is none. url is where the managed service is.
func (f *Fixture) NextRound(ctx context.Context, line, url string, done *outbox.Delivery) (*outbox.Round, error) {
	take := outbox.Take{Line: line, URL: url, Most: 1}
	if done != nil {
		take.Done = []*outbox.Delivery{done}
	}
	rounds, _, err := f.Outbox.TakeRounds(ctx, take)
	if err != nil || len(rounds) == 0 {
		return nil, err
	}
	return rounds[0], nil
}
