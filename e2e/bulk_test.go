package e2e

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// matching is how many rows the list says it has.
func matching(t *testing.T, w *window) int {
	t.Helper()
	m := regexp.MustCompile(`of ([0-9,]+) submissions`).FindStringSubmatch(w.text())
	if m == nil {
		t.Fatalf("the list does not say how many there are:\n%s", w.text())
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	w.check(err, m[0])
	return n
}

func TestManySubmissionsAreChangedAtOnceAndBack(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "700", "--contacts", "40")
		w.visit("/admin")
		w.follow("Submissions")
		w.follow("Pending")
		w.sees("Filter")
		n := matching(t, w)
		w.narrow("Track", "track 2")
		w.sees("Clear")
		before := matching(t, w) // these have the track already: nothing to set, nothing to undo
		w.back()
		if w.scripts {
			w.doesNotSee("The ticked rows", "Back to pending") // the bar waits for a row
			w.tick("Select this page")
			w.sees("50 selected")
		}
		w.accessible("bulk")
		w.tick(fmt.Sprintf("All %d matching", n))
		w.press("Track…")
		w.choose("New track", "track 2")
		w.press("Change track")
		w.path("/admin/events/")
		w.sees("Change the track to track 2", fmt.Sprintf("%d of %d done", n, n), "Undo")
		w.sees("What was changed", "Show the list") // without scripts too, for the page asks for itself again
		w.accessible("batch")
		w.follow("Back to submissions")
		w.narrow("Track", "track 2")
		w.sees("Clear")
		if got := matching(t, w); got != n {
			t.Errorf("%d have the track, want %d", got, n)
		}
		w.back()
		w.back()
		w.press("Undo")
		w.sees("Undo", fmt.Sprintf("%d of %d done", n-before, n-before))
		w.follow("Back to submissions")
		w.narrow("Track", "track 2")
		w.sees("Clear")
		if got := matching(t, w); got != before {
			t.Errorf("%d have the track after the undo, want %d", got, before)
		}
	})
}

func TestManyAreDeletedAndRestored(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "40", "--contacts", "10")
		w.visit("/admin")
		w.follow("Submissions")
		title := w.all("tbody .title")[0]
		w.tick("Select " + title)
		w.press("More…")
		w.press("Delete")
		w.sees("Delete 1 submission?", title)
		w.accessible("bulk-delete")
		w.press("Delete 1 submission")
		w.sees("1 of 1 done") // asked for again by the page itself
		w.follow("Open the Trash")
		w.sees(title)
		w.accessible("trash")
		w.press("Restore " + title)
		w.sees("is back.", "The Trash is empty")
		w.accessible("trash-empty")
		w.follow("Submissions")
		w.sees(title)
	})
}

func TestViewsAndColumnsStay(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "40", "--contacts", "10")
		w.visit("/admin")
		w.follow("Submissions")
		w.follow("Pending")
		w.path("/admin/events/")
		w.press("Views")
		w.sees("Keep this view as")
		w.accessible("views")
		w.fill("Keep this view as", "To read")
		w.press("Save view")
		w.sees("The view To read is kept.")
		w.follow("All")
		tall := w.rowHeight()
		w.press("Columns")
		w.tick("Tags")
		w.tick("Compact")
		w.accessible("columns")
		w.press("Show")
		w.press("Views")
		w.follow("To read")
		w.path("/admin/events/")
		if !strings.Contains(w.url(), "status=pending") {
			t.Errorf("the view leads to %s", w.url())
		}
		if heads := w.all("thead th"); !slices.Contains(heads, "Tags") {
			t.Errorf("the column of tags is not there any more: %q", heads)
		}
		if low := w.rowHeight(); low >= tall {
			t.Errorf("the rows are not compact any more: %d px", low)
		}
		w.press("Views")
		w.press("Delete a view…")
		w.press("Delete the view To read")
		w.sees("is deleted")
		w.press("Views")
		w.sees("No views yet")
	})
}

// rowHeight is how tall the first row of a list is, in pixels.
func (w *window) rowHeight() int {
	w.t.Helper()
	height, err := js[int](w, `() => document.querySelector("tbody tr").offsetHeight`)
	w.check(err, "row")
	return height
}
