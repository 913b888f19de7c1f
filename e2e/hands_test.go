package e2e

import (
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// finders are the accessible names of things: how people and screen readers
// find them.
const (
	norm    = `const norm = s => s.replace(/\s+/g, " ").trim();`
	byLabel = `((label) => {` + norm + `
		const fields = [...document.querySelectorAll("input:not([type=hidden]), select, textarea, [role=textbox]")].filter(e => e.checkVisibility());
		const labels = e => e.labels || [document.getElementById(e.getAttribute("aria-labelledby"))];
		const name = e => norm(e.getAttribute("aria-label") || [...labels(e)].map(l => l.textContent).join(" "));
		return fields.find(e => name(e) === label) || fields.find(e => name(e).startsWith(label));
	})`
	byRole = `((tag, name) => {` + norm + `
		const all = [...document.querySelectorAll(tag)].filter(e => e.checkVisibility() && !e.disabled && !e.closest("[aria-hidden=true]"));
		const label = e => norm(e.getAttribute("aria-label") || e.textContent);
		return all.find(e => label(e) === name) || all.find(e => label(e).startsWith(name));
	})`
)

// target is where to click on a thing.
type target struct {
	X, Y    float64
	Covered string // by what
	Leads   bool   // to another page
}

// reach brings a thing into view, and says where it is.
const reach = `
	e.scrollIntoView({block: "center", inline: "nearest", behavior: "instant"});
	const box = e.getClientRects()[0];
	const x = box.left + box.width / 2, y = box.top + box.height / 2;
	const hit = document.elementFromPoint(x, y);
	const free = hit && (e.contains(hit) || [...(e.labels || [])].some(l => l.contains(hit)));
	const link = e.closest("a[href]"), button = e.closest("button");
	const leads = link ? link.href.split("#")[0] !== location.href.split("#")[0] || !link.hash
		: button && button.type === "submit" && button.form && (button.formNoValidate || button.form.noValidate || button.form.matches(":valid"));
	return {x, y, covered: free ? "" : String(hit && hit.outerHTML.slice(0, 200)), leads: Boolean(leads)};`

// click clicks on the thing that a finder finds, and waits for the page it leads to.
func (w *window) click(finder string, arguments ...any) {
	w.t.Helper()
	at := w.aim(finder, arguments...)
	if !at.Leads {
		w.poke(at)
		return
	}
	w.leaves(arguments[len(arguments)-1].(string), func() { w.poke(at) })
}

// touch clicks the button or link with this name, which leads nowhere this time.
func (w *window) touch(name string) { w.t.Helper(); w.poke(w.aim(byRole, "button, a", name)) }

// settled waits until no part of the page is being put in its place: what is typed or clicked meanwhile misses.
func (w *window) settled() {
	w.t.Helper()
	within(patience, func() bool {
		still, err := js[bool](w, `() => !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")`)
		return err == nil && still
	})
}

// aim waits for the thing that a finder finds to be in reach.
func (w *window) aim(finder string, arguments ...any) *target {
	w.t.Helper()
	var at *target
	within(patience, func() bool {
		at, _ = js[*target](w, `(...a) => { const e = `+finder+`(...a); if (!e) return null; `+reach+`}`, arguments...)
		return at != nil && at.Covered == ""
	})
	if at == nil {
		w.t.Fatalf("nothing on %s is called %q:\n%s", w.url(), arguments, w.text())
	}
	if at.Covered != "" {
		w.t.Fatalf("%q is covered by %s", arguments, at.Covered)
	}
	return at
}

func (w *window) poke(at *target) {
	w.t.Helper()
	for _, kind := range []proto.InputDispatchMouseEventType{proto.InputDispatchMouseEventTypeMouseMoved,
		proto.InputDispatchMouseEventTypeMousePressed, proto.InputDispatchMouseEventTypeMouseReleased} {
		err := proto.InputDispatchMouseEvent{Type: kind, X: at.X, Y: at.Y, Button: proto.InputMouseButtonLeft,
			ClickCount: 1}.Call(w.page.Timeout(patience))
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") { // it led on before it was answered
			w.check(err, "click")
		}
	}
}

