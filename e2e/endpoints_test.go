package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

func signature(secret, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// nth waits for the nth delivery and returns its body and its signature.
func (r *receiver) nth(t *testing.T, n int) (body, signature string) {
	t.Helper()
	body = r.wait(t, n)[n-1]
	r.mu.Lock()
	defer r.mu.Unlock()
	return body, r.last.Get("x-service-signature")
}

func TestAnEndpointIsAddedRotatedTurnedOffAndDeleted(t *testing.T) {
	journey(t, endpointJourney)
}

func endpointJourney(t *testing.T, s *site) {
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.owner()
	made := s.run("apikey", "create", "--event", "harbour", "--name", "k", "--scopes", "all")
	create := func(title string) {
		t.Helper()
		s.ok(made["key"].(string), "POST", "/v1/event/"+made["event_id"].(string)+"/sessions/create", `{"title": "`+title+
			`", "is_abstract": true}`)
	}
	hook := newReceiver(t)

	w.visit("/admin/endpoints")
	w.sees("No endpoints")
	w.accessible("endpoints-empty")
	w.follow("New endpoint")
	w.accessible("endpoints-new")
	w.fill("Address", "ftp://example.org/hook")
	w.press("Add the endpoint")
	w.sees("must be a web address")
	w.accessible("endpoints-new-refused")
	w.fill("Address", hook.URL)
	w.press("Add the endpoint")
	w.sees("Copy the secret now")
	first := w.textOf("secret")
	w.accessible("endpoints-secret")

	create("What the tide left")
	body, signed := hook.nth(t, 1)
	if signed != signature(first, body) {
		t.Errorf("%s is not the signature under %s", signed, first)
	}
	w.visit("/admin/deliveries")
	w.reloadsUntil("Delivered\nsession.created\n")
	w.doesNotSee(`"title": "What the tide left"`)
	w.press("Delivered session.created")
	w.sees(`"title": "What the tide left"`, "Status 200", "Attempt 1")
	w.accessible("deliveries")
	if w.scripts {
		w.copies("Copy the body as it was sent", body)
	}

	w.visit("/admin/endpoints/check")
	w.fill("Secret", first)
	w.fill("Raw body", body)
	w.fill("Value of x-service-signature", signed)
	w.press("Check")
	w.sees("The signature is the one of this body")
	if strings.Contains(w.html(), first) {
		t.Error("the checker gives the secret back")
	}
	w.accessible("endpoints-check")
	w.fill("Secret", "whsec_another")
	w.press("Check")
	w.sees("another secret")
	w.accessible("endpoints-check-refused")

	w.visit("/admin/endpoints")
	w.press("Rotate secret")
	w.sees("What to do next")
	second := w.textOf("secret")
	w.accessible("endpoints-rotated")
	create("Signed with the old one")
	if body, signed := hook.nth(t, 2); signed != signature(first, body) {
		t.Error("the new secret signs before it is used")
	}
	w.reload()
	w.sees("no new secret was made", "A new one waits")
	if strings.Contains(w.html(), second) {
		t.Error("a reload shows the secret again")
	}
	w.accessible("endpoints")
	w.press("Use the new secret")
	w.sees("signed with the new secret from now on")
	create("Signed with the new one")
	if body, signed := hook.nth(t, 3); signed != signature(second, body) {
		t.Error("the new secret does not sign")
	}

	other := newReceiver(t) // tells when a change was sent to whoever it is for
	s.run("webhook", "create", "--url", other.URL)
	w.press("Turn off: " + hook.URL)
	w.sees("The endpoint is off")
	create("Not sent")
	other.wait(t, 1)
	w.press("Turn on: " + hook.URL)
	w.sees("The endpoint is on")
	create("Sent again")
	if body, _ := hook.nth(t, 4); !strings.Contains(body, "Sent again") {
		t.Errorf("what was made while the endpoint was off arrived: %s", body)
	}

	w.follow(hook.URL)
	w.sees("Send a test event", "Sent last")
	w.choose("Event", "decision.committed")
	w.press("Send the test event")
	w.sees("is on its way")
	if body, signed := hook.nth(t, 5); signed != signature(second, body) || !strings.Contains(body, `"data":{"test":true}`) {
		t.Errorf("the test event is %s, signed %s", body, signed)
	}
	if w.scripts {
		w.sees("decision.committed", "Status 200") // without asking for it
	} else {
		w.reloadsUntil("Status 200")
	}
	w.accessible("endpoint")
	w.follow("Look at it in the delivery log")
	w.sees("Test", `"test": true`)
	if len(other.wait(t, 2)) != 2 {
		t.Error("the test event went to another endpoint")
	}
	w.visit("/admin/endpoints")
	w.follow("Delete " + hook.URL)
	w.sees("Its secret is forgotten")
	w.accessible("endpoints-delete")
	w.press("Delete the endpoint")
	w.sees("The endpoint is deleted", other.URL)
	w.doesNotSee(hook.URL)
	w.visit("/admin/deliveries?result=rejected")
	w.sees("Nothing matches")
}
