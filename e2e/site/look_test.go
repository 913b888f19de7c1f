package site

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestTheLookIsSeenBeforeItIsSaved has the previews of the look show the public pages as they are, in what is typed, on
// a light and a dark device and on a phone. What is saved is there at once.
func TestTheLookIsSeenBeforeItIsSaved(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		w := s.Owner()
		w.Visit(strings.TrimPrefix(w.Href(`a[href$="/look"]`), s.Base))
		w.Fill("Venue", "Harbour hall")
		w.Fill("Brand colour", "#FFF3B0") // which cannot be read on paper
		w.Choose("Headings", "Sans (Inter)")
		w.Fill("The menu says for Agenda", "Timetable")
		w.Tick("Itinerary")
		if s.Plain {
			w.Leaves("preview", func() { w.Press("Show in the preview") })
		}
		for i := range 3 {
			within(w, i, "Harbour hall", "See the programme", "Typesetting a railway timetable", "Timetable")
			if text := frameText(w, i); strings.Contains(text, "Itinerary") {
				t.Errorf("the menu has a page that there is not: %s", text)
			}
		}
		w.Sees("the brand alone has 1.", "Ink chosen; white would have 1.")
		if light, dark, phone := inkOf(w, 0), inkOf(w, 1), inkOf(w, 2); light == dark || light != phone {
			t.Errorf("the ink of the previews is %s, %s and, on a phone, %s", light, dark, phone)
		}
		if wide, narrow := frameWidth(w, 0), frameWidth(w, 2); narrow > 390 || wide <= narrow {
			t.Errorf("the previews are %d and, on a phone, %d wide", wide, narrow)
		}
		w.Accessible("admin-look")
		w.Leaves("Save look", func() { w.Press("Save look") })
		w.Sees("The look is saved.", "the brand alone has 1.")
	})
}

// frameWidth returns the width of a frame's page.
func frameWidth(w *Window, which int) int {
	w.T.Helper()
	frames, err := w.Page.Timeout(Patience).Elements("iframe")
	w.Check(err, "frames")
	width, err := frames[which].Eval(`() => this.clientWidth`)
	w.Check(err, "width")
	return width.Value.Int()
}
