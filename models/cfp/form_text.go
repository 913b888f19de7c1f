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

// AsText is HTML as somebody edits it in a field of plain text: what has nothing but paragraphs is text, what is
// formatted stays HTML, which AsHTML takes back.
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

// AsHTML is what is kept of a text that was typed: as it is where it begins as formatted text does, and else with each
// character as it was typed. Whatever keeps it sanitises it.
func AsHTML(typed string) string {
	if typed = strings.TrimSpace(typed); formatted.MatchString(typed) {
		return typed
	}
	return escapes.Replace(typed)
}

// read is a text as it is counted: without markup, where it is formatted.
func read(text string) string {
	if formatted.MatchString(text) {
		return store.PlainText(text)
	}
	return text
}
