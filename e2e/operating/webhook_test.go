package operating

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
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
		modelstest.Fine(t, srv.Terminate(t))
		if strings.Contains(srv.Log.String(), secret) {
			t.Error("the secret is in the log")
		}
	})
}
