package e2e

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/launcher"
	"github.com/go-rod/rod/lib/proto"
)

// chromium is one browser process for all journeys; each has windows of its own.
var chromium = sync.OnceValues(func() (*rod.Browser, error) {
	const bin = "/usr/bin/chromium"
	if _, err := os.Stat(bin); err != nil {
		if out, err := exec.Command("../scripts/apt-install.sh", "chromium").CombinedOutput(); err != nil {
			return nil, fmt.Errorf("the browser tests need Debian's chromium: %v: %s", err, out)
		}
	}
	address, err := launcher.New().Bin(bin).Leakless(false).NoSandbox(true).Headless(true).
		Set("disable-dev-shm-usage").Set("disable-gpu").Set("force-color-profile", "srgb").Launch()
	if err != nil {
		return nil, err
	}
	browser := rod.New().ControlURL(address)
	return browser, browser.Connect()
})

func closeChromium() {
	if os.Getenv("LECTERN_E2E_BROWSER_STARTED") == "" {
		return
	}
	if browser, err := chromium(); err == nil {
		browser.Close()
	}
}

// patience is how long a page may take to show what is waited for.
const patience = 15 * time.Second

// window is one person's browser: cookies of its own, one page.
type window struct {
	t    *testing.T
	page *rod.Page
	base string
	// scripts tells whether the pages' own scripts run.
	scripts bool
	mu      sync.Mutex
	bad     []string // console errors and what the content policy refused
}

// window opens a browser on the site. Its console must stay silent.
func (s *site) window() *window { return s.windowWith(true) }

// plainWindow is one without JavaScript.
func (s *site) plainWindow() *window { return s.windowWith(false) }

func (s *site) windowWith(scripts bool) *window {
	s.t.Helper()
	os.Setenv("LECTERN_E2E_BROWSER_STARTED", "1")
	browser, err := chromium()
	if err != nil {
		s.t.Fatal(err)
	}
	own, err := browser.Incognito()
	if err != nil {
		s.t.Fatal(err)
	}
	page, err := own.Page(proto.TargetCreateTarget{})
	if err != nil {
		s.t.Fatal(err)
	}
	w := &window{t: s.t, page: page, base: s.base, scripts: scripts}
	w.resize(1440, 900)
	if !scripts {
		// The test itself needs the page to run scripts; its own are not fetched.
		if err := page.SetBlockedURLs([]string{"*.js", "*.js?*"}); err != nil {
			s.t.Fatal(err)
		}
	}
	(proto.LogEnable{}).Call(page)
	go page.EachEvent(func(e *proto.RuntimeConsoleAPICalled) {
		if e.Type == proto.RuntimeConsoleAPICalledTypeError {
			w.complain(fmt.Sprint("console: ", e.Args))
		}
	}, func(e *proto.RuntimeExceptionThrown) {
		w.complain("exception: " + e.ExceptionDetails.Text)
	}, func(e *proto.LogEntryAdded) {
		// A refused form is answered with 422 or 409, which the browser logs as a failure.
		if e.Entry.Level == proto.LogLogEntryLevelError && !strings.Contains(e.Entry.Text, "status of 4") && !strings.Contains(e.Entry.Text, "ERR_BLOCKED_BY_CLIENT") {
			w.complain(string(e.Entry.Source) + ": " + e.Entry.Text)
		}
	})()
	s.t.Cleanup(func() {
		if s.t.Failed() {
			w.shot("failed-" + strings.ReplaceAll(s.t.Name(), "/", "-"))
			if info, err := page.Info(); err == nil {
				s.t.Logf("the page was %s %q", info.URL, info.Title)
			}
		}
		(proto.TargetDisposeBrowserContext{BrowserContextID: own.BrowserContextID}).Call(browser)
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, complaint := range w.bad {
			s.t.Error(complaint)
		}
	})
	return w
}

func (w *window) complain(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bad = append(w.bad, what)
}

func (w *window) resize(width, height int) {
	err := w.page.SetViewport(&proto.EmulationSetDeviceMetricsOverride{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500})
	w.check(err, "resize")
}

func (w *window) check(err error, what string) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v", what, err)
	}
}

// visit goes to an address of the site.
func (w *window) visit(path string) {
	w.t.Helper()
	w.check(w.page.Timeout(patience).Navigate(w.base+path), path)
	w.check(w.page.Timeout(patience).WaitLoad(), path)
}

// url is where the window is, without the site's address.
func (w *window) url() string {
	w.t.Helper()
	info, err := w.page.Info()
	w.check(err, "url")
	return strings.TrimPrefix(info.URL, w.base)
}

