package cfp

import (
	"html"
	"regexp"
	"strings"

	"lectern/models/store"
)

var (
	tag       = regexp.MustCompile(`<[a-zA-Z!/]`)
	formatted = regexp.MustCompile(`(?i)^<(p|div|ul|ol|h[1-6]|blockquote|pre|table|section|article|figure)[\s>]`)
	plainTags = regexp.MustCompile(`(?i)</?(p|br)\s*/?>`)
	paragraph = regexp.MustCompile(`(?i)\s*</p>\s*(<p>\s*)?`)
	lineEnd   = regexp.MustCompile(`(?i)<br\s*/?>\n?`)
	escapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
)

// AsText returns stored HTML as somebody edits it in a field of plain text: as text if it has only paragraphs; other
// HTML stays, and AsHTML takes it back.
func AsText(kept string) string {
	kept = strings.TrimSpace(kept)
	if tag.MatchString(plainTags.ReplaceAllString(kept, "")) {
		if formatted.MatchString(kept) {
			return kept
		}
		return "<p>" + kept + "</p>"
	}
	kept = paragraph.ReplaceAllString(kept, "\n\n")
	kept = plainTags.ReplaceAllString(lineEnd.ReplaceAllString(kept, "\n"), "")
	return strings.TrimSpace(html.UnescapeString(kept))
}

// AsHTML returns a typed text as HTML to be stored: unchanged if it begins as formatted text does, else with each
// character escaped. The caller sanitises it.
func AsHTML(typed string) string {
	if typed = strings.TrimSpace(typed); formatted.MatchString(typed) {
		return typed
	}
	return escapes.Replace(typed)
}

// read returns a text as it is counted: formatted text without its markup.
func read(text string) string {
	if formatted.MatchString(text) {
		return store.PlainText(text)
	}
	return text
}
