// Package markup is what both pages and rows know of the HTML that people write.
package markup

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/k3a/html2text"
	"golang.org/x/net/html"
)

// deepest is how deep the elements of a text may be nested.
const deepest = 100

// inText are the elements that a paragraph may contain; any other one ends it.
var inText = setOf(`a abbr acronym b bdi bdo br cite code del dfn em i img ins mark meter progress q rp rt ruby s samp
	small span strike strong sub sup time tt u var wbr`)

// alone are the void elements, which have no end tag.
var alone = setOf("br col hr img wbr")

// seat says what an element must stand in: the innermost of in, not looking beyond the elements beyond, or a new made
// where there is none; without made, the element is left out.
type seat struct {
	in, beyond []string
	made       string
}

var (
	cells   = []string{"td", "th", "caption"}
	inList  = seat{[]string{"ul", "ol"}, cells, "ul"}
	inTerms = seat{[]string{"dl"}, cells, "dl"}
	inTable = seat{in: []string{"table"}}
	inRow   = seat{[]string{"tr"}, []string{"table"}, "tr"}
	seats   = map[string]seat{"li": inList, "dt": inTerms, "dd": inTerms, "caption": inTable, "colgroup": inTable,
		"thead": inTable, "tbody": inTable, "tfoot": inTable, "td": inRow, "th": inRow,
		"col": {in: []string{"colgroup", "table"}}, "tr": {in: []string{"tbody", "thead", "tfoot", "table"}}}
)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// Closed returns sanitised HTML with every element closed, so that it ends nothing that surrounds it in a page. A text
// that is closed already is returned as it is. Its cost is linear.
func Closed(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var c closing
	c.out.Grow(len(s))
	z := html.NewTokenizer(strings.NewReader(s))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		switch kind {
		case html.StartTagToken, html.SelfClosingTagToken:
			raw := string(z.Raw()) // before TagName, which lower-cases the name in place
			name, _ := z.TagName()
			c.begin(string(name), raw)
		case html.EndTagToken:
			name, _ := z.TagName()
			if at := c.last(nil, string(name)); at >= 0 {
				c.endTo(at)
			}
		case html.TextToken:
			text := z.Raw()
			if c.top() == "colgroup" && len(bytes.TrimSpace(text)) > 0 {
				c.endTo(len(c.open) - 1)
			}
			c.out.Write(text)
		}
	}
	c.endTo(0)
	return c.out.String()
}

// closing writes HTML, and keeps the elements that are open.
type closing struct {
	out  strings.Builder
	open []string
}

func (c *closing) top() string {
	if len(c.open) == 0 {
		return ""
	}
	return c.open[len(c.open)-1]
}

// last returns the index of the innermost open element with one of these names, not looking beyond one of the others;
// -1 for none.
func (c *closing) last(beyond []string, names ...string) int {
	for i := len(c.open) - 1; i >= 0; i-- {
		if slices.Contains(names, c.open[i]) {
			return i
		}
		if slices.Contains(beyond, c.open[i]) {
			break
		}
	}
	return -1
}

// endTo closes the open elements from index at on.
func (c *closing) endTo(at int) {
	for i := len(c.open) - 1; i >= at; i-- {
		c.out.WriteString("</" + c.open[i] + ">")
	}
	c.open = c.open[:at]
}

// begin writes a start tag, after the end tags that a browser would imply before it.
func (c *closing) begin(name, raw string) {
	if len(c.open) >= deepest {
		return
	}
	c.yield(name)
	if isGloss(name) && c.top() != "ruby" || !c.sit(name) {
		return
	}
	if c.out.WriteString(raw); !alone[name] {
		c.open = append(c.open, name)
	}
}

// yield closes the elements that a browser closes where this one begins.
func (c *closing) yield(to string) {
	for _, of := range []struct {
		ends   bool
		beyond []string
		name   string
	}{{!inText[to], nil, "p"}, {to == "a", nil, "a"}, {to == "table", cells, "table"}} {
		if at := c.last(of.beyond, of.name); of.ends && at >= 0 {
			c.endTo(at)
		}
	}
	top := c.top()
	if top == "colgroup" && to != "col" || isHeading(top) && isHeading(to) || isGloss(top) && isGloss(to) {
		c.endTo(len(c.open) - 1)
	}
}

func isHeading(name string) bool { return len(name) == 2 && name[0] == 'h' && name != "hr" }

func isGloss(name string) bool { return name == "rt" || name == "rp" }

// sit makes the element that name belongs in the innermost open one, and tells whether that was possible.
func (c *closing) sit(name string) bool {
	seat, bound := seats[name]
	if !bound {
		return true
	}
	at := c.last(seat.beyond, seat.in...)
	if at < 0 && (seat.made == "" || !c.sit(seat.made)) {
		return false
	}
	if at >= 0 {
		if in := c.open[at+1:]; c.open[at] == "dl" && len(in) > 0 && in[0] == "div" { // a div groups terms
			at++
		}
		c.endTo(at + 1)
		return true
	}
	c.out.WriteString("<" + seat.made + ">")
	c.open = append(c.open, seat.made)
	return true
}

// Excerpt returns the beginning of an HTML text as plain text, at most limit characters on one line, and the length of
// the whole.
func Excerpt(html string, limit int) (text string, length int) {
	if strings.ContainsAny(html, "<&") {
		html = html2text.HTML2TextWithOptions(html, html2text.WithUnixLineBreaks(), html2text.WithLinksInnerText(),
			html2text.WithListSupportPrefix("- "))
	}
	text = strings.Join(strings.Fields(html), " ")
	if length = utf8.RuneCountInString(text); length <= limit {
		return text, length
	}
	at := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return strings.TrimSuffix(text[:at], " "), length
}
