package sessions

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// peopleOn returns the people's part of a record's page.
func peopleOn(v *visit.Visit, s *models.Session) (p pages.PeoplePart, err error) {
	f := sentPeople(v)
	people, _ := f.withRoles(seatedOn(s))
	p = peoplePart(v, people, s.Participants)
	p.Was = peopleText(seatedOn(s))
	if !v.May(staff.Organizer) || s.DeletedAt != nil {
		return p, nil
	}
	p.Action, p.Token = v.At("/sessions/"+s.ID+"/people")+lists.PlaceQuery(v), s.UpdatedAt.String()
	p.Find = v.At("/people/find")
	p.New = f.fresh
	p.Found, err = v.FoundPeopleFor(f.find, strings.Fields(p.On))
	return p, err
}

// peoplePart returns the part for people; participants are the same people, as read from the database.
func peoplePart(v *visit.Visit, people []seated, participants []*models.Participant) pages.PeoplePart {
	p, on := pages.PeoplePart{Page: v.Page(""), Was: peopleText(people)}, []string{}
	for i, x := range participants {
		row := pages.PersonRow{ID: people[i].ID, Name: x.FullName, Company: x.CompanyName,
			Role: string(people[i].Role), Roles: visit.Choices(models.ParticipantRoles, visit.Named, string(people[i].Role))}
		if v.SeesPeopleHere() {
			row.Email = x.Email
		}
		if row.ID != "" {
			row.URL = v.PersonAt(row.ID)
			on = append(on, row.ID)
		}
		p.Rows = append(p.Rows, row)
	}
	p.On = strings.Join(on, " ")
	return p
}

// findPeople answers with the people who match what is typed.
func findPeople(v *visit.Visit) error {
	f, err := v.FoundPeopleFor(strings.TrimSpace(v.Query("find")), strings.Fields(v.Query("on")))
	if err != nil {
		return err
	}
	if kind := v.Query("new"); slices.Contains([]string{"submissions", "sessions", "proposals"}, kind) {
		f.Editor = newAt(v, kind)
	}
	return v.Show(records.PeopleFound(f))
}
