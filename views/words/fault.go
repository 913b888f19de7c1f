package words

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"
)

// What rules of the models say stands there in English. The pages for everybody say it in the language of who reads
// by the group "fault" of the catalogue: its English is the pattern by which a message is known.

// fault is a message of that group with places for values.
type fault struct {
	id     string
	is     *regexp.Regexp
	places []string
}

// standard are what the form of a call says until staff say otherwise, by what that is in English.
var standard = sync.OnceValue(func() map[string]string {
	said := map[string]string{}
	for id, english := range group("standard") {
		said[english] = id
	}
	return said
})

// Standard is what staff left as it was of the form of a call, in this language; what they wrote stays as it is.
func (l *Language) Standard(text string) string {
	if id := standard()[text]; id != "" && l != English() {
		return l.T("standard." + id)
	}
	return text
}

// group is what a group of the catalogue says in English, by the ends of its ids. It has a file of its own.
func group(name string) map[string]string {
	var in map[string]map[string]string
	text, _ := catalogue.ReadFile(name + ".en.toml")
	if _, err := toml.Decode(string(text), &in); err != nil {
		panic(err) // embedded
	}
	return in[name]
}

// faults are the messages without places, by what they say, and those with places, the most telling first.
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

// Fault is what is wrong, as a rule says it, in this language. Of what the catalogue does not know, known is false, and
// it stays as it is.
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

// value is that of a place in a message: a moment, "1 March 2027, 23:59 Berlin", has its day as the language says it.
func (l *Language) value(name, value string) string {
	if day, rest, found := strings.Cut(value, ", "); name == "Moment" && found {
		if at, err := time.Parse("2 January 2006", day); err == nil {
			return l.Date(at) + ", " + rest
		}
	}
	return value
}
