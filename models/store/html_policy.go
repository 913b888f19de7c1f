package store

import (
	"regexp"

	"github.com/microcosm-cc/bluemonday"
)

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
