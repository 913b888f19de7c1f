package e2e

import (
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// holds waits until an expression holds in the page.
func (w *window) holds(what string) {
	w.t.Helper()
	if !within(patience, func() bool {
		yes, _ := js[bool](w, `() => Boolean(`+what+`)`)
		return yes
	}) {
		at, _ := js[string](w, `() => document.activeElement.outerHTML.slice(0, 200)`)
		w.t.Fatalf("%s does not hold; the focus is on %s", what, at)
	}
}

func TestListsByKeyboard(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	s.run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.visit("/admin")
	w.follow("Submissions")
	// Filters are ticked, and leave no empty parameter in the address.
	w.press("Filter")
	w.press("Track")
	w.focus(byLabel, "track 2")
	w.keys(input.Space)
	w.press("Show")
	w.holds(`/^\?track=[^&]+$/.test(location.search) && document.querySelector("a.chip").textContent.includes("track 2")`)
	w.back()
	w.holds(`location.search === ""`)
	// j and k go from row to row, x selects, Enter opens.
	title := `document.activeElement.matches(".title") && [...document.querySelectorAll(".title")].indexOf(document.activeElement)`
	w.keys(input.KeyJ)
	w.holds(title + " === 0")
	w.keys(input.KeyJ)
	w.keys(input.KeyJ)
	w.keys(input.KeyK)
	w.holds(title + " === 1")
	w.keys(input.KeyX)
	w.holds(`document.getElementById("announcements").textContent === "1 selected"`)
	w.holds(`document.activeElement.closest("tr").querySelector("input").checked && !document.getElementById("bulk").hidden`)
	tinted := `(n) => getComputedStyle(document.querySelectorAll("tbody tr")[n].cells[2]).backgroundColor`
	if on, _ := js[string](w, tinted, 1); on == "rgba(0, 0, 0, 0)" {
		t.Error("a selected row looks like any other")
	}
	// A verb by its key: the row changes in its place, and keeps the focus.
	where, _ := js[string](w, `() => document.activeElement.id`)
	w.leaves("d", func() { w.keys(input.KeyD) })
	w.sees("1 submission is in the decline queue.")
	w.holds(`document.activeElement.id === "` + where + `" && location.search === ""`)
	w.holds(`document.getElementById("announcements").textContent.includes("decline queue")`)
	w.leaves("Enter", func() { w.keys(input.Enter) })
	w.holds(`location.pathname.includes("/sessions/")`)
	w.back()
	// Nothing of that while one types.
	w.fill("Search", "jx")
	w.holds(`document.activeElement.matches("[data-search]")`)
	w.fill("Search", "")
	w.visit("/admin")
	w.follow("Submissions")
	// From a ticked row to the bar, and how many are ticked.
	w.focus(`((s) => document.querySelector(s))`, "tbody input[name=id]")
	w.keys(input.Space)
	w.holds(`document.getElementById("announcements").textContent === "1 selected"`)
	w.keys(input.KeyB)
	w.holds(`document.activeElement.id === "bulk"`)
	w.holds(
		`document.getElementById("bulk").getBoundingClientRect().bottom <= innerHeight &&
			!!(document.getElementById("bulk").compareDocumentPosition(document.querySelector("table")) & Node.DOCUMENT_POSITION_FOLLOWING)`)
	w.keys(input.Tab)
	w.holds(`!!document.activeElement.closest("#bulk")`)
	// Pop-ups close by Escape, and by a click beside them.
	for _, name := range []string{"Views", "Columns", "Event:"} {
		w.press(name)
		w.holds(`document.querySelectorAll("details.switcher[open]").length === 1`)
		w.keys(input.Tab)
		w.keys(input.Escape)
		w.holds(`!document.querySelector("details.switcher[open]") && document.activeElement.matches("summary")`)
		w.press(name)
		w.holds(`document.querySelectorAll("details.switcher[open]").length === 1`)
		w.click(byRole, "h1", "Submissions")
		w.holds(`!document.querySelector("details.switcher[open]")`)
	}
	// An edit is left by Escape.
	w.follow("Tracks, rooms and tags")
	w.follow("Edit track 2")
	w.holds(`!!document.activeElement.closest(".editing")`)
	w.keys(input.Escape)
	w.path("/admin/events/")
	w.holds(`!document.getElementById("edit")`)
}

func TestThePaletteByKeyboard(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	s.run("seed", "--event", "harbour", "--sessions", "300", "--contacts", "40")
	w.visit("/admin")
	open := func(text string) {
		w.keys(input.ControlLeft, input.KeyK)
		w.fill("Page, submission or speaker", text)
	}
	open("zeppelin")
	w.sees("Nothing found for “zeppelin”.")
	w.holds(`document.getElementById("found-status").textContent.includes("Nothing found")`)
	w.keys(input.Escape)
	w.holds(`!document.getElementById("palette").open`)
	open("dash")
	w.holds(
		`document.getElementById("found-status").textContent !== "" && ![...document.querySelectorAll(".palette .nothing")].some(e => e.checkVisibility())`)
	w.keys(input.ArrowDown)
	w.focused("Dashboard")
	w.keys(input.Escape)
	open("a-1") // the answer is waited for
	w.keys(input.Enter)
	w.path("/admin/events/")
	w.holds(`location.pathname.includes("/sessions/")`)
	w.sees("A-1")
}