// finger touches the screen at some points, one after the other, and lets go at the last.
func (w *window) finger(points ...*target) {
	w.t.Helper()
	send := func(kind proto.InputDispatchTouchEventType, touched []*proto.InputTouchPoint) {
		err := proto.InputDispatchTouchEvent{Type: kind, TouchPoints: touched}.Call(w.page.Timeout(patience))
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") {
			w.check(err, "finger")
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

// tap touches the button or link with this name.
func (w *window) tap(name string) { w.t.Helper(); w.finger(w.aim(byRole, "button, a", name)) }

// press clicks the button with this name, and follow the link.
func (w *window) press(name string)  { w.t.Helper(); w.click(byRole, "button, summary", name) }
func (w *window) follow(name string) { w.t.Helper(); w.click(byRole, "a", name) }

// tick changes the box with this label.
func (w *window) tick(label string) { w.t.Helper(); w.click(byLabel, label) }

// on calls a function with the thing that a finder finds, when it is there.
func on[T any](w *window, finder string, names []any, function string, arguments ...any) (value T) {
	w.t.Helper()
	var found []T
	var err error
	within(patience, func() bool {
		found, err = js[[]T](w, `(names, ...a) => { const e = `+finder+`(...names); return e ? [(`+function+
			`)(e, ...a)] : []; }`, append([]any{names}, arguments...)...)
		return len(found) > 0
	})
	if len(found) == 0 {
		w.t.Fatalf("nothing on %s is called %q (%v):\n%s", w.url(), names, err, w.text())
	}
	return found[0]
}

// fill types a value into the field with this label, in place of what is there.
func (w *window) fill(label, value string) {
	w.t.Helper()
	typed := on[bool](w, byLabel, []any{label}, `(e, value) => {
		e.focus();
		if (e.isContentEditable) { getSelection().selectAllChildren(e); return true; }
		if (value !== "" && !["date", "datetime-local", "time", "color"].includes(e.type)) { e.select(); return true; }
		e.value = value;
		e.dispatchEvent(new Event("input", {bubbles: true}));
		e.dispatchEvent(new Event("change", {bubbles: true}));
		return false;
	}`, value)
	if typed {
		w.check(w.page.InsertText(value), label)
	}
}

// value is what stands in the field with this label.
func (w *window) value(label string) string {
	w.t.Helper()
	return on[string](w, byLabel, []any{label}, `(e) => e.value`)
}

// choose picks the option with this text.
func (w *window) choose(label, option string) {
	w.t.Helper()
	options := on[[]string](w, byLabel, []any{label}, `(e, text) => {
		const all = [...e.options].map(o => o.textContent.trim());
		if (all.includes(text)) {
			e.selectedIndex = all.indexOf(text);
			e.dispatchEvent(new Event("change", {bubbles: true}));
		}
		return all;
	}`, option)
	if !slices.Contains(options, option) {
		w.t.Fatalf("%s has no option %q but %q", label, option, options)
	}
}

// narrow ticks the option of a filter of a list, or picks it where there can be one.
func (w *window) narrow(label, option string) {
	w.t.Helper()
	w.press("Filter")
	if selects, _ := js[bool](w, `(label) => !!document.querySelector(".filter-menu select[aria-label='" + label + "']")`,
		label); selects {
		w.choose(label, option)
	} else {
		w.press(label)
		w.tick(option)
	}
	w.press("Show")
}

// keys presses keys together.
func (w *window) keys(keys ...input.Key) {
	w.t.Helper()
	w.check(w.page.KeyActions().Press(keys[:len(keys)-1]...).Type(keys[len(keys)-1]).Do(), "keys")
}

// focus gives the focus to the thing that a finder finds.
func (w *window) focus(finder string, arguments ...any) {
	w.t.Helper()
	on[bool](w, finder, arguments, `(e) => { e.focus(); return true; }`)
}

// focused waits until the thing with this accessible name has the focus.
func (w *window) focused(name string) {
	w.t.Helper()
	at := ""
	if !within(patience, func() bool {
		at, _ = js[string](w,
			`() => (document.activeElement.getAttribute("aria-label") ||
				[...(document.activeElement.labels || [])].map(l => l.textContent).join(" ") || document.activeElement.textContent).trim()`)
		return at == name
	}) {
		w.t.Fatalf("%q has not the focus, but %q", name, at)
	}
}

// all is what the elements on show hold that this selector finds.
func (w *window) all(selector string) []string {
	w.t.Helper()
	texts, err := js[[]string](w,
		`(s) => [...document.querySelectorAll(s)].filter(e => e.checkVisibility()).map(e => e.textContent.trim())`, selector)
	w.check(err, selector)
	return texts
}
