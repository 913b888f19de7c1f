package admin

import (
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// people is the part of a record's page with its people.
func (v *visit) people(s *models.Session) (p pages.PeoplePart, err error) {
	f := v.peopleForm()
	people, _ := f.withRoles(seatedOn(s))
	p = v.peoplePart(people, s.Participants)
	p.Was = peopleText(seatedOn(s))
	if !v.may(staff.Organizer) || s.DeletedAt != nil {
		return p, nil
	}
	p.Action, p.Token = v.at("/sessions/"+s.ID+"/people")+v.listingQuery(), s.UpdatedAt.String()
	p.Find = v.at("/people/find")
	p.New = f.fresh
	p.Found, err = v.foundPeopleFor(f.find, strings.Fields(p.On))
	return p, err
}

// peoplePart shows people, the participants that they are.
func (v *visit) peoplePart(people []seated, participants []*models.Participant) pages.PeoplePart {
	p, on := pages.PeoplePart{Page: v.Page(""), Was: peopleText(people)}, []string{}
	for i, x := range participants {
		row := pages.PersonRow{ID: people[i].ID, Name: x.FullName, Company: x.CompanyName,
			Role: string(people[i].Role), Roles: choices(models.ParticipantRoles, func(r models.Role) (string, string) {
				return string(r), components.StatusName(string(r))
			}, string(people[i].Role))}
		if v.seesPeopleHere() {
			row.Email = x.Email
		}
		if row.ID != "" {
			row.URL = v.personAt(row.ID)
			on = append(on, row.ID)
		}
		p.Rows = append(p.Rows, row)
	}
	p.On = strings.Join(on, " ")
	return p
}

// foundAtOnce is how many contacts a search shows.
const foundAtOnce = 8

// findPeople answers who matches what is typed.
func findPeople(v *visit) error {
	f, err := v.foundPeopleFor(strings.TrimSpace(v.Query("find")), strings.Fields(v.Query("on")))
	if err != nil {
		return err
	}
	if kind := v.Query("new"); slices.Contains([]string{"submissions", "sessions", "proposals"}, kind) {
		f.Editor = v.newAt(kind)
	}
	return v.Show(pages.PeopleFound(f))
}

// foundPeopleFor are the contacts that match a text; those who are on the record are told.
func (v *visit) foundPeopleFor(text string, on []string) (pages.FoundPeople, error) {
	f := pages.FoundPeople{Text: text, Short: utf8.RuneCountInString(text) < 2}
	if f.Short {
		return f, nil
	}
	found, err := v.programme.FindContacts(v.UserContext(), text, foundAtOnce+1)
	if err != nil && store.KindOf(err) != store.Invalid {
		return f, err
	}
	f.More = len(found) > foundAtOnce
	words := store.SearchWords(text)
	for _, c := range found[:min(foundAtOnce, len(found))] {
		missing := words.Missing(c.FullName)
		f.People = append(f.People, pages.FoundPerson{ID: c.ID, Name: c.FullName, Here: c.Here, On: slices.Contains(on, c.ID),
			Company: missing.Mark(c.CompanyName), Email: missing.Mark(c.Email)})
	}
	return f, nil
}
