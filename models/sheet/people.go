package sheet

import (
	"slices"
	"strings"

	"lectern/models/arrival"
	"lectern/models/moving"
	"lectern/models/store"
)

// seat adds the people of a row to a session. If the row names one person, its cells describe them; if it names
// several, each entry of a cell with as many entries describes one of them.
func (s *Sheet) seat(on *session, r row) {
	people := namedIn(r.cells["people"])
	if first, last := r.cells["first_name"], r.cells["last_name"]; first != "" || last != "" {
		people = []named{{first: store.OneLine(first), last: store.OneLine(last)}}
	}
	emails := several(r.cells["email"])
	for i := range emails {
		emails[i] = address(emails[i])
	}
	if len(people) == 0 {
		emails = slices.DeleteFunc(emails, func(one string) bool { return one == "" })
		people = make([]named, len(emails))
	}
	for i, n := range people {
		if len(emails) == len(people) && n.email == "" {
			n.email = emails[i]
		}
		key := s.person(n, r)
		describe(s.known[key], r, i, len(people))
		if !on.seated[key] {
			on.seated[key] = true
			on.people = append(on.people, key)
		}
	}
}

// describe stores what a row says of the nth of its people, unless an earlier row said it.
func describe(p *moving.Person, r row, n, of int) {
	for _, fact := range []struct {
		name string
		to   *string
	}{{"company", &p.CompanyName}, {"job_title", &p.JobTitle}, {"about", &p.About}, {"photo", &p.PhotoURL}} {
		text := entry(r.cells[fact.name], n, of)
		switch {
		case *fact.to != "" || text == "":
		case fact.name == "about":
			*fact.to = moving.Paragraphs(text)
		case fact.name != "photo" || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "http://"):
			*fact.to = text
		}
	}
}

// entry returns the nth entry of a cell with of entries, "" if it has another number.
func entry(cell string, n, of int) string {
	if of == 1 {
		return cell
	}
	if all := several(cell); len(all) == of {
		return all[n]
	}
	return ""
}

// person returns the key of somebody, by address or else by name.
func (s *Sheet) person(n named, r row) string {
	name := strings.TrimSpace(n.first + " " + n.last)
	key := s.key("name/" + store.Fold(name))
	if n.email != "" {
		key = s.key("email/" + store.Fold(n.email))
	}
	if there := s.known[key]; there != nil {
		if is := strings.TrimSpace(there.FirstName + " " + there.LastName); name != "" && is != name {
			s.fault(r, name, "has the address of "+is+" above, whose name is taken")
		}
		return key
	}
	if name == "" {
		n.first, _, _ = strings.Cut(n.email, "@")
	}
	p := &moving.Person{Person: arrival.Person{Key: key}}
	p.FirstName, p.LastName, p.Email = n.first, n.last, n.email
	s.known[key] = p
	s.faults.firsts[key] = r.number
	s.people = append(s.people, p)
	return key
}
