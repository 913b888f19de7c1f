package staff

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestAnEndpointIsAddedAndTested adds an endpoint, sends it a test event, and reads in the delivery log what was sent.
func TestAnEndpointIsAddedAndTested(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
		w, hook := s.Owner(), NewReceiver(t)
		w.Visit("/admin/endpoints")
		w.Follow("New endpoint")
		w.Fill("Address", hook.URL)
		w.Press("Add the endpoint")
		w.Sees("Copy the secret now")
		secret := w.TextOf("secret")
		w.Visit("/admin/endpoints")
		w.Follow(hook.URL)
		w.Choose("Event", "decision.committed")
		w.Press("Send the test event")
		w.Sees("is on its way")
		body := hook.Wait(t, 1)[0]
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(body))
		modelstest.Want(t, "signature", hook.Last.Get("x-service-signature"), "sha256="+hex.EncodeToString(mac.Sum(nil)))
		if !strings.Contains(body, `"data":{"test":true}`) {
			t.Errorf("the test event is %s", body)
		}
		if w.Scripts {
			w.Sees("decision.committed", "Status 200") // without asking for it
		} else {
			w.ReloadsUntil("Status 200")
		}
		w.Accessible("endpoint")
		w.Follow("Look at it in the delivery log")
		w.Sees("Test", `"test": true`)
		w.Accessible("deliveries")
		if w.Scripts {
			copies(w, "Copy the body as it was sent", body)
		}
	})
}
