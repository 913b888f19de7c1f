package jobs_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"lectern/jobs"
	"lectern/models/modelstest"
	"lectern/models/outbox"
)

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
	case json.Unmarshal([]byte(r.body), &body) != nil, json.Unmarshal(body["eventType"], &eventType) != nil,
		!svixEventType.MatchString(eventType),
		json.Unmarshal(body["eventId"], &eventID) != nil, !svixEventID.MatchString(eventID),
		json.Unmarshal(body["payload"], &payload) != nil:
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

func handTo(url, token string) jobs.Options {
	return jobs.Options{Managed: jobs.ManagedOptions{URL: url, Token: token, AppID: "app_1"}}
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
		stop := start(t, f, handTo(rec.URL, "token"))
		create(t, f, "First")
		settled(t, f, 1)
		create(t, f, "Second")
		rows := settled(t, f, 2)
		if got := labels(rows); !slices.Equal(got, []string{"session.created 1 Handoff accepted ",
			"session.created 1 Handoff failed status"}) {
			t.Errorf("%v", got)
		}
		if len(service.messages) != 2 || len(rec.requests()) != 2 {
			t.Errorf("the service has %d messages of 2 after %d requests", len(service.messages), len(rec.requests()))
		}
		stop()
		start(t, f, handTo(rec.URL, "wrong"))
		create(t, f, "Third")
		if d := settled(t, f, 3)[2]; d.Label() != "Handoff failed" || *d.ResponseStatus != 401 || d.Attempt != 1 {
			t.Errorf("a wrong token: %s %v", d.Label(), *d.ResponseStatus)
		}
		if rows, err := f.Attempts(t.Context()); err != nil ||
			slices.ContainsFunc(rows, func(d *outbox.Delivery) bool {
				return strings.Contains(d.RequestBody+d.ResponseExcerpt+d.URL, "token")
			}) {
			t.Error("the token is in the log", err)
		}
	})
}

func TestHandoffIsOneRequestAndOneRowWhateverTheAnswer(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		const ended = 0 // the connection, without an answer
		answers := []int{202, ended, 409, 503, 401, 422}
		want := []string{
			"Handoff accepted", "Handoff failed", "Handoff accepted (already known)", "Handoff failed", "Handoff failed",
			"Handoff failed",
		}
		service := newReceiver(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			if status := answers[min(n, len(answers))-1]; status != ended {
				w.WriteHeader(status)
			} else {
				hangUp(w, "") // on the connection that stayed open after the first
			}
		})
		local := newReceiver(t, nil)
		endpoint(t, f, local.URL)
		start(t, f, handTo(service.URL, "token"))
		for i := range answers {
			create(t, f, fmt.Sprint("Session ", i))
			d := settled(t, f, i+1)[i]
			if d.Label() != want[i] || d.WebhookID != nil || d.Driver != outbox.Managed || d.Attempt != 1 {
				t.Errorf("answered %d, the row is %s, want %s: %+v", answers[i], d.Label(), want[i], d)
			}
		}
		requests := service.requests()
		if len(requests) != len(answers) || len(local.requests()) != 0 {
			t.Errorf("%d requests for %d emissions, %d to an endpoint", len(requests), len(answers), len(local.requests()))
		}
		for i, r := range requests {
			var body struct {
				EventType string
				EventID   string
				Payload   struct{ Metadata struct{ EventID string } }
			}
			modelstest.Fine(t, json.Unmarshal([]byte(r.body), &body))
			if r.path != "/api/v1/app/app_1/msg" || r.header.Get("authorization") != "Bearer token" ||
				body.EventType != "session.created" ||
				body.EventID != body.Payload.Metadata.EventID || r.header.Get("idempotency-key") != body.EventID ||
				r.header.Get("x-service-signature") != "" {
				t.Errorf("request %d: %v %s", i, r.header, r.body)
			}
		}
	})
}

func TestRoundIsSentByTheDriverThatItsRowNames(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		ctx := t.Context()
		local, service := newReceiver(t, nil), newReceiver(t, nil)
		endpoint(t, f, local.URL)
		waits := func(title string, managed bool) {
			create(t, f, title)
			if n := modelstest.Must(f.Outbox.FanOut(ctx, managed, 10))(t); n != 1 {
				t.Fatalf("%d put in line", n)
			}
		}
		waits("For the endpoint", false)
		stop := start(t, f, handTo(service.URL, "token"))
		if rows := settled(t, f, 1); rows[0].Label() != "Delivered" || rows[0].Driver != outbox.Builtin ||
			len(local.requests()) != 1 || len(service.requests()) != 0 {
			t.Errorf("managed was switched on: %v, %d requests to the endpoint and %d to the service", labels(rows),
				len(local.requests()), len(service.requests()))
		}
		stop()
		waits("For the service", true)
		start(t, f, jobs.Options{})
		rows := settled(t, f, 2)
		if d := rows[1]; d.Label() != "Handoff failed" || d.ErrorClass != outbox.InternalError ||
			!strings.Contains(d.ResponseExcerpt, "no longer configured") {
			t.Errorf("managed was switched off: %v, %q", labels(rows), d.ResponseExcerpt)
		}
		if len(local.requests()) != 1 || len(service.requests()) != 0 {
			t.Errorf("%d requests to the endpoint and %d to the service", len(local.requests()), len(service.requests()))
		}
	})
}

func TestPrivateAddressesAreBlockedThoughTheServiceHasOne(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		local, service := newReceiver(t, nil), newReceiver(t, nil)
		endpoint(t, f, local.URL)
		create(t, f, "First")
		modelstest.Must(f.Outbox.FanOut(t.Context(), false, 10))(t)
		create(t, f, "Second")
		o := handTo(service.URL, "token")
		o.AllowNets = []netip.Prefix{}
		start(t, f, o)
		rows := settled(t, f, 2)
		got := labels(rows)
		if slices.Sort(got); !slices.Equal(got, []string{"session.created 1 Blocked blocked",
			"session.created 1 Handoff accepted "}) || len(local.requests()) != 0 || len(service.requests()) != 1 {
			t.Errorf("%v, %d requests to the endpoint and %d to the service", got, len(local.requests()),
				len(service.requests()))
		}
	})
}

func TestManagedNeedsBothSettings(t *testing.T) {
	for _, o := range []jobs.ManagedOptions{{Token: "t"}, {AppID: "a"}, {}} {
		if o.Enabled() {
			t.Errorf("%+v selects the managed service", o)
		}
	}
}
