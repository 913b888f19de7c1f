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

func signature(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// nth waits for the nth delivery and returns its body and its signature.
func nth(r *Receiver, t *testing.T, n int) (body, signature string) {
	t.Helper()
	body = r.Wait(t, n)[n-1]
	r.Mu.Lock()
	defer r.Mu.Unlock()
	return body, r.Last.Get("x-service-signature")
}

func TestAnEndpointIsAddedRotatedTurnedOffAndDeleted(t *testing.T) {
	OnlyLong(t)
	Journey(t, endpointJourney)
}

func endpointJourney(t *testing.T, s *Site) {
	s.Env = append(s.Env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.Owner()
	made := s.Run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	create := func(title string) {
		t.Helper()
		s.Ok(made["key"].(string), "POST", "/v1/event/"+made["event_id"].(string)+"/sessions/create", `{"title": "`+title+
			`", "is_abstract": true}`)
	}
	hook := NewReceiver(t)

	w.Visit("/admin/endpoints")
	w.Sees("No endpoints")
	w.Accessible("endpoints-empty")
	w.Follow("New endpoint")
	w.Accessible("endpoints-new")
	w.Fill("Address", "ftp://example.org/hook")
	w.Press("Add the endpoint")
	w.Sees("must be a web address")
	w.Accessible("endpoints-new-refused")
	w.Fill("Address", hook.URL)
	w.Press("Add the endpoint")
	w.Sees("Copy the secret now")
	first := w.TextOf("secret")
	w.Accessible("endpoints-secret")

	create("What the tide left")
	body, signed := nth(hook, t, 1)
	if signed != signature(first, body) {
		t.Errorf("%s is not the signature under %s", signed, first)
	}
	w.Visit("/admin/deliveries")
	w.ReloadsUntil("Delivered\nsession.created\n")
	w.DoesNotSee(`"title": "What the tide left"`)
	w.Press("Delivered session.created")
	w.Sees(`"title": "What the tide left"`, "Status 200", "Attempt 1")
	w.Accessible("deliveries")
	if w.Scripts {
		copies(w, "Copy the body as it was sent", body)
	}

	w.Visit("/admin/endpoints/check")
	w.Fill("Secret", first)
	w.Fill("Raw body", body)
	w.Fill("Value of x-service-signature", signed)
	w.Press("Check")
	w.Sees("The signature is the one of this body")
	if strings.Contains(w.HTML(), first) {
		t.Error("the checker gives the secret back")
	}
	w.Accessible("endpoints-check")
	w.Fill("Secret", "whsec_another")
	w.Press("Check")
	w.Sees("another secret")
	w.Accessible("endpoints-check-refused")

	w.Visit("/admin/endpoints")
	w.Press("Rotate secret")
	w.Sees("What to do next")
	second := w.TextOf("secret")
	w.Accessible("endpoints-rotated")
	create("Signed with the old one")
	if body, signed := nth(hook, t, 2); signed != signature(first, body) {
		t.Error("the new secret signs before it is used")
	}
	w.Reload()
	w.Sees("no new secret was made", "A new one waits")
	if strings.Contains(w.HTML(), second) {
		t.Error("a reload shows the secret again")
	}
	w.Accessible("endpoints")
	w.Press("Use the new secret")
	w.Sees("signed with the new secret from now on")
	create("Signed with the new one")
	if body, signed := nth(hook, t, 3); signed != signature(second, body) {
		t.Error("the new secret does not sign")
	}

	other := NewReceiver(t) // tells when a change was sent to whoever it is for
	s.Run("webhook", "create", "--url", other.URL)
	w.Press("Turn off: " + hook.URL)
	w.Sees("The endpoint is off")
	create("Not sent")
	other.Wait(t, 1)
	w.Press("Turn on: " + hook.URL)
	w.Sees("The endpoint is on")
	create("Sent again")
	if body, _ := nth(hook, t, 4); !strings.Contains(body, "Sent again") {
		t.Errorf("what was made while the endpoint was off arrived: %s", body)
	}

	w.Follow(hook.URL)
	w.Sees("Send a test event", "Sent last")
	w.Choose("Event", "decision.committed")
	w.Press("Send the test event")
	w.Sees("is on its way")
	if body, signed := nth(hook, t, 5); signed != signature(second, body) || !strings.Contains(body, `"data":{"test":true}`) {
		t.Errorf("the test event is %s, signed %s", body, signed)
	}
	if w.Scripts {
		w.Sees("decision.committed", "Status 200") // without asking for it
	} else {
		w.ReloadsUntil("Status 200")
	}
	w.Accessible("endpoint")
	w.Follow("Look at it in the delivery log")
	w.Sees("Test", `"test": true`)
	modelstest.Want(t, "the test event went to another endpoint", len(other.Wait(t, 2)), 2)
	w.Visit("/admin/endpoints")
	w.Follow("Delete " + hook.URL)
	w.Sees("Its secret is forgotten")
	w.Accessible("endpoints-delete")
	w.Press("Delete the endpoint")
	w.Sees("The endpoint is deleted", other.URL)
	w.DoesNotSee(hook.URL)
	w.Visit("/admin/deliveries?result=rejected")
	w.Sees("Nothing matches")
}
