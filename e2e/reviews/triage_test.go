package reviews

import (
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	. "lectern/e2e/drive"
)

// TestTriageByKeyboard decides by keys alone. On a phone the list and a submission are two pages.
func TestTriageByKeyboard(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	path, api := s.Conference()
	s.Hire("Ada", "organizer")
	s.Serve("serve")
	for _, title := range []string{"Knots", "Ropes", "Nets", "Tides"} {
		s.Ok(api, "POST", path+"/sessions/create",
			`{"title": "`+title+`", "is_abstract": true, "description": "<p>The text of `+title+`</p>"}`)
	}
	w := s.Window()
	w.SignIn("ada@example.org")
	w.Follow("Triage")
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
