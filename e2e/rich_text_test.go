package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
)

// fromWord and fromDocs are what those programs put into the clipboard.
const (
	fromWord = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {color: red}</style></head><body><!--StartFragment-->
<h1 style="color:#2F5496">Harbour day</h1><p class="MsoNormal" style="margin:0"><b><span style="color:red">Bring</span></b> boots<o:p></o:p></p>
<p class="MsoListParagraphCxSpFirst" style="mso-list:l0 level1 lfo1"><![if !supportLists]><span style="mso-list:Ignore">·<span style="font:7pt">&nbsp;&nbsp;</span></span><![endif]>Ropes</p>
<p class="MsoListParagraphCxSpLast" style="mso-list:l0 level1 lfo1"><span style="mso-list:Ignore">·<span>&nbsp;</span></span>Nets</p>
<script>document.title = "taken over"</script><img src="x" onerror="document.title = 'taken over'"><p onclick="alert(1)">Come <a href="javascript:alert(1)">here</a> early</p><!--EndFragment--></body></html>`
	fromDocs = `<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38"><span style="font-size:11pt;font-weight:700;font-style:normal">Loud</span><span style="font-weight:400;font-style:italic"> and soft</span></p></b>`
)

// paste gives the field with this label what a clipboard holds.
func (w *window) paste(label, html string) {
	w.t.Helper()
	on[bool](w, byLabel, []any{label}, `(e, html) => {
		const data = new DataTransfer();
		data.setData("text/html", html);
		data.setData("text/plain", "the text alone");
		return e.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})) || true;
	}`, html)
}

// sends waits until the form would send this for the field of this name.
func (w *window) sends(name, want string) {
	w.t.Helper()
	for end := time.Now().Add(patience); w.sent(name) != want; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("the form sends %s\nwant %s", w.sent(name), want)
		}
	}
}

// pressed waits until the button with this name is on, or off.
func (w *window) pressed(name, on string) {
	w.t.Helper()
	_, err := w.page.Timeout(patience).Element(`button[aria-label="` + name + `"][aria-pressed="` + on + `"]`)
	w.check(err, name+" pressed: "+on)
}

func (w *window) sent(name string) string {
	w.t.Helper()
	result, err := w.page.Eval(`(name) => new FormData(document.querySelector("main form")).get(name)`, name)
	w.check(err, name)
	return result.Value.Str()
}

func TestDescriptionsAreWrittenAsTheyWillLook(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	w.follow("Submissions")
	w.follow("New submission")
	w.fill("Title", "Harbour logs")
	w.focus(byLabel, "Description")
	write := func(text string) { t.Helper(); w.check(w.page.InsertText(text), text) }
	press := func(keys ...input.Key) { t.Helper(); w.keys(keys...) }

	write("Four ")
	press(input.ControlLeft, input.KeyB)
	write("thousand")
	w.pressed("Bold", "true")
	w.press("Bold")
	w.pressed("Bold", "false")
	write(" evenings / one rule?")
	w.doesNotSee("This help") // the page's own keys are letters here
	w.sends("description", "<p>Four <strong>thousand</strong> evenings / one rule?</p>")
	press(input.Enter)
	w.press("Bulleted list")
	write("logs")
	press(input.Enter)
	write("maps")
	w.pressed("Bulleted list", "true")
	press(input.Enter)
	press(input.Enter)
	w.pressed("Bulleted list", "false")
	press(input.ControlLeft, input.KeyK)
	w.fill("Links to", "the harbour")
	press(input.Enter)
	w.sees("Type a web or e-mail address")
	w.accessible("description-link")
	w.fill("Links to", "example.org/harbour")
	press(input.Enter)
	w.sends("description",
		"<p>Four <strong>thousand</strong> evenings / one rule?</p>\n<ul>\n<li>logs</li>\n<li>maps</li>\n</ul>\n<p><a "+
			"href=\"https://example.org/harbour\">example.org/harbour</a></p>")
	w.accessible("description")

	w.press("Edit as HTML")
	if got := w.value("Description"); !strings.Contains(got, "<strong>thousand</strong>") {
		t.Errorf("as HTML it is %s", got)
	}
	w.accessible("description-html")
	w.press("Edit as text")
	w.press("Create submission")
	w.sees("A-1 is created.", "Four thousand evenings / one rule?", "example.org/harbour")
	for _, element := range []string{".reading strong", ".reading ul > li + li",
		`.reading a[href="https://example.org/harbour"]`} {
		if here, _, err := w.page.Has(element); err != nil || !here {
			t.Errorf("the page has no %s", element)
		}
	}

	// Opened, looked at in both ways, and saved: nothing happened.
	w.follow("Edit")
	before := w.sent("description")
	w.press("Edit as HTML")
	w.press("Edit as text")
	w.focus(byLabel, "Description")
	write("x")
	w.sends("description", strings.Replace(before, "<p>Four", "<p>xFour", 1))
	press(input.ControlLeft, input.KeyZ)
	w.sends("description", before)
	w.press("Save")
	w.sees("Saved.")
	if entries, err := w.page.Elements(".timeline li"); err != nil || len(entries) != 1 {
		t.Errorf("the activity has %d entries, want the creation alone: %s", len(entries), w.text())
	}
}

