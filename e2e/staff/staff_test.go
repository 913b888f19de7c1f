package staff

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"time"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// totp returns the code that an authenticator app shows, by RFC 6238, that many steps of 30 seconds from now.
func totp(t *testing.T, secret string, steps int64) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(secret)
	if err != nil {
		t.Fatalf("%q is no secret: %v", secret, err)
	}
	mac := hmac.New(sha1.New, key)
	var step [8]byte
	for i, n := 7, time.Now().Unix()/30+steps; i >= 0; i, n = i-1, n>>8 {
		step[i] = byte(n)
	}
	mac.Write(step[:])
	sum := mac.Sum(nil)
	code := 0
	for _, b := range sum[sum[19]&15:][:4] {
		code = code<<8 | int(b)
	}
	return fmt.Sprintf("%06d", code&0x7fffffff%1_000_000)
}

// TestAnOrganizerJoinsWithASecondFactor follows an invitation from its form to the first sign-in with a code.
func TestAnOrganizerJoinsWithASecondFactor(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		ada := s.Owner()
		s.Run("event", "create", "--name", "Workshop days", "--slug", "workshop", "--timezone", "Europe/Lisbon")
		ada.Visit("/admin/staff")
		ada.Follow("Invite someone")
		ada.DoesNotSee("At single events")
		ada.Tick("Only at single events")
		ada.Sees("At single events")
		ada.Fill("E-mail addresses", "cy@example.org")
		ada.Choose("Harbour", "Organizer")
		ada.Press("Make the invitation")
		ada.Sees("The invitation is ready", "It is shown this once.")
		link := ada.TextOf("link")
		ada.Accessible("invitation")
		ada.Follow("Done")
		ada.Sees("cy@example.org", "Organizer at Harbour")

		cy := s.Window()
		cy.Visit(strings.TrimPrefix(link, s.Base))
		cy.Sees("Ada Byron invites you", "Organizer at Harbour", "10 characters or more")
		cy.Fill("Your name", "Cy Fischer")
		cy.Fill("Password", "correct horse battery")
		cy.Press("Join")
		cy.Path("/admin/events/")
		cy.Sees("Harbour", "Cy Fischer")
		cy.DoesNotSee("Workshop days", "Webhook endpoints", "Staff")

		cy.Follow("Your account")
		cy.Sees("cy@example.org", "Organizer at Harbour", "This browser", "Chrome on")
		cy.Accessible("account")
		cy.Follow("Turn on")
		cy.Accessible("second-factor")
		cy.Fill("Your password", "correct horse battery")
		cy.Press("Set it up")
		cy.Sees("It is shown this once.")
		secret := cy.TextOf("secret")
		cy.Accessible("second-factor-secret")
		cy.Fill("Code of the app", totp(t, secret, 0))
		cy.Press("Turn on")
		cy.Sees("The second factor is on.", "shown this once")
		modelstest.Want(t, "recovery codes", len(strings.Fields(cy.TextOf("recovery"))), 10)
		cy.Accessible("recovery-codes")
		cy.Follow("I have kept them")
		cy.Sees("since")
		cy.Press("Sign out") // of this browser, or everywhere: here it is one
		cy.Path("/sign-in")
		cy.Fill("E-mail address", "cy@example.org")
		cy.Fill("Password", "correct horse battery")
		cy.Press("Sign in")
		cy.Path("/second-factor")
		cy.Accessible("second-factor-asked")
		cy.Visit("/admin/account")
		cy.Path("/sign-in") // a password alone opens nothing
		cy.Visit("/second-factor")
		cy.Fill("Code", totp(t, secret, 1)) // each code is good once
		cy.Press("Continue")
		cy.Path("/admin/events/")
	})
}
