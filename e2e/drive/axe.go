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

// finding is a rule of axe that a page breaks, and where.
type finding struct {
	ID, Help string
	Nodes    []string
}

// Judge runs axe-core on the page as it is now. Rules of colour alone suffice where the rest was looked at in another
// theme. Without scripts, which axe is, it is the same page.
func (w *Window) Judge(name string, rules ...string) { w.T.Helper(); w.judge(name, "html", rules) }

// JudgeMain is Judge for what is not the frame, which many pages share: their menus and bars. It empties the frame.
func (w *Window) JudgeMain(name string, rules ...string) { w.T.Helper(); w.judge(name, "main", rules) }

// judge looks at the part of the page that a selector finds, at all of it where there is none.
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

// Long tells whether the long suite was asked for, as make e2e does.
func Long() bool { return os.Getenv("LECTERN_E2E_LONG") != "" }

// OnlyLong leaves a journey to the long suite: one beside the main journey of its subject, whose answers the tests of
// its pages see too.
func OnlyLong(t *testing.T) {
	t.Helper()
	if !Long() {
		t.Skip("make e2e runs it")
	}
}

// Accessible checks that the page fits a phone. The long suite also checks it with axe-core, light and dark, which the
// gallery does of each state anyway, and takes pictures where LECTERN_E2E_SHOTS asks for them. What it looks like
// without scripts is the same page.
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

// Fits fails the test when the page is wider than the window.
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

// Scheme is what the person prefers: light or dark, and nothing that moves.
func (w *Window) Scheme(theme string) {
	w.T.Helper()
	w.Check(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{
		{Name: "prefers-color-scheme", Value: theme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}.Call(w.Page), theme)
}

// Shot takes a picture of the page into e2e/shots, for looking at.
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
