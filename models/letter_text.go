package models

import (
	"slices"
	"strings"
	"time"

	"lectern/models/store"
)

// Placeholder is a name in a template, such as {{first_name}}, that is replaced by a fact.
type Placeholder struct {
	Name, Meaning, Sample string
	decision              bool // says something of the abstract, so free letters cannot have it
	Value                 func(*LetterFacts) string
}

// Placeholders lists all placeholders in the order in which pages show them.
var Placeholders = []Placeholder{
	{"first_name", "The first name", "Nomvula", false, func(f *LetterFacts) string { return f.Contact.FirstName }},
	{"full_name", "The full name", "Nomvula Dlamini", false, func(f *LetterFacts) string { return f.Contact.FullName }},
	{"company", "Where they work", "Ledgerline", false, func(f *LetterFacts) string { return f.Contact.CompanyName }},
	{"session_title", "The title of what they sent in", "Moving forty years of ledgers", true,
		func(f *LetterFacts) string { return f.Session.Title }},
	{"session_id", "The number of what they sent in", "A-112", true,
		func(f *LetterFacts) string { return f.Session.FriendlyID }},
	{"speakers", "All people of it", "Nomvula Dlamini and Wei Zhang", true, (*LetterFacts).speakers},
	{"format", "Its format", "Workshop", true, (*LetterFacts).format},
	{"track", "Its track", "Archives", true, (*LetterFacts).track},
	{"event", "The name of the event", "Tideline 2027", false, func(f *LetterFacts) string { return f.Event.Name }},
	{"event_dates", "The days of the event", "20 to 22 May 2027", false, func(f *LetterFacts) string { return f.Event.dates() }},
	{ChangesPlaceholder, "What changed for them on the agenda", "Moved: “Moving forty years of ledgers” (S-8)", false,
		func(f *LetterFacts) string { return f.Changes }},
	{placeLink, "Link to their place, made when the letter leaves", PlaceLinkShown, false,
		func(*LetterFacts) string { return PlaceLinkShown }},
}

// ChangesPlaceholder is the one placeholder that stands for several lines.
const ChangesPlaceholder = "changes"

// PlaceholdersOf returns those that a template of a kind may have, or all for "". Only free letters may have the
// changes of the agenda.
func PlaceholdersOf(kind LetterKind) []Placeholder {
	return slices.DeleteFunc(slices.Clone(Placeholders), func(p Placeholder) bool {
		return p.decision && kind == LetterFree || p.Name == ChangesPlaceholder && kind != LetterFree && kind != ""
	})
}

// LetterFacts hold what the placeholders of one person's letter are filled from.
type LetterFacts struct {
	Event   *Event
	Session *Session // nil for a free letter
	Contact *Contact
	Changes string // to the agenda, in lines; "" for a letter that tells of no version of it
}

