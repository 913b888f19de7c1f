package drive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// The finders are JavaScript functions that find an element by its accessible name, as people and screen
// readers do.
const (
	norm    = `const norm = s => s.replace(/\s+/g, " ").trim();`
	ByLabel = `((label) => {` + norm + `
		const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea, [role=textbox]")]
			.filter(e => e.checkVisibility());
		const labels = e => e.labels || [document.getElementById(e.getAttribute("aria-labelledby"))];
		const name = e => norm(e.getAttribute("aria-label") || [...labels(e)].map(l => l.textContent).join(" "));
		return fields.find(e => name(e) === label) || fields.find(e => name(e).startsWith(label));
	})`
	ByRole = `((tag, name) => {` + norm + `
		const all = [...document.querySelectorAll(tag)]
			.filter(e => e.checkVisibility() && !e.disabled && !e.closest("[aria-hidden=true]"));
		const by = e => (e.getAttribute("aria-labelledby") || "").split(" ")
			.map(id => document.getElementById(id)?.textContent || "").join(" ");
		const label = e => norm(by(e)) || norm(e.getAttribute("aria-label") || e.textContent);
		return all.find(e => label(e) === name) || all.find(e => label(e).startsWith(name));
	})`
)

// Target is the point to click on an element.
type Target struct {
	X, Y    float64
	Covered string // HTML of the element in front of it, "" if none is
	Leads   bool   // a click opens another page
}

// reach scrolls an element into view and returns its Target.
const reach = `
	e.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
	const box = e.getClientRects()[0];
	const x = box.left + box.width / 2, y = box.top + box.height / 2;
	const hit = document.elementFromPoint(x, y);
	const free = hit && (e.contains(hit) || [...(e.labels || [])].some(l => l.contains(hit)));
	const link = e.closest("a[href]"), button = e.closest("button");
	const leads = link ? link.href.split("#")[0] !== location.href.split("#")[0] || !link.hash
		: button && button.type === "submit" && button.form &&
			(button.formNoValidate || button.form.noValidate || button.form.matches(":valid"));
	return {x, y, covered: free ? "" : String(hit && hit.outerHTML.slice(0, 200)), leads: Boolean(leads)};`

// Click clicks on the element that a finder finds, and waits for the page that it leads to, if any.
func (w *Window) Click(finder string, arguments ...any) {
	w.T.Helper()
	at := w.Aim(finder, arguments...)
	if !at.Leads {
		w.Poke(at)
		return
	}
	w.Leaves(arguments[len(arguments)-1].(string), func() { w.Poke(at) })
}

// Touch clicks the button or link with this name, and expects no other page.
func (w *Window) Touch(name string) { w.T.Helper(); w.Poke(w.Aim(ByRole, "button, a", name)) }

// Settled waits until htmx replaces no part of the page: typing and clicking would miss in the meantime.
func (w *Window) Settled() {
	w.T.Helper()
	Within(Patience, func() bool {
		still, err := JS[bool](w, `() => !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")`)
		return err == nil && still
	})
}

// Aim waits until the element that a finder finds can be clicked.
func (w *Window) Aim(finder string, arguments ...any) *Target {
	w.T.Helper()
	var at *Target
	Within(Patience, func() bool {
		at, _ = JS[*Target](w, `(...a) => { const e = `+finder+`(...a); if (!e) return null; `+reach+`}`, arguments...)
		return at != nil && at.Covered == ""
	})
	if at == nil {
		w.T.Fatalf("nothing on %s is called %q:\n%s", w.URL(), arguments, w.Text())
	}
	if at.Covered != "" {
		w.T.Fatalf("%q is covered by %s", arguments, at.Covered)
	}
	return at
}

func (w *Window) Poke(at *Target) {
	w.T.Helper()
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMouseMoved,
		proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
		err := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft,
			ClickCount: 1}.Call(w.Page.Timeout(Patience))
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") { // the page was left before the answer
			w.Check(err, "click")
		}
	}
}

// Finger touches the screen at some points in turn, and lifts the finger at the last.
func (w *Window) Finger(points ...*Target) {
	w.T.Helper()
	send := func(kind proto.InputDispatchTouchEventType, touched []*proto.InputTouchPoint) {
		err := proto.InputDispatchTouchEvent{Type: kind, TouchPoints: touched}.Call(w.Page.Timeout(Patience))
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") {
			w.Check(err, "finger")
		}
	}
	for i, at := range points {
		kind := proto.InputDispatchTouchEventTypeTouchMove
		if i == 0 {
			kind = proto.InputDispatchTouchEventTypeTouchStart
		}
		send(kind, []*proto.InputTouchPoint{{X: at.X, Y: at.Y}})
	}
	send(proto.InputDispatchTouchEventTypeTouchEnd, []*proto.InputTouchPoint{})
}

// Tap taps the button or link with this name.
func (w *Window) Tap(name string) { w.T.Helper(); w.Finger(w.Aim(ByRole, "button, a", name)) }

// Press clicks the button with this name, Follow the link.
func (w *Window) Press(name string)  { w.T.Helper(); w.Click(ByRole, "button, summary", name) }
func (w *Window) Follow(name string) { w.T.Helper(); w.Click(ByRole, "a", name) }

