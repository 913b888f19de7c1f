package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
)

// The rules in models write their messages in English. Public pages translate them with the catalogue's group "fault":
// its English texts are the patterns that messages are matched with.

// fault is a message of that group with placeholders.
type fault struct {
	id     string
	is     *regexp.Regexp
	places []string
}

// standard maps the default texts of a call's form, in English, to their ids in the catalogue.
var standard = sync.OnceValue(func() map[string]string {
	said := map[string]string{}
	for id, english := range group("standard") {
		said[english] = id
	}
	return said
})

// TranslateDefault translates a default text of the call's form; a text that staff wrote is returned as it is.
func (l *Language) TranslateDefault(text string) string {
	if id := standard()[text]; id != "" && l != English() {
		return l.T("standard." + id)
	}
	return text
}

// group returns the English texts of a group that has its own file, by id without the group's name.
func group(name string) map[string]string {
	var in map[string]map[string]string
	text, _ := catalogue.ReadFile(name + ".en.toml")
	if _, err := toml.Decode(string(text), &in); err != nil {
		panic(err) // the file is embedded
	}
	return in[name]
}

// faults returns the ids of messages without placeholders by their text, and those with placeholders, longest first.
var faults = sync.OnceValues(func() (plain map[string]string, placed []fault) {
	plain = map[string]string{}
	for id, said := range group("fault") {
		names := place.FindAllStringSubmatch(said, -1)
		if len(names) == 0 {
			plain[said] = id
			continue
		}
		f := fault{id: id, is: regexp.MustCompile("(?s)^" + strings.Join(quoted(place.Split(said, -1)), "(.+?)") + "$")}
		for _, name := range names {
			f.places = append(f.places, name[1])
		}
		placed = append(placed, f)
	}
	slices.SortFunc(placed, func(a, b fault) int {
		if n := len(b.is.String()) - len(a.is.String()); n != 0 {
			return n
		}
		return strings.Compare(a.id, b.id)
	})
	return plain, placed
})

var place = regexp.MustCompile(`{{\.(\w+)}}`)

func quoted(parts []string) []string {
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return parts
}

// Fault translates a message of the rules. If the catalogue lacks it, known is false and the message stays in
// English.
func (l *Language) Fault(message string) (said string, known bool) {
	if l == English() || message == "" {
		return message, true
	}
	plain, placed := faults()
	if id, is := plain[message]; is {
		return l.T("fault." + id), true
	}
	for _, f := range placed {
		found := f.is.FindStringSubmatch(message)
		if found == nil {
			continue
		}
		var values []any
		for i, name := range f.places {
			values = append(values, name, l.value(name, found[i+1]))
		}
		return l.T("fault."+f.id, values...), true
	}
	return message, false
}

// value translates a placeholder's value: in a moment, "1 March 2027, 23:59 Berlin", the date.
func (l *Language) value(name, value string) string {
	if day, rest, found := strings.Cut(value, ", "); name == "Moment" && found {
		if at, err := time.Parse("2 January 2006", day); err == nil {
			return l.Date(at) + ", " + rest
		}
	}
	return value
}
