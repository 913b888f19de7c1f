package e2e

import (
	"fmt"
	"regexp"
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
	each(t, func(t *testing.T, s *site) {
		w := s.owner()
		s.run("seed", "--event", "harbour", "--sessions", "900", "--contacts", "60")
		w.visit("/admin")
		w.follow("Submissions")
		w.follow("Pending")
		w.sees("Any track")
		n := matching(t, w)
		w.choose("Track", "track 2")
		w.sees("Clear filters")
		before := matching(t, w) // these have the track already: nothing to set, nothing to undo
		w.back()
		w.doesNotSee("Selected:") // the bar waits for a row
		w.tick("Select this page")
		w.sees("Selected: 50")
		w.accessible("bulk")
		w.tick(fmt.Sprintf("All %d matching", n))
		w.choose("New track", "track 2")
		w.press("Apply")
		w.path("/admin/events/")
		w.sees("Set track track 2", fmt.Sprintf("%d of %d done", n, n), "Undo")
		w.accessible("batch")
		w.follow("Back to submissions")
		w.choose("Track", "track 2")
		w.sees("Clear filters")
		if got := matching(t, w); got != n {
			t.Errorf("%d have the track, want %d", got, n)
		}
		w.back()
		w.back()
		w.press("Undo")
		w.sees("Undo", fmt.Sprintf("%d of %d done", n-before, n-before))
		w.follow("Back to submissions")
		w.choose("Track", "track 2")
		w.sees("Clear filters")
		if got := matching(t, w); got != before {
			t.Errorf("%d have the track after the undo, want %d", got, before)
		}
	})
}

func TestManyAreDeletedAndRestoredWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	s.owner()
	s.run("seed", "--event", "harbour", "--sessions", "40", "--contacts", "10")
	w := s.plainWindow()
	w.signIn("ada@example.org")
	w.follow("Submissions")
	title, err := w.page.MustElement("a.title").Text()
	w.check(err, "title")
	w.tick("Select " + title)
	w.press("Delete")
	w.sees("Delete 1 submission?", title)
	w.press("Delete 1 submission")
	w.sees("1 of 1 done") // asked for again by the page itself
	w.follow("Open the Trash")
	w.sees(title)
	w.press("Restore " + title)
	w.sees("is back.", "The Trash is empty")
	w.follow("Submissions")
	w.sees(title)
}

func TestViewsAndColumnsStay(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	s.run("seed", "--event", "harbour", "--sessions", "40", "--contacts", "10")
	w.visit("/admin")
	w.follow("Submissions")
	w.follow("Pending")
	w.sees("Clear filters")
	w.press("Views")
	w.fill("Keep this view as", "To read")
	w.accessible("views")
	w.press("Views") // closed by the change of size, or not
	if !strings.Contains(w.text(), "Keep this view as") {
		w.press("Views")
	}
	w.fill("Keep this view as", "To read")
	w.press("Save view")
	w.sees("The view To read is kept.")
	w.follow("Clear filters")
	w.press("Columns")
	w.tick("Tags")
	w.tick("Compact")
	w.press("Show")
	w.press("Views")
	w.follow("To read")
	w.path("/admin/events/")
	if !strings.Contains(w.url(), "status=pending") {
		t.Errorf("the view leads to %s", w.url())
	}
	if tags, _, err := w.page.HasR("th", "Tags"); err != nil || !tags {
		t.Error("the column of tags is not there any more")
	}
	if compact, _, err := w.page.Has(".compact"); err != nil || !compact {
		t.Error("the rows are not compact any more")
	}
	w.press("Columns")
	w.accessible("columns")
}
