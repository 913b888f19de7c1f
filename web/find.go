package web

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/views/pages"
)

// foundAtMost is how many records the palette shows; a few of them are people.
const foundAtMost, foundPeople = 8, 3

// find answers the palette with the records that match what is typed.
func find(v *visit) error {
	text := strings.TrimSpace(v.Query("q"))
	if n := utf8.RuneCountInString(text); n < 2 || n > models.MaxSearchText {
		return v.show(pages.Found(pages.FoundPage{}))
	}
	sessions, _, err := v.programme.SearchSessions(v.ctx(), models.SessionSearch{
		Filter: models.SessionFilter{Text: text}, Page: models.Page{Number: 1, Size: foundAtMost},
	})
	if models.KindOf(err) == models.Invalid {
		return v.show(pages.Found(pages.FoundPage{}))
	}
	if err != nil {
		return err
	}
	people, _, err := v.programme.Speakers(v.ctx(), text, models.Page{Number: 1, Size: foundPeople})
	if err != nil {
		return err
	}
	var p pages.FoundPage
	for _, s := range sessions[:min(len(sessions), foundAtMost-len(people))] {
		icon := "calendar"
		if s.IsAbstract {
			icon = "file-text"
		}
		p.Records = append(p.Records, pages.FoundRecord{Icon: icon, Title: s.Title, Meta: s.FriendlyID, URL: v.at("/sessions/" + s.ID)})
	}
	for _, person := range people {
		p.Records = append(p.Records, pages.FoundRecord{Icon: "mic", Title: person.FullName, Meta: person.CompanyName, URL: v.at("/submissions?speaker=" + person.ID)})
	}
	return v.show(pages.Found(p))
}

// findAnywhere looks at the event last worked on.
func findAnywhere(v *visit) error {
	events, err := v.w.store.EventsFor(v.ctx(), v.user)
	if err != nil || len(events) == 0 {
		return err
	}
	v.event = events[0]
	for _, e := range events {
		if e.ID == v.cookie(lastEventCookie) {
			v.event = e
		}
	}
	v.programme = v.w.store.Programme(v.event, v.by())
	return find(v)
}

// speakers are the people on live sessions, each leading to the lists.
func speakers(v *visit) error {
	page, err := strconv.Atoi(v.Query("page"))
	if err != nil || page < 1 || page > models.MaxPage {
		page = 1
	}
	text, base := strings.TrimSpace(v.Query("q")), v.at("/speakers")
	people, pagination, err := v.programme.Speakers(v.ctx(), text, models.Page{Number: page, Size: rowsAPage})
	if models.KindOf(err) == models.Invalid {
		return v.see(base, "That text is too long to search for; all are shown.")
	}
	if err != nil {
		return err
	}
	shell, err := v.shell("Speakers")
	if err != nil {
		return err
	}
	l := listing{kind: "speakers", query: map[string][]string{}}
	if text != "" {
		l.query.Set("q", text)
	}
	if len(people) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.seeInstead(base + "?" + l.onPage(pagination.TotalPages).query.Encode())
	}
	p := pages.SpeakersPage{Shell: shell, Base: base, Text: text, Pages: pagesOf(base, l, pagination, "speakers")}
	for _, x := range people {
		p.People = append(p.People, pages.Person{
			Name: x.FullName, Company: x.CompanyName, Email: x.Email, Submissions: v.at("/submissions?speaker=" + x.ID), Sessions: v.at("/sessions?speaker=" + x.ID),
		})
	}
	return v.show(pages.Speakers(p))
}
