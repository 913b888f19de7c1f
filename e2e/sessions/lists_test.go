package sessions

import (
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

func TestRowsAreChangedInTheirPlaceAndBack(t *testing.T) {
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		s.Run("seed", "--event", "harbour", "--sessions", "60", "--contacts", "10")
		w.Visit("/admin")
		w.Follow("Submissions")
		w.Follow("Pending")
		n := matching(t, w)
		at := w.URL()
		titles := w.All("tbody .title")
		w.Tick("Select " + titles[0])
		w.Tick("Select " + titles[1])
		w.Accessible("list-selected")
		w.Press("To accept queue")
		w.Sees("2 submissions are in the accept queue.", "Undo")
		if w.Scripts { // where the bar stood, however far down one is
			w.WaitFor(`((n) => n && innerHeight - n.getBoundingClientRect().bottom < 40)(document.querySelector("#main > .at-foot"))`)
			w.WaitFor(`!document.activeElement.closest(".notice")`)
		}
		if left := matching(t, w); left != n-2 || w.URL() != at {
			t.Errorf("%d of %d wait at %s", left, n, w.URL())
		}
		w.Press("Undo")
		w.Sees("2 submissions are as they were.")
		modelstest.Want(t, "rows that wait", matching(t, w), n)
		// A decision is asked about, whatever the number, and nothing is done by asking.
		w.Tick("Select " + titles[0])
		w.Press("More…")
		w.Choose("New status", "Accepted")
		w.Press("Change status")
		w.Sees("Accept 1 submission?", titles[0])
		w.Follow("Cancel")
		modelstest.Want(t, "rows that wait", matching(t, w), n)
		w.Tick("Select " + titles[0])
		w.Press("More…")
		w.Choose("New status", "Accepted")
		w.Press("Change status")
		w.Press("Accept 1 submission")
		w.Sees("1 of 1 done")
		if w.Scripts { // the question answered a form, which a browser does not go back to
			w.Back()
			w.Sees("Submissions", titles[1])
			w.DoesNotSee("Accept 1 submission?")
		}
	})
}