// path waits until the window is at an address with this beginning.
func (w *window) path(prefix string) {
	w.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if strings.HasPrefix(w.url(), prefix) {
			w.check(w.page.Timeout(patience).WaitLoad(), prefix)
			return
		}
	}
	w.t.Fatalf("the window is at %s, want %s", w.url(), prefix)
}

// sees waits until the page shows a text.
func (w *window) sees(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		shown := false
		for end := time.Now().Add(patience); !shown && time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			shown = strings.Contains(w.text(), text)
		}
		if !shown {
			w.t.Fatalf("the page does not show %q:\n%s", text, w.text())
		}
	}
}

// doesNotSee fails the test if the page shows a text now.
func (w *window) doesNotSee(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if strings.Contains(w.text(), text) {
			w.t.Fatalf("the page shows %q:\n%s", text, w.text())
		}
	}
}

// text is what the page shows, with the values of its fields.
func (w *window) text() string {
	body, err := w.page.Timeout(patience).Element("body")
	if err != nil {
		return ""
	}
	text, err := body.Text()
	if err != nil {
		return ""
	}
	return text
}

// finders are the accessible names of things: how people and screen readers
// find them.
const (
	byLabel = `(label => {
		const norm = s => s.replace(/\s+/g, " ").trim();
		const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea, [role=textbox]")].filter(e => e.checkVisibility());
		const labels = e => e.labels || [document.getElementById(e.getAttribute("aria-labelledby"))];
		const name = e => norm(e.getAttribute("aria-label") || [...labels(e)].map(l => l.textContent).join(" ") || "");
		return fields.find(e => name(e) === label) || fields.find(e => name(e).startsWith(label)) || null;
	})`
	byRole = `((tag, name) => {
		const norm = s => s.replace(/\s+/g, " ").trim();
		const all = [...document.querySelectorAll(tag)].filter(e => e.checkVisibility() && !e.disabled);
		const label = e => norm(e.getAttribute("aria-label") || e.textContent);
		return all.find(e => label(e) === name) || all.find(e => label(e).startsWith(name)) || null;
	})`
)

func (w *window) find(finder string, arguments ...any) *rod.Element {
	w.t.Helper()
	w.page.Activate() // a window in the background paints nothing, and clicks wait for that
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		object, err := w.page.Timeout(patience).Evaluate(rod.Eval(`(...a) => `+finder+`(...a)`, arguments...).ByObject())
		if err == nil && object.ObjectID != "" {
			if element, err := w.page.ElementFromObject(object); err == nil {
				return element
			}
		}
	}
	w.t.Fatalf("nothing on %s is called %v:\n%s", w.url(), arguments, w.text())
	return nil
}

// fill types a value into the field with this label, in place of what is there.
func (w *window) fill(label, value string) {
	w.t.Helper()
	field := w.find(byLabel, label)
	kind, _ := field.Attribute("type")
	if kind != nil && (*kind == "date" || *kind == "datetime-local" || *kind == "color") {
		_, err := field.Eval(`(v) => { this.value = v; this.dispatchEvent(new Event("input", {bubbles: true})); this.dispatchEvent(new Event("change", {bubbles: true})); }`, value)
		w.check(err, label)
		return
	}
	if role, _ := field.Attribute("role"); role != nil && *role == "textbox" {
		w.check(field.Focus(), label)
		w.keys(input.ControlLeft, input.KeyA)
		w.check(w.page.InsertText(value), label)
		return
	}
	w.check(field.SelectAllText(), label)
	if value == "" {
		_, err := field.Eval(`() => { this.value = ""; this.dispatchEvent(new Event("input", {bubbles: true})); }`)
		w.check(err, label)
		return
	}
	w.check(field.Input(value), label)
}

// keys presses keys together.
func (w *window) keys(keys ...input.Key) {
	w.t.Helper()
	actions := w.page.KeyActions().Press(keys[:len(keys)-1]...).Type(keys[len(keys)-1])
	w.check(actions.Do(), "keys")
}

// value is what stands in the field with this label.
func (w *window) value(label string) string {
	w.t.Helper()
	v, err := w.find(byLabel, label).Property("value")
	w.check(err, label)
	return v.String()
}

// choose picks the option with this text.
func (w *window) choose(label, option string) {
	w.t.Helper()
	_, err := w.find(byLabel, label).Eval(`(text) => {
		const option = [...this.options].find(o => o.textContent.trim() === text);
		if (!option) throw new Error("no option " + text + " in " + [...this.options].map(o => o.textContent));
		this.value = option.value;
		this.dispatchEvent(new Event("change", {bubbles: true}));
	}`, option)
	w.check(err, label)
}

