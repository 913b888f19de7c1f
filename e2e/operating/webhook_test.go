package operating

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

func TestDeliveryIsVerifiedByTheCommand(t *testing.T) {
	Each(t, func(t *testing.T, s *Site) {
		s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		event, key := s.Conference()
		hook := NewReceiver(t)
		secret := s.Run("webhook", "create", "--url", hook.URL)["secret"].(string)
		srv := s.Serve("serve")
		s.Ok(key, "POST", event+"/sessions/create", `{"title": "Delivered"}`)
		body := hook.Wait(t, 1)[0]
		signature := hook.Last.Get("x-service-signature")
		if _, stderr, err := s.Try(body, "webhook", "verify", "--secret", secret, "--signature", signature); err != nil {
			t.Errorf("the signature does not verify: %s", stderr)
		}
		if _, _, err := s.Try(body+" ", "webhook", "verify", "--secret", secret, "--signature", signature); err == nil {
			t.Error("another body verifies")
		}
		if err := srv.Terminate(t); err != nil {
			t.Error(err)
		}
		if strings.Contains(srv.Log.String(), secret) {
			t.Error("the secret is in the log")
		}
	})
}

func TestKilledServerDeliversAfterTheRestartAndNothingTwice(t *testing.T) {
	Each(t, func(t *testing.T, s *Site) {
		s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		event, key := s.Conference()
		hook := NewReceiver(t)
		s.Run("webhook", "create", "--url", hook.URL)
		srv := s.Serve("serve")
		const n = 40
		for i := range n {
			s.Ok(key, "POST", event+"/sessions/create", fmt.Sprintf(`{"title": "Session %d"}`, i))
		}
		if err := srv.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		srv.Wait()
		again := s.Serve("serve")
		s.Ok(key, "POST", event+"/sessions/create", `{"title": "After the restart"}`)
		// What was under way when the process was killed is logged as interrupted and
		// not repeated: at most as many as an endpoint has workers.
		bodies := hook.Wait(t, 1)
		for !slices.ContainsFunc(bodies, func(b string) bool { return strings.Contains(b, "After the restart") }) {
			bodies = hook.Wait(t, len(bodies)+1)
		}
		again.Terminate(t) // lets the others under way arrive
		bodies = hook.Wait(t, 1)
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
