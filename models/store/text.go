package store

import (
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"

	"lectern/models/markup"
)

// Lengths are counted in characters (runes), after trimming.
const (
	MaxTitle        = 255
	MaxName         = 255
	MaxDescription  = 50_000
	MaxCustomFields = 100
	MaxCustomKey    = 255
	MaxCustomValue  = 10_000
	MaxSearchText   = 200
	MaxCapacity     = 1_000_000
	MaxMinutes      = 10_080 // a week
	MaxTags         = 100
	MaxURL          = 2000
)

var (
	htmlPolicy = newHTMLPolicy()
	textPolicy = bluemonday.StrictPolicy().AddSpaceWhenStrippingTag(true)
)

// CleanText trims s; it refuses invalid UTF-8, NUL characters and more than limit characters.
func CleanText(field, s string, limit int) (string, error) {
	if !utf8.ValidString(s) {
		return "", Invalidf(field, "is not valid UTF-8")
	}
	if strings.ContainsRune(s, 0) {
		return "", Invalidf(field, "contains a NUL character")
	}
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n > limit {
		return "", Invalidf(field, "is %d characters long; at most %d are allowed", n, limit)
	}
	return s, nil
}

// CleanName is CleanText for what must not be empty.
func CleanName(field, s string, limit int) (string, error) {
	s, err := CleanText(field, s, limit)
	if err == nil && !strings.ContainsFunc(s, visible) {
		return "", Invalidf(field, "must not be empty")
	}
	return s, err
}

// OneLine returns a text without line breaks and other control characters, which would begin a new header in a mail.
func OneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || r == '\u2028' || r == '\u2029'
	}), " ")
}

// visible reports whether a character leaves a mark on a page, rather than only joining, directing or filling.
func visible(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector) && r != brailleBlank
}

// brailleBlank is a braille letter without dots, and so invisible.
const brailleBlank = '\u2800'

// CleanHTML is CleanText for HTML, sanitised and with all elements closed. The limit holds before and after sanitising,
// so that whatever was read can be sent back.
func CleanHTML(field, s string, limit int) (string, error) {
	s, err := CleanText(field, s, limit)
	if err != nil {
		return "", err
	}
	s = strings.TrimSpace(markup.Closed(htmlPolicy.Sanitize(s)))
	if n := utf8.RuneCountInString(s); n > limit {
		return "", Invalidf(field, "is %d characters long once it is escaped; at most %d are allowed", n, limit)
	}
	return s, nil
}

// PlainText returns the text of a piece of HTML.
func PlainText(s string) string {
	if !strings.ContainsAny(s, "<&") {
		return s
	}
	return strings.Join(strings.Fields(html.UnescapeString(textPolicy.Sanitize(s))), " ")
}

// anyTag is where a tag or a comment begins.
var anyTag = regexp.MustCompile(`<[a-zA-Z!/]`)

// Paragraphs returns HTML that shows the lines of a text without markup: an empty
// line begins a paragraph. What has markup is returned as it is.
func Paragraphs(s string) string {
	text := strings.TrimSpace(s)
	if text == "" || anyTag.MatchString(text) {
		return s
	}
	var out []string
	for _, part := range emptyLines.Split(text, -1) {
		out = append(out, "<p>"+strings.ReplaceAll(part, "\n", "<br>\n")+"</p>")
	}
	return strings.Join(out, "\n")
}

var emptyLines = regexp.MustCompile(`\n\s*\n`)

// Fold returns the form in which text is searched and sorted: letters that differ only in case become the same, also σ
// and ς, s and ſ. It is computed here and not in SQL, so that both databases agree.
func Fold(s string) string { return strings.Map(foldRune, s) }

// CompareNames orders by names, whatever their case, then by ids.
func CompareNames(a, idA, b, idB string) int {
	return cmp.Or(strings.Compare(Fold(a), Fold(b)), strings.Compare(idA, idB))
}

func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	least := unicode.ToLower(r)
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, unicode.ToLower(other))
	}
	return least
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// LikePattern returns a pattern that matches s anywhere, with its wildcards escaped (ESCAPE '\').
func LikePattern(s string) string { return "%" + likeEscaper.Replace(s) + "%" }

// CleanURL accepts "" and absolute http(s) addresses without credentials.
func CleanURL(field, s string, limit int) (string, error) {
	s, err := CleanText(field, s, limit)
	if err != nil || s == "" {
		return s, err
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return "", Invalidf(field, "must be a web address that starts with http:// or https://")
	case u.User != nil:
		return "", Invalidf(field, "must not contain a user name or password")
	}
	return s, nil
}

func CleanEmail(email string) (string, error) {
	email, err := CleanName("email", email, 254)
	if err == nil && !IsEmail(email) {
		err = Invalidf("email", "must be an address such as ana@example.org")
	}
	return email, err
}

// Mailbox returns an address as limits count it, in lower case and without a +tag: whoever has ana@example.org also has
// ana+1@example.org. It does not identify a person.
func Mailbox(email string) string {
	name, host, _ := strings.Cut(Fold(strings.TrimSpace(email)), "@")
	name, _, _ = strings.Cut(name, "+")
	return name + "@" + host
}

// IsEmail checks little: only a letter that arrives proves an address.
func IsEmail(s string) bool {
	name, host, found := strings.Cut(s, "@")
	return found && name != "" && host != "" && !strings.ContainsAny(s, "<>,;\"()") && !strings.Contains(host, "@") &&
		!strings.ContainsFunc(s, isUnseen)
}

// isUnseen reports whether a character is invisible, or changes the direction of the text around it.
func isUnseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// Lines returns the lines of a text that are not empty.
func Lines(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
}

// Joined joins the texts that are not empty with commas.
func Joined(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), ", ")
}
