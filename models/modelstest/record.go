package modelstest

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"lectern/models/outbox"
)

// direct opens a connection pool to the database at address, beside that of a store, and closes it at the end of the
// test.
func direct(t testing.TB, address string) *sql.DB {
	t.Helper()
	db := Must(openDirect(address))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// openDirect returns a connection pool, which connects on first use.
func openDirect(address string) (*sql.DB, error) {
	driver := "pgx"
	if path, found := strings.CutPrefix(address, "sqlite://"); found {
		driver, address = "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)"
	}
	return sql.Open(driver, address)
}

// Emitted returns the emissions since the last call, oldest first.
func Emitted(t testing.TB, f *Fixture) []outbox.Emission {
	t.Helper()
	var out []outbox.Emission
	Fine(t, f.Store.Read(context.Background()).Where("seq > ?", f.emitted).Order("seq").Find(&out).Error)
	if len(out) > 0 {
		f.emitted = out[len(out)-1].Seq
	}
	return out
}

// Attempts returns all delivery attempts of the organization, newest first.
func (f *Fixture) Attempts(ctx context.Context) (all []*outbox.Delivery, err error) {
	return all, f.Store.Read(ctx).Where("organization_id = ?", f.Event.OrganizationID).Order("created_at DESC, id DESC").
		Find(&all).Error
}

// Finish stores the outcome of an attempt.
func (f *Fixture) Finish(ctx context.Context, d *outbox.Delivery) error {
	_, _, err := f.Outbox.TakeRounds(ctx, outbox.Take{Done: []*outbox.Delivery{d}})
	return err
}

// NextRound stores an attempt that ended, if done is not nil, and begins the next round of a line, nil if there is
// none. url is the address of the managed service.
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
