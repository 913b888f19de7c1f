package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"
)

// patience is how long a page may take to show what is waited for.
const patience = 15 * time.Second

// journey runs test in a browser on SQLite, and, as a part of the long suite that make e2e asks for by LECTERN_E2E_LONG,
// in one without JavaScript on PostgreSQL.
func journey(t *testing.T, test func(t *testing.T, s *site)) {
	t.Parallel()
	t.Run("scripts", func(t *testing.T) {
		t.Parallel()
		test(t, newSite(t, ""))
	})
	if os.Getenv("LECTERN_E2E_LONG") == "" {
		return
	}
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		s := newSite(t, postgres(t))
		s.plain = true
		test(t, s)
	})
}

// window is one person's browser: cookies of its own, one page.
type window struct {
	t    *testing.T
	page *rod.Page
	base string
	// scripts tells whether the pages' own scripts run.
	scripts bool
	visits  int // documents left so far
	mu      sync.Mutex
	bad     []string // console errors and what the content policy refused
}

// window opens a browser on the site. Its console must stay silent.
func (s *site) window() *window {
	s.t.Helper()
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
	w := &window{t: s.t, page: page, base: s.base, scripts: !s.plain}
	w.resize(1440, 900)
	w.scheme("light")
	w.check(proto.EmulationSetScriptExecutionDisabled{Value: s.plain}.Call(page), "scripts")
	// many windows, each as if in front
	w.check(proto.EmulationSetFocusEmulationEnabled{Enabled: true}.Call(page), "focus")
	(proto.LogEnable{}).Call(page)
	go page.EachEvent(func(e *proto.RuntimeConsoleAPICalled) {
		if e.Type == proto.RuntimeConsoleAPICalledTypeError {
			w.complain(fmt.Sprint("console: ", e.Args))
		}
	}, func(e *proto.RuntimeExceptionThrown) {
		w.complain("exception: " + e.ExceptionDetails.Text)
	}, func(e *proto.LogEntryAdded) {
		// A refused form is answered with 422 or 409, which the browser logs as a failure.
		if e.Entry.Level == proto.LogLogEntryLevelError && !strings.Contains(e.Entry.Text, "status of 4") {
			w.complain(string(e.Entry.Source) + ": " + e.Entry.Text)
		}
	}, func(*proto.PageJavascriptDialogOpening) {
		// A form half filled asks whether to leave it.
		(proto.PageHandleJavaScriptDialog{Accept: true}).Call(page)
	})()
	s.t.Cleanup(func() {
		if s.t.Failed() {
			w.shot("failed-" + strings.ReplaceAll(s.t.Name(), "/", "-"))
			s.t.Logf("the page was %s", w.url())
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

func (w *window) check(err error, what string) {
	w.t.Helper()
	if err != nil {
		w.t.Fatalf("%s: %v", what, err)
	}
}

// js calls a function in the page that is there now.
func js[T any](w *window, function string, arguments ...any) (value T, err error) {
	handed, err := json.Marshal(append([]any{}, arguments...))
	if err != nil {
		return value, err
	}
	result, err := proto.RuntimeEvaluate{
		Expression: fmt.Sprintf("(%s)(...%s)", function, handed), ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	}.Call(w.page.Timeout(patience))
	if err != nil {
		return value, err
	}
	if fault := result.ExceptionDetails; fault != nil {
		return value, errors.New(fault.Text + " " + fault.Exception.Description)
	}
	raw, err := result.Result.Value.MarshalJSON()
	if err != nil || string(raw) == "null" {
		return value, err
	}
	return value, json.Unmarshal(raw, &value)
}

// within asks until the answer is yes, for so long, and less and less often: to
// be asked is work for the browser too.
func within(limit time.Duration, answer func() bool) bool {
	pause := 10 * time.Millisecond
	for end := time.Now().Add(limit); ; time.Sleep(pause) {
		pause = min(2*pause, 100*time.Millisecond)
		if answer() {
			return true
		}
		if time.Now().After(end) {
			return false
		}
	}
}

// leaves does what leads to another page, or has htmx put another into this one,
// and waits for it.
func (w *window) leaves(what string, do func()) {
	w.t.Helper()
	w.visits++
	_, err := js[any](w, `(n) => {
		document.visit = n;
		document.addEventListener("htmx:afterSettle", () => { document.visit = 0; }, {once: true});
	}`, w.visits)
	w.check(err, what)
	do()
	if !within(patience, func() bool {
		left, err := js[bool](w, `(n) => document.visit !== n && document.readyState === "complete"`, w.visits)
		return err == nil && left
	}) {
		w.t.Fatalf("%s leads nowhere from %s:\n%s", what, w.url(), w.text())
	}
}

// visit goes to an address of the site.
func (w *window) visit(path string) {
	w.t.Helper()
	w.check(w.page.Timeout(patience).Navigate(w.base+path), path)
	w.loaded()
}

func (w *window) loaded() {
	w.t.Helper()
	if !within(patience, func() bool {
		done, err := js[bool](w, `() => document.readyState === "complete"`)
		return err == nil && done
	}) {
		w.t.Fatalf("%s is not loaded", w.url())
	}
}

// back goes back in the history, and reload loads the page again.
func (w *window) back() {
	w.t.Helper()
	w.leaves("Back", func() {
		history, err := proto.PageGetNavigationHistory{}.Call(w.page)
		w.check(err, "history")
		w.check(proto.PageNavigateToHistoryEntry{EntryID: history.Entries[history.CurrentIndex-1].ID}.Call(w.page), "Back")
	})
}

func (w *window) reload() {
	w.t.Helper()
	w.leaves("reload", func() { w.check(proto.PageReload{}.Call(w.page), "reload") })
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
	if !within(patience, func() bool { return strings.HasPrefix(w.url(), prefix) }) {
		w.t.Fatalf("the window is at %s, want %s", w.url(), prefix)
	}
	w.loaded()
}

// sees waits until the page shows the texts.
func (w *window) sees(texts ...string) {
	w.t.Helper()
	for _, text := range texts {
		if !within(patience, func() bool { return strings.Contains(w.text(), text) }) {
			w.t.Fatalf("the page does not show %q:\n%s", text, w.text())
		}
	}
}

// doesNotSee fails the test if the page shows a text now.
func (w *window) doesNotSee(texts ...string) {
	w.t.Helper()
	shown := w.text()
	for _, text := range texts {
		if strings.Contains(shown, text) {
			w.t.Fatalf("the page shows %q:\n%s", text, shown)
		}
	}
}

// text is what the page shows.
func (w *window) text() string {
	text, _ := js[string](w, `() => document.body ? document.body.innerText : ""`)
	return text
}

// html is all of the page, also what it does not show.
func (w *window) html() string {
	w.t.Helper()
	html, err := js[string](w, `() => document.documentElement.outerHTML`)
	w.check(err, "html")
	return html
}

// textOf is what the element with this id holds, shown or not.
func (w *window) textOf(id string) string {
	w.t.Helper()
	text := ""
	if !within(patience, func() (found bool) {
		text, _ = js[string](w, `(id) => document.getElementById(id)?.textContent.trim()`, id)
		found, _ = js[bool](w, `(id) => document.getElementById(id) !== null`, id)
		return found
	}) {
		w.t.Fatalf("%s has no #%s", w.url(), id)
	}
	return text
}

// owner sets up an empty, running site in a window and returns it signed in.
func (s *site) owner() *window {
	s.t.Helper()
	s.run("event", "create", "--name", "Harbour", "--slug", "harbour", "--timezone", "Europe/Lisbon")
	if _, stderr, err := s.try("correct horse battery\n", "user", "create", "--email", "ada@example.org", "--name",
		"Ada Byron", "--role", "owner"); err != nil {
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

// reloadsUntil asks for the page again until it shows a text.
func (w *window) reloadsUntil(text string) {
	w.t.Helper()
	if !within(patience, func() bool {
		w.reload()
		return strings.Contains(w.text(), text)
	}) {
		w.t.Fatalf("the page does not come to show %q:\n%s", text, w.text())
	}
}
