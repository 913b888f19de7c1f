package jobs_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"lectern/jobs"
	"lectern/models/modelstest"
)

// TestDatabaseThatGoesAwayLosesNoOutcome takes the database away while a
// delivery is under way, and gives it back after its outcome is known.
func TestDatabaseThatGoesAwayLosesNoOutcome(t *testing.T) {
	modelstest.EachAlone(t, func(t *testing.T, f *modelstest.Fixture) {
		arrived, answer := make(chan struct{}), make(chan struct{})
		once := sync.OnceFunc(func() { close(arrived) })
		rec := newReceiver(t, func(int, http.ResponseWriter, *http.Request) { once(); <-answer })
		endpoint(t, f, rec.URL)
		start(t, f, jobs.Options{})
		create(t, f, "First")
		<-arrived
		giveBack := takeAway(t, f)
		close(answer)
		time.Sleep(1500 * time.Millisecond)
		giveBack()
		if rows := settled(t, f, 1); rows[0].Label() != "Delivered" || len(rec.requests()) != 1 {
			t.Errorf("%v after %d requests", labels(rows), len(rec.requests()))
		}
		create(t, f, "Second")
		settled(t, f, 2)
	})
}

// takeAway makes the database refuse: it ends all connections on PostgreSQL and
// locks the file on SQLite.
func takeAway(t *testing.T, f *modelstest.Fixture) (giveBack func()) {
	ctx := context.Background()
	if f.Embedded() {
		conn := modelstest.Must(f.SQL.Conn(ctx))(t)
		modelstest.Must(conn.ExecContext(ctx, "BEGIN IMMEDIATE"))(t)
		return func() { conn.ExecContext(ctx, "ROLLBACK"); conn.Close() }
	}
	admin := modelstest.Must(pgx.Connect(ctx, os.Getenv(modelstest.PostgresVariable)))(t)
	address := modelstest.Must(url.Parse(f.Address))(t)
	name := strings.TrimPrefix(address.Path, "/")
	run := func(statement string) {
		modelstest.Must(admin.Exec(ctx, statement))(t)
	}
	run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'")
	return func() { run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true"); admin.Close(ctx) }
}