// Tick changes the checkbox with this label.
func (w *Window) Tick(label string) { w.T.Helper(); w.Click(ByLabel, label) }

// On waits for the element that a finder finds, and calls a function with it.
func On[T any](w *Window, finder string, names []any, function string, arguments ...any) (value T) {
	w.T.Helper()
	var found []T
	var err error
	Within(Patience, func() bool {
		found, err = JS[[]T](w, `(names, ...a) => { const e = `+finder+`(...names); return e ? [(`+function+
			`)(e, ...a)] : []; }`, append([]any{names}, arguments...)...)
		return len(found) > 0
	})
	if len(found) == 0 {
		w.T.Fatalf("nothing on %s is called %q (%v):\n%s", w.URL(), names, err, w.Text())
	}
	return found[0]
}

// Fill replaces the value of the field with this label.
func (w *Window) Fill(label, value string) {
	w.T.Helper()
	typed := On[bool](w, ByLabel, []any{label}, `(e, value) => {
		e.focus();
		if (e.isContentEditable) { getSelection().selectAllChildren(e); return true; }
		if (value !== "" && !["date", "datetime-local", "time", "color"].includes(e.type)) { e.select(); return true; }
		e.value = value;
		e.dispatchEvent(new Event("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}));
		return false;
	}`, value)
	if typed {
		w.Check(w.Page.InsertText(value), label)
	}
}

// Attach chooses a file with this content in the file field with this id.
func (w *Window) Attach(id, name, content string) {
	w.T.Helper()
	file := filepath.Join(w.T.TempDir(), name)
	w.Check(os.WriteFile(file, []byte(content), 0o600), name)
	field, err := w.Page.Timeout(Patience).Element(`[id="` + id + `"]`)
	w.Check(err, id)
	w.Check(field.SetFiles([]string{file}), id)
}

// Value returns the value of the field with this label.
func (w *Window) Value(label string) string {
	w.T.Helper()
	return On[string](w, ByLabel, []any{label}, `(e) => e.value`)
}

// Choose selects the option with this text.
func (w *Window) Choose(label, option string) {
	w.T.Helper()
	options := On[[]string](w, ByLabel, []any{label}, `(e, text) => {
		const all = [...e.options].map(o => o.textContent.trim());
		if (all.includes(text)) {
			e.selectedIndex = all.indexOf(text);
			e.dispatchEvent(new Event("change", {bubbles: true}));
		}
		return all;
	}`, option)
	if !slices.Contains(options, option) {
		w.T.Fatalf("%s has no option %q but %q", label, option, options)
	}
}

// Narrow sets a filter of a list: it ticks the option, or selects it if only one is allowed.
func (w *Window) Narrow(label, option string) {
	w.T.Helper()
	w.Press("Filter")
	if selects, _ := JS[bool](w, `(label) => !!document.querySelector(".filter-menu select[aria-label='" + label + "']")`,
		label); selects {
		w.Choose(label, option)
	} else {
		w.Press(label)
		w.Tick(option)
	}
	w.Press("Show")
}

// Keys presses keys together.
func (w *Window) Keys(keys ...input.Key) {
	w.T.Helper()
	w.Check(w.Page.KeyActions().Press(keys[:len(keys)-1]...).Type(keys[len(keys)-1]).Do(), "keys")
}

// Focus focuses the element that a finder finds.
func (w *Window) Focus(finder string, arguments ...any) {
	w.T.Helper()
	On[bool](w, finder, arguments, `(e) => { e.focus(); return true; }`)
}

// Focused waits until the element with this accessible name has the focus.
func (w *Window) Focused(name string) {
	w.T.Helper()
	at := ""
	if !Within(Patience, func() bool {
		at, _ = JS[string](w,
			`() => (document.activeElement.getAttribute("aria-label") ||
				[...(document.activeElement.labels || [])].map(l => l.textContent).join(" ") || document.activeElement.textContent).trim()`)
		return at == name
	}) {
		w.T.Fatalf("%q has not the focus, but %q", name, at)
	}
}

// All returns the texts of the visible elements that the selector matches.
func (w *Window) All(selector string) []string {
	w.T.Helper()
	texts, err := JS[[]string](w,
		`(s) => [...document.querySelectorAll(s)].filter(e => e.checkVisibility()).map(e => e.textContent.trim())`, selector)
	w.Check(err, selector)
	return texts
}

// WaitFor waits until a JavaScript expression is true in the page.
func (w *Window) WaitFor(what string) {
	w.T.Helper()
	if !Within(Patience, func() bool {
		yes, _ := JS[bool](w, `() => Boolean(`+what+`)`)
		return yes
	}) {
		at, _ := JS[string](w, `() => document.activeElement.outerHTML.slice(0, 200)`)
		w.T.Fatalf("%s does not hold; the focus is on %s", what, at)
	}
}

// Href returns the address of the first element that the selector matches.
func (w *Window) Href(selector string) string {
	w.T.Helper()
	address, err := JS[string](w, `(s) => document.querySelector(s).href`, selector)
	w.Check(err, selector)
	return address
}
