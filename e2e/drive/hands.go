package drive

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// finders are the accessible names of things: how people and screen readers
// find them.
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

// Target is where to click on a thing.
type Target struct {
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
		: button && button.type === "submit" && button.form &&
			(button.formNoValidate || button.form.noValidate || button.form.matches(":valid"));
	return {x, y, covered: free ? "" : String(hit && hit.outerHTML.slice(0, 200)), leads: Boolean(leads)};`

// Click clicks on the thing that a finder finds, and waits for the page it leads to.
func (w *Window) Click(finder string, arguments ...any) {
	w.T.Helper()
	at := w.Aim(finder, arguments...)
	if !at.Leads {
		w.Poke(at)
		return
	}
	w.Leaves(arguments[len(arguments)-1].(string), func() { w.Poke(at) })
}

// Touch clicks the button or link with this name, which leads nowhere this time.
func (w *Window) Touch(name string) { w.T.Helper(); w.Poke(w.Aim(ByRole, "button, a", name)) }

// Settled waits until no part of the page is being put in its place: what is typed or clicked meanwhile misses.
func (w *Window) Settled() {
	w.T.Helper()
	Within(Patience, func() bool {
		still, err := JS[bool](w, `() => !document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")`)
		return err == nil && still
	})
}

// Aim waits for the thing that a finder finds to be in reach.
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
		if err != nil && !strings.Contains(err.Error(), "navigated or closed") { // it led on before it was answered
			w.Check(err, "click")
		}
	}
}

// Finger touches the screen at some points, one after the other, and lets go at the last.
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

// Tap touches the button or link with this name.
func (w *Window) Tap(name string) { w.T.Helper(); w.Finger(w.Aim(ByRole, "button, a", name)) }

// Press clicks the button with this name, and follow the link.
func (w *Window) Press(name string)  { w.T.Helper(); w.Click(ByRole, "button, summary", name) }
func (w *Window) Follow(name string) { w.T.Helper(); w.Click(ByRole, "a", name) }

// Tick changes the box with this label.
func (w *Window) Tick(label string) { w.T.Helper(); w.Click(ByLabel, label) }

// On calls a function with the thing that a finder finds, when it is there.
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

// Fill types a value into the field with this label, in place of what is there.
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

// Attach chooses a file with this content in the field with this id.
func (w *Window) Attach(id, name, content string) {
	w.T.Helper()
	file := filepath.Join(w.T.TempDir(), name)
	w.Check(os.WriteFile(file, []byte(content), 0o600), name)
	field, err := w.Page.Timeout(Patience).Element(`[id="` + id + `"]`)
	w.Check(err, id)
	w.Check(field.SetFiles([]string{file}), id)
}

// Value is what stands in the field with this label.
func (w *Window) Value(label string) string {
	w.T.Helper()
	return On[string](w, ByLabel, []any{label}, `(e) => e.value`)
}

// Choose picks the option with this text.
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

// Narrow ticks the option of a filter of a list, or picks it where there can be one.
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

// Focus gives the focus to the thing that a finder finds.
func (w *Window) Focus(finder string, arguments ...any) {
	w.T.Helper()
	On[bool](w, finder, arguments, `(e) => { e.focus(); return true; }`)
}

// Focused waits until the thing with this accessible name has the focus.
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

// All is what the elements on show hold that this selector finds.
func (w *Window) All(selector string) []string {
	w.T.Helper()
	texts, err := JS[[]string](w,
		`(s) => [...document.querySelectorAll(s)].filter(e => e.checkVisibility()).map(e => e.textContent.trim())`, selector)
	w.Check(err, selector)
	return texts
}

// Holds waits until an expression holds in the page.
func (w *Window) Holds(what string) {
	w.T.Helper()
	if !Within(Patience, func() bool {
		yes, _ := JS[bool](w, `() => Boolean(`+what+`)`)
		return yes
	}) {
		at, _ := JS[string](w, `() => document.activeElement.outerHTML.slice(0, 200)`)
		w.T.Fatalf("%s does not hold; the focus is on %s", what, at)
	}
}

// Href is where the first element that a selector finds leads.
func (w *Window) Href(selector string) string {
	w.T.Helper()
	address, err := JS[string](w, `(s) => document.querySelector(s).href`, selector)
	w.Check(err, selector)
	return address
}

// Drag takes a row by its handle to the place of another.
func (w *Window) Drag(row, to string) {
	w.T.Helper()
	at := func(name string) (x, y float64) {
		point, err := JS[[]float64](w, `(name) => {
			const row = [...document.querySelectorAll("tbody tr, [data-moves], .asks > li")].find(e =>
				e.querySelector(".title, .session-title, .ask").textContent === name);
			const box = row.querySelector("[data-handle]").getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2];
		}`, name)
		w.Check(err, name)
		return point[0], point[1]
	}
	x, y := at(row)
	_, end := at(to)
	mouse := w.Page.Mouse
	w.Check(mouse.MoveTo(proto.NewPoint(x, y)), row)
	w.Check(mouse.Down(proto.InputMouseButtonLeft, 1), row)
	w.Check(mouse.MoveLinear(proto.NewPoint(x, end-12), 12), to)
	// Rows that are still making way take no notice of the pointer.
	for until := time.Now().Add(Patience); time.Now().Before(until); time.Sleep(20 * time.Millisecond) {
		if _, now := at(to); now > end {
			break
		}
		end--
		w.Check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
		end++
		w.Check(mouse.MoveTo(proto.NewPoint(x, end-12)), to)
	}
	w.Check(mouse.Up(proto.InputMouseButtonLeft, 1), to)
}
