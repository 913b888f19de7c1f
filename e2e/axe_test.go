package e2e

import (
	_ "embed"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

//go:embed axe/axe.min.js
var axe string

// finding is a rule of axe that a page breaks, and where.
type finding struct {
	ID, Help string
	Nodes    []string
}

// judge runs axe-core on the page as it is now. Rules on colour alone suffice where the rest was looked at in another
// theme. Without scripts, which axe is, it is the same page.
func (w *window) judge(name string, rules ...string) {
	w.t.Helper()
	if !w.scripts {
		return
	}
	if there, _ := js[bool](w, `() => "axe" in window`); !there {
		_, err := js[any](w, "() => {"+axe+"}")
		w.check(err, "axe")
	}
	findings, err := js[[]finding](w, `async (rules) => {
		const only = rules ? {type: "rule", values: rules} : {type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]};
		const r = await axe.run(document, {runOnly: only, resultTypes: ["violations"], preload: false});
		return r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " — " + (n.any[0] || n.all[0] || n.none[0] || {}).message)}));
	}`, rules)
	w.check(err, "axe")
	for _, v := range findings {
		w.t.Errorf("%s: %s %s %q", name, v.ID, v.Help, v.Nodes)
	}
}

// accessible checks the page with axe-core. When LECTERN_E2E_SHOTS asks for pictures it takes them, light, dark and
// narrow, and checks the dark one too, which the gallery does of each state anyway. What it looks like without scripts
// is the same page.
func (w *window) accessible(name string) {
	w.t.Helper()
	if !w.scripts {
		return
	}
	pictures := os.Getenv("LECTERN_E2E_SHOTS") != ""
	look := func(as string) {
		if pictures {
			w.shot(name + as)
		}
	}
	w.judge(name)
	look("-light")
	if pictures {
		w.scheme("dark")
		w.judge(name+" (dark)", "color-contrast", "link-in-text-block")
		look("-dark")
		w.scheme("light")
	}
	w.resize(390, 844)
	w.fits(name)
	look("-phone")
	w.resize(1440, 900)
}

// fits fails the test when the page is wider than the window.
func (w *window) fits(name string) {
	w.t.Helper()
	wide, err := js[int](w, `() => document.documentElement.scrollWidth - innerWidth`)
	w.check(err, name)
	if wide > 0 {
		w.t.Errorf("%s is %d px wider than its window", name, wide)
	}
}

func (w *window) resize(width, height int) {
	w.t.Helper()
	w.check(w.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1,
		Mobile: width < 500}), "resize")
}

// scheme is what the person prefers: light or dark, and nothing that moves.
func (w *window) scheme(theme string) {
	w.t.Helper()
	w.check(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}.Call(w.page), theme)
}

// shot takes a picture of the page into e2e/shots, for looking at.
func (w *window) shot(name string) {
	layout, err := proto.PageGetLayoutMetrics{}.Call(w.page.Timeout(patience))
	if err != nil {
		return
	}
	size := layout.CSSContentSize
	picture, err := proto.PageCaptureScreenshot{
		CaptureBeyondViewport: true, OptimizeForSpeed: true,
		Clip: &proto.PageViewport{Width: size.Width, Height: size.Height, Scale: 1},
	}.Call(w.page.Timeout(patience))
	if err != nil {
		return
	}
	os.MkdirAll("shots", 0o755)
	os.WriteFile(filepath.Join("shots", name+".png"), picture.Data, 0o644)
}

// TestEveryStateOfEveryPageIsAccessible goes through the gallery twice at once: light on a desk, dark on a phone.
func TestEveryStateOfEveryPageIsAccessible(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	s.env = append(s.env, "LECTERN_DESIGN=1")
	s.serve("serve")
	each := func(t *testing.T, prepare func(w *window), look func(w *window, name string, words bool)) {
		t.Parallel()
		one := *s
		one.t = t
		w := one.window()
		prepare(w)
		w.visit("/design")
		states, err := js[[]string](w,
			`() => [...document.querySelectorAll("a[href^='/design/']")].map(a => a.getAttribute("href"))`)
		w.check(err, "gallery")
		if len(states) < 100 {
			t.Fatalf("the gallery has %d states", len(states))
		}
		for _, path := range states {
			// htmx puts it in the place of the last one: axe is there already.
			_, err := js[any](w, `(path) => htmx.ajax("GET", path, {target: document.body, swap: "innerHTML"})`, path)
			w.check(err, path)
			// Other words change nothing but the sizes.
			words := strings.HasSuffix(path, "/long-text") || strings.HasSuffix(path, "/right-to-left")
			look(w, strings.TrimPrefix(path, "/design/"), words)
		}
	}
	t.Run("light", func(t *testing.T) {
		each(t, func(*window) {}, func(w *window, name string, words bool) {
			w.fits(name)
			if !words {
				w.judge(name)
			}
		})
	})
	t.Run("dark phone", func(t *testing.T) {
		each(t, func(w *window) {
			w.scheme("dark")
			w.resize(390, 4000) // so tall that no bar at its foot lies over anything
		}, func(w *window, name string, words bool) {
			w.fits(name)
			rules := []string{"target-size", "scrollable-region-focusable"}
			if !words {
				rules = append(rules, "color-contrast", "link-in-text-block")
			}
			w.judge(name+" (dark, phone)", rules...)
		})
	})
}
