// Package words translates the public pages. The catalogue has a file for each subject and language; dates, numbers and
// plurals follow CLDR.
package words

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
	"github.com/go-playground/locales"
	"github.com/go-playground/locales/de"
	"github.com/go-playground/locales/en_GB"
	"github.com/go-playground/locales/es"
	"github.com/go-playground/locales/fr"
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

//go:embed *.toml
var catalogue embed.FS

// Language is a language of the public pages.
type Language struct {
	Tag       string // the value of html lang: de
	Name      string // its own name: Deutsch
	cldr      locales.Translator
	localizer *i18n.Localizer
	said      map[string]string // messages with their placeholders, by id; of plurals the last form
}

// languages holds all complete languages, English first.
var languages = sync.OnceValue(func() []*Language {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	files, _ := fs.Glob(catalogue, "*.toml")
	said := map[string]map[string]string{}
	for _, name := range files {
		file, err := bundle.LoadMessageFileFS(catalogue, name)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // the file is embedded
		}
		tag := file.Tag.String()
		if said[tag] == nil {
			said[tag] = map[string]string{}
		}
		for _, message := range file.Messages {
			said[tag][message.ID] = message.Other
		}
	}
	all := []*Language{
		{Tag: "en", Name: "English", cldr: en_GB.New()},
		{Tag: "de", Name: "Deutsch", cldr: de.New()},
		{Tag: "fr", Name: "Français", cldr: fr.New()},
		{Tag: "es", Name: "Español", cldr: es.New()},
	}
	for _, l := range all {
		l.localizer, l.said = i18n.NewLocalizer(bundle, l.Tag), said[l.Tag]
	}
	return all
})

// All returns the languages that pages can be offered in, English first.
func All() []*Language { return languages() }

// English returns the language of readers who ask for none that we have.
func English() *Language { return languages()[0] }

// For returns the language with a tag, nil if there is none.
func For(tag string) *Language {
	if i := slices.IndexFunc(languages(), func(l *Language) bool { return l.Tag == tag }); i >= 0 {
		return languages()[i]
	}
	return nil
}

// Accepted returns the offered language that an Accept-Language header prefers, the first if it prefers none.
func Accepted(header string, offered []*Language) *Language {
	if len(header) > 500 { // longer than any browser sends
		header = ""
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(wanted) == 0 {
		return offered[0]
	}
	tags := make([]language.Tag, len(offered))
	for i, l := range offered {
		tags[i] = language.Make(l.Tag)
	}
	_, at, _ := language.NewMatcher(tags).Match(wanted...)
	return offered[at]
}

// T returns the message with an id, its placeholders filled from values: name and value in turn. It returns the id if
// the catalogue lacks it, which a test rules out.
func (l *Language) T(id string, values ...any) string {
	said, known := l.said[id]
	if !known {
		return id
	}
	return filled(said, values)
}

// The delimiters of a placeholder in a message.
const opening, closing = "{{.", "}}"

// filled fills the placeholders. A page does this a thousand times, for which text/template is far too slow.
func filled(said string, values []any) string {
	if len(values) == 0 {
		return said
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(said, opening)
		if out.WriteString(before); !found {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, closing)
		for i := 0; i+1 < len(values); i += 2 {
			if values[i] == name {
				fmt.Fprint(&out, values[i+1])
			}
		}
		said = after
	}
}

// N is T in the plural form for n, which fills the placeholder Count.
func (l *Language) N(id string, n int, values ...any) string {
	data := pairs(values)
	data["Count"] = l.Number(n)
	said, err := l.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, PluralCount: n, TemplateData: data})
	if err != nil && said == "" {
		return id
	}
	return said
}

func pairs(values []any) map[string]any {
	data := make(map[string]any, len(values)/2+1)
	for i := 0; i+1 < len(values); i += 2 {
		data[values[i].(string)] = values[i+1]
	}
	return data
}

// Number formats a whole number, with separators from 10,000 on.
func (l *Language) Number(n int) string {
	if n < 10_000 && n > -10_000 {
		return fmt.Sprint(n)
	}
	return l.cldr.FmtNumber(float64(n), 0)
}

// Decimal formats a number with one digit after the decimal point or comma.
func (l *Language) Decimal(n float64) string { return l.cldr.FmtNumber(n, 1) }

// List joins items: "a, b and c".
func (l *Language) List(items []string) string { return l.joined(items, "frame.and") }

// Either joins alternatives: "a, b or c".
func (l *Language) Either(items []string) string { return l.joined(items, "form.or") }

func (l *Language) joined(items []string, last string) string {
	switch n := len(items); n {
	case 0:
		return ""
	case 1:
		return items[0]
	default:
		return strings.Join(items[:n-1], ", ") + " " + l.T(last) + " " + items[n-1]
	}
}
