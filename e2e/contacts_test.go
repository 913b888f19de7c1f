package e2e

import (
	"strings"
	"testing"
)

// TestPeopleAreKept goes the way of who keeps the people of an event: added, edited by two, invited together, their
// travel saved, and found by a field of one's own.
func TestPeopleAreKept(t *testing.T) { journey(t, contactsJourney) }

func contactsJourney(t *testing.T, s *site) {
	s.env = append(s.env, "LECTERN_WEBHOOK_ALLOW_NETS=127.0.0.0/8")
	w := s.owner()
	hook := newReceiver(t)
	s.run("webhook", "create", "--url", hook.URL)

	w.follow("Contacts")
	w.sees("No contacts yet")
	w.accessible("contacts-empty")
	w.follow("Fields of people")
	w.sees("No fields of your own yet")
	w.fill("Label", "Shirt")
	w.choose("Type", "One of several choices")
	w.press("Add field")
	w.sees("there is nothing to choose from")
	w.fill("Choices", "Small\nLarge")
	w.press("Add field")
	w.sees("“Shirt” is added.")
	w.accessible("contact-fields")
	w.follow("Shirt")
	w.accessible("contact-field")

	w.follow("Speakers")
	w.sees("No speakers yet")
	add := func(first, last, email string) {
		w.follow("Speakers")
		w.follow("Add person")
		w.fill("First name", first)
		w.fill("Last name", last)
		w.fill("E-mail", email)
	}
	add("Nomvula", "Dlamini", "not an address")
	w.press("Add person")
	w.sees("must be an e-mail address")
	w.accessible("person-new")
	w.fill("E-mail", "nomvula@example.org")
	w.fill("Company", "Ledgerline")
	w.choose("Shirt", "Large")
	w.press("Add person")
	w.sees("Nomvula Dlamini is added.", "Ledgerline", "Shirt", "Large")
	record := w.url()
	add("Bruno", "Silva", "bruno@example.org")
	w.press("Add person")
	w.sees("Bruno Silva is added.")
	add("Somebody", "Else", "NOMVULA@example.org")
	w.press("Add person")
	w.sees("belongs to Nomvula Dlamini, who is at this event now. Nothing of theirs was changed.")

	two(t, s, w, record)

	w.follow("Speakers")
	w.follow("Everybody")
	w.sees("2 people.")
	w.tick("Select Bruno Silva")
	w.tick("Select Nomvula Dlamini")
	w.choose("Status of those who are ticked", "Invited")
	w.press("Change status")
	w.sees("Invited: 2 people.")
	w.accessible("roster")
	w.press("Undo")
	w.sees("Undone.")
	w.press("Filter and columns")
	w.accessible("roster-filters")
	w.choose("Shirt", "Large")
	w.press("Show")
	w.sees("1 person found.", "Shirt: Large", "Nomvula Dlamini")
	w.doesNotSee("Bruno Silva")

	w.follow("Nomvula Dlamini")
	w.fill("Hotel", "Pensão do Cais")
	w.fill("Access needs", "Step-free stage")
	w.press("Save travel")
	w.sees("Saved.", "Staff only. Never on public pages.")
	w.fill("Add a note for the team", "Brings her own adding machine.")
	w.press("Add note")
	w.sees("The note is added.", "Brings her own adding machine.")
	w.accessible("person-kept")
	travelIsToldOnce(t, hook)

	w.follow("Take off the event")
	w.press("Take off the event")
	w.sees("Nomvula Dlamini is not at this event any more.")
	w.press("Undo")
	w.sees("Nomvula Dlamini is at this event now.")
	w.follow("Contacts")
	w.sees("2 people in all events.")
	w.accessible("contacts")
	w.follow("Overview")
	w.sees("Ledgerline")
	w.accessible("contacts-overview")
	w.follow("Ledgerline")
	w.sees("1 person found.")
}

// two edit one person at once.
func two(t *testing.T, s *site, w *window, record string) {
	t.Helper()
	other := s.window()
	other.signIn("ada@example.org")
	w.visit(record)
	w.follow("Edit profile")
	other.visit(record)
	other.follow("Edit profile")
	other.fill("Phone", "+27 31 555 0142")
	other.fill("Company", "Quay")
	other.press("Save")
	other.sees("Saved.")
	w.fill("Phone", "+27 31 555 0000")
	w.press("Save")
	w.sees("changed Company and Phone just now, while you were editing.", "+27 31 555 0142")
	w.accessible("person-conflict")
	w.tick("Theirs")
	w.press("Save")
	w.sees("Nomvula Dlamini", "Quay")
	w.follow("Edit profile")
	if got := w.value("Phone"); got != "+27 31 555 0142" {
		t.Errorf("the phone became %q", got)
	}
	w.fill("Company", "Ledgerline")
	w.press("Save")
	w.sees("Saved.", "Ledgerline")
}

// travelIsToldOnce waits for what saving travel emits: one contact.updated without anything of it.
func travelIsToldOnce(t *testing.T, hook *receiver) {
	t.Helper()
	bodies := hook.wait(t, 1)
	if len(bodies) != 1 || !strings.Contains(bodies[0], `"contact.updated"`) || strings.Contains(bodies[0], "Cais") ||
		strings.Contains(bodies[0], "Step-free") || strings.Contains(bodies[0], "Large") {
		t.Errorf("the receiver saw %s", bodies)
	}
}
