package drive

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"lectern/models/modelstest"
)

// Patience is how long a page may take to show what a test waits for.
const Patience = time.Minute

// Journey runs test in a browser on SQLite and, in the long suite that make e2e asks for by LECTERN_E2E_LONG, in one
// without JavaScript on PostgreSQL.
func Journey(t *testing.T, test func(t *testing.T, s *Site)) {
	t.Parallel()
	t.Run("scripts", func(t *testing.T) {
		t.Parallel()
		test(t, NewSite(t, ""))
	})
	if !Long() {
		return
	}
	t.Run("plain", func(t *testing.T) {
		t.Parallel()
		s := NewSite(t, Postgres(t))
		s.Plain = true
		test(t, s)
	})
}

// Window is a person's browser with one page and cookies of its own.
type Window struct {
	T    *testing.T
	Page *rod.Page
	Base string
	// Scripts is false in a window without JavaScript.
	Scripts bool
	visits  int // number of documents left so far
	Mu      sync.Mutex
	Bad     []string // console errors, and violations of the content security policy
}

// Window opens a browser on the site. Errors in its console fail the test.
func (s *Site) Window() *Window {
	s.T.Helper()
	browser := modelstest.Must(chromium())(s.T)
	own := modelstest.Must(browser.Incognito())(s.T)
	page := modelstest.Must(own.Page(proto.TargetCreateTarget{}))(s.T)
	w := &Window{T: s.T, Page: page, Base: s.Base, Scripts: !s.Plain}
	w.Resize(1440, 900)
	w.Scheme("light")
	w.Check(proto.EmulationSetScriptExecutionDisabled{Value: s.Plain}.Call(page), "scripts")
	// lets every window behave as if it had the focus
	w.Check(proto.EmulationSetFocusEmulationEnabled{Enabled: true}.Call(page), "focus")
	(proto.LogEnable{}).Call(page)
	go page.EachEvent(func(e *proto.RuntimeConsoleAPICalled) {
		if said := consoleError(e); said != "" {
			w.complain("console: " + said)
		}
	}, func(e *proto.RuntimeExceptionThrown) {
		w.complain("exception: " + e.ExceptionDetails.Text)
	}, func(e *proto.LogEntryAdded) {
		// Answers 422 and 409 to a form are expected, and the browser logs them as failures.
		if e.Entry.Level == proto.LogLogEntryLevelError && !strings.Contains(e.Entry.Text, "status of 4") {
			w.complain(string(e.Entry.Source) + ": " + e.Entry.Text)
		}
	}, func(*proto.PageJavascriptDialogOpening) {
		// Leaving a half-filled form opens a dialog; accept it.
		(proto.PageHandleJavaScriptDialog{Accept: true}).Call(page)
	})()
	s.T.Cleanup(func() {
		if s.T.Failed() {
			w.Shot("failed-" + strings.ReplaceAll(s.T.Name(), "/", "-"))
			s.T.Logf("the page was %s", w.URL())
		}
		(proto.TargetDisposeBrowserContext{BrowserContextID: own.BrowserContextID}).Call(browser)
		w.Mu.Lock()
		defer w.Mu.Unlock()
		for _, complaint := range w.Bad {
			s.T.Error(complaint)
		}
	})
	return w
}

// consoleError returns an error that a script logged, "" if it can be ignored: when a page is left, htmx logs each
// request that this ends as two errors. A request without an answer would be htmx:sendError.
func consoleError(e *proto.RuntimeConsoleAPICalled) (said string) {
	if e.Type != proto.RuntimeConsoleAPICalledTypeError {
		return ""
	}
	for _, arg := range e.Args {
		said += cmp.Or(arg.Description, arg.Value.String()) + " "
	}
	if strings.HasPrefix(said, "htmx:sendAbort") || strings.HasPrefix(said, "htmx:afterRequest") {
		return ""
	}
	return said
}

func (w *Window) complain(what string) {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.Bad = append(w.Bad, what)
}

// Forgive discards the errors so far, which the test expected.
func (w *Window) Forgive() {
	w.Mu.Lock()
	defer w.Mu.Unlock()
	w.Bad = nil
}

func (w *Window) Check(err error, what string) {
	w.T.Helper()
	if err != nil {
		w.T.Fatalf("%s: %v", what, err)
	}
}

