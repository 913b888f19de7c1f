package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

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

// full is a text for a single record: in paragraphs and bounded.
func (s *Server) full(html, more string) string {
	return bound(strings.TrimSpace(blankLines.ReplaceAllString(plain(html), "\n\n")), s.options.FullText, more)
}

// excerpt is a text for a list: on one line and bounded.
func (s *Server) excerpt(html, more string) string {
	return bound(strings.Join(strings.Fields(plain(html)), " "), s.options.ListText, more)
}

// bound cuts a text to limit characters. What is cut says how long it was and
// where more of it is.
func bound(text string, limit int, more string) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	at := 0
	for range limit {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return fmt.Sprintf("%s… [%d of %d chars, %s]", text[:at], limit, utf8.RuneCountInString(text), more)
}

// encode writes a result as compact JSON without what could hide text from a
// reader or reorder it.
func encode(v any) (string, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return "", err
	}
	return string(strip(bytes.TrimSpace(out.Bytes()))), nil
}

// strip removes control characters but for tabs and line ends, overrides of the
// direction of text (U+202A to U+202E, U+2066 to U+2069) and invisible tags
// (U+E0000 to U+E007F) from encoded JSON, where nothing else can be one.
func strip(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		n := 1
		keep := true
		switch c := b[i]; {
		case c == '\\':
			n = 2
			switch b[i+1] {
			case 'b', 'f':
				keep = false
			case 'u':
				n = 6
				keep = b[i+2] != '0' || b[i+3] != '0' || b[i+4] > '1'
			}
		case c == 0x7F:
			keep = false
		case c >= utf8.RuneSelf:
			var r rune
			r, n = utf8.DecodeRune(b[i:])
			keep = !(r >= 0x80 && r <= 0x9F || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r >= 0xE0000 && r <= 0xE007F)
		}
		if keep {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}
