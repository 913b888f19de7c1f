package sessions

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	. "lectern/e2e/drive"
	"lectern/models/modelstest"
)

// matching returns the number of rows that the list says it has.
func matching(t *testing.T, w *Window) int {
	t.Helper()
	m := regexp.MustCompile(`of ([0-9,]+) submissions`).FindStringSubmatch(w.Text())
	if m == nil {
		t.Fatalf("the list does not say how many there are:\n%s", w.Text())
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	w.Check(err, m[0])
	return n
}

func TestManySubmissionsAreChangedAtOnceAndBack(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		s.Run("seed", "--event", "harbour", "--sessions", "700", "--contacts", "40")
		w.Visit("/admin")
		w.Follow("Submissions")
		w.Follow("Pending")
		n := matching(t, w)
		w.Narrow("Track", "track 2")
		w.Sees("Clear")
		before := matching(t, w) // these have the track already: nothing to set, nothing to undo
		w.Back()
		if w.Scripts {
			w.DoesNotSee("The ticked rows", "Back to pending") // the bar waits for a row
			w.Tick("Select this page")
			w.Sees("50 selected")
		}
		w.Tick(fmt.Sprintf("All %d matching", n))
		w.Press("Track…")
		w.Choose("New track", "track 2")
		w.Press("Change track")
		w.Path("/admin/events/")
		w.Sees("Change the track to track 2", fmt.Sprintf("%d of %d done", n, n), "Undo")
		w.Sees("What was changed", "Show the list") // without scripts too, for the page asks for itself again
		w.Follow("Back to submissions")
		w.Narrow("Track", "track 2")
		w.Sees("Clear")
		modelstest.Want(t, "sessions of the track", matching(t, w), n)
		w.Back()
		w.Back()
		w.Press("Undo")
		w.Sees("Undo", fmt.Sprintf("%d of %d done", n-before, n-before))
		w.Follow("Back to submissions")
		w.Narrow("Track", "track 2")
		w.Sees("Clear")
		modelstest.Want(t, "sessions of the track after the undo", matching(t, w), before)
	})
}
