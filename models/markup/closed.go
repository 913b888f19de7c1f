// Package markup is what pages and rows both know of the HTML that people write.
package markup

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// deepest is how deep elements of a text may lie in one another.
const deepest = 100

// inText are the elements that a paragraph may have; any other one ends it.
var inText = setOf(`a abbr acronym b bdi bdo br cite code del dfn em i img ins mark meter progress q rp rt ruby s samp
	small span strike strong sub sup time tt u var wbr`)

// alone are the elements that have no end.
var alone = setOf("br col hr img wbr")

// seat is where an element stands: in what, looked for not beyond what, and in what is made for it where there is none;
// without that it is left out.
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

// Closed returns HTML that was sanitised as a piece that is closed in itself: a browser ends nothing in it that
// lies around it, wherever it stands. What already is, stays as it was. Its cost grows as the text does.
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
			raw := string(z.Raw()) // before the name is read, which folds it in place
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

// closing writes HTML, and knows what of it is open.
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

// last is where the last open element of some names is, not looking beyond the last one of others; -1 for none.
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

// endTo ends all open elements from one on.
func (c *closing) endTo(at int) {
	for i := len(c.open) - 1; i >= at; i-- {
		c.out.WriteString("</" + c.open[i] + ">")
	}
	c.open = c.open[:at]
}

// begin writes a start tag, after the end of what a browser would end there by itself.
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

// yield ends what a browser ends where an element begins.
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

// sit has what an element stands in be open last, and tells whether there is such.
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
		if in := c.open[at+1:]; c.open[at] == "dl" && len(in) > 0 && in[0] == "div" { // which groups terms
			at++
		}
		c.endTo(at + 1)
		return true
	}
	c.out.WriteString("<" + seat.made + ">")
	c.open = append(c.open, seat.made)
	return true
}
