package site

import (
	"cmp"
	"html"
	"regexp"
	"strings"
)

var (
	imgTag   = regexp.MustCompile(`<img\b[^>]*>`)
	imgFrom  = regexp.MustCompile(`\ssrc="([^"]*)"`)
	imgShows = regexp.MustCompile(`\salt="([^"]*)"`)
)

// readable is a text's HTML, which was cleaned, with links in place of pictures: they lie on hosts that would learn who
// reads this, so no page of ours loads them.
func (v *visit) readable(text string) string {
	if !strings.Contains(text, "<img") {
		return text
	}
	return imgTag.ReplaceAllStringFunc(text, func(tag string) string {
		from, shows := imgFrom.FindStringSubmatch(tag), imgShows.FindStringSubmatch(tag)
		if from == nil {
			return ""
		}
		name := html.EscapeString(v.T("frame.picture"))
		if shows != nil {
			name = cmp.Or(shows[1], name)
		}
		return `<a href="` + from[1] + `" rel="nofollow noopener noreferrer">` + name + `</a>`
	})
}
