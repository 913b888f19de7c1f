package site

import (
	"slices"
	"time"

	"github.com/a-h/templ"

	"lectern/models/embed"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// showInset shows an embed without a frame, for other sites' pages: all of it at once, with absolute addresses.
func showInset(v *visit) (templ.Component, error) {
	if v.agenda == nil {
		return pages.Inset(v.inset(v.T("agenda.notyet", "Event", v.event.Name))), nil
	}
	p := v.inset("")
	switch v.embed.Kind {
	case embed.Agenda:
		p.Days, p.Clock = v.insetAgenda()
	case embed.Speakers, embed.Gallery:
		p.People = v.insetPeople()
	default:
		p.Days, p.Clock = v.insetSessions(), v.clock(startsOf(v.agenda.Sessions...))
	}
	if len(p.Days)+len(p.People) == 0 {
		p.Said = v.T(map[bool]string{true: "speakers.nobody", false: "frame.empty"}[v.embed.Kind.ShowsPeople()])
	}
	return pages.Inset(p), nil
}

// inset returns an inset that shows nothing but a sentence, "" for none.
func (v *visit) inset(said string) pages.InsetPage {
	p := pages.InsetPage{Language: v.Language, Said: said}
	if v.embed != nil {
		p.Kind = string(v.embed.Kind)
	}
	if v.event != nil {
		p.Home = address(v.home(), v.carried)
	}
	return p
}

// insetAgenda returns the days of the agenda with their breaks, and says by which clock they are.
func (v *visit) insetAgenda() (days []pages.ItineraryDay, clock string) {
	var moments []time.Time
	for _, date := range v.agendaDays() {
		day := pages.ItineraryDay{Name: v.DayHead(page.Date(date))}
		on := v.dayOn(date)
		moments = append(moments, on.moments()...)
		for _, item := range on.items(false) {
			switch {
			case item.Card != nil:
				stop := pages.Stop{Card: *item.Card}
				for _, person := range item.Card.People {
					stop.Everyone = append(stop.Everyone, pages.Person{Name: person.Name})
				}
				day.Stops = append(day.Stops, stop)
			case item.Break != nil:
				day.Stops = append(day.Stops, pages.Stop{Card: pages.Card{Title: item.Break.Title, Clock: item.Break.Clock,
					Datetime: item.Break.Datetime, Until: item.Break.Until, Room: item.Break.Room}})
			}
		}
		days = append(days, day)
	}
	return days, v.clock(moments)
}

// insetSessions returns all sessions by day and time, with all their people, and those without a time last.
func (v *visit) insetSessions() []pages.ItineraryDay {
	var p pages.ItineraryPage
	v.stops(&p, slices.Collect(v.agenda.All), v.embed.Kind == embed.Sessions)
	if len(p.Unplaced) > 0 {
		p.Days = append(p.Days, pages.ItineraryDay{Name: v.T("itinerary.unplaced"), Stops: p.Unplaced})
	}
	return p.Days
}

func (v *visit) insetPeople() (people []pages.Person) {
	sessions := v.sessionsOf()
	for _, person := range v.agenda.People {
		shown := v.person(person)
		if v.embed.Kind != embed.Gallery {
			shown.Photo = ""
		}
		for _, s := range sessions[person.ID] {
			shown.Titles = append(shown.Titles, crumb(s.Title, v.to(sessionAt(s))))
		}
		people = append(people, shown)
	}
	return people
}