// tick changes the box with this label.
func (w *window) tick(label string) {
	w.t.Helper()
	w.clickOn(label, byLabel, label)
}

// press clicks the button with this name, and follow the link.
func (w *window) press(name string)  { w.t.Helper(); w.click("button, summary, [role=button]", name) }
func (w *window) follow(name string) { w.t.Helper(); w.click("a", name) }

func (w *window) click(tag, name string) {
	w.t.Helper()
	w.clickOn(name, byRole, tag, name)
	w.settle()
}

// clickOn clicks the thing that a finder finds. When another page comes just
// then, the thing is looked for again there.
func (w *window) clickOn(name, finder string, arguments ...any) {
	w.t.Helper()
	for {
		err := w.find(finder, arguments...).Timeout(patience).Click(proto.InputMouseButtonLeft, 1)
		switch {
		case err == nil || strings.Contains(err.Error(), "navigated or closed"): // the click led on before it was answered
			return
		case !strings.Contains(err.Error(), "Cannot find context"):
			w.check(err, name)
		}
	}
}

// back goes back in the history, and reload loads the page again.
func (w *window) back()   { w.t.Helper(); w.check(w.page.NavigateBack(), "back"); w.settle() }
func (w *window) reload() { w.t.Helper(); w.check(w.page.Reload(), "reload"); w.settle() }

func (w *window) settle() { w.page.Timeout(patience).WaitLoad() }

// shot takes a picture of the page into e2e/shots, for looking at.
func (w *window) shot(name string) {
	picture, err := w.page.Timeout(patience).Screenshot(true, nil)
	if err != nil {
		return
	}
	os.MkdirAll("shots", 0o755)
	os.WriteFile(filepath.Join("shots", name+".png"), picture, 0o644)
}

//go:embed axe/axe.min.js
var axe string

// seen are the pages that accessible has looked at: once each is enough.
var seen sync.Map

// accessible checks the page with axe-core, light and dark, and takes pictures
// of it, wide and narrow.
func (w *window) accessible(name string) {
	w.t.Helper()
	if !w.scripts {
		return
	}
	if _, before := seen.LoadOrStore(name, true); before {
		return
	}
	for _, theme := range []string{"light", "dark"} {
		w.scheme(theme)
		if _, err := w.page.Evaluate(rod.Eval(axe + `; () => 0`)); err != nil {
			if _, err := w.page.Evaluate(&rod.EvalOptions{JS: `() => { ` + axe + ` }`}); err != nil {
				w.t.Fatalf("axe: %v", err)
			}
		}
		result, err := w.page.Timeout(patience).Evaluate(rod.Eval(`async () => {
			const r = await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]});
			return JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " — " + (n.any[0] || n.all[0] || n.none[0] || {}).message)})));
		}`).ByPromise())
		w.check(err, "axe")
		var violations []map[string]any
		if err := json.Unmarshal([]byte(result.Value.Str()), &violations); err != nil {
			w.t.Fatal(err)
		}
		for _, v := range violations {
			w.t.Errorf("%s (%s): %s %s %v", name, theme, v["id"], v["help"], v["nodes"])
		}
		w.shot(name + "-" + theme)
	}
	w.scheme("light")
	w.resize(390, 844)
	w.shot(name + "-phone")
	if wide, err := w.page.Evaluate(rod.Eval(`() => document.documentElement.scrollWidth - innerWidth`)); err == nil && wide.Value.Int() > 0 {
		w.t.Errorf("%s is %d px wider than a phone", name, wide.Value.Int())
	}
	w.resize(1440, 900)
}

// scheme is what the person prefers: light or dark.
func (w *window) scheme(theme string) {
	w.t.Helper()
	w.check(proto.EmulationSetEmulatedMedia{Features: []*proto.EmulationMediaFeature{{Name: "prefers-color-scheme", Value: theme}}}.Call(w.page), theme)
}

// owner sets up an empty, running site in a window and returns it signed in.
func (s *site) owner() *window {
	s.t.Helper()
	s.run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name", "Ada Byron", "--role", "owner"); err != nil {
		s.t.Fatal(stderr)
	}
	if s.base == "" {
		s.serve("serve")
	}
	w := s.window()
	w.signIn("ada@example.org")
	return w
}

// signIn signs in with the password of the tests.
func (w *window) signIn(email string) {
	w.t.Helper()
	w.visit("/sign-in")
	w.fill("E-mail address", email)
	w.fill("Password", "correct horse battery")
	w.press("Sign in")
	w.path("/admin/")
}
