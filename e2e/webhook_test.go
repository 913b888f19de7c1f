package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// receiver keeps what it is sent.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	last   http.Header
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.bodies, r.last = append(r.bodies, string(body)), request.Header
	}))
	t.Cleanup(r.Close)
	return r
}

// wait returns the bodies once there are n of them.
func (r *receiver) wait(t *testing.T, n int) []string {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		r.mu.Lock()
		bodies := slices.Clone(r.bodies)
		r.mu.Unlock()
		if len(bodies) >= n {
			return bodies
		}
	}
	t.Fatalf("fewer than %d deliveries arrived", n)
	return nil
}

func TestDeliveryIsVerifiedByTheCommand(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		event, key := s.conference()
		hook := newReceiver(t)
		secret := s.run("webhook", "create", "--url", hook.URL)["secret"].(string)
		srv := s.serve("serve")
		s.ok(key, "POST", event+"/sessions/create", `{"title": "Delivered"}`)
		body := hook.wait(t, 1)[0]
		signature := hook.last.Get("x-service-signature")
		if _, stderr, err := s.try(body, "webhook", "verify", "--secret", secret, "--signature", signature); err != nil {
			t.Errorf("the signature does not verify: %s", stderr)
		}
		if _, _, err := s.try(body+" ", "webhook", "verify", "--secret", secret, "--signature", signature); err == nil {
			t.Error("another body verifies")
		}
		if err := srv.terminate(t); err != nil {
			t.Error(err)
		}
		if strings.Contains(srv.log.String(), secret) {
			t.Error("the secret is in the log")
		}
	})
}

func TestKilledServerDeliversAfterTheRestartAndNothingTwice(t *testing.T) {
	each(t, func(t *testing.T, s *site) {
		s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		event, key := s.conference()
		hook := newReceiver(t)
		s.run("webhook", "create", "--url", hook.URL)
		srv := s.serve("serve")
		const n = 40
		for i := range n {
			s.ok(key, "POST", event+"/sessions/create", fmt.Sprintf(`{"title": "Session %d"}`, i))
		}
		if err := srv.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		srv.Wait()
		again := s.serve("serve")
		s.ok(key, "POST", event+"/sessions/create", `{"title": "After the restart"}`)
		// What was under way when the process was killed is logged as interrupted and
		// not repeated: at most as many as an endpoint has workers.
		bodies := hook.wait(t, 1)
		for !slices.ContainsFunc(bodies, func(b string) bool { return strings.Contains(b, "After the restart") }) {
			bodies = hook.wait(t, len(bodies)+1)
		}
		again.terminate(t) // lets the others under way arrive
		bodies = hook.wait(t, 1)
		seen := map[string]bool{}
		for _, body := range bodies {
			if seen[body] {
				t.Errorf("delivered twice: %s", body)
			}
			seen[body] = true
		}
		if len(seen) < n+1-8 || len(seen) > n+1 {
			t.Errorf("%d of %d emissions arrived", len(seen), n+1)
		}
	})
}
