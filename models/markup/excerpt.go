package markup

import (
	"strings"
	"unicode/utf8"

	"github.com/k3a/html2text"
)

// Excerpt is the beginning of an HTML text as text: at most limit characters of it, on one line, and how many there are
// in all.
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
