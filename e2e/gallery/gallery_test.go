package gallery

import (
	"slices"
	"strings"
	"testing"

	. "lectern/e2e/drive"
)

// TestEveryStateOfEveryPageIsAccessible goes through the gallery twice at once: light on a desk, dark on a phone. In the
// long suite, which is `make gallery`, each look takes all states of all pages; else the first state of every second
// page. The frame around a page is judged with the first state of it that a look takes.
func TestEveryStateOfEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	s.Env = append(s.Env, "LECTERN_DESIGN=1")
	s.Serve("serve")
	each := func(t *testing.T, phone bool, prepare func(w *Window), look func(w *Window, s state)) *Window {
		t.Parallel()
		one := *s
		one.T = t
		w := one.Window()
		prepare(w)
		w.Visit("/design")
		states, err := JS[[]string](w,
			`() => [...document.querySelectorAll("a[href^='/design/']")].map(a => a.getAttribute("href"))`)
		w.Check(err, "gallery")
		if len(states) < 100 {
			t.Fatalf("the gallery has %d states", len(states))
		}
		seen, framed := map[string]bool{}, map[string]bool{}
		for _, path := range states {
			name := strings.TrimPrefix(path, "/design/")
			page, _, _ := strings.Cut(name, "/")
			is := state{name: name, judge: (*Window).JudgeMain,
				words: strings.HasSuffix(path, "/long-text") || strings.HasSuffix(path, "/right-to-left")}
			isFirst := !seen[page]
			seen[page] = true
			if !Long() && (!isFirst || phone != (len(seen)%2 == 0)) {
				continue
			}
			if !is.words && !framed[page] {
				framed[page], is.judge = true, (*Window).Judge
			}
			// htmx puts it in the place of the last one, in the style of its own frame: axe is there already.
			_, err := JS[any](w, putting, path)
			w.Check(err, path)
			look(w, is)
		}
		return w
	}
	t.Run("light", func(t *testing.T) {
		w := each(t, false, func(*Window) {}, func(w *Window, s state) {
			w.Fits(s.name)
			if !s.words {
				s.judge(w, s.name)
			}
		})
		findsFaults(w)
	})
	t.Run("dark phone", func(t *testing.T) {
		each(t, true, func(w *Window) {
			w.Scheme("dark")
			w.Resize(390, 4000) // so tall that no bar at its foot lies over anything
		}, func(w *Window, s state) {
			w.Fits(s.name)
			var rules []string
			switch {
			case s.words:
				rules = []string{"target-size", "scrollable-region-focusable"}
			case Long(): // the other look sees the rest
				rules = []string{"target-size", "scrollable-region-focusable", "color-contrast", "link-in-text-block"}
			}
			s.judge(w, s.name+" (dark, phone)", rules...)
		})
	})
}

// putting has a page be what the window shows.
const putting = `async (path) => {
	const text = await (await fetch(path)).text(), page = new DOMParser().parseFromString(text, "text/html");
	document.body.className = page.body.className;
	const sheet = document.querySelector("link[rel=stylesheet]"), its = page.querySelector("link[rel=stylesheet]");
	if (sheet.getAttribute("href") !== its.getAttribute("href")) {
		const loaded = new Promise((done) => sheet.addEventListener("load", done, {once: true}));
		sheet.href = its.getAttribute("href");
		await loaded;
	}
	htmx.swap(document.body, text, {swapStyle: "innerHTML"}, {eventInfo:
		{target: document.body, requestConfig: {elt: document.body, parameters: {}}}});
}`

// findsFaults plants faults into a page of which the rest has been judged.
func findsFaults(w *Window) {
	found, err := JS[[]struct{ ID string }](w, `() => {
		const main = document.querySelector("main");
		main.insertAdjacentHTML("beforeend", "<p>Pale</p><img width=9 height=9><button>a</button><button>b</button>");
		main.querySelector(":scope > p:last-of-type").style.color = "#ccc";
		main.querySelectorAll(":scope > button").forEach(b => b.style.cssText = "all: unset; font-size: 9px");
		return judge("main");
	}`)
	w.Check(err, "faults")
	for _, want := range []string{"color-contrast", "image-alt", "target-size"} {
		if !slices.ContainsFunc(found, func(f struct{ ID string }) bool { return f.ID == want }) {
			w.T.Errorf("%s is not found: %v", want, found)
		}
	}
}

// state is one of a page's in the gallery.
type state struct {
	name  string
	words bool // it shows other words alone, which change nothing but the sizes
	judge func(w *Window, name string, rules ...string)
}
