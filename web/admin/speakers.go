package admin

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// speakerList is the list of speakers as an address says it: what is searched, and the page.
func (v *visit) speakerList() listing {
	l := v.plainListing("page")
	l.kind = "speakers"
	l.set("q", v.allowed("speakers", "q", strings.TrimSpace(v.Query("q"))))
	return l
}

// listSpeakers are the people on live submissions and sessions.
func listSpeakers(v *visit) error {
	l, base := v.speakerList(), v.at("/speakers")
	text := l.query.Get("q")
	people, pagination, err := v.programme.Speakers(v.ctx(), text, store.Page{Number: l.page(), Size: rowsAPage})
	if err != nil {
		return err
	}
	if len(people) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(v.listAt(l.onPage(pagination.TotalPages)))
	}
	ids := make([]string, len(people))
	for i, x := range people {
		ids[i] = x.ID
	}
	parts, err := v.programme.SpeakerParts(v.ctx(), ids)
	if err != nil {
		return err
	}
	p := pages.SpeakersPage{Base: base, Text: text, Words: store.SearchWords(text),
		Total: counted(pagination.TotalResults, "person", "people"), Pages: pagesOf(base, l, pagination, "speakers")}
	for _, x := range people {
		part := parts[x.ID]
		var roles []string
		for _, role := range part.Roles {
			roles = append(roles, components.StatusName(string(role)))
		}
		p.People = append(p.People, pages.SpeakerRow{
			Name: x.FullName, Company: x.CompanyName, Email: x.Email, Roles: strings.Join(roles, ", "),
			URL: base + "/" + x.ID + l.with("page", ""), Submissions: part.Submissions, Sessions: part.Sessions,
			SubmissionsURL: v.at("/submissions?speaker=" + x.ID), SessionsURL: v.at("/sessions?speaker=" + x.ID),
		})
	}
	return show(v, http.StatusOK, "Speakers", pages.Speakers, p)
}

// showPerson is a person of this event, with their sessions at all events that the reader may see.
func showPerson(v *visit) error {
	c, err := v.programme.Contact(v.ctx(), v.Params("contact"))
	if err != nil {
		return err
	}
	l := v.speakerList()
	v.section = v.at("/speakers")
	previous, next, position, total, err := v.programme.SpeakerNeighbours(v.ctx(), l.query.Get("q"), c)
	if err != nil {
		return err
	}
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil {
		return err
	}
	person := func(id string) string {
		if id == "" {
			return ""
		}
		return v.at("/speakers/"+id) + l.with("page", "")
	}
	p := pages.PersonPage{Person: c, List: v.listAt(l), Previous: person(previous), Next: person(next),
		Byline: joinWords(", ", c.JobTitle, c.CompanyName)}
	if position > 0 {
		p.Position = number(position) + " of " + number(total)
	}
	if p.Events, err = v.appearances(c.ID, events); err != nil {
		return err
	}
	for _, e := range p.Events {
		p.Count += len(e.Sessions)
	}
	return show(v, http.StatusOK, c.FullName, pages.Person, p)
}

// appearances are the sessions of a person by events: this one first, then the latest.
func (v *visit) appearances(contactID string, events []*models.Event) (out []pages.PersonEvent, err error) {
	ids := make([]string, len(events))
	for i, e := range events {
		ids[i] = e.ID
	}
	found, err := v.programme.Appearances(v.ctx(), contactID, ids)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(events, func(a, b *models.Event) int {
		switch {
		case a.ID == v.event.ID:
			return -1
		case b.ID == v.event.ID:
			return 1
		}
		return strings.Compare(startOf(b), startOf(a))
	})
	for _, e := range events {
		at := pages.PersonEvent{Name: e.Name, Zone: e.Timezone}
		for _, a := range found {
			if a.EventID == e.ID {
				at.Sessions = append(at.Sessions, personSession(a, e))
			}
		}
		if len(at.Sessions) > 0 {
			out = append(out, at)
		}
	}
	return out, nil
}

// startOf is an event's first day, "" without.
func startOf(e *models.Event) string {
	if e.StartsOn == nil {
		return ""
	}
	return *e.StartsOn
}

func personSession(a *models.Appearance, e *models.Event) pages.PersonSession {
	s := pages.PersonSession{Label: a.FriendlyID, Title: a.Title, Room: a.Room, Public: a.IsPublic,
		URL:  "/admin/events/" + e.ID + "/sessions/" + a.SessionID,
		Role: components.StatusName(string(a.Role)), Status: string(a.Status)}
	switch {
	case a.StartsAt != nil:
		s.When = a.StartsAt.In(e.Location()).Format("Mon 2 Jan, 15:04")
	case a.IsAbstract:
		s.When = "Submission"
	default:
		s.When = "Not placed yet"
	}
	return s
}

// joinWords are the words that are there, with something between them.
func joinWords(between string, words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(word string) bool { return word == "" }), between)
}
