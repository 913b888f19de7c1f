// Package wordstest finds words on pages that no catalogue said.
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

// Known are words that may be alike in every language.
type Known map[string]bool

// Note adds the words of some texts, such as what people wrote.
func (k Known) Note(texts ...string) {
	for w := range in(strings.Join(texts, " ")) {
		k[w] = true
	}
}

// Alike are the words that a page says in each of its languages, in their order, but for those that are known.
func (k Known) Alike(pages ...string) []string {
	return slices.DeleteFunc(common(pages, said), func(w string) bool { return k[w] })
}

// in are the words of a text.
func in(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range word.FindAllString(text, -1) {
		all[w] = true
	}
	return all
}

// said are the words that a page shows, or says to who does not see it.
func said(page string) map[string]bool {
	page = script.ReplaceAllString(page, " ")
	texts := []string{tag.ReplaceAllString(page, " ")}
	for _, found := range attribute.FindAllStringSubmatch(page, -1) {
		texts = append(texts, found[1])
	}
	return in(address.ReplaceAllString(html.UnescapeString(strings.Join(texts, " ")), " "))
}

// common are the words that are in all texts, in their order.
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

// Borrowed are the words that the catalogue says alike in every language, such as Format, and what the languages are
// called. Tests run two folders below the root.
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

// write writes what messages say, and not their ids.
func write(out *strings.Builder, messages map[string]any) {
	for _, message := range messages {
		if group, is := message.(map[string]any); is {
			write(out, group)
		} else {
			fmt.Fprintln(out, message)
		}
	}
}
