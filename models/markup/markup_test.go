package markup_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"lectern/models/markup"
)

func TestATextIsClosedInItself(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain & <p>fine</p>":                                "plain & <p>fine</p>",
		"out</div></li></ul></section>of it":                 "outof it",
		"<table><tr><td>1":                                   "<table><tr><td>1</td></tr></table>",
		"<table><tr><td>1<td>2<tr><td>3</table>x":            "<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>x",
		"<p>One<p>Two":                                       "<p>One</p><p>Two</p>",
		"<p>A <b>bold<ul><li>One<li>Two</ul>":                "<p>A <b>bold</b></p><ul><li>One</li><li>Two</li></ul>",
		"<li>One<li>Two":                                     "<ul><li>One</li><li>Two</li></ul>",
		`<a href="/x">One <a href="/y">two</a>`:              `<a href="/x">One </a><a href="/y">two</a>`,
		"<table>a<table>b</table></table>c</table>":          "<table>a</table><table>b</table>c",
		"<td>no table</td>":                                  "no table",
		"<table><td>One</td><td>Two</td></table>":            "<table><tr><td>One</td><td>Two</td></tr></table>",
		"<dl><div><dt>A</dt><dd>B</dd></div><dt>C</dt></dl>": "<dl><div><dt>A</dt><dd>B</dd></div><dt>C</dt></dl>",
		"<table><colgroup>\n<col>\n</colgroup></table>":      "<table><colgroup>\n<col>\n</colgroup></table>",
		"<DIV/>open":                                         "<DIV/>open</div>",
	} {
		if got := markup.Closed(text); got != want {
			t.Errorf("%s becomes %s, not %s", text, got, want)
		}
		if again := markup.Closed(want); again != want {
			t.Errorf("%s becomes %s", want, again)
		}
	}
}

// TestNoTextEndsWhatIsAroundIt puts soups of tags into a page of lists, terms, tables and headings, and parses it as
// browsers do: the elements around the text stay whole.
func TestNoTextEndsWhatIsAroundIt(t *testing.T) {
	t.Parallel()
	tags := strings.Fields(`a article aside b blockquote br caption code col colgroup dd details div dl dt em figure h1 h2
		h3 hr i img li ol p pre rp rt ruby section span summary table tbody td tfoot th thead tr ul`)
	host := [2]string{"<table><tr><td><dl><dd><ul><li><ruby><details><summary>s</summary><div id=in>",
		"</div><i id=after></i></details></ruby></li></ul></dd></dl></td></tr></table><u id=end></u>"}
	for range 4000 {
		var soup strings.Builder
		for range 1 + rand.IntN(12) {
			fmt.Fprintf(&soup, []string{"<%s>x", "</%s>", "<%s>", "<%s> </%[1]s>"}[rand.IntN(4)], tags[rand.IntN(len(tags))])
		}
		page, err := html.Parse(strings.NewReader(host[0] + markup.Closed(soup.String()) + host[1]))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := outline(page), "html body table tbody tr td dl dd ul li ruby details [in] after end"; got != want {
			t.Fatalf("%s, closed as %s, makes %s", soup.String(), markup.Closed(soup.String()), got)
		}
	}
}

// outline returns the elements around "in", and what follows it in its place.
func outline(page *html.Node) string {
	named := map[string]*html.Node{}
	for n := range page.Descendants() {
		for _, a := range n.Attr {
			if a.Key == "id" {
				named[a.Val] = n
			}
		}
	}
	var around []string
	for n := range named["in"].Ancestors() {
		if n.Type == html.ElementNode {
			around = append([]string{n.Data}, around...)
		}
	}
	out := strings.Join(around, " ") + " [in]"
	if named["after"].PrevSibling == named["in"] {
		out += " after"
	}
	if named["end"].Parent.Data == "body" && named["end"].FirstChild == nil {
		out += " end"
	}
	return out
}

// TestClosingATextCostsAsMuchAsItIsLong closes texts that make parsers of HTML slow or verbose.
func TestClosingATextCostsAsMuchAsItIsLong(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&many, "<b title=%d>", i)
	}
	for _, text := range []string{strings.Repeat("<div>", 20_000), strings.Repeat("<table><tr><td>", 8000),
		many.String() + strings.Repeat("<p>x", 10_000), strings.Repeat("</p>", 30_000)} {
		begun := time.Now()
		if got := markup.Closed(text); len(got) > 3*len(text)+1000 || time.Since(begun) > time.Second {
			t.Errorf("%d bytes become %d in %s", len(text), len(got), time.Since(begun))
		}
	}
}

func TestAnExcerptIsTheBeginningOfTheText(t *testing.T) {
	for _, c := range []struct {
		html, text string
		limit, of  int
	}{
		{"", "", 10, 0},
		{"plain words", "plain words", 11, 11},
		{"plain words", "plain word", 10, 11},
		{"<p>One</p><p>two <b>th</b>ree</p>", "One two three", 20, 13},
		{"<p>a &amp; b &lt;c&gt;</p>", "a & b <c>", 20, 9},
		{"<ul><li>One</li><li>Two</li></ul><p>after</p>", "- One - Two after", 30, 17},
		{"one<br>two   three ", "one two", 8, 13}, // a space at the cut is left out
		{`<p>see <a href="https://example.org/a">there</a></p>`, "see there <https://example.org/a>", 50, 33},
		{"<p>" + strings.Repeat("é", 20) + "</p>", "éééé", 4, 20},
		{"AT&T & co", "AT&T & co", 20, 9},
	} {
		text, length := markup.Excerpt(c.html, c.limit)
		if text != c.text || length != c.of {
			t.Errorf("%q is told as %q of %d, want %q of %d", c.html, text, length, c.text, c.of)
		}
	}
}
