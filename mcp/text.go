package mcp

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	gojson "github.com/goccy/go-json"
	"github.com/k3a/html2text"
)

// plain turns a record's HTML into text.
func plain(html string) string {
	if !strings.ContainsAny(html, "<&") {
		return html
	}
	return html2text.HTML2TextWithOptions(html,
		html2text.WithUnixLineBreaks(), html2text.WithLinksInnerText(), html2text.WithListSupportPrefix(listPrefix))
}

// listPrefix is before each item of a list.
const listPrefix = "- "

var blankLines = regexp.MustCompile(`\s*\n\s*\n\s*`)

// paragraphs is a text for a single record, whole.
func paragraphs(html string) string {
	return strings.TrimSpace(blankLines.ReplaceAllString(plain(html), "\n\n"))
}

// longer is how many times as long as the first piece of a text the others are, which come alone.
const longer = 3

// from is what of a text follows its first characters, bounded; what was cut says where it goes on.
func (s *Server) from(text string, offset int) string {
	runes := []rune(text)
	offset = min(offset, len(runes))
	end := s.options.FullText
	if offset > 0 {
		end = offset + longer*s.options.FullText
	}
	if end >= len(runes) {
		return string(runes[offset:])
	}
	return bounded(string(runes[offset:end]), end, len(runes), fmt.Sprintf("offset %d goes on", end))
}

// endsBefore refuses an offset behind the end of the longest text.
func endsBefore(offset, longest int) error {
	if offset >= longest {
		return badArgument("offset", "must be less than %d, the length of the longest text", longest)
	}
	return nil
}

// pageOfTexts is how many texts of a list may have their whole length; more share the room of these, down to leastText
// characters each, so that a page of 25 rows stays below 3,000 tokens.
const pageOfTexts, leastText = 5, 40

// listText is how many characters each text of a list of rows has.
func (s *Server) listText(rows int) int {
	whole := s.options.ListText
	return min(whole, max(leastText, whole*pageOfTexts/max(rows, 1)))
}

// excerpt is a text for a list: on one line and bounded. Of a long one only as much of the beginning is turned into text
// as it takes: that took a third of the time of a list.
func excerpt(html string, limit int, more string) string {
	for size := 2 * (limit + 1); ; size *= 2 {
		head := beginning(html, size)
		line, isCut := oneLine(plain(head), limit)
		if isCut {
			return bounded(line, limit, lengthOf(html), more)
		}
		if len(head) == len(html) {
			return line
		}
	}
}

// beginning is at most so many bytes of HTML, which end within no character, entity, tag or link.
func beginning(html string, size int) string {
	if size >= len(html) {
		return html
	}
	for !utf8.RuneStart(html[size]) {
		size--
	}
	head := html[:size]
	for _, open := range [][2]string{{"&", ";"}, {"<", ">"}, {"<a ", "</a>"}} {
		if at := strings.LastIndex(head, open[0]); at > strings.LastIndex(head, open[1]) {
			head = head[:at]
		}
	}
	return head
}

// inline are the tags that end no line.
var inline = []string{"a", "b", "code", "del", "em", "i", "s", "span", "strong", "sub", "sup", "u"}

// lengthOf is how long the text of HTML is on one line, which is counted far sooner than made.
func lengthOf(html string) int {
	c := &counting{}
	for len(html) > 0 {
		if b := html[0]; !c.gap && b > ' ' && b < utf8.RuneSelf && b != '<' && b != '&' { // most characters
			c.length, html = c.length+1, html[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(html)
		end := 0
		switch r {
		case '<':
			end = strings.IndexByte(html, '>') + 1
		case '&':
			end = strings.IndexByte(html[:min(len(html), longestEntity)], ';') + 1
		}
		size = max(size, end)
		if r == '<' && end > 0 {
			c.tag(html[:size])
		} else {
			c.character(r)
		}
		html = html[size:]
	}
	return c.length
}

// counting is the text of HTML as far as it is counted.
type counting struct {
	length int
	gap    bool   // a space comes before the next character
	link   string // where the words lead that are counted
}

func (c *counting) character(r rune) {
	switch {
	case unicode.IsSpace(r):
		c.gap = c.length > 0
	case c.gap:
		c.length, c.gap = c.length+2, false
	default:
		c.length++
	}
}

func (c *counting) tag(tag string) {
	name, _, _ := strings.Cut(strings.Trim(tag, "</>"), " ")
	c.gap = c.gap || c.length > 0 && !slices.Contains(inline, name)
	switch {
	case tag == "<li>":
		c.length += len(listPrefix)
	case tag == "</a>" && c.link != "":
		c.length, c.link = c.length+utf8.RuneCountInString(" <"+c.link+">"), ""
	case name == "a":
		_, address, _ := strings.Cut(tag, `href="`)
		c.link, _, _ = strings.Cut(address, `"`)
	}
}

// longestEntity is how many bytes an entity has at most.
const longestEntity = 12

// oneLine are the first characters of a text, on one line, and whether there are more.
func oneLine(text string, limit int) (string, bool) {
	line := make([]byte, 0, min(len(text), 4*limit))
	length, gap := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) {
			gap = length > 0
			continue
		}
		if gap {
			length, gap, line = length+1, false, append(line, ' ')
		}
		if length >= limit {
			return strings.TrimSuffix(string(line), " "), true
		}
		length, line = length+1, utf8.AppendRune(line, r)
	}
	return string(line), false
}

// bound cuts a text to limit characters.
func bound(text string, limit int, more string) string {
	length, at := utf8.RuneCountInString(text), 0
	if length <= limit {
		return text
	}
	for range limit {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return bounded(text[:at], limit, length, more)
}

// bounded is what is left of a text of a length. What was cut says how long it was and where more of it is.
func bounded(text string, limit, length int, more string) string {
	if length <= limit {
		return text
	}
	return fmt.Sprintf("%s… [%d of %d chars, %s]", text, limit, length, more)
}

// encode writes a result as compact JSON without what could hide text from a reader or reorder it.
func encode(v any) (string, error) {
	var out bytes.Buffer
	encoder := gojson.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return string(strip(bytes.TrimSpace(out.Bytes()))), nil
}

// hidden are the characters that strip takes out of texts: control characters
// that JSON does not escape, overrides of direction, invisible tags.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x7F, Hi: 0x9F, Stride: 1}, {Lo: 0x202A, Hi: 0x202E, Stride: 1},
		{Lo: 0x2066, Hi: 0x2069, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}},
}

// strip removes control characters but for tabs and line ends, and the hidden
// ones, from encoded JSON, where nothing else can be one.
func strip(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		if c := b[i]; c < 0x7F && c != '\\' { // nearly all
			out = append(out, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		keep := !unicode.Is(hidden, r)
		if r == '\\' {
			n, keep = escape(b[i:])
		}
		if keep {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}

// escape is how long the escape is that b begins with, and whether it may stay.
func escape(b []byte) (n int, keep bool) {
	switch b[1] {
	case 'b', 'f':
		return 2, false
	case 'u':
		return 6, b[2] != '0' || b[3] != '0' || b[4] > '1'
	}
	return 2, true
}
