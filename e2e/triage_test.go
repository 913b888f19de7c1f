package e2e

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
)

// sorters are an event with submissions, and an organizer in front of them.
func (s *site) sorters(names ...string) (windows []*window) {
	s.t.Helper()
	path, key := s.conference()
	for _, name := range names {
		if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", name+"@example.org",
			"--name", name,
			"--role", "organizer"); err != nil {
			s.t.Fatal(stderr)
		}
	}
	s.serve("serve")
	for _, title := range []string{"Knots", "Ropes", "Nets", "Tides"} {
		s.ok(key, "POST", path+"/sessions/create",
			`{"title": "`+title+`", "is_abstract": true, "description": "<p>The text of `+title+`</p>"}`)
	}
	for _, name := range names {
		w := s.window()
		w.signIn(name + "@example.org")
		w.follow("Triage")
		windows = append(windows, w)
	}
	return windows
}

// TestTwoSortSubmissions goes through what waits by the buttons, takes steps back, and meets somebody who does the same.
func TestTwoSortSubmissions(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		both := s.sorters("Ada", "Li")
		ada, li := both[0], both[1]
		ada.sees("0 of 4 sorted", "The text of Tides")
		ada.accessible("triage")
		li.sees("The text of Tides")
		ada.press("Accept queue")
		ada.sees("A-4 is in the accept queue.", "The text of Nets", "1 of 4 sorted", "Commit 1 decision…")
		ada.press("Decline queue")
		ada.sees("A-3 is in the decline queue.", "The text of Ropes")
		ada.accessible("triage-moved")
		// Who comes second is told, and overwrites nothing.
		li.press("Decline queue")
		li.sees("Ada changed A-4", "it is in the accept queue. Nothing was overwritten.", "The text of Tides")
		li.accessible("triage-conflict")
		// The last steps are taken back one after the other.
		ada.press("Undo: A-3")
		ada.sees("A-3 is pending again.", "The text of Nets")
		ada.press("Undo: A-4")
		ada.sees("A-4 is pending again.", "The text of Tides", "0 of 4 sorted")
		ada.doesNotSee("Undo")
		ada.press("Leave pending")
		ada.sees("The text of Nets")
		ada.press("Accept queue")
		ada.sees("The text of Ropes")
		ada.follow("Accept queue")
		ada.sees("The text of Nets", "Its speakers see “Pending” until that is committed.")
		ada.press("Back to pending")
		ada.sees("The accept queue is empty")
		// A track says how many it has room for.
		ada.follow("Tracks, rooms and tags")
		ada.fill("Name of the new track", "Harbours")
		ada.fill("Sessions wanted", "3")
		ada.press("Add track")
		ada.sees("“Harbours” is added.")
		ada.follow("Triage")
		ada.sees("0 of 3", "3 free")
		ada.follow("Open the record")
		ada.follow("Triage")
		ada.sees("0 of 4 sorted")
	})
}

// TestTriageByKeyboard needs nothing but keys, and on a phone the list and a submission are two pages.
func TestTriageByKeyboard(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.sorters("Ada")[0]
	key := func(what string, key input.Key, sees ...string) {
		t.Helper()
		w.leaves(what, func() { w.keys(key) })
		w.sees(sees...)
	}
	key("a", input.KeyA, "A-4 is in the accept queue.", "The text of Nets")
	w.holds(`document.getElementById("announcements").textContent.includes("A-4 is in the accept queue.")`)
	w.holds(`document.activeElement.id === "reading"`)
	key("j", input.KeyJ, "The text of Ropes")
	key("d", input.KeyD, "A-2 is in the decline queue.", "The text of Knots")
	key("k", input.KeyK, "The text of Nets")
	key("p", input.KeyP, "The text of Knots")
	key("z", input.KeyZ, "A-2 is pending again.", "The text of Ropes")
	key("z", input.KeyZ, "A-4 is pending again.", "The text of Tides")
	w.holds(`document.querySelector("[data-triage-rows] .current a").textContent === "Tides" && !document.querySelector("[data-key=z]")`)
	// Keys that come while one is under way are dropped: what was not read is not decided.
	w.leaves("a", func() { w.keys(input.KeyA); w.keys(input.KeyA) })
	w.sees("A-4 is in the accept queue.", "1 of 4 sorted")
	// Nothing of that while one types.
	w.fill("Search", "da")
	w.holds(`document.activeElement.matches("[data-search]") && document.querySelector(".standing").textContent.startsWith("1 of 4")`)
	w.visit("/admin")
	w.resize(390, 844)
	w.press("Menu")
	w.follow("Triage")
	if page := w.text(); strings.Contains(page, "The text of") || !strings.Contains(page, "Ropes") {
		t.Errorf("a phone begins with %s", page)
	}
	w.follow("Nets")
	w.sees("The text of Nets")
	w.doesNotSee("sorted", "Waiting")
	w.press("Decline queue")
	w.sees("A-3 is in the decline queue.", "The text of Ropes")
	w.follow("Back to the list")
	w.sees("2 of 4 sorted")
	w.fits("triage on a phone")
}
