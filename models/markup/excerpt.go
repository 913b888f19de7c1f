package markup

import (
	"strings"
	"unicode/utf8"

	"github.com/k3a/html2text"
)

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
