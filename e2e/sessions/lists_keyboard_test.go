package sessions

import (
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
)

func TestListsByKeyboard(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	s.Run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.Visit("/admin")
	w.Follow("Submissions")
	// Filters are ticked, and leave no empty parameter in the address.
	w.Press("Filter")
	w.Press("Track")
	// A click on what is no control leaves the pop-up as it is.
	w.Poke(w.Aim(`((selector) => document.querySelector(selector))`, ".filter-menu .send"))
	w.Focus(ByLabel, "track 2")
	w.Keys(input.Space)
	w.Press("Show")
	w.WaitFor(`/^\?track=[^&]+$/.test(location.search) && document.querySelector("a.chip").textContent.includes("track 2")`)
	w.Back()
	w.WaitFor(`location.search === ""`)
	// j and k go from row to row, x selects, Enter opens.
	title := `document.activeElement.matches(".title") && [...document.querySelectorAll(".title")].indexOf(document.activeElement)`
	w.Keys(input.KeyJ)
	w.WaitFor(title + " === 0")
	w.Keys(input.KeyJ)
	w.Keys(input.KeyJ)
	w.Keys(input.KeyK)
	w.WaitFor(title + " === 1")
	w.Keys(input.KeyX)
	w.WaitFor(`document.getElementById("announcements").textContent === "1 selected"`)
	w.WaitFor(`document.activeElement.closest("tr").querySelector("input").checked && !document.getElementById("bulk").hidden`)
	tinted := `(n) => getComputedStyle(document.querySelectorAll("tbody tr")[n].cells[2]).backgroundColor`
	if on, _ := JS[string](w, tinted, 1); on == "rgba(0, 0, 0, 0)" {
		t.Error("a selected row looks like any other")
	}
	// A verb by its key: the row changes in its place, and keeps the focus.
	where, _ := JS[string](w, `() => document.activeElement.id`)
	w.Leaves("d", func() { w.Keys(input.KeyD) })
	w.Sees("1 submission is in the decline queue.")
	w.WaitFor(`document.activeElement.id === "` + where + `" && location.search === ""`)
	w.WaitFor(`document.getElementById("announcements").textContent.includes("decline queue")`)
	w.Leaves("Enter", func() { w.Keys(input.Enter) })
	w.WaitFor(`location.pathname.includes("/sessions/")`)
	w.Back()
	// Nothing of that while one types.
	w.Fill("Search", "jx")
	w.WaitFor(`document.activeElement.matches("[data-search]")`)
	w.Fill("Search", "")
	w.Visit("/admin")
	w.Follow("Submissions")
	// From a ticked row to the bar, and how many are ticked.
	w.Focus(`((s) => document.querySelector(s))`, "tbody input[name=id]")
	w.Keys(input.Space)
	w.WaitFor(`document.getElementById("announcements").textContent === "1 selected"`)
	w.Keys(input.KeyB)
	w.WaitFor(`document.activeElement.id === "bulk"`)
	w.WaitFor(
		`document.getElementById("bulk").getBoundingClientRect().bottom <= innerHeight &&
			!!(document.getElementById("bulk").compareDocumentPosition(document.querySelector("table")) & Node.DOCUMENT_POSITION_FOLLOWING)`)
	w.Keys(input.Tab)
	w.WaitFor(`!!document.activeElement.closest("#bulk")`)
	// Pop-ups close by Escape, and by a click beside them.
	for _, name := range []string{"Views", "Columns", "Event:"} {
		w.Press(name)
		w.WaitFor(`document.querySelectorAll("details.switcher[open]").length === 1`)
		w.Keys(input.Tab)
		w.Keys(input.Escape)
		w.WaitFor(`!document.querySelector("details.switcher[open]") && document.activeElement.matches("summary")`)
		w.Press(name)
		w.WaitFor(`document.querySelectorAll("details.switcher[open]").length === 1`)
		w.Click(ByRole, "h1", "Submissions")
		w.WaitFor(`!document.querySelector("details.switcher[open]")`)
	}
	// Compact rows are lower.
	tall := rowHeight(w)
	w.Press("Columns")
	w.Tick("Compact")
	w.Press("Show")
	if low := rowHeight(w); low >= tall {
		t.Errorf("compact rows are %d px high, the others %d", low, tall)
	}
	// An edit is left by Escape.
	w.Follow("Tracks, rooms and tags")
	w.Follow("Edit track 2")
	w.WaitFor(`!!document.activeElement.closest(".editing")`)
	w.Keys(input.Escape)
	w.Path("/admin/events/")
	w.WaitFor(`!document.getElementById("edit")`)
}

// rowHeight returns the height of a list's first row in pixels.
func rowHeight(w *Window) int {
	w.T.Helper()
	height, err := JS[int](w, `() => document.querySelector("tbody tr").offsetHeight`)
	w.Check(err, "row")
	return height
}

func TestThePaletteByKeyboard(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	s.Run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.Visit("/admin")
	open := func(text string) {
		w.Keys(input.ControlLeft, input.KeyK)
		w.Fill("Page, submission or speaker", text)
	}
	open("zeppelin")
	w.Sees("Nothing found for “zeppelin”.")
	w.WaitFor(`document.getElementById("found-status").textContent.includes("Nothing found")`)
	w.Keys(input.Escape)
	w.WaitFor(`!document.getElementById("palette").open`)
	open("dash")
	w.WaitFor(
		`document.getElementById("found-status").textContent !== "" && ![...document.querySelectorAll(".palette .nothing")].some(e => e.checkVisibility())`)
	w.Keys(input.ArrowDown)
	w.Focused("Dashboard")
	w.Keys(input.Escape)
	for _, words := range []string{"rooms tags", "ooms"} { // pages are found by any of their words
		open(words)
		w.Keys(input.ArrowDown)
		w.Focused("Tracks, rooms and tags")
		w.Keys(input.Escape)
	}
	for _, theme := range []string{"dark", "light"} {
		open("theme")
		w.Keys(input.Enter)
		w.WaitFor(`document.documentElement.dataset.theme === "` + theme + `" && !document.querySelector("#palette").open`)
	}
	open("quokka")
	w.Sees("quokka")
	w.Accessible("palette")
	open("person1@")
	if !Within(Patience, func() bool { return len(w.All(`#found a[href*="/speakers/"]`)) == 1 }) {
		t.Fatalf("the palette found %q", w.All("#found a"))
	}
	w.Leaves("Enter", func() { w.Keys(input.Enter) })
	w.Path("/admin/events/")
	w.Sees("person1@", "Submission")
	open("a-1") // Enter waits for the answer
	w.Keys(input.Enter)
	w.Path("/admin/events/")
	w.WaitFor(`location.pathname.includes("/sessions/")`)
	w.Sees("A-1")
}