func TestPastedDescriptionsAreCleaned(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	w.follow("Submissions")
	w.follow("New submission")
	w.fill("Title", "Harbour logs")
	w.paste("Description", fromWord)
	w.sends("description",
		"<h3>Harbour day</h3>\n<p><strong>Bring</strong> boots</p>\n<ul>\n<li>Ropes</li>\n<li>Nets</li>\n</ul>\n<p>Come "+
			"<a>here</a> early</p>")
	w.fill("Description", "")
	w.paste("Description", fromDocs)
	w.sends("description", "<p><strong>Loud</strong><em> and soft</em></p>")
	w.press("Create submission")
	w.sees("A-1 is created.", "Loud and soft")
}

func TestDescriptionsTheEditorCannotKeepStayHTML(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	w.follow("Submissions")
	w.follow("New submission")
	w.fill("Title", "Harbour logs")
	w.press("Edit as HTML")
	w.fill("Description", `<table><tr><td>low</td></tr></table><p style="color: red" onclick="x()">tide</p>`)
	w.press("Edit as text")
	w.sees("It is edited as HTML, so that nothing is lost.", "Edit as text")
	w.press("Create submission")
	w.sees("A-1 is created.", "low", "tide")
	w.follow("Edit")
	w.sends("description", "<table><tr><td>low</td></tr></table><p>tide</p>")
	if got := w.value("Description"); !strings.HasPrefix(got, "<table>") {
		t.Errorf("it is edited as %q", got)
	}
}

func TestADescriptionThatIsTooLongIsNotLost(t *testing.T) {
	t.Parallel()
	s := newSite(t, "")
	w := s.owner()
	w.follow("Submissions")
	w.follow("New submission")
	w.fill("Title", "Harbour logs")
	w.fill("Description", strings.Repeat("tide ", 10_001)+"!")
	w.sees("13 characters too long, with its markup.")
	w.press("Create submission")
	w.sees("Something needs a change", "at most 50000 are allowed")
	w.follow("Description")
	if err := w.page.Timeout(patience).
		Wait(rod.Eval(`() => document.activeElement.matches("[role=textbox][aria-invalid=true]")`)); err != nil {
		t.Error("the link of the fault does not lead to the editor")
	}
	w.shot("description-fault")
	w.fill("Description", "tide and ebb")

	// On a phone the buttons are large enough for fingers.
	w.check(proto.EmulationSetTouchEmulationEnabled{Enabled: true}.Call(w.page), "touch")
	w.resize(390, 844)
	w.shot("description-touch")
	result,
		err := w.page.Eval(
		`() => Math.min(...[...document.querySelectorAll(".tools button")].flatMap(b => [b.offsetWidth, b.offsetHeight]))`)
	if w.check(err, "sizes"); result.Value.Int() < 44 {
		t.Errorf("a button is %d px small", result.Value.Int())
	}

	// Arrows go along the toolbar, which is one stop of the Tab key.
	w.focus(byRole, "button", "Bold")
	w.keys(input.ArrowRight)
	w.focused("Italic")
	w.keys(input.End)
	w.focused("Edit as HTML")
	w.keys(input.Home)
	w.focused("Bold")
	w.press("Create submission")
	w.sees("A-1 is created.", "tide and ebb")
}
