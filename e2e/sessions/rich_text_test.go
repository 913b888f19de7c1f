package sessions

import (
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	. "lectern/e2e/drive"
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
func paste(w *Window, label, html string) {
	w.T.Helper()
	On[bool](w, ByLabel, []any{label}, `(e, html) => {
		const data = new DataTransfer();
		data.setData("text/html", html);
		data.setData("text/plain", "the text alone");
		return e.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true})) || true;
	}`, html)
}

// sends waits until the form would send this for the field of this name.
func sends(w *Window, name, want string) {
	w.T.Helper()
	if !Within(Patience, func() bool { return sent(w, name) == want }) {
		w.T.Fatalf("the form sends %s\nwant %s", sent(w, name), want)
	}
}

// pressed waits until the button with this name is on, or off.
func pressed(w *Window, name, on string) {
	w.T.Helper()
	_, err := w.Page.Timeout(Patience).Element(`button[aria-label="` + name + `"][aria-pressed="` + on + `"]`)
	w.Check(err, name+" pressed: "+on)
}

func sent(w *Window, name string) string {
	w.T.Helper()
	result, err := w.Page.Eval(`(name) => new FormData(document.querySelector("main form")).get(name)`, name)
	w.Check(err, name)
	return result.Value.Str()
}

func TestDescriptionsAreWrittenAsTheyWillLook(t *testing.T) {
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	w.Follow("Submissions")
	w.Follow("New submission")
	w.Fill("Title", "Harbour logs")
	w.Focus(ByLabel, "Description")
	write := func(text string) { t.Helper(); w.Check(w.Page.InsertText(text), text) }
	press := func(keys ...input.Key) { t.Helper(); w.Keys(keys...) }

	write("Four ")
	press(input.ControlLeft, input.KeyB)
	write("thousand")
	pressed(w, "Bold", "true")
	w.Press("Bold")
	pressed(w, "Bold", "false")
	write(" evenings / one rule?")
	w.DoesNotSee("This help") // the page's own keys are letters here
	sends(w, "description", "<p>Four <strong>thousand</strong> evenings / one rule?</p>")
	press(input.Enter)
	w.Press("Bulleted list")
	write("logs")
	press(input.Enter)
	write("maps")
	pressed(w, "Bulleted list", "true")
	press(input.Enter)
	press(input.Enter)
	pressed(w, "Bulleted list", "false")
	press(input.ControlLeft, input.KeyK)
	w.Fill("Links to", "the harbour")
	press(input.Enter)
	w.Sees("Type a web or e-mail address")
	w.Accessible("description-link")
	w.Fill("Links to", "example.org/harbour")
	press(input.Enter)
	sends(w, "description",
		"<p>Four <strong>thousand</strong> evenings / one rule?</p>\n<ul>\n<li>logs</li>\n<li>maps</li>\n</ul>\n<p><a "+
			"href=\"https://example.org/harbour\">example.org/harbour</a></p>")
	w.Accessible("description")

	w.Press("Edit as HTML")
	if got := w.Value("Description"); !strings.Contains(got, "<strong>thousand</strong>") {
		t.Errorf("as HTML it is %s", got)
	}
	w.Accessible("description-html")
	w.Press("Edit as text")
	w.Press("Create submission")
	w.Sees("A-1 is created.", "Four thousand evenings / one rule?", "example.org/harbour")
	for _, element := range []string{".reading strong", ".reading ul > li + li",
		`.reading a[href="https://example.org/harbour"]`} {
		if here, _, err := w.Page.Has(element); err != nil || !here {
			t.Errorf("the page has no %s", element)
		}
	}

	// Opened, looked at in both ways, and saved: nothing happened.
	w.Follow("Edit")
	before := sent(w, "description")
	w.Press("Edit as HTML")
	w.Press("Edit as text")
	w.Focus(ByLabel, "Description")
	write("x")
	sends(w, "description", strings.Replace(before, "<p>Four", "<p>xFour", 1))
	press(input.ControlLeft, input.KeyZ)
	sends(w, "description", before)
	w.Press("Save")
	w.Sees("Saved.")
	if entries, err := w.Page.Elements(".timeline li"); err != nil || len(entries) != 1 {
		t.Errorf("the activity has %d entries, want the creation alone: %s", len(entries), w.Text())
	}
}

func TestPastedDescriptionsAreCleaned(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	w.Follow("Submissions")
	w.Follow("New submission")
	w.Fill("Title", "Harbour logs")
	paste(w, "Description", fromWord)
	sends(w, "description",
		"<h3>Harbour day</h3>\n<p><strong>Bring</strong> boots</p>\n<ul>\n<li>Ropes</li>\n<li>Nets</li>\n</ul>\n<p>Come "+
			"<a>here</a> early</p>")
	w.Fill("Description", "")
	paste(w, "Description", fromDocs)
	sends(w, "description", "<p><strong>Loud</strong><em> and soft</em></p>")
	w.Press("Create submission")
	w.Sees("A-1 is created.", "Loud and soft")
}

func TestDescriptionsTheEditorCannotKeepStayHTML(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	w.Follow("Submissions")
	w.Follow("New submission")
	w.Fill("Title", "Harbour logs")
	w.Press("Edit as HTML")
	w.Fill("Description", `<table><tr><td>low</td></tr></table><p style="color: red" onclick="x()">tide</p>`)
	w.Press("Edit as text")
	w.Sees("It is edited as HTML, so that nothing is lost.", "Edit as text")
	w.Press("Create submission")
	w.Sees("A-1 is created.", "low", "tide")
	w.Follow("Edit")
	sends(w, "description", "<table><tr><td>low</td></tr></table><p>tide</p>")
	if got := w.Value("Description"); !strings.HasPrefix(got, "<table>") {
		t.Errorf("it is edited as %q", got)
	}
}

func TestADescriptionThatIsTooLongIsNotLost(t *testing.T) {
	OnlyLong(t)
	t.Parallel()
	s := NewSite(t, "")
	w := s.Owner()
	w.Follow("Submissions")
	w.Follow("New submission")
	w.Fill("Title", "Harbour logs")
	w.Fill("Description", strings.Repeat("tide ", 10_001)+"!")
	w.Sees("13 characters too long, with its markup.")
	w.Press("Create submission")
	w.Sees("Something needs a change", "at most 50000 are allowed")
	w.Follow("Description")
	if err := w.Page.Timeout(Patience).
		Wait(rod.Eval(`() => document.activeElement.matches("[role=textbox][aria-invalid=true]")`)); err != nil {
		t.Error("the link of the fault does not lead to the editor")
	}
	w.Shot("description-fault")
	w.Fill("Description", "tide and ebb")

	// On a phone the buttons are large enough for fingers.
	w.Check(proto.EmulationSetTouchEmulationEnabled{Enabled: true}.Call(w.Page), "touch")
	w.Resize(390, 844)
	w.Shot("description-touch")
	result,
		err := w.Page.Eval(
		`() => Math.min(...[...document.querySelectorAll(".tools button")].flatMap(b => [b.offsetWidth, b.offsetHeight]))`)
	if w.Check(err, "sizes"); result.Value.Int() < 44 {
		t.Errorf("a button is %d px small", result.Value.Int())
	}

	// Arrows go along the toolbar, which is one stop of the Tab key.
	w.Focus(ByRole, "button", "Bold")
	w.Keys(input.ArrowRight)
	w.Focused("Italic")
	w.Keys(input.End)
	w.Focused("Edit as HTML")
	w.Keys(input.Home)
	w.Focused("Bold")
	w.Press("Create submission")
	w.Sees("A-1 is created.", "tide and ebb")
}
