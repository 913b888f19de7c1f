package visit

import (
	"slices"
	"unicode/utf8"

	"lectern/models/store"
	"lectern/views/records"
)

// foundAtOnce is how many contacts a search shows.
const foundAtOnce = 8

// FoundPeopleFor returns the contacts that match a text, and marks those in on, who are on the record already.
func (v *Visit) FoundPeopleFor(text string, on []string) (records.FoundPeople, error) {
	f := records.FoundPeople{Text: text, Short: utf8.RuneCountInString(text) < 2}
	if f.Short {
		return f, nil
	}
	found, err := v.Programme.FindContacts(v.UserContext(), text, foundAtOnce+1)
	if err != nil && store.KindOf(err) != store.Invalid {
		return f, err
	}
	f.More = len(found) > foundAtOnce
	words := store.SearchWords(text)
	for _, c := range found[:min(foundAtOnce, len(found))] {
		missing := words.Missing(c.FullName)
		f.People = append(f.People, records.FoundPerson{ID: c.ID, Name: c.FullName, Here: c.Here, On: slices.Contains(on, c.ID),
			Company: missing.Mark(c.CompanyName), Email: missing.Mark(c.Email)})
	}
	return f, nil
}
