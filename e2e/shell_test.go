package e2e

import "testing"

// TestThePhonesMenuNeedsNoScript opens and closes it, and finds the event's pages in it on one of the organization.
func TestThePhonesMenuNeedsNoScript(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		w := s.owner()
		w.resize(390, 844)
		open := func() bool {
			opened, err := js[bool](w, `() => document.querySelector("#drawer").matches(":popover-open")`)
			w.check(err, "drawer")
			return opened
		}
		w.visit("/admin/staff")
		if open() {
			t.Error("the menu is open from the start")
		}
		w.touch("Menu")
		if !open() {
			t.Fatal("the menu does not open")
		}
		w.accessible("menu")
		w.resize(390, 844)
		w.touch("Close the menu")
		if open() {
			t.Error("the menu does not close")
		}
		w.touch("Menu")
		w.follow("Submissions")
		w.path("/admin/events/")
		w.fits("submissions")
	})
}
