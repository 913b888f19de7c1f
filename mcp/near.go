package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unaccented replaces letters without a separable accent, as the searches of the REST API do.
var unaccented = strings.NewReplacer("ø", "o", "ł", "l", "ß", "ss", "æ", "ae", "œ", "oe", "đ", "d")

// fold returns a name in lower case and without accents.
func fold(name string) string {
	var out strings.Builder
	for _, r := range norm.NFKD.String(unaccented.Replace(strings.ToLower(name))) {
		if !unicode.Is(unicode.Mn, r) {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// isCalled reports whether a name contains all of some words.
func isCalled(name, words string) bool {
	name = fold(name)
	for _, word := range strings.Fields(strings.ReplaceAll(fold(words), `"`, " ")) {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// maxRows is how many rows an error lists, and maxPeople how many people a note lists.
const maxRows, maxPeople = 10, 5

// withNames adds to the error that no row has a name the rows with a similar one, or else the first of all.
func (c *call) withNames(ctx context.Context, a *arguments, err error) error {
	e, isOurs := err.(*toolError)
	if !isOurs {
		return err
	}
	argument, family := e.argument, e.argument+"s"
	if _, known := listHints[family]; !known {
		return err
	}
	if !c.may(ctx, readMetadata) { // a refusal would be recorded against the key
		return err
	}
	for _, filters := range []map[string]any{{"text": searchable(a.text(argument)), "near": true}, {}} {
		var page list[labelRow]
		body := search{Page: 1, PageSize: maxRows, Filters: filters}
		if c.post(ctx, a, readMetadata, "/"+family, body, &page) != nil || len(page.Results) == 0 {
			continue
		}
		names := make([]string, len(page.Results))
		for i, row := range page.Results {
			names[i] = fmt.Sprintf("%q", bound(row.Name, shortTitle, "cut"))
		}
		said := new(*e)
		if len(filters) > 0 {
			said.Hint += " Did you mean " + strings.Join(names, " or ") + "?"
		} else {
			said.Hint += " There are " + enumerate(andMore(names, page.Pagination.TotalResults)) + "."
		}
		return said
	}
	return err
}

// andMore adds how many more names there are than the given ones.
func andMore(names []string, total int) []string {
	if more := total - len(names); more > 0 {
		return append(names, fmt.Sprintf("%d more", more))
	}
	return names
}

// called returns a person's name with the id, which tells namesakes apart.
func (p *person) called() string { return bound(p.Name, shortTitle, "cut") + " (" + p.ID + ")" }

// sayNamesakes adds a note on the people that an argument matches, if there are several: by words of a name, or by a
// text that is a whole name; otherwise a note on people with the same name. alone says how to ask for one of them.
func (l *list[T]) sayNamesakes(a *arguments, sessions []session, alone string, arguments ...string) {
	people := peopleOf(sessions)
	for _, argument := range arguments {
		name := a.text(argument)
		if name == "" || uuidForm.MatchString(name) {
			continue
		}
		meant := slices.DeleteFunc(slices.Clone(people), func(p person) bool {
			return !isCalled(p.Name, name) || argument == "text" && fold(p.Name) != fold(name)
		})
		if len(meant) > 1 {
			l.sayPeople(argument+" means", meant, alone)
			return
		}
	}
	called := map[string]int{}
	for _, p := range people {
		called[p.Name]++
	}
	for _, p := range people {
		if called[p.Name] > 1 {
			same := slices.DeleteFunc(people, func(other person) bool { return other.Name != p.Name })
			l.sayPeople(bound(p.Name, shortTitle, "cut")+" is", same, alone)
			return
		}
	}
}

func (l *list[T]) sayPeople(what string, people []person, alone string) {
	called := make([]string, min(len(people), maxPeople))
	for i := range called {
		called[i] = people[i].called()
	}
	l.say(fmt.Sprintf("On this page %s %d people: %s. %s", what, len(people), enumerate(andMore(called, len(people))), alone))
}

// peopleOf returns the people on some sessions, each once.
func peopleOf(sessions []session) (people []person) {
	seen := map[string]bool{}
	for _, s := range sessions {
		for i, id := range s.SpeakerIDs {
			if !seen[id] && i < len(s.Speakers) {
				people = append(people, person{ID: id, Name: s.Speakers[i]})
			}
			seen[id] = true
		}
	}
	return people
}

// longName is how many letters a word needs to be searched for misspelt, as in the REST API, and mostNames how many
// words a text may have to be taken for a name.
const longName, mostNames = 5, 3

// nameParts returns a name and, if one of its words may be the one meant, its long words.
func nameParts(name string) []string {
	parts, words := []string{name}, strings.Fields(name)
	if len(words) < 2 || len(words) > mostNames {
		return parts
	}
	for _, word := range words {
		if utf8.RuneCountInString(word) >= longName {
			parts = append(parts, word)
		}
	}
	return parts
}

// nearPeople asks "did you mean" with people of a similar name, or of one similar to a single word; "" for none, if
// somebody has the name, and if the key may not read people.
func (c *call) nearPeople(ctx context.Context, a *arguments, name string) string {
	if !c.may(ctx, readContacts) {
		return ""
	}
	var page list[person]
	for _, part := range nameParts(name) {
		body := search{Page: 1, PageSize: maxPeople, Filters: map[string]any{"text": searchable(part), "near": true}}
		if c.post(ctx, a, readContacts, "/speakers/search", body, &page) != nil {
			return ""
		}
		if len(page.Results) > 0 {
			break
		}
	}
	if len(page.Results) == 0 {
		return ""
	}
	people := make([]string, len(page.Results))
	for i, p := range page.Results {
		if people[i] = p.called(); isCalled(p.Name, name) {
			return ""
		}
	}
	return "Did you mean " + strings.Join(andMore(people, page.Pagination.TotalResults), " or ") + "?"
}
