package e2e

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"testing"
	"time"
)

// totp is what an authenticator app shows, steps of 30 seconds from now.
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

func TestAnOrganizerComesAndGoes(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		ada := s.owner()
		s.run("event", "create", "--name", "Workshop days", "--slug", "workshop", "--timezone", "Europe/Lisbon")
		ada.visit("/admin/staff")
		ada.sees("Ada Byron", "You", "Nobody is invited at the moment.")
		ada.follow("Invite someone")
		ada.doesNotSee("At single events")
		ada.tick("Only at single events")
		ada.sees("At single events")
		ada.fill("E-mail address", "cy@example.org")
		ada.press("Make the invitation")
		ada.sees("Roles must name at least one event.")
		ada.accessible("invite-refused")
		if got := ada.value("E-mail address"); got != "cy@example.org" {
			t.Errorf("the form forgot the address: %q", got)
		}
		ada.choose("Harbour", "Organizer")
		ada.press("Make the invitation")
		ada.sees("The invitation is ready", "It is shown this once.")
		link := ada.textOf("link")
		ada.accessible("invitation")
		ada.follow("Done")
		ada.sees("cy@example.org", "Organizer at Harbour")

		cy := s.window()
		cy.visit(strings.TrimPrefix(link, s.base))
		cy.sees("Ada Byron invites you", "Organizer at Harbour", "10 characters or more")
		cy.fill("Your name", "Cy Fischer")
		cy.fill("Password", "short")
		cy.press("Join")
		cy.sees("Password must have 10 to 200 characters.")
		cy.accessible("join-refused")
		if name, password := cy.value("Your name"), cy.value("Password"); name != "Cy Fischer" || password != "" {
			t.Errorf("the form has %q and %q", name, password)
		}
		cy.fill("Password", "correct horse battery")
		cy.press("Join")
		cy.path("/admin/events/")
		cy.sees("Harbour", "Cy Fischer")
		cy.doesNotSee("Workshop days", "Webhook endpoints", "Staff")

		cy.follow("Your account")
		cy.sees("cy@example.org", "Organizer at Harbour", "This browser", "Chrome on")
		cy.accessible("account")
		cy.follow("Turn on")
		cy.accessible("second-factor")
		cy.fill("Your password", "correct horse battery")
		cy.press("Set it up")
		cy.sees("It is shown this once.")
		secret := cy.textOf("secret")
		cy.accessible("second-factor-secret")
		cy.fill("Code of the app", "12 34")
		cy.press("Turn on")
		cy.sees("check the clock of your device")
		if again := cy.textOf("secret"); again != secret {
			t.Errorf("a wrong code changed the secret from %s to %s", secret, again)
		}
		cy.fill("Code of the app", totp(t, secret, 0))
		cy.press("Turn on")
		cy.sees("The second factor is on.", "shown this once")
		if codes := strings.Fields(cy.textOf("recovery")); len(codes) != 10 {
			t.Errorf("%d recovery codes", len(codes))
		}
		cy.accessible("recovery-codes")
		cy.follow("I have kept them")
		cy.sees("since")
		cy.press("Sign out") // of this browser, or everywhere: here it is one
		cy.path("/sign-in")
		cy.fill("E-mail address", "cy@example.org")
		cy.fill("Password", "correct horse battery")
		cy.press("Sign in")
		cy.path("/second-factor")
		cy.accessible("second-factor-asked")
		cy.visit("/admin/account")
		cy.path("/sign-in") // a password alone opens nothing
		cy.visit("/second-factor")
		cy.fill("Code", totp(t, secret, 1)) // each code is good once
		cy.press("Continue")
		cy.path("/admin/events/")

		ada.reload()
		ada.sees("Cy Fischer")
		ada.accessible("staff")
		ada.follow("Change Cy Fischer")
		ada.accessible("member")
		ada.choose("Workshop days", "Viewer")
		ada.press("Save")
		ada.sees("What Cy Fischer may do is changed", "Viewer at Workshop days")
		cy.visit("/admin/account")
		cy.sees("Viewer at Workshop days")
		ada.follow("Change Cy Fischer")
		ada.follow("Remove")
		ada.accessible("remove")
		ada.press("Remove Cy Fischer")
		ada.sees("Cy Fischer is removed and signed out everywhere.")
		cy.visit("/admin/account")
		cy.path("/sign-in")
		cy.visit(strings.TrimPrefix(link, s.base))
		cy.sees("This link was used")
		ada.follow("Change Ada Byron")
		ada.follow("Remove yourself")
		ada.press("Remove Ada Byron")
		ada.sees("Role stays owner, because there is no other one")
		ada.accessible("remove-refused")
	})
}

func TestAForgottenPasswordWithoutAMailServer(t *testing.T) {
	journey(t, resetJourney)
}

func resetJourney(t *testing.T, s *site) {
	ada := s.owner()
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "li@example.org", "--name",
		"Li Wei", "--role", "reviewer"); err != nil {
		t.Fatal(stderr)
	}
	li := s.window()
	li.visit("/reset")
	li.sees("This server sends no mail. Ask an owner")
	ada.visit("/admin/staff")
	ada.follow("Change Li Wei")
	ada.press("Make a reset link")
	ada.sees("The reset link is ready")
	li.visit(strings.TrimPrefix(ada.textOf("link"), s.base))
	li.fill("New password", "li@example.org")
	li.press("Save the password")
	li.sees("Password must not be your own address or name.")
	li.fill("New password", "another fine password")
	li.press("Save the password")
	li.sees("Your password is changed. Sign in with it.")
	li.fill("E-mail address", "li@example.org")
	li.fill("Password", "another fine password")
	li.press("Sign in")
	li.path("/admin/events/")
}
