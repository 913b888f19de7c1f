package mcp

import (
	"bytes"
	"fmt"
	"regexp"
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
		html2text.WithUnixLineBreaks(), html2text.WithLinksInnerText(), html2text.WithListSupportPrefix("- "))
}

var blankLines = regexp.MustCompile(`\s*\n\s*\n\s*`)

// paragraphs returns a text for a single record, whole.
func paragraphs(html string) string {
	return strings.TrimSpace(blankLines.ReplaceAllString(plain(html), "\n\n"))
}

// longer is how much longer than its first piece the further pieces of a text are, which come without other fields.
const longer = 3

// from returns a text from offset on, cut to a maximum length; a cut text says where it continues.
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

// endsBefore refuses an offset beyond the end of the longest text.
func endsBefore(offset, longest int) error {
	if offset >= longest {
		return badArgument("offset", "must be less than %d, the length of the longest text", longest)
	}
	return nil
}

// pageOfTexts is how many texts of a list may have their full length; more share the same room, down to leastText
// characters each, so that a page of 25 rows stays below 3,000 tokens.
const pageOfTexts, leastText = 5, 40

// listText returns the maximum length of each text in a list of rows, in characters.
func (s *Server) listText(rows int) int {
	whole := s.options.ListText
	return min(whole, max(leastText, whole*pageOfTexts/max(rows, 1)))
}

// oneLine returns a text on one line, for a list.
func oneLine(html string) string { return strings.Join(strings.Fields(plain(html)), " ") }

// excerpt cuts line, the beginning of a text of length characters, to limit.
func excerpt(line string, length, limit int, more string) string {
	return bounded(strings.TrimSuffix(first(line, limit), " "), limit, length, more)
}

// bound cuts a text to limit characters.
func bound(text string, limit int, more string) string {
	return bounded(first(text, limit), limit, utf8.RuneCountInString(text), more)
}

// first returns the first characters of a text.
func first(text string, limit int) string {
	at := 0
	for range min(limit, len(text)) {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return text[:at]
}

// bounded adds to a text that was cut to limit how long it was and where more of it is.
func bounded(text string, limit, length int, more string) string {
	if length <= limit {
		return text
	}
	return fmt.Sprintf("%s… [%d of %d chars, %s]", text, limit, length, more)
}

// encode writes a result as compact JSON without characters that hide or reorder text.
func encode(v any) (string, error) {
	var out bytes.Buffer
	encoder := gojson.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return string(strip(bytes.TrimSpace(out.Bytes()))), nil
}

// hidden are the characters that strip removes: control characters that JSON does not escape, overrides of direction,
// invisible tags.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x7F, Hi: 0x9F, Stride: 1}, {Lo: 0x202A, Hi: 0x202E, Stride: 1},
		{Lo: 0x2066, Hi: 0x2069, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xE0000, Hi: 0xE007F, Stride: 1}},
}

// strip removes control characters except for tabs and line ends, and hidden ones, from encoded JSON.
func strip(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		start := i
		for i < len(b) && b[i] < 0x7F && b[i] != '\\' { // nearly all characters
			i++
		}
		if out = append(out, b[start:i]...); i == len(b) {
			break
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

// escape returns the length of the escape that b begins with, and whether to keep it.
func escape(b []byte) (n int, keep bool) {
	switch b[1] {
	case 'b', 'f':
		return 2, false
	case 'u':
		return 6, b[2] != '0' || b[3] != '0' || b[4] > '1'
	}
	return 2, true
}
