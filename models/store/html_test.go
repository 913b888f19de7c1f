package store_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/microcosm-cc/bluemonday"

	"lectern/models/markup"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatIsSavedIsClosedInItself(t *testing.T) {
	t.Parallel()
	modelstest.Want(t, "what is saved", cleaned(t, "<p>Half</div></section>"), "<p>Half</p>")
}

func TestNoNamesOfATextSurvive(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`(?i)\s(id|name|usemap|for|form)\s*=`)
	for _, html := range []string{
		`<p id="flash">x</p>`, `<P ID=body>x</P>`, `<a name="top" href="https://example.org">x</a>`,
		`<img id=app name=forms src="https://example.org/a.png" usemap="#m">`,
		`<map name="m"><area id="a" href="https://example.org" alt="x"></map>`,
		`<form id=f name=location><input name=action id=x></form>`,
		`<td id=1>x</td>`, `<details id="x" open>y</details>`, `<span	id
			= 'a'>x</span>`, `<object name=a></object>`, `<div/id="x">y</div>`, `<svg id=a><a id=b>x</a></svg>`, `<h1 title="id=x" id="y">z</h1>`,
	} {
		if got := cleaned(t, html); named.MatchString(strings.ReplaceAll(got, `title="id=x"`, "")) {
			t.Errorf("%s becomes %s", html, got)
		}
	}
}

// TestOtherwiseTheUsualIsAllowed compares with the policy from which ours was made.
func TestOtherwiseTheUsualIsAllowed(t *testing.T) {
	modelstest.InTurn(t)
	t.Parallel()
	usual := bluemonday.UGCPolicy()
	tags := strings.Fields(
		`a abbr acronym article aside b bdi bdo blockquote br caption center cite code col colgroup dd del details dfn div dl dt em
		embed figcaption figure font form h1 h2 h3 h4 h5 h6 hgroup hr i iframe img input ins kbd li link mark meter object ol p pre progress q rp rt ruby s
		samp script section small span strike strong style sub summary sup svg table tbody td tfoot th thead time tr tt u ul var video wbr`)
	values := []string{"1", "50%", "left", "ltr", "de", "open", "", "https://example.org/a?b=c", "mailto:a@example.org",
		"/x", "javascript:alert(1)", "data:text/html,x",
		"A title", "2026-11-21", "row", "disc", "middle", "-3", "a\"b", "x<y"}
	attributes := strings.Fields(
		`href src alt title lang dir cite datetime open value min max low high optimum align valign height width span summary abbr
		colspan rowspan headers scope nowrap type rel target class style onclick onerror`)
	for range 5000 {
		var html strings.Builder
		for range 1 + rand.IntN(4) {
			html.WriteString("<" + tags[rand.IntN(len(tags))])
			for range rand.IntN(3) {
				fmt.Fprintf(&html, ` %s='%s'`, attributes[rand.IntN(len(attributes))], values[rand.IntN(len(values))])
			}
			html.WriteString(">text &amp; more")
			if rand.IntN(2) == 0 {
				html.WriteString("</" + tags[rand.IntN(len(tags))] + ">")
			}
		}
		want := strings.TrimSpace(markup.Closed(usual.Sanitize(html.String())))
		if got := cleaned(t, html.String()); got != want {
			t.Fatalf("%s\nbecomes %s\nusually %s", html.String(), got, want)
		}
	}
}

// cleaned returns HTML as it is kept.
func cleaned(t *testing.T, html string) string {
	t.Helper()
	out, err := store.CleanHTML("description", html, len(html)*10)
	if err != nil {
		t.Fatalf("%s is refused: %v", html, err)
	}
	return out
}

func TestWhatIsRemovedOnSaveIsTold(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                  "",
		"4 < 5 and <3":                      "",
		"<p>Fine <a href='https://x'>x</a>": "",
		"<p>One</p><script>x()</script><p>Two</p><SCRIPT src='//x'></SCRIPT>": "script:2",
		`<p onclick="a()">a</p><p onclick="b()">b</p><p>c</p>`:                `p onclick=a():2`,
		`<p style="color:red">x</p>`:                                          `p style=color:red:1`,
		`<a href="javascript:x()">x</a><a href="https://x">y</a>`:             "a=javascript:x():1",
		`<iframe src="https://video"></iframe><font color="red">x</font>`:     "iframe=https://video:1 font:1",
		`<!-- said by nobody --><p>x</p>`:                                     ":1",
		`<img src="https://x/y.png" onerror="x()">`:                           "img onerror=x():1",
		`<img src="data:image/png;base64,AA">`:                                "img=data:image/png;base64,AA:1",
	} {
		var got []string
		for _, r := range store.RemovedHTML(in) {
			text := strings.TrimSpace(r.Element + " " + r.Attribute)
			if r.Value != "" {
				text += "=" + r.Value
			}
			got = append(got, fmt.Sprint(text, ":", r.Count))
		}
		modelstest.Want(t, in+" loses", strings.Join(got, " "), want)
	}
}

// FuzzRemovedHTML: cleaning once more removes nothing.
func FuzzRemovedHTML(f *testing.F) {
	f.Add(`<p onclick="x">a<script>b</script><a href="javascript:x">c</a>`)
	f.Fuzz(func(t *testing.T, s string) {
		clean, err := store.CleanHTML("f", s, 1_000_000)
		if err != nil {
			t.Skip()
		}
		modelstest.Want(t, s+", cleaned to "+clean+", loses", len(store.RemovedHTML(clean)), 0)
	})
}
