package site

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/site"
	pages "lectern/views/pages/site"
	"lectern/views/words"
	"lectern/web/page"
)

// moved is the error of a page that has another address.
type moved struct{ to string }

func (m moved) Error() string { return "it is at " + m.to }

// showSession shows a session. Its label or id alone, or former words of its title, redirect to its address.
func showSession(v *visit) (templ.Component, error) {
	s, err := v.sessionNamed(v.Params("session"))
	if err != nil {
		return nil, err
	}
	at := sessionAt(s)
	if v.Path() != v.path(at) {
		return nil, moved{v.to(at)}
	}
	p := pages.SessionPage{Site: v.sheet(s.Title, "/"+at), Card: *v.card(s), Description: s.Description,
		Format: s.Format, TrackClass: trackClass(s.TrackID)}
	p.Type = "article"
	v.pictured(&p.Site, v.pictureOfSession(s))
	p.Site.Description = cmp.Or(shortened(plainText(s.Description), 160), p.Site.Description)
	p.Data = structured(v.sessionData(s))
	for _, person := range s.People {
		p.People = append(p.People, v.onSession(person))
	}
	p.PeopleHead = v.N("session.people", len(s.People))
	for _, part := range s.Parts {
		out := pages.SessionPart{Title: part.Title}
		if part.Minutes != nil {
			out.Minutes = v.T("session.minutes", "Count", *part.Minutes)
		}
		p.Parts = append(p.Parts, out)
	}
	p.Materials = v.materials(s)
	v.sessionFacts(&p, s)
	v.sessionLinks(&p, s)
	return pages.Session(p), nil
}

// sessionNamed finds a session by its label, whatever words follow it, or by its id.
func (v *visit) sessionNamed(name string) (*site.Session, error) {
	number := 0
	if label, isLabel := strings.CutPrefix(strings.ToLower(name), "s-"); isLabel {
		label, _, _ = strings.Cut(label, "-")
		number, _ = strconv.Atoi(label)
	}
	for s := range v.agenda.All {
		if s.Number == number || s.ID == name {
			return s, nil
		}
	}
	for _, e := range slices.Concat(v.agenda.Cancelled, v.agenda.Gone) {
		if e.Number == number || e.ID == name {
			return nil, errGone
		}
	}
	return nil, page.NoPage
}

func (v *visit) onSession(on site.Speaker) pages.Person {
	person := v.person(on.Person)
	if on.Role != models.Speaking {
		person.Role = v.T("role." + string(on.Role))
	}
	return person
}

func (v *visit) sessionFacts(p *pages.SessionPage, s *site.Session) {
	if p.Level = v.names().of(s.LevelID); s.StartsAt.IsZero() {
		return
	}
	start := s.StartsAt.In(v.zone)
	p.Day, p.Clock, p.Zones = v.DayHead(start), v.timeOf(start), v.zonesOf(s)
	p.Clock += p.Card.Ends
	p.Minutes = p.Card.Minutes
	p.Calendar = v.path("sessions/" + s.ID + ".ics")
	for _, room := range v.agenda.Rooms {
		if s.RoomID != nil && room.ID == *s.RoomID && room.Capacity != nil {
			p.RoomNote = v.N("agenda.seats", *room.Capacity)
		}
	}
}

// sessionLinks adds the links from a session to the page above, and to what is around it.
func (v *visit) sessionLinks(p *pages.SessionPage, s *site.Session) {
	day := v.dayOf(s)
	if list := v.list(day, v.carried); list != "" {
		if day != "" {
			list += "#" + p.Card.ID
		}
		p.Crumbs = append(p.Crumbs, crumb(cmp.Or(p.Day, v.head().Name(v.look.List())), list))
	}
	if day != "" {
		p.Beside = v.beside(s)
	}
	if p.Card.Room != "" {
		p.Card.RoomURL = v.narrowedTo(day, "room", *s.RoomID)
	}
	if p.Card.RoomURL != "" {
		p.Crumbs = append(p.Crumbs, crumb(p.Card.Room, p.Card.RoomURL))
	}
	if s.TrackID != nil {
		p.Track = new(crumb(v.names().of(s.TrackID), v.narrowedTo(day, "track", *s.TrackID)))
	}
	for _, t := range v.agenda.Tags {
		for _, id := range s.TagIDs {
			if t.ID == id {
				p.Tags = append(p.Tags, crumb(t.Name, v.narrowedTo(day, "tag", id)))
			}
		}
	}
	before, next := v.around(s)
	p.Before, p.Next = v.neighbour(before, "session.before"), v.neighbour(next, "session.next")
}

func (v *visit) neighbour(s *site.Session, word string) *pages.Neighbour {
	if s == nil {
		return nil
	}
	return &pages.Neighbour{Title: s.Title, URL: v.to(sessionAt(s)),
		Where: v.T(word, "Room", words.Apart(v.names().of(s.RoomID)), "Clock", v.timeOf(s.StartsAt.In(v.zone)))}
}

// redirect redirects to the page's address.
func (v *visit) redirect(m moved) error { return v.Redirect(m.to, http.StatusMovedPermanently) }

// shortened cuts a text, at the end of a word if one is near.
func shortened(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		cut := string(runes[:most])
		if at := strings.LastIndexByte(cut, ' '); at > most/2 {
			cut = cut[:at]
		}
		return cut + "…"
	}
	return text
}
