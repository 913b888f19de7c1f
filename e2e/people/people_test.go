package people

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// TestPeopleAreAddedOrderedAndRemoved adds, orders and removes the people of a session and a submission.
func TestPeopleAreAddedOrderedAndRemoved(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		w.Follow("Sessions")
		w.Follow("New session")
		w.Fill("Title", "Opening")
		w.Press("Somebody new")
		w.Fill("Name", "Wei Zhang")
		w.Press("Add this person")
		w.Sees("Wei Zhang", "No e-mail address, so no letter can reach them")
		w.Press("Somebody new")
		w.Fill("Name", "Jérôme Aubert")
		w.Fill("E-mail", "jerome@example.org")
		w.Fill("Company", "Quay & Sons")
		w.Press("Add this person")
		w.Sees("Jérôme Aubert", "Quay & Sons")
		w.Choose("Role of Wei Zhang", "Moderator")
		w.Press("Move Jérôme Aubert up")
		w.Accessible("session-new-people")
		modelstest.Want(t, "the title became", w.Value("Title"), "Opening")
		w.Press("Create session")
		w.Sees("S-1 is created.", "Jérôme Aubert", "Wei Zhang")

		w.Follow("Submissions")
		w.Follow("New submission")
		w.Fill("Title", "Harbour logs")
		w.Press("Create submission")
		w.Sees("A-1 is created.", "Nobody is on it yet.")
		record := w.URL()
		search(w, "jerome quay", "Jérôme Aubert")
		w.Accessible("people-found")
		w.Press("Add Jérôme Aubert")
		w.Sees("Jérôme Aubert is on A-1 now.")
		search(w, "zeppelin", "Nobody matches “zeppelin”")
		w.Press("Somebody new")
		w.Fill("Name", "Li Na")
		w.Fill("E-mail", "not an address")
		w.Press("Add this person")
		w.Sees("must be an address such as ana@example.org")
		modelstest.Want(t, "the name became", w.Value("Name"), "Li Na")
		w.Fill("E-mail", "li@example.org")
		w.Press("Add this person")
		w.Sees("Li Na is on A-1 now.")
		w.Press("Move Li Na up")
		w.Sees("Li Na is number 1 of 2 now.")
		if w.Scripts {
			w.Focused("Move Li Na up")
			w.Keys(input.Enter) // there is nothing above her
			w.Sees("Nothing was changed.")
			w.Settled()
		}
		const review = `document.querySelector("textarea[name=comment]")`
		if w.Scripts { // what is half typed beside the people stays
			JS[any](w, `() => { const e = `+review+`; e.value = "Half a review"; e.dispatchEvent(new Event("input", {bubbles: true})); }`)
		}
		w.Choose("Role of Jérôme Aubert", "Chairperson")
		w.Press("Save roles")
		w.Sees("The people of A-1 are saved.")
		if text, err := JS[string](w, `() => `+review+`.value`); w.Scripts && text != "Half a review" {
			t.Errorf("the review became %q, %v", text, err)
		}
		modelstest.Want(t, "the role", w.Value("Role of Jérôme Aubert"), "chairperson")
		w.Accessible("people")
		w.Press("Remove Li Na")
		w.Sees("Li Na is not on A-1 any more.")
		if w.Scripts {
			if focus, _ := JS[string](w, `() => document.activeElement.id`); focus != "people-part" {
				t.Errorf("the focus is on %q", focus)
			}
		}
		w.Press("Undo")
		w.Sees("Undone.")
		if rows := w.All(".people-rows li a[href*='/speakers/']"); strings.Join(rows, ", ") != "Li Na, Jérôme Aubert" {
			t.Errorf("the people are %s", rows)
		}

		w.Follow("Jérôme Aubert")
		w.Sees("Quay & Sons", "jerome@example.org", "Opening", "Harbour logs", "Not placed yet", "Chairperson", "1 of 3")
		w.Accessible("person")
		w.Follow("Next")
		w.Sees("Li Na", "2 of 3")
		w.Follow("Speakers")
		w.Sees("3 people", "Who is on a submission or session of this event")
		w.Accessible("speakers")
		w.Fill("Search", "quay jerome")
		w.Press("Search")
		w.Sees("1 of 3", "Jérôme Aubert")
		w.Visit(record)
		w.Follow("Li Na")
		w.Sees("2 of 3")
	})
}

// search types into the search for people: a script answers at once, a button otherwise.
func search(w *Window, text, want string) {
	w.T.Helper()
	w.Fill("Add a person", text)
	if !w.Scripts {
		w.Press("Find")
	}
	w.Sees(want)
}
