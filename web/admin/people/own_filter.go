package people

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
)

const (
	ownPrefix = "own_"
	ownFrom   = "_from"
	ownTo     = "_to"
	ownIs     = "_is" // filled or empty
	// optionPrefix marks an option, as opposed to "none".
	optionPrefix = "is:"
)

// ownFilters returns the filters by own fields and by speakers' answers, each as its type needs.
func (r *roster) ownFilters(query url.Values) (filters []rosterFilter) {
	known := map[string]bool{}
	for _, f := range r.fields {
		if f.IsOwn || f.Part == models.Answered {
			known[f.Key] = true
			filters = append(filters, ownFilter(f))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		key, _, _ := strings.Cut(strings.TrimPrefix(name, ownPrefix), "_")
		if strings.HasPrefix(name, ownPrefix) && store.IsID(key) && !known[key] {
			filters = append(filters, goneFilter(name, key))
		}
	}
	return filters
}

// goneFilter returns the filter by a deleted field: it finds nobody, so that a segment never becomes wider than it was.
func goneFilter(name, key string) rosterFilter {
	return rosterFilter{name: name, label: "A field that was deleted",
		takes: func(_, value string) string { return fitText(value) },
		set: func(f *people.Filter, get func(string) []string) {
			if len(get(name)) > 0 {
				f.Own[key] = people.OwnFilter{Filled: true}
			}
		}}
}

// ownFilter returns the filter by a field.
func ownFilter(f *models.ContactField) rosterFilter {
	name := ownPrefix + f.Key
	out := rosterFilter{name: name, label: f.Label}
	filled := rosterInput{behind: ownIs, label: "Filled in or not", options: named("filled", "Filled in", "empty", "Not filled in")}
	switch in := f.Input(); {
	case len(in.Options) > 0:
		out.many = true
		for _, o := range in.Options {
			out.options = append(out.options, components.Option{Value: optionPrefix + o.Value, Name: o.Label})
		}
		out.options = append(out.options, components.Option{Value: "none", Name: "Not filled in"})
	case f.Type == field.Number || f.Type == field.Date:
		out.inputs = []rosterInput{{behind: ownFrom, label: "From", kind: in.Type, chip: "from "},
			{behind: ownTo, label: "To", kind: in.Type, chip: "to "}, filled}
	case f.Type == field.File:
		out.inputs = []rosterInput{{label: "Its name has the words", kind: "text"}, filled}
	default:
		out.inputs = []rosterInput{{label: "Has the words", kind: "text"}, filled}
	}
	out.takes = func(name, value string) string { return ownValue(f, name, value) }
	out.set = func(to *people.Filter, get func(string) []string) {
		own := people.OwnFilter{Type: f.Type, IsAnswer: f.Part == models.Answered, From: first(get(name + ownFrom)),
			To:     first(get(name + ownTo)),
			Filled: first(get(name+ownIs)) == "filled"}
		if first(get(name+ownIs)) == "empty" {
			own.Any = []string{""}
		}
		for _, value := range get(name) {
			option, isOption := strings.CutPrefix(value, optionPrefix)
			switch {
			case len(out.options) == 0:
				own.Words = value
			case isOption:
				own.Any = append(own.Any, option)
			default:
				own.Any = append(own.Any, "")
			}
		}
		if own.IsOn() {
			to.Own[f.Key] = own
		}
	}
	return out
}

// ownValue returns what the filter by a field accepts as the parameter name, "" for any other value.
func ownValue(f *models.ContactField, name, value string) string {
	switch {
	case strings.HasSuffix(name, ownIs):
		return map[string]string{"filled": "filled", "empty": "empty"}[value]
	case strings.HasSuffix(name, ownFrom), strings.HasSuffix(name, ownTo):
		value, _ = (&field.Definition{Key: f.Key, Type: f.Type}).Clean(value)
		return value
	case len(f.Input().Options) > 0 && value != "none" && !strings.HasPrefix(value, optionPrefix):
		return ""
	}
	return fitText(value) // an option that was removed still finds the people who chose it
}
