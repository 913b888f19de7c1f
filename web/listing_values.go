package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/views/components"
)

// known leaves out of a listing what the list does not know, such as a track
// that is gone, and keeps the names of that.
func (v *visit) known(l listing) (listing, error) {
	for name := range l.query {
		value := l.query.Get(name)
		kept, err := v.keeps(l.kind, name, value)
		if err != nil {
			return l, err
		}
		if kept != value {
			l.odd = append(l.odd, name)
			if v.withholds(name, value) {
				l.withheld = append(l.withheld, name)
			}
			l.query.Set(name, kept)
		}
		if kept == "" {
			l.query.Del(name)
		}
	}
	slices.Sort(l.odd)
	return l, nil
}

// withholds tells whether a parameter is about what this person is not to know: the
// scores that others gave.
func (v *visit) withholds(name, value string) bool {
	if v.may(models.Organizer) {
		return false
	}
	switch name {
	case "sort", "columns":
		return slices.Contains(strings.Split(value, ","), string(models.ByScore))
	case "score":
		return slices.ContainsFunc(scoreChoices, func(c scoreChoice) bool { return c.value == value && !v.may(c.needs) })
	}
	return false
}

// keeps is what a list knows of a parameter's value, "" for nothing.
func (v *visit) keeps(kind, name, value string) (string, error) {
	known := false
	switch name {
	case "q":
		known = utf8.ValidString(value) && !strings.ContainsRune(value, 0) && utf8.RuneCountInString(value) <= models.MaxSearchText
	case "status":
		known = slices.Contains(models.Statuses, models.Status(value))
	case "sort":
		known = slices.Contains(sortKeys, models.SortKey(value)) || models.SortKey(value) == models.ByScore && kind == "submissions" && v.may(models.Organizer)
	case "dir":
		known = value == "asc" || value == "desc"
	case "page":
		n, err := strconv.Atoi(value)
		known = err == nil && n >= 1 && n <= models.MaxPage
	case "scheduled", "public":
		known = yesOrNo(value) != nil
	case "score":
		for _, field := range v.scoreField(listing{kind: kind}) {
			known = slices.ContainsFunc(field.Options, func(o components.Option) bool { return o.Value == value })
		}
	case "needs":
		known = needTexts[models.Need(value)] != ""
	case "speaker":
		known = models.IsID(value)
	case "rows":
		known = value == "roomy" || value == "compact"
	case "columns":
		return strings.Join(v.knownColumns(kind, strings.Split(value, ",")), ","), nil
	default:
		return v.keepsRow(name, value)
	}
	if !known {
		return "", nil
	}
	return value, nil
}

// keepsRow is keeps for the id of a track, a room and so on.
func (v *visit) keepsRow(name, id string) (string, error) {
	for _, family := range models.Families {
		if family.Singular() != name {
			continue
		}
		if known, err := v.programme.HasMetadata(v.ctx(), family, id); err != nil || known {
			return id, err
		}
	}
	return "", nil
}

var sortKeys = []models.SortKey{models.ByTitle, models.ByStatus, models.ByStart, models.ByUpdated, models.ByCreated, models.ByFriendlyID}

var oddWords = map[string]string{
	"q": "a text", "sort": "an order", "dir": "an order", "needs": "a filter", "scheduled": "a filter", "public": "a filter",
	"columns": "a column", "rows": "a height of rows",
	"event": "an event", "endpoint": "an endpoint", "emission": "a delivery", "type": "a change", "kind": "a kind of records",
}

// oddities name what the list does not know: "a status and a track".
func (l listing) oddities() string {
	var words []string
	for _, name := range l.odd {
		if slices.Contains(l.withheld, name) {
			continue
		}
		word := oddWords[name]
		if word == "" {
			word = "a " + name
		}
		if !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return enumerated(words)
}

// plainListing is a list that has these names alone in its address.
func (v *visit) plainListing(names ...string) listing {
	l := listing{query: url.Values{}}
	for _, name := range names {
		if value := v.Query(name); value != "" {
			l.query.Set(name, value)
		}
	}
	if l.query.Has("page") && strconv.Itoa(l.page()) != l.query.Get("page") {
		l.leaveOut("page")
	}
	return l
}

// leaveOut leaves out of a listing what the list does not know, and keeps the name.
func (l *listing) leaveOut(name string) {
	l.query.Del(name)
	l.odd = append(l.odd, name)
	slices.Sort(l.odd)
}

// seeKnown sends the browser on to what is known of a listing, and says once
// what is not.
func (v *visit) seeKnown(l listing) error { return v.seeKnownAt(v.at("/"+l.kind), l) }

// seeKnownAt is seeKnown for a list with its own place.
func (v *visit) seeKnownAt(base string, l listing) error {
	text := v.notice.Text
	if words := l.oddities(); words != "" {
		text += " This list does not know " + words + " that the address asks for. That part is left out."
	}
	if len(l.withheld) > 0 {
		text += " Scores are shown to organizers alone, so what the address asks of them is left out."
	}
	v.keep(notice{"warn", strings.TrimSpace(text), v.notice.Undo})
	return v.see(base+l.with("page", l.query.Get("page")), "")
}
