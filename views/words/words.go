// Package words says what the pages for everybody say, in each language that they are offered in. The words stand in
// one catalogue, a file a subject and language; dates, numbers and plurals are those of CLDR.
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

// Language is one that pages are offered in.
type Language struct {
	Tag       string // de, as html lang has it
	Name      string // Deutsch
	cldr      locales.Translator
	localizer *i18n.Localizer
	said      map[string]string // what the catalogue says, with its places, by ids; of plurals the last form
}

// languages are all that are complete, English first.
var languages = sync.OnceValue(func() []*Language {
	bundle := i18n.NewBundle(language.English)
	bundle.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	files, _ := fs.Glob(catalogue, "*.toml")
	said := map[string]map[string]string{}
	for _, name := range files {
		file, err := bundle.LoadMessageFileFS(catalogue, name)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err)) // embedded
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

// All are the languages that pages can be offered in, English first.
func All() []*Language { return languages() }

// English is the language of who asks for none that there is.
func English() *Language { return languages()[0] }

// For is the language with a tag, nil where there is none.
func For(tag string) *Language {
	if i := slices.IndexFunc(languages(), func(l *Language) bool { return l.Tag == tag }); i >= 0 {
		return languages()[i]
	}
	return nil
}

// Accepted is the language among offered that a header Accept-Language likes best; the first one where it likes none.
func Accepted(header string, offered []*Language) *Language {
	if len(header) > 500 { // longer than any browser's
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

// T is what an id of the catalogue says, with values for its places: name and value in turn. Where the catalogue lacks
// it, which no test lets pass, it is the id.
func (l *Language) T(id string, values ...any) string {
	said, known := l.said[id]
	if !known {
		return id
	}
	return filled(said, values)
}

// A place for a value in what the catalogue says.
const opening, closing = "{{.", "}}"

// filled has the values at their places. A page asks for this a thousand times, which a template takes far longer for.
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

// N is T in the plural form of a number, which stands at the place Count.
func (l *Language) N(id string, n int, values ...any) string {
	data := pairs(values)
	data["Count"] = l.Number(n)
	return l.say(&i18n.LocalizeConfig{MessageID: id, PluralCount: n, TemplateData: data})
}

func (l *Language) say(c *i18n.LocalizeConfig) string {
	said, err := l.localizer.Localize(c)
	if err != nil && said == "" {
		return c.MessageID
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

// Number is a whole number with the marks of its thousands.
func (l *Language) Number(n int) string {
	if n < 10_000 && n > -10_000 {
		return fmt.Sprint(n)
	}
	return l.cldr.FmtNumber(float64(n), 0)
}

// Decimal is a number with one digit behind the point or the comma.
func (l *Language) Decimal(n float64) string { return l.cldr.FmtNumber(n, 1) }

// List is a list in words: "a, b and c".
func (l *Language) List(items []string) string { return l.joined(items, "frame.and") }

// Either is a choice in words: "a, b or c".
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
