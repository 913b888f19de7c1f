package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// seat is a person on a session that is or was shown.
type seat struct {
	sessionID string
	position  int
	role      models.Role
	models.Contact
}

// publicSeats reads who is on the sessions that are or were shown. It leaves out people without a name.
func (r *reading) publicSeats() part {
	event := r.p.Event().ID
	only, these := r.only("shown.id")
	unplaced, _ := r.only("s.id")
	query := r.db.Raw(`SELECT x.session_id, x.position, x.role, c.id, c.first_name, c.last_name, c.full_name, c.sort_name,
			c.job_title, c.company_name, c.about, c.photo_url, c.website_url, c.linkedin_url
		FROM (SELECT session_id AS id FROM calendar_entries WHERE event_id = ?
			UNION SELECT s.id FROM sessions s WHERE s.event_id = ? AND (`+unplacedIs+` OR `+goneIs+`)`+unplaced+`) shown
		JOIN participants x ON x.session_id = shown.id JOIN contacts c ON c.id = x.contact_id
		WHERE c.full_name <> ''`+only, slices.Concat([]any{event, event}, these, these)...)
	targets := func() []any {
		r.seats = append(r.seats, seat{})
		x := &r.seats[len(r.seats)-1]
		return []any{&x.sessionID, &x.position, &x.role, &x.ID, &x.FirstName, &x.LastName, &x.FullName, &x.SortName, &x.JobTitle,
			&x.CompanyName, &x.About, &x.PhotoURL, &x.WebsiteURL, &x.LinkedinURL}
	}
	return part{store.Asked{Query: query, Targets: targets}, r.takeSeats}
}

// takeSeats puts people on the sessions that were read, and notes who was on those no longer shown.
func (r *reading) takeSeats() {
	known, people := map[string]*Person{}, map[string]*Person{}
	if r.last != nil {
		for _, person := range r.last.People {
			known[person.ID] = person
		}
	}
	read := map[*Session]bool{}
	for i := range r.seats {
		x := &r.seats[i]
		s := r.sessions[x.sessionID]
		if s == nil {
			if were, cancelled := r.a.were[x.sessionID]; cancelled {
				r.a.were[x.sessionID] = append(were, x.ID)
			}
			continue
		}
		person := people[x.ID]
		if person == nil {
			if person = r.publicPerson(&x.Contact); known[x.ID] != nil && *known[x.ID] == *person {
				person = known[x.ID]
			}
			people[x.ID] = person
		}
		s.People, read[s] = append(s.People, Speaker{person, x.role, x.position}), true
	}
	for s := range read {
		slices.SortFunc(s.People, func(a, b Speaker) int {
			return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
		})
	}
}

// takePeople lists the people on sessions, and the pages of those who were on one.
func (r *reading) takePeople() {
	people := map[string]*Person{}
	for s := range r.a.All {
		for _, speaker := range s.People {
			people[speaker.ID] = speaker.Person
		}
	}
	isAs := func(p *Person) bool { return people[p.ID] == p }
	if r.last != nil && len(people) == len(r.last.People) && !slices.ContainsFunc(r.last.People, func(p *Person) bool { return !isAs(p) }) {
		r.a.People = r.last.People
	} else {
		r.a.People = sorted(people)
	}
	r.a.WasOn = map[string][]string{}
	for session, ids := range r.a.were {
		for _, id := range ids {
			page := r.pageOf(id)
			r.a.WasOn[page] = append(r.a.WasOn[page], session)
		}
	}
}

// sorted sorts people by folded names, so that Č stands with C.
func sorted(people map[string]*Person) []*Person {
	return slices.SortedFunc(maps.Values(people), func(x, y *Person) int {
		return cmp.Or(cmp.Compare(x.searched, y.searched), cmp.Compare(x.ID, y.ID))
	})
}

func (pub *Programme) publicPerson(c *models.Contact) *Person {
	c.PhotoKey = models.PhotoKeyIn(c.PhotoURL)
	under := c.SortedUnder()
	return &Person{ID: c.ID, Page: pub.pageOf(c.ID), Name: c.FullName, SortedUnder: under,
		searched: store.Searchable(under), JobTitle: c.JobTitle, Company: c.CompanyName, About: c.About, Photo: c.PhotoPath(), Website: c.WebsiteURL,
		Linkedin: c.LinkedinURL}
}

// pageOf returns the id of a person's public page. It reveals neither the contact's id nor that people of two events
// are the same person.
func (pub *Programme) pageOf(contactID string) string {
	sum := sha256.Sum256([]byte("page of " + contactID + " at " + pub.p.Event().ID))
	return hex.EncodeToString(sum[:5])
}
