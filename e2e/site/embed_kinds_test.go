package site

import (
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// organizer returns a window in which an owner is signed in, and the path of the list of embeds.
func organizer(s *Site) (w *Window, list string) {
	s.T.Helper()
	s.Hire("Ada Byron", "owner")
	w = s.Window()
	w.SignIn("ada@example.org")
	return w, strings.TrimPrefix(w.Href(`a[href$="/embeds"]`), s.Base)
}

// TestEachKindOfEmbedStandsOnAnotherSite puts four kinds into frames of a page of another origin and one into its HTML,
// where nothing else of ours can be framed, and ends one.
func TestEachKindOfEmbedStandsOnAnotherSite(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		w, list := organizer(s)
		shows := []struct {
			kind  string
			texts []string
		}{
			{"List of sessions", []string{"Harbour logs", "Read the description"}},
			{"Itinerary: all sessions with everyone on them", []string{"Night watch", "Mateo Quispe"}},
			{"Speakers A to Z", []string{"Ines Carvalho", "Mateo Quispe"}},
			{"Gallery of speakers", []string{"Ines Carvalho", "Closing"}},
		}
		var pasted []string
		for _, of := range shows {
			script, frame := makesAnEmbed(w, list, of.kind, of.kind, func() {})
			pasted = append(pasted, map[bool]string{true: frame, false: script}[s.Plain])
		}
		html := w.TextOf("embed-html")
		reader := s.Window()
		reader.Base = host(t, append(pasted, html)...)
		reader.Visit("/")
		if !s.Plain {
			areAsHighAsTheyShow(reader, len(shows))
		}
		for i, of := range shows {
			within(reader, i, of.texts...)
		}
		reader.Sees("Quay news", "Ines Carvalho", "See the programme") // in the page itself
		if lead := reader.Href(".lectern-person a"); !strings.HasPrefix(lead, s.Base+base+"/speakers/") {
			t.Errorf("on another site somebody's name leads to %s", lead)
		}
		reader.Fits("embeds on a wide screen")
		reader.Shot("embeds-kinds")
		isAlone(t, s, list)

		w.Visit(list)
		if !Within(Patience, func() bool { w.Reload(); return !strings.Contains(w.Text(), "Never") }) {
			t.Fatalf("nobody asked for an embed: %s", w.Text())
		}
		w.Press("End Gallery of speakers")
		w.Sees("is ended", "Ended")
		reader.Visit("/")
		within(reader, 3, "Its organizers show it here no more.")
		within(reader, 0, "Harbour logs")
		reader.Sees("Its organizers show it here no more.") // for the HTML is of the same embed
		reader.Forgive()                                    // that it is gone the browser logs
	})
}

// isAlone checks that another site can frame nothing but embeds.
func isAlone(t *testing.T, s *Site, list string) {
	t.Helper()
	var frames []string
	for _, path := range []string{base, base + "/agenda", base + "/sessions", base + "/my", "/sign-in", "/docs", list} {
		frames = append(frames, `<iframe src="`+s.Base+path+`"></iframe>`)
	}
	reader := s.Window()
	reader.Base = host(t, frames...)
	reader.Visit("/")
	for i := range frames {
		if text := frameText(reader, i); strings.Contains(text, "Harbour") || strings.Contains(text, "Lectern") {
			t.Errorf("another site shows %s: %s", frames[i], text)
		}
	}
	reader.Forgive()
}

// TestAnEmbedIsSeenBeforeItIsMade has the preview follow the form, of a new embed and of one that is there.
func TestAnEmbedIsSeenBeforeItIsMade(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		w, list := organizer(s)
		shown := func() {
			if s.Plain {
				w.Leaves("preview", func() { w.Press("Show in the preview") })
			}
		}
		w.Visit(list + "/new")
		within(w, 0, "Opening", "Thursday 20")
		w.Accessible("admin-embed-new")
		w.Sees("Only for programs: its page has no room for them.")
		w.Choose("What it shows", "List of sessions")
		w.Choose("Language", "Deutsch")
		w.Tick("Systems")
		w.Fill("Colour", "#b3261e")
		shown()
		for i := range 3 {
			within(w, i, "Harbour logs", "Night watch", "Donnerstag")
			if text := frameText(w, i); strings.Contains(text, "Tides") {
				t.Errorf("the preview shows what the filter leaves out: %s", text)
			}
		}
		w.Sees("Text on the brand")
		if light, dark := inkOf(w, 0), inkOf(w, 1); light == dark {
			t.Errorf("on a dark device its ink is %s, as on a light one", dark)
		}
		w.Choose("Background", "Always dark")
		shown()
		if !Within(Patience, func() bool { return inkOf(w, 0) == inkOf(w, 1) && inkOf(w, 0) == inkOf(w, 2) }) {
			t.Errorf("the ink of what is always dark is %s, %s and %s", inkOf(w, 0), inkOf(w, 1), inkOf(w, 2))
		}
		w.Shot("admin-embed-preview")
		w.Visit(list)
		w.Sees("No embeds yet")

		makesAnEmbed(w, list, "Front page", "Speakers A to Z", func() {})
		within(w, 0, "Ines Carvalho")
		w.Choose("What it shows", "Gallery of speakers")
		shown()
		within(w, 0, "Closing") // which an index does not name
		w.Visit(list)
		w.Sees("Speakers A to Z", "Never")
	})
}

// inkOf returns the colour of a frame's text.
func inkOf(w *Window, which int) string {
	w.T.Helper()
	return inFrame(w, which, `() => getComputedStyle(document.body).color`)
}
