package jobs_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"lectern/jobs"
	"lectern/models"
	"lectern/models/modelstest"
)

// TestDatabaseThatGoesAwayLosesNoOutcome takes the database away while a
// delivery is under way, and gives it back after its outcome is known.
func TestDatabaseThatGoesAwayLosesNoOutcome(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
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
		db := f.SQL(t)
		conn, err := db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
			t.Fatal(err)
		}
		return func() { conn.ExecContext(ctx, "ROLLBACK"); conn.Close(); db.Close() }
	}
	admin, err := pgx.Connect(ctx, os.Getenv(modelstest.PostgresVariable))
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(f.Address)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(address.Path, "/")
	run := func(statement string) {
		if _, err := admin.Exec(ctx, statement); err != nil {
			t.Error(err)
		}
	}
	run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false")
	run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'")
	return func() { run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true"); admin.Close(ctx) }
}

// svix follows the rules of Svix's message endpoint for what we send it:
// bearer token, schema, size, and idempotency by key and by event id.
type svix struct {
	mu       sync.Mutex
	messages map[string]string // by eventId
	keys     map[string]int    // answers by idempotency key
}

var (
	svixEventType = regexp.MustCompile(`^[a-zA-Z0-9\-_.]+$`)
	svixEventID   = regexp.MustCompile(`^[a-zA-Z0-9\-_.]{1,256}$`)
)

func (s *svix) status(r received) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var body map[string]json.RawMessage
	var eventType, eventID string
	var payload map[string]any
	switch {
	case r.header.Get("authorization") != "Bearer token":
		return http.StatusUnauthorized
	case len(r.body) > 1<<20:
		return http.StatusRequestEntityTooLarge
	case json.Unmarshal([]byte(r.body), &body) != nil, json.Unmarshal(body["eventType"], &eventType) != nil, !svixEventType.MatchString(eventType),
		json.Unmarshal(body["eventId"], &eventID) != nil, !svixEventID.MatchString(eventID), json.Unmarshal(body["payload"], &payload) != nil:
		return http.StatusUnprocessableEntity
	}
	if known, repeated := s.keys[r.header.Get("idempotency-key")]; repeated {
		return known
	}
	status := http.StatusAccepted
	if _, known := s.messages[eventID]; known {
		status = http.StatusConflict
	}
	s.messages[eventID], s.keys[r.header.Get("idempotency-key")] = r.body, status
	return status
}

func TestManagedServiceOfTheSvixKindAcceptsTheHandoff(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		service := &svix{messages: map[string]string{}, keys: map[string]int{}}
		var rec *receiver
		rec = newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			status := service.status(rec.requests()[n-1])
			if n == 2 {
				status = http.StatusBadGateway // it was kept, but the answer got lost
			}
			w.WriteHeader(status)
		})
		stop := start(t, f, jobs.Options{Managed: jobs.ManagedOptions{URL: rec.URL, Token: "token", AppID: "app_1"}})
		create(t, f, "First")
		settled(t, f, 1)
		create(t, f, "Second")
		rows := settled(t, f, 3)
		if got := labels(rows); !slices.Equal(got, []string{
			"session.created 1 Handoff accepted ", "session.created 1 Handoff failed status", "session.created 2 Handoff accepted "}) {
			t.Errorf("%v", got)
		}
		if len(service.messages) != 2 {
			t.Errorf("the service has %d messages of 2", len(service.messages))
		}
		stop()
		start(t, f, jobs.Options{Managed: jobs.ManagedOptions{URL: rec.URL, Token: "wrong", AppID: "app_1"}})
		create(t, f, "Third")
		if d := settled(t, f, 4)[3]; d.Label() != "Handoff failed" || *d.ResponseStatus != 401 || d.Attempt != 1 {
			t.Errorf("a wrong token: %s %v", d.Label(), *d.ResponseStatus)
		}
		if rows, _, err := f.Deliveries(t.Context(), f.Event.OrganizationID, models.DeliveryFilter{}, models.Page{}); err != nil ||
			slices.ContainsFunc(rows, func(d *models.Delivery) bool { return strings.Contains(d.RequestBody+d.ResponseExcerpt+d.URL, "token") }) {
			t.Error("the token is in the log", err)
		}
	})
}
