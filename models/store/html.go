package store

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"

	"lectern/models/markup"
)

// Removed is an element, attribute or comment that CleanHTML takes out of a text.
type Removed struct {
	Element   string // its name, such as script; "" for comments
	Attribute string // such as onclick, of an element that stays; "" where the whole element goes
	Value     string // of the attribute's first occurrence; of a removed link, its address
	Count     int
}

// RemovedHTML returns what CleanHTML takes out of a piece of HTML, in order of appearance; nil for a text that readers
// see unchanged.
func RemovedHTML(s string) []Removed {
	if !strings.Contains(s, "<") {
		return nil
	}
	before, order := markupOf(s)
	after, _ := markupOf(markup.Closed(htmlPolicy.Sanitize(s)))
	var out []Removed
	for _, key := range order {
		removed := Removed{Element: key.element, Attribute: key.attribute, Value: before[key].value,
			Count: before[key].count - after[key].count}
		if whole := (markupKey{element: key.element}); key.attribute != "" { // the element stays
			removed.Count -= before[whole].count - after[whole].count
		}
		if removed.Count > 0 {
			out = append(out, removed)
		}
	}
	return out
}

type markupKey struct{ element, attribute string }

type markupCount struct {
	count int
	value string
}

// markupOf counts the elements, attributes and comments of a piece of HTML, and returns their order of appearance.
func markupOf(s string) (counts map[markupKey]markupCount, order []markupKey) {
	counts = map[markupKey]markupCount{}
	add := func(key markupKey, value string) {
		was, known := counts[key]
		if !known {
			was.value, order = value, append(order, key)
		}
		was.count++
		counts[key] = was
	}
	for z := html.NewTokenizer(strings.NewReader(s)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return counts, order
		case html.CommentToken:
			add(markupKey{}, "")
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, address := z.Token(), ""
			for _, a := range tag.Attr {
				if a.Key == "href" || a.Key == "src" {
					address = a.Val
				}
			}
			add(markupKey{element: tag.Data}, address)
			for _, a := range tag.Attr {
				add(markupKey{tag.Data, a.Key}, a.Val)
			}
		}
	}
}

// newHTMLPolicy allows what bluemonday's UGC policy does, except id, name and image maps: their names could shadow
// those of the page around the text.
func newHTMLPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	p.AllowImages()
	p.AllowLists()
	p.AllowTables()
	p.AllowElements(
		"article", "aside", "figure", "section", "summary", "hgroup", "h1", "h2", "h3", "h4", "h5", "h6",
		"br", "div", "hr", "p", "span", "wbr", "pre",
		"abbr", "acronym", "cite", "code", "dfn", "em", "figcaption", "mark", "s", "samp", "strong", "sub", "sup", "var",
		"b", "i", "small", "strike", "tt", "u", "rp", "rt", "ruby")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).Globally()
	p.AllowAttrs("lang").Matching(regexp.MustCompile(`[a-zA-Z]{2,20}`)).Globally()
	p.AllowAttrs("title").Matching(bluemonday.Paragraph).Globally()
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("cite").OnElements("blockquote", "q")
	p.AllowAttrs("cite").Matching(bluemonday.Paragraph).OnElements("del", "ins")
	p.AllowAttrs("datetime").Matching(bluemonday.ISO8601).OnElements("time", "del", "ins")
	p.AllowAttrs("dir").Matching(bluemonday.Direction).OnElements("bdi", "bdo")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`(?i)^(|open)$`)).OnElements("details")
	p.AllowAttrs("value", "min", "max", "low", "high", "optimum").Matching(bluemonday.Number).OnElements("meter")
	p.AllowAttrs("value", "max").Matching(bluemonday.Number).OnElements("progress")
	return p
}
