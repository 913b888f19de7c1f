package reviews

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
)

// sorters are an event with submissions, and an organizer in front of them.
func sorters(s *Site, names ...string) (windows []*Window) {
	s.T.Helper()
	path, key := s.Conference()
	for _, name := range names {
		if _, stderr, err := s.Try("correct horse battery\n", "user", "create", "--email", name+"@example.org",
			"--name", name,
			"--role", "organizer"); err != nil {
			s.T.Fatal(stderr)
		}
	}
	s.Serve("serve")
	for _, title := range []string{"Knots", "Ropes", "Nets", "Tides"} {
		s.Ok(key, "POST", path+"/sessions/create",
			`{"title": "`+title+`", "is_abstract": true, "description": "<p>The text of `+title+`</p>"}`)
	}
	for _, name := range names {
		w := s.Window()
		w.SignIn(name + "@example.org")
		w.Follow("Triage")
		windows = append(windows, w)
	}
	return windows
}

// TestTwoSortSubmissions goes through what waits by the buttons, takes steps back, and meets somebody who does the
// same.
func TestTwoSortSubmissions(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		both := sorters(s, "Ada", "Li")
		ada, li := both[0], both[1]
		ada.Sees("0 of 4 sorted", "The text of Tides")
		ada.Accessible("triage")
		li.Sees("The text of Tides")
		ada.Press("Accept queue")
		ada.Sees("A-4 is in the accept queue.", "The text of Nets", "1 of 4 sorted", "Commit 1 decision…")
		ada.Press("Decline queue")
		ada.Sees("A-3 is in the decline queue.", "The text of Ropes")
		ada.Accessible("triage-moved")
		// Who comes second is told, and overwrites nothing.
		li.Press("Decline queue")
		li.Sees("Ada changed A-4", "it is in the accept queue. Nothing was overwritten.", "The text of Tides")
		li.Accessible("triage-conflict")
		// The last steps are taken back one after the other.
		ada.Press("Undo: A-3")
		ada.Sees("A-3 is pending again.", "The text of Nets")
		ada.Press("Undo: A-4")
		ada.Sees("A-4 is pending again.", "The text of Tides", "0 of 4 sorted")
		ada.DoesNotSee("Undo")
		ada.Press("Leave pending")
		ada.Sees("The text of Nets")
		ada.Press("Accept queue")
		ada.Sees("The text of Ropes")
		ada.Follow("Accept queue")
		ada.Sees("The text of Nets", "Its speakers see “Pending” until that is committed.")
		ada.Press("Back to pending")
		ada.Sees("The accept queue is empty")
		// A track says how many it has room for.
		ada.Follow("Tracks, rooms and tags")
		ada.Fill("Name of the new track", "Harbours")
		ada.Fill("Sessions wanted", "3")
		ada.Press("Add track")
		ada.Sees("“Harbours” is added.")
		ada.Follow("Triage")
		ada.Sees("0 of 3", "3 free")
		ada.Follow("Open the record")
		ada.Follow("Triage")
		ada.Sees("0 of 4 sorted")
	})
}

// TestTriageByKeyboard needs nothing but keys, and on a phone the list and a submission are two pages.
func TestTriageByKeyboard(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	w := sorters(s, "Ada")[0]
	key := func(what string, key input.Key, sees ...string) {
		t.Helper()
		w.Leaves(what, func() { w.Keys(key) })
		w.Sees(sees...)
	}
	key("a", input.KeyA, "A-4 is in the accept queue.", "The text of Nets")
	w.WaitFor(`document.getElementById("announcements").textContent.includes("A-4 is in the accept queue.")`)
	w.WaitFor(`document.activeElement.id === "reading"`)
	key("j", input.KeyJ, "The text of Ropes")
	key("d", input.KeyD, "A-2 is in the decline queue.", "The text of Knots")
	key("k", input.KeyK, "The text of Nets")
	key("p", input.KeyP, "The text of Knots")
	key("z", input.KeyZ, "A-2 is pending again.", "The text of Ropes")
	key("z", input.KeyZ, "A-4 is pending again.", "The text of Tides")
	w.WaitFor(`document.querySelector("[data-triage-rows] .current a").textContent === "Tides" && !document.querySelector("[data-key=z]")`)
	// Keys that come while one is under way are dropped: what was not read is not decided.
	w.Leaves("a", func() { w.Keys(input.KeyA); w.Keys(input.KeyA) })
	w.Sees("A-4 is in the accept queue.", "1 of 4 sorted")
	// An undo that is pressed at once after a step undoes that one, and nothing answers that it is stale.
	w.Leaves("z", func() { w.Keys(input.KeyZ) })
	w.Sees("A-4 is pending again.", "The text of Tides", "0 of 4 sorted")
	w.Leaves("a", func() { w.Keys(input.KeyA) })
	w.Leaves("z at once", func() { w.Keys(input.KeyZ) })
	w.Sees("A-4 is pending again.", "0 of 4 sorted")
	w.Leaves("a again", func() { w.Keys(input.KeyA) })
	w.Sees("A-4 is in the accept queue.", "1 of 4 sorted")
	// Nothing of that while one types.
	w.Fill("Search", "da")
	w.WaitFor(`document.activeElement.matches("[data-search]") && document.querySelector(".standing").textContent.startsWith("1 of 4")`)
	w.Visit("/admin")
	w.Resize(390, 844)
	w.Press("Menu")
	w.Follow("Triage")
	if page := w.Text(); strings.Contains(page, "The text of") || !strings.Contains(page, "Ropes") {
		t.Errorf("a phone begins with %s", page)
	}
	w.Follow("Nets")
	w.Sees("The text of Nets")
	w.DoesNotSee("sorted", "Waiting")
	w.Press("Decline queue")
	w.Sees("A-3 is in the decline queue.", "The text of Ropes")
	w.Follow("Back to the list")
	w.Sees("2 of 4 sorted")
	w.Fits("triage on a phone")
}
