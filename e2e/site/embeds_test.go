package site

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// host serves another site, on an origin of its own, whose page contains what is pasted. In place of an address it
// contains the answer of that address, which its server fetches.
func host(t *testing.T, pasted ...string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/" {
			pasted := slices.Clone(pasted)
			for i, what := range pasted {
				if strings.HasPrefix(what, "http") {
					pasted[i] = answered(what)
				}
			}
			fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><head><meta name="viewport" content="width=device-width">`+
				`<title>Quay news</title><link rel="icon" href="data:,">`+
				`<style>body{margin:0 auto;max-width:860px;font-family:sans-serif}</style></head>`+
				`<body><h1>Quay news</h1>%s<p>The end.</p></body></html>`, strings.Join(pasted, "<h2>And</h2>"))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// answered returns the answer of an address, or the error.
func answered(address string) string {
	response, err := http.Get(address)
	if err != nil {
		return err.Error()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error()
	}
	return string(body)
}

// makesAnEmbed makes one in the admin and returns its codes: with a script and without.
func makesAnEmbed(w *Window, list, name, shows string, more func()) (script, frame string) {
	w.T.Helper()
	w.Visit(list)
	if strings.Contains(w.Text(), "Make the first embed") {
		w.Follow("Make the first embed")
	} else {
		w.Follow("New embed")
	}
	w.Fill("Name", name)
	w.Choose("What it shows", shows)
	more()
	w.Leaves("Make embed", func() { w.Press("Make embed") })
	w.Sees("The embed is made.")
	return w.TextOf("embed-script"), w.TextOf("embed-frame")
}

// TestTwoEmbedsStandOnAnotherSite makes two, pastes them into one page of another origin, where each is as high as what
// it shows, and deletes one.
func TestTwoEmbedsStandOnAnotherSite(t *testing.T) {
	OnlyLong(t)
	Journey(t, func(t *testing.T, s *Site) {
		published(s)
		w, list := organizer(s)
		one, plain := makesAnEmbed(w, list, "Front page", "Agenda: a grid where it is wide, else a list", func() {})
		w.Accessible("admin-embed")
		other, _ := makesAnEmbed(w, list, "Sidebar", "Speakers A to Z", func() {
			w.Fill("Colour", "#b3261e")
			w.Choose("Background", "Always dark")
		})
		w.Sees("Text on the brand")
		w.Accessible("admin-embed-coloured")
		w.Follow("All embeds")
		w.Sees("Front page", "Sidebar", "Never")
		w.Accessible("admin-embeds")

		reader := s.Window()
		if reader.Base = host(t, one, other); s.Plain {
			reader.Base = host(t, plain)
		}
		reader.Visit("/")
		if s.Plain {
			within(reader, 0, "Harbour logs", "Night watch")
			return
		}
		areAsHighAsTheyShow(reader, 2)
		within(reader, 0, "Harbour logs", "Night watch")
		within(reader, 1, "Carvalho", "Quispe")
		reader.Shot("embeds-host")
		// Neither who frames them nor anybody else makes them lower by a message that is not theirs.
		_, err := JS[any](reader, `() => { postMessage({lecternHeight: 90}, "*"); }`)
		reader.Check(err, "message")
		reader.Resize(390, 844)
		areAsHighAsTheyShow(reader, 2)
		reader.Fits("embeds on a phone")
		reader.Shot("embeds-host-phone")

		w.Visit(list)
		if !Within(Patience, func() bool { w.Reload(); return !strings.Contains(w.Text(), "Never") }) {
			t.Fatalf("nobody asked for an embed: %s", w.Text())
		}
		w.Follow("Sidebar")
		w.Follow("Delete")
		w.Sees("Delete embed “Sidebar”?", "It was last asked for")
		w.Accessible("admin-embed-delete")
		w.Leaves("Delete embed", func() { w.Press("Delete embed") })
		w.Sees("“Sidebar” is deleted.", "Front page")
		reader.Forgive()
		reader.Visit("/")
		within(reader, 0, "Harbour logs")
		if text := frameText(reader, 1); strings.Contains(text, "Quispe") {
			t.Errorf("what was deleted shows %s", text)
		}
		reader.Forgive() // that there is no such page the browser logs
	})
}

// inFrame returns the text that a function returns in the page of a frame, "" while it is loading.
func inFrame(w *Window, which int, function string) string {
	w.T.Helper()
	frames, err := w.Page.Timeout(Patience).Elements("iframe")
	w.Check(err, "frames")
	if which >= len(frames) {
		return ""
	}
	frame, err := frames[which].Frame()
	if err != nil {
		return ""
	}
	value, err := frame.Eval(function)
	if err != nil {
		return ""
	}
	return value.Value.Str()
}

// frameText returns the text that a frame of the page shows.
func frameText(w *Window, which int) string {
	w.T.Helper()
	return inFrame(w, which, `() => { // what is not laid out yet, as it is far away, is shown once it comes near
		const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), shown = [];
		while (texts.nextNode()) {
			const text = texts.currentNode;
			if (text.parentElement.checkVisibility({ visibilityProperty: true })) shown.push(text.data);
		}
		return shown.join("");
	}`)
}

// within waits until a frame shows the texts.
func within(w *Window, which int, texts ...string) {
	w.T.Helper()
	for _, text := range texts {
		if !Within(Patience, func() bool { return strings.Contains(frameText(w, which), text) }) {
			w.T.Fatalf("the frame does not show %q: %s", text, frameText(w, which))
		}
	}
}

// areAsHighAsTheyShow waits until each of so many frames is as high as its page, so that nothing scrolls within.
func areAsHighAsTheyShow(w *Window, many int) {
	w.T.Helper()
	var seen string
	if !Within(Patience, func() bool {
		frames, err := w.Page.Elements("iframe")
		w.Check(err, "frames")
		seen = ""
		for _, element := range frames {
			_ = element.ScrollIntoView() // it is loaded when it comes near
			box, err := element.Eval(`() => this.getBoundingClientRect().height`)
			frame, failed := element.Frame()
			if err != nil || failed != nil {
				return false
			}
			page, err := frame.Eval(`() => Math.ceil(document.body.getBoundingClientRect().height)`)
			if err != nil {
				return false
			}
			seen += fmt.Sprintf("%d shows %d; ", box.Value.Int(), page.Value.Int())
			if box.Value.Int() != page.Value.Int() || box.Value.Int() == 600 {
				return false
			}
		}
		return len(frames) == many
	}) {
		w.T.Fatalf("frames of %s", seen)
	}
}
