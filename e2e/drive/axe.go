package drive

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/proto"
)

//go:embed axe/axe.min.js
var axe string

//go:embed axe/judge.js
var judging string

// finding is a rule of axe that a page breaks, with the elements that break it.
type finding struct {
	ID, Help string
	Nodes    []string
}

// Judge runs axe-core on the page as it is now; rules selects some rules, none means all. Without scripts axe cannot
// run, and the page has the same content.
func (w *Window) Judge(name string, rules ...string) { w.T.Helper(); w.judge(name, "html", rules) }

// JudgeMain is Judge for the page's main part, without the menus and bars that many pages share. It empties the frame.
func (w *Window) JudgeMain(name string, rules ...string) { w.T.Helper(); w.judge(name, "main", rules) }

// judge checks the part of the page that a selector finds.
func (w *Window) judge(name, part string, rules []string) {
	w.T.Helper()
	if !w.Scripts {
		return
	}
	if there, _ := JS[bool](w, `() => "judge" in window`); !there {
		_, err := JS[any](w, "() => {"+axe+judging+"}")
		w.Check(err, "axe")
	}
	findings, err := JS[[]finding](w, `(part, rules) => judge(part, rules)`, part, rules)
	w.Check(err, "axe")
	for _, v := range findings {
		w.T.Errorf("%s: %s %s %q", name, v.ID, v.Help, v.Nodes)
	}
}

// Long reports whether the long suite runs, as with make e2e.
func Long() bool { return os.Getenv("LECTERN_E2E_LONG") != "" }

// OnlyLong leaves a journey to the long suite: one beside its subject's main journey, whose answers other tests check
// as well.
func OnlyLong(t *testing.T) {
	t.Helper()
	if !Long() {
		t.Skip("make e2e runs it")
	}
}

// Accessible checks that the page fits a phone. The long suite also runs axe-core in both themes, as the gallery does
// for every state anyway, and takes pictures if LECTERN_E2E_SHOTS is set. In a window without scripts it does
// nothing: the page looks the same.
func (w *Window) Accessible(name string) {
	w.T.Helper()
	if !w.Scripts {
		return
	}
	look := func(as string) {
		if os.Getenv("LECTERN_E2E_SHOTS") != "" {
			w.Shot(name + as)
		}
	}
	if Long() {
		w.Judge(name)
		look("-light")
		w.Scheme("dark")
		w.Judge(name+" (dark)", "color-contrast", "link-in-text-block")
		look("-dark")
		w.Scheme("light")
	}
	w.Resize(390, 844)
	w.Fits(name)
	look("-phone")
	w.Resize(1440, 900)
}

// Fits fails the test if the page is wider than the window.
func (w *Window) Fits(name string) {
	w.T.Helper()
	wide, err := JS[int](w, `() => document.documentElement.scrollWidth - document.documentElement.clientWidth`)
	w.Check(err, name)
	if wide > 0 {
		w.T.Errorf("%s is %d px wider than its window", name, wide)
	}
}

func (w *Window) Resize(width, height int) {
	w.T.Helper()
	w.Check(w.Page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1,
		Mobile: width < 500}), "resize")
}

// Scheme sets the preferred theme, light or dark, with reduced motion.
func (w *Window) Scheme(theme string) {
	w.T.Helper()
	w.Check(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}.Call(w.Page), theme)
}

// Shot saves a picture of the page in e2e/shots.
func (w *Window) Shot(name string) {
	layout, err := proto.PageGetLayoutMetrics{}.Call(w.Page.Timeout(Patience))
	if err != nil {
		return
	}
	size := layout.CSSContentSize
	picture, err := proto.PageCaptureScreenshot{
		CaptureBeyondViewport: true, OptimizeForSpeed: true,
		Clip: &proto.PageViewport{Width: size.Width, Height: size.Height, Scale: 1},
	}.Call(w.Page.Timeout(Patience))
	if err != nil {
		return
	}
	os.MkdirAll("../shots", 0o755)
	os.WriteFile(filepath.Join("../shots", name+".png"), picture.Data, 0o644)
}