func (f *LetterFacts) speakers() string {
	names := store.Map(f.Session.Participants, func(x *Participant) string { return x.FullName })
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

func (f *LetterFacts) format() string {
	if f.Session.Format == nil {
		return ""
	}
	return f.Session.Format.Name
}

func (f *LetterFacts) track() string {
	if f.Session.Track == nil {
		return ""
	}
	return f.Session.Track.Name
}

// dates formats the event's dates for a letter, "" without dates.
func (e *Event) dates() string {
	if e.StartsOn == nil {
		return ""
	}
	first, err := time.Parse(time.DateOnly, *e.StartsOn)
	last := first
	if err == nil && e.EndsOn != nil {
		last, err = time.Parse(time.DateOnly, *e.EndsOn)
	}
	switch {
	case err != nil:
		return ""
	case first.Equal(last):
		return first.Format("2 January 2006")
	case first.Year() != last.Year():
		return first.Format("2 January 2006") + " to " + last.Format("2 January 2006")
	case first.Month() != last.Month():
		return first.Format("2 January") + " to " + last.Format("2 January 2006")
	}
	return first.Format("2") + " to " + last.Format("2 January 2006")
}

const opening, closing = "{{", "}}"

// eachPlaceholder calls plain with the pieces of a text and name with the names between {{ and }}, alternately. It
// returns false if the brackets do not pair.
func eachPlaceholder(text string, plain, name func(string)) bool {
	for {
		before, rest, found := strings.Cut(text, opening)
		if strings.Contains(before, closing) {
			return false
		}
		plain(before)
		if !found {
			return true
		}
		inner, after, closed := strings.Cut(rest, closing)
		if !closed || strings.Contains(inner, opening) {
			return false
		}
		name(strings.TrimSpace(inner))
		text = after
	}
}

// checkPlaceholders answers Invalid for a text with a placeholder that is broken or that letters of the kind cannot
// have.
func checkPlaceholders(kind LetterKind, field, text string) error {
	var unknown error
	known := PlaceholdersOf(kind)
	if field == "subject" {
		known = slices.DeleteFunc(known, func(p Placeholder) bool { return p.Name == placeLink })
	}
	paired := eachPlaceholder(text, func(string) {}, func(name string) {
		if unknown == nil && !slices.ContainsFunc(known, func(p Placeholder) bool { return p.Name == name }) {
			unknown = store.Invalidf(field, "has {{%s}}, which is no placeholder here. Take it out, or pick one from the list.", name)
		}
	})
	if !paired {
		return store.Invalidf(field, "has {{ or }} that do not pair. A placeholder is written {{first_name}}.")
	}
	return unknown
}

// fill fills in a text. A placeholder without a value stays and is added to missing; the place link stays too.
func (f *LetterFacts) fill(text string, missing *[]string) string {
	values := map[string]string{}
	for _, p := range Placeholders {
		if p.Name != placeLink && (!p.decision || f.Session != nil) {
			values[p.Name] = p.Value(f)
		}
	}
	eachPlaceholder(text, func(string) {}, func(name string) {
		if name != placeLink && store.OneLine(values[name]) == "" && !slices.Contains(*missing, name) {
			*missing = append(*missing, name)
		}
	})
	return FillWith(text, values)
}

// HasPlaceholder reports whether a text has a placeholder beside the link, which stays in the stored letter.
func HasPlaceholder(text string) bool {
	return strings.Contains(strings.ReplaceAll(text, PlaceLinkHere, ""), opening)
}

// WithoutPlaceholders escapes a user's text, so that nothing in it is a placeholder.
func WithoutPlaceholders(text string) string {
	return strings.NewReplacer(opening, "{", closing, "}").Replace(text)
}

// FillWith fills values into a text, each on one line except the changes of an agenda; a placeholder without a value
// stays.
func FillWith(text string, values map[string]string) string {
	var out strings.Builder
	eachPlaceholder(text, func(s string) { out.WriteString(s) }, func(name string) {
		value := store.OneLine(values[name])
		if name == ChangesPlaceholder {
			value = values[name]
		}
		value = WithoutPlaceholders(value)
		if value == "" {
			value = opening + name + closing
		}
		out.WriteString(value)
	})
	return out.String()
}

// Write fills in the letter's text from a template.
func (l *Letter) Write(t *LetterTemplate, f *LetterFacts) {
	var missing []string
	l.Subject, l.Body = shortSubject(f.fill(t.Subject, &missing)), f.fill(t.Body, &missing)
	l.Missing, l.TemplateVersion, l.IsEdited = strings.Join(missing, ","), t.Version, false
}

// FillIn fills in subject and text. It answers Invalid for a placeholder without a value.
func (f *LetterFacts) FillIn(subject, body *string) error {
	var faults store.Faults
	for _, part := range []struct {
		field string
		text  *string
	}{{"subject", subject}, {"body", body}} {
		var missing []string
		if *part.text = f.fill(*part.text, &missing); len(missing) > 0 {
			faults.Add(store.Invalidf(part.field, "has {{%s}}, for which there is nothing to put; write what it should say instead",
				strings.Join(missing, "}}, {{")))
		}
	}
	*subject = shortSubject(*subject)
	return faults.Err()
}
