package components

import (
	"cmp"
	"context"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"lectern/models/markup"
	"lectern/views/words"
)

var (
	imgTag   = regexp.MustCompile(`<img\b[^>]*>`)
	imgFrom  = regexp.MustCompile(`\ssrc="([^"]*)"`)
	imgShows = regexp.MustCompile(`\salt="([^"]*)"`)
	blockTag = regexp.MustCompile(`</?(?:p|h[1-6]|ul|ol|dl|blockquote|pre|table)\b[^>]*>`)
)

// Reading renders HTML that people wrote; it was sanitised when it was saved. Pictures become links: they lie on other
// hosts, which would learn who reads this, so none of our pages loads them.
// Each block is read in the direction of its own words.
func Reading(text string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		linked := imgTag.ReplaceAllStringFunc(text, func(tag string) string {
			from, shows := imgFrom.FindStringSubmatch(tag), imgShows.FindStringSubmatch(tag)
			if from == nil {
				return ""
			}
			name := html.EscapeString(words.T(ctx, "frame.picture"))
			if shows != nil {
				name = cmp.Or(strings.TrimSpace(shows[1]), name)
			}
			return `<a href="` + from[1] + `" rel="nofollow noopener noreferrer">` + name + `</a>`
		})
		_, err := io.WriteString(w, directed(markup.Closed(linked))) // Closed ends the link that a picture was in
		return err
	})
}

// directed gives each outermost block of a text whose tags are closed dir="auto".
func directed(text string) string {
	depth := 0
	return blockTag.ReplaceAllStringFunc(text, func(tag string) string {
		if tag[1] == '/' {
			depth--
			return tag
		}
		if depth++; depth > 1 || strings.Contains(tag, " dir=") {
			return tag
		}
		return tag[:len(tag)-1] + ` dir="auto">`
	})
}
