package staff

import (
	"testing"

	. "lectern/e2e/drive"
)

// TestThePhonesMenuNeedsNoScript opens and closes it, and finds the event's pages in it on one of the organization.
func TestThePhonesMenuNeedsNoScript(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		w.Resize(390, 844)
		open := func() bool {
			opened, err := JS[bool](w, `() => document.querySelector("#drawer").matches(":popover-open")`)
			w.Check(err, "drawer")
			return opened
		}
		w.Visit("/admin/staff")
		if open() {
			t.Error("the menu is open from the start")
		}
		w.Touch("Menu")
		if !open() {
			t.Fatal("the menu does not open")
		}
		w.Accessible("menu")
		w.Resize(390, 844)
		w.Touch("Close the menu")
		if open() {
			t.Error("the menu does not close")
		}
		w.Touch("Menu")
		w.Follow("Submissions")
		w.Path("/admin/events/")
		w.Fits("submissions")
	})
}