// JS calls a function in the present page.
func JS[T any](w *Window, function string, arguments ...any) (value T, err error) {
	handed, err := json.Marshal(append([]any{}, arguments...))
	if err != nil {
		return value, err
	}
	result, err := proto.RuntimeEvaluate{
		Expression: fmt.Sprintf("(%s)(...%s)", function, handed), ReturnByValue: true, AwaitPromise: true, UserGesture: true,
	}.Call(w.Page.Timeout(Patience))
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

// Within calls answer until it returns true, at most for limit. It calls less and less often, because each call is
// work for the browser.
func Within(limit time.Duration, answer func() bool) bool {
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

// Leaves calls do, which leads to another page or lets htmx replace this one, and waits for the new
// page.
func (w *Window) Leaves(what string, do func()) {
	w.T.Helper()
	w.Settled() // otherwise the end of an earlier change would count
	w.visits++
	_, err := JS[any](w, `(n) => {
		document.visit = n;
		document.addEventListener("htmx:afterSettle", () => { document.visit = 0; }, {once: true});
	}`, w.visits)
	w.Check(err, what)
	do()
	if !Within(Patience, func() bool {
		left, err := JS[bool](w, `(n) => document.visit !== n && document.readyState === "complete"`, w.visits)
		return err == nil && left
	}) {
		w.T.Fatalf("%s leads nowhere from %s:\n%s", what, w.URL(), w.Text())
	}
}

// Visit opens an address of the site.
func (w *Window) Visit(path string) {
	w.T.Helper()
	w.Check(w.Page.Timeout(Patience).Navigate(w.Base+path), path)
	w.loaded()
}

func (w *Window) loaded() {
	w.T.Helper()
	if !Within(Patience, func() bool {
		// a font that comes later moves what is to be clicked
		done, err := JS[bool](w, `() => document.readyState === "complete" && document.fonts.status === "loaded"`)
		return err == nil && done
	}) {
		w.T.Fatalf("%s is not loaded", w.URL())
	}
}

// Back goes back in the history, and Reload loads the page again.
func (w *Window) Back() {
	w.T.Helper()
	w.Leaves("Back", func() {
		history, err := proto.PageGetNavigationHistory{}.Call(w.Page)
		w.Check(err, "history")
		w.Check(proto.PageNavigateToHistoryEntry{EntryID: history.Entries[history.CurrentIndex-1].ID}.Call(w.Page), "Back")
	})
}

func (w *Window) Reload() {
	w.T.Helper()
	w.Leaves("reload", func() { w.Check(proto.PageReload{}.Call(w.Page), "reload") })
}

// URL returns the window's address without the site's.
func (w *Window) URL() string {
	w.T.Helper()
	info, err := w.Page.Info()
	w.Check(err, "url")
	return strings.TrimPrefix(info.URL, w.Base)
}

// Path waits until the window's address begins with prefix.
func (w *Window) Path(prefix string) {
	w.T.Helper()
	if !Within(Patience, func() bool { return strings.HasPrefix(w.URL(), prefix) }) {
		w.T.Fatalf("the window is at %s, want %s", w.URL(), prefix)
	}
	w.loaded()
}

// Sees waits until the page shows the texts.
func (w *Window) Sees(texts ...string) {
	w.T.Helper()
	for _, text := range texts {
		if !Within(Patience, func() bool { return strings.Contains(w.Text(), text) }) {
			w.T.Fatalf("the page does not show %q:\n%s", text, w.Text())
		}
	}
}

// DoesNotSee fails the test if the page shows one of the texts now.
func (w *Window) DoesNotSee(texts ...string) {
	w.T.Helper()
	shown := w.Text()
	for _, text := range texts {
		if strings.Contains(shown, text) {
			w.T.Fatalf("the page shows %q:\n%s", text, shown)
		}
	}
}

// Text returns the text that the page shows.
func (w *Window) Text() string {
	text, _ := JS[string](w, `() => document.body ? document.body.innerText : ""`)
	return text
}

// HTML returns the whole page, hidden parts too.
func (w *Window) HTML() string {
	w.T.Helper()
	html, err := JS[string](w, `() => document.documentElement.outerHTML`)
	w.Check(err, "html")
	return html
}

// TextOf returns the text of the element with this id, also if it is hidden.
func (w *Window) TextOf(id string) string {
	w.T.Helper()
	text := ""
	if !Within(Patience, func() (found bool) {
		text, _ = JS[string](w, `(id) => document.getElementById(id)?.textContent.trim()`, id)
		found, _ = JS[bool](w, `(id) => document.getElementById(id) !== null`, id)
		return found
	}) {
		w.T.Fatalf("%s has no #%s", w.URL(), id)
	}
	return text
}
