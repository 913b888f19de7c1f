package e2e

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// TestPeopleAreAddedOrderedAndRemoved goes the way of who adds a co-speaker.
func TestPeopleAreAddedOrderedAndRemoved(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		w.follow("Sessions")
		w.follow("New session")
		w.fill("Title", "Opening")
		w.press("Somebody new")
		w.fill("Name", "Wei Zhang")
		w.press("Add this person")
		w.sees("Wei Zhang", "No e-mail address, so no letter can reach them")
		w.press("Somebody new")
		w.fill("Name", "Jérôme Aubert")
		w.fill("E-mail", "jerome@example.org")
		w.fill("Company", "Quay & Sons")
		w.press("Add this person")
		w.sees("Jérôme Aubert", "Quay & Sons")
		w.choose("Role of Wei Zhang", "Moderator")
		w.press("Move Jérôme Aubert up")
		w.accessible("session-new-people")
		if got := w.value("Title"); got != "Opening" {
			t.Errorf("the title became %q", got)
		}
		w.press("Create session")
		w.sees("S-1 is created.", "Jérôme Aubert", "Wei Zhang")

		w.follow("Submissions")
		w.follow("New submission")
		w.fill("Title", "Harbour logs")
		w.press("Create submission")
		w.sees("A-1 is created.", "Nobody is on it yet.")
		record := w.url()
		w.search("jerome quay", "Jérôme Aubert")
		w.accessible("people-found")
		w.press("Add Jérôme Aubert")
		w.sees("Jérôme Aubert is on A-1 now.")
		w.search("zeppelin", "Nobody matches “zeppelin”")
		w.press("Somebody new")
		w.fill("Name", "Li Na")
		w.fill("E-mail", "not an address")
		w.press("Add this person")
		w.sees("must be an address such as ana@example.org")
		if got := w.value("Name"); got != "Li Na" {
			t.Errorf("the name became %q", got)
		}
		w.fill("E-mail", "li@example.org")
		w.press("Add this person")
		w.sees("Li Na is on A-1 now.")
		w.press("Move Li Na up")
		w.sees("Li Na is number 1 of 2 now.")
		if w.scripts {
			w.focused("Move Li Na up")
			w.keys(input.Enter) // there is nothing above her
			w.sees("Nothing was changed.")
			w.settled()
		}
		const review = `document.querySelector("textarea[name=comment]")`
		if w.scripts { // what is half typed beside the people stays
			js[any](w, `() => { const e = `+review+`; e.value = "Half a review"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
		}
		w.choose("Role of Jérôme Aubert", "Chairperson")
		w.press("Save roles")
		w.sees("The people of A-1 are saved.")
		if text, err := js[string](w, `() => `+review+`.value`); w.scripts && text != "Half a review" {
			t.Errorf("the review became %q, %v", text, err)
		}
		if got := w.value("Role of Jérôme Aubert"); got != "chairperson" {
			t.Errorf("the role is %s", got)
		}
		w.accessible("people")
		w.press("Remove Li Na")
		w.sees("Li Na is not on A-1 any more.")
		if w.scripts {
			if focus, _ := js[string](w, `() => document.activeElement.id`); focus != "people-part" {
				t.Errorf("the focus is on %q", focus)
			}
		}
		w.press("Undo")
		w.sees("Undone.")
		if rows := w.all(".people-rows li a[href*='/speakers/']"); strings.Join(rows, ", ") != "Li Na, Jérôme Aubert" {
			t.Errorf("the people are %s", rows)
		}

		w.follow("Jérôme Aubert")
		w.sees("Quay & Sons", "jerome@example.org", "Opening", "Harbour logs", "Not placed yet", "Chairperson", "1 of 3")
		w.accessible("person")
		w.follow("Next")
		w.sees("Li Na", "2 of 3")
		w.follow("Speakers")
		w.sees("3 people", "Who is on a submission or session of this event")
		w.accessible("speakers")
		w.fill("Search", "quay jerome")
		w.press("Search")
		w.sees("1 of 3", "Jérôme Aubert")
		w.visit(record)
		w.follow("Li Na")
		w.sees("2 of 3")
	})
}

// search types into the search for people: a script answers at once, a button otherwise.
func (w *window) search(text, want string) {
	w.t.Helper()
	w.fill("Add a person", text)
	if !w.scripts {
		w.press("Find")
	}
	w.sees(want)
}

func TestTwoBrowsersChangeThePeopleOfOneSubmission(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		ada := s.owner()
		ada.follow("Submissions")
		ada.follow("New submission")
		ada.fill("Title", "Harbour logs")
		ada.press("Somebody new")
		ada.fill("Name", "Wei Zhang")
		ada.press("Create submission") // who is typed is not forgotten
		ada.sees("A-1 is created.", "Wei Zhang")
		li := s.window()
		li.signIn("ada@example.org")
		li.visit(ada.url())
		li.press("Remove Wei Zhang")
		li.sees("Wei Zhang is not on A-1 any more.")
		ada.press("Somebody new")
		ada.fill("Name", "Typed With Care")
		ada.press("Add this person")
		ada.sees("Ada Byron changed People just now, while you were editing.", "Typed With Care (new)")
		ada.accessible("people-conflict")
		ada.press("Save")
		ada.sees("The people of A-1 are saved.")
		if rows := ada.all(".people-rows li a"); strings.Join(rows, ", ") != "Typed With Care" {
			t.Errorf("the people are %s", rows)
		}
	})
}
