// Package wordstest finds words of pages that do not come from a catalogue.
package wordstest

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"lectern/views/words"
)

var (
	script    = regexp.MustCompile(`(?s)<(script|style|svg)\b.*?</(script|style|svg)>`)
	tag       = regexp.MustCompile(`<[^>]*>`)
	attribute = regexp.MustCompile(`\s(?:aria-label|placeholder|title|alt|data-(?:label|on|off|shows)|` +
		`(?:name="description"|property="og:(?:title|description|image:alt)") content)="([^"]*)"`)
	address = regexp.MustCompile(`\S*(?://|@|\.example\.|\.json|\.xml|\.ics|\.org)\S*`)
	word    = regexp.MustCompile(`\p{Latin}{2,}`)
)

// Known are the words that may be the same in every language.
type Known map[string]bool

// Note adds the words of texts, such as those that people wrote.
func (k Known) Note(texts ...string) {
	for w := range in(strings.Join(texts, " ")) {
		k[w] = true
	}
}

// Alike returns the words that versions of a page in several languages share, in alphabetical order, without the known
// ones.
func (k Known) Alike(pages ...string) []string {
	return slices.DeleteFunc(common(pages, said), func(w string) bool { return k[w] })
}

// in returns the words of a text.
func in(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		all[w] = true
	}
	return all
}

// said returns the words that a page shows or has for screen readers.
func said(page string) map[string]bool {
	page = script.ReplaceAllString(page, " ")
	texts := []string{tag.ReplaceAllString(page, " ")}
	for _, found := range attribute.FindAllStringSubmatch(page, -1) {
		texts = append(texts, found[1])
	}
	return in(address.ReplaceAllString(html.UnescapeString(strings.Join(texts, " ")), " "))
}

// common returns the words that all texts share, in alphabetical order.
func common(texts []string, words func(text string) map[string]bool) (all []string) {
	var sets []map[string]bool
	for _, text := range texts {
		sets = append(sets, words(text))
	}
	for w := range sets[0] {
		if !slices.ContainsFunc(sets, func(set map[string]bool) bool { return !set[w] }) {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return all
}

// Borrowed returns the words that the catalogue has in every language, such as Format, and the names of the
// languages. It reads the catalogue two folders up, so it works for tests two folders below the root.
func Borrowed(t testing.TB) Known {
	t.Helper()
	var texts []string
	known := Known{}
	for _, l := range words.All() {
		known.Note(l.Name)
		names, err := filepath.Glob("../../views/words/*." + l.Tag + ".toml")
		if err != nil || len(names) == 0 {
			t.Fatal("no catalogue of", l.Tag, err)
		}
		var text strings.Builder
		for _, name := range names {
			var messages map[string]any
			if _, err := toml.DecodeFile(name, &messages); err != nil {
				t.Fatal(err)
			}
			write(&text, messages)
		}
		texts = append(texts, text.String())
	}
	known.Note(common(texts, in)...)
	return known
}

// write writes the texts of messages, without their ids.
func write(out *strings.Builder, messages map[string]any) {
	for _, message := range messages {
		if group, is := message.(map[string]any); is {
			write(out, group)
		} else {
			fmt.Fprintln(out, message)
		}
	}
}
