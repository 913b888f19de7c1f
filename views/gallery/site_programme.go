package gallery

import (
	"github.com/a-h/templ"

	"lectern/views/layouts"
	"lectern/views/pages/site"
)

// siteCard returns a session in a place of the grid.
func siteCard(w words, place, number string) site.Card {
	return site.Card{ID: "s" + number, Class: "s " + place, URL: here, Title: w.title, Clock: "10:00",
		Yours:    "17:00 in Taipei",
		Datetime: "2027-06-10T10:00:00+02:00", Room: w.place, RoomURL: here,
		People: []site.Person{{Name: w.person, Org: w.text}, {Name: "Li Wei"}},
		Meta:   "40 min, " + w.label, Minutes: "40 min", Until: "until 10:40", Ends: "–10:40", Star: here, Number: number}
}

// sitePerson returns a speaker with their full text.
func sitePerson(w words) site.Person {
	return site.Person{Name: w.person, URL: here, Org: w.label + ", " + w.place, Initial: "A", About: w.html,
		When: "Thu 10:00, Fri 09:00", First: "Dr", Bold: w.person, Titles: []layouts.SiteLink{{Name: w.title,
			URL: here}}}
}

var (
	siteDays = []site.DayTab{{Name: "Thursday 10", Count: "12 sessions", URL: here, Current: true},
		{Name: "Friday 11", Count: "9 sessions", URL: here}}
	siteZones = site.Zones{Here: "Bergen, CEST", Yours: "Taipei, +6 h", Off: here, Only: "Only Bergen", City: "Taipei"}
)

func siteFilter(w words) site.Filter {
	return site.Filter{Action: here, Text: w.person, Clear: here, Shows: "Show 12 sessions",
		Chips: []site.Chip{{Label: w.label, URL: here}, {Label: "“tides”", URL: here}},
		Groups: []site.FilterGroup{
			{Name: "track", Label: "Track", Count: "1 of 2", Clear: here, Options: []site.FilterOption{{Value: "1", Label: w.label,
				Count: 7, On: true},
				{Value: "2", Label: "People", Count: 5}}},
			{Name: "room", Label: "Room", Count: "1", Options: []site.FilterOption{{Value: "1", Label: w.place,
				Count: 12}}}}}
}

// siteAgenda returns a day as a grid of two rooms.
func siteAgenda(w words) site.AgendaPage {
	track, starred := siteCard(w, "c2 r2 n8", "1"), siteCard(w, "c3 r2 n8 ol", "2")
	track.Track, starred.Starred = w.label, true
	short, past := siteCard(w, "c3 r2 n2 or xs", "3"), siteCard(w, "c2 r16 n6 past", "4")
	p := site.AgendaPage{Site: siteSheet("Agenda, Thursday 10 June"), Heading: "Agenda, Thursday 10 June",
		Days: siteDays, Print: here,
		Views: []site.Choice{{Name: "Grid", URL: here, Current: true}, {Name: "List", URL: here}}, Zones: siteZones,
		Filter: siteFilter(w), Count: "12 sessions, 2 rooms", Zone: "CEST", Columns: 2,
		Rooms: []site.RoomHead{{Class: "c2", Name: w.place, Note: "420 seats"}, {Class: "c3",
			Name: "Studio"}},
		Marks: []site.Mark{{Class: "r2 full", Clock: "10:00"}, {Class: "r8", Clock: "10:30"}},
		Items: []site.Item{{Hour: &site.HourHead{ID: "h2", Clock: "10:00", Note: "3 start this hour"}},
			{Card: &track}, {Card: &starred},
			{Card: &short}, {Break: &site.Pause{Class: "r11 n4 all", Clock: "10:45",
				Datetime: "2027-06-10T10:45:00+02:00", Title: w.label,
				Until: "until 11:05"}}, {Now: &site.NowLine{Class: "r12", Clock: "10:50", Said: "now in Bergen"}},
			{Card: &past}}}
	p.Wide = true
	return p
}

// siteProgramme adds the pages of the public programme.
func (s *shelf) siteProgramme() {
	list := siteAgenda(plain)
	list.Columns, list.Rooms, list.Marks, list.Views, list.Wide = 0, nil, nil, nil, false
	none, fault := list, list
	none.Items, none.Nothing, none.Clear = nil, "No session of this day has all of that.", here
	fault.Zones = site.Zones{Here: "Bergen, CEST", City: "Nowhere",
		Fault: "There is no such clock. Try a large city, such as Taipei."}
	of(s, "Agenda for everybody", "Agenda", site.Agenda).worded(siteAgenda).is("list", list).is("no match", none).is("no such clock", fault).
		is("empty", site.AgendaPage{Site: siteSheet("Programme"), Heading: "Programme",
			Nothing: "The programme of Tidvann 2027 is not public yet. It will stand here."})
	of(s, "Session for everybody", "Session", site.Session).worded(siteSession).
		is("little", site.SessionPage{Site: siteSheet(plain.title), Card: site.Card{Title: plain.title, Star: here,
			Number: "1"}})
	of(s, "Itinerary", "Itinerary", site.Itinerary).worded(siteItinerary).is("my schedule", siteMine(plain)).
		is("nothing starred", site.ItineraryPage{Site: siteSheet("My schedule"),
			Own:     here,
			Nothing: "Nothing is starred yet."})
	s.siteSpeakers()
	s.siteStart()
	s.sitePaper()
}

func siteSession(w words) site.SessionPage {
	beside := siteCard(w, "", "5")
	return site.SessionPage{Site: siteSheet(w.title), Crumbs: []layouts.SiteLink{{Name: "Thursday 10 June",
		URL: here}, {Name: w.place, URL: here}},
		Card: siteCard(w, "", "1"), Day: "Thursday 10 June", Clock: "10:00–10:40", Zones: siteZones,
		RoomNote: "420 seats", Format: "Talk", Minutes: "40 min", Level: w.label, Tags: []layouts.SiteLink{{Name: w.label, URL: here},
			{Name: "Archives", URL: here}}, Track: &layouts.SiteLink{Name: w.label, URL: here}, Description: w.html,
		People: []site.Person{sitePerson(w), {Name: "Li Wei", URL: here, Role: "Moderator",
			Photo: "/static/icon.svg"}},
		PeopleHead: "Speakers", Parts: []site.SessionPart{{Title: w.title, Minutes: "20 min"}, {Title: "Questions",
			Minutes: "20 min"}},
		Beside: []site.Card{beside}, Before: &site.Neighbour{Where: "Before, in the hall, 09:00", Title: w.title,
			URL: here},
		Next: &site.Neighbour{Where: "Next, in the hall, 11:00", Title: w.title, URL: here}, Calendar: here}
}

func siteItinerary(w words) site.ItineraryPage {
	filter := siteFilter(w)
	p := siteMine(w)
	p.Site, p.Lede, p.Filter, p.Tabs, p.Own, p.TakeAway = siteSheet("Itinerary"), "12 sessions", &filter, siteDays, "", nil
	p.Zones = siteZones
	p.Parts = []site.Choice{{Name: "10:00", URL: here, Current: true}, {Name: "14:30", URL: here}}
	p.Next = &layouts.SiteLink{Name: "14:30", URL: here}
	p.Unplaced = []site.Stop{{Card: site.Card{ID: "s9", Title: w.title, URL: here, Star: here, Number: "9"}}}
	return p
}

// siteMine returns somebody's own schedule, with an overlap and a gap.
func siteMine(w words) site.ItineraryPage {
	stop := func(number string) site.Stop {
		return site.Stop{Card: siteCard(w, "", number), Description: w.html,
			Everyone: []site.Person{sitePerson(w), {Name: "Li Wei", URL: here, Role: "Moderator"}}}
	}
	clash, free := stop("2"), stop("3")
	clash.Clash, free.Free, free.Starred = "Overlaps: “"+w.title+"” ends at 10:40.", "1 h 20 min free", true
	return site.ItineraryPage{Site: siteSheet("My schedule"),
		Lede: "3 sessions. 1 starred session is no longer in the programme.", Own: here, Zones: siteZones,
		Days: []site.ItineraryDay{{ID: "d1", Name: "Thursday 10 June", Count: "3 sessions",
			Stops: []site.Stop{stop("1"), clash, free}}},
		TakeAway: &site.TakeAway{Link: "https://tidvann.example.org/events/tidvann-2027/my?my=1,2,3", Subscribe: here,
			Download: here}}
}

func (s *shelf) siteSpeakers() {
	views := []site.Choice{{Name: "A to Z", URL: here, Current: true}, {Name: "Photos", URL: here}}
	photo := sitePerson(plain)
	photo.Photo = "/static/icon.svg"
	of(s, "Speakers for everybody", "Speakers", site.Speakers).
		worded(func(w words) site.SpeakersPage {
			return site.SpeakersPage{Site: siteSheet("Speakers"), Count: "2", Views: views, Action: here,
				Letters: []site.Letter{
					{ID: "letter-a", Name: "A", People: []site.Person{sitePerson(w)}},
					{ID: "letter-w", Name: "W", People: []site.Person{{Name: "Li Wei", Bold: "Wei", First: "Li",
						URL: here}}}}}
		}).
		is("photos", site.SpeakersPage{Site: siteSheet("Speakers"), Count: "2", Views: views, Action: here,
			Gallery: []site.Person{sitePerson(plain), photo}}).
		is("none", site.SpeakersPage{Site: siteSheet("Speakers"), Count: "0", Views: views, Action: here, Text: "zz",
			Cut: "A search takes the first 100 characters; the rest was left out.", Nothing: "Nobody has this name.", Clear: here})
	of(s, "Speaker for everybody", "Speaker", site.Speaker).
		worded(func(w words) site.SpeakerPage {
			return site.SpeakerPage{Site: siteSheet(w.person), Person: sitePerson(w),
				Links: []layouts.SiteLink{{Name: "example.org", URL: here}},
				Count: "1 session", Zones: siteZones, Calendar: here, Sessions: []site.SpeakerSession{{Card: siteCard(w, "", "1"),
					Day:  "Thursday 10 June",
					With: []site.Person{{Name: "Li Wei", URL: here}}}}}
		})
}

func (s *shelf) siteStart() {
	s.siteGone()
	call := site.Door{Name: "Call for papers", Text: "Until 1 March 2027, 23:59 Bergen.", URL: here, Figure: "12",
		Of: "days left"}
	programme := site.Door{Name: "See the programme", Text: "19 speakers.", URL: here, Figure: "17", Of: "sessions",
		Primary: true}
	of(s, "Start of an event", "Tidvann 2027", site.Start).
		worded(func(w words) site.StartPage {
			return site.StartPage{Site: siteSheet(w.title), Lede: "10–11 June 2027, " + w.place, Intro: w.html,
				Photo: "/static/icon.svg",
				Alt:   w.label, Doors: []site.Door{programme, call}, Next: []site.Card{siteCard(w, "", "1")},
				NextAs: "It begins with", Zones: siteZones,
				More: layouts.SiteLink{Name: "All sessions", URL: here}}
		}).
		is("call", site.StartPage{Site: siteSheet("Tidvann 2027"), Lede: "10–11 June 2027", Doors: []site.Door{call}}).
		is("nothing", site.StartPage{Site: siteSheet("Tidvann 2027"), Nothing: "There is nothing to see yet."})
	of(s, "Feeds", "Feeds", site.Feeds).worded(func(w words) site.FeedsPage {
		row := []site.FeedRow{{Name: w.place,
			URL: "https://tidvann.example.org/events/tidvann-2027/rooms/01a214fe-b09d-7f14-a592-9ed00eba6dc9.ics"}}
		return site.FeedsPage{Site: siteSheet("Feeds"), Rooms: row, Tracks: row,
			Feeds: []site.FeedRow{{Name: "Calendar",
				Text: "All sessions and breaks.", URL: "https://tidvann.example.org/events/tidvann-2027/calendar.ics"}}}
	})
}

func (s *shelf) sitePaper() {
	day := func(w words) site.PaperPage {
		return site.PaperPage{Site: siteSheet("Thursday 10 June"), Day: "Thursday 10 June",
			Note: "2 sessions in 1 room, times in Bergen (CEST)",
			Links: []layouts.SiteLink{{Name: "Back to the agenda", URL: here}, {Name: "This day on A4", URL: here,
				Current: true}, {Name: w.place, URL: here}},
			Rows: []site.PaperRow{{Clock: "10:00", Title: w.title, Room: w.place + ", 40 min",
				People: []site.Person{{Name: w.person, Org: w.text}, {Name: "Li Wei"}}, Begins: true},
				{Clock: "10:00", Title: w.title, Room: "Studio, 20 min"}, {Clock: "11:00", Title: w.label,
					Pause: true, Begins: true}},
			Foot: "Tidvann 2027, Thursday 10 June."}
	}
	door := day(plain)
	door.Room, door.Rows[0].Ends, door.Rows = plain.place, "–10:40", door.Rows[:1]
	door.Code, door.At = code, "https://tidvann.example.org/events/tidvann-2027/agenda/2027-06-10?room=1"
	large := day(plain)
	large.Large = true
	of(s, "Paper", "Thursday 10 June", site.Paper).worded(day).is("door", door).is("a3", large)
}

// siteTrouble is an error page of an event's site.
type siteTrouble struct {
	layouts.Site
	layouts.Failure
}

func (s *shelf) siteGone() {
	of(s, "Problem of a public page", "This is not part of the programme any more", func(p siteTrouble) templ.Component {
		return layouts.SiteProblem(p.Site, p.Failure)
	}).
		is("gone", siteTrouble{siteSheet("This is not part of the programme any more"), layouts.Failure{
			Text: "It was public once and was taken off the programme since.", RequestID: "5d2b9a40c701",
			First: layouts.Step{Name: "See the programme", URL: here}}})
	ended := siteTrouble{siteSheet("Agenda"), layouts.Failure{Text: "This embed has been switched off by its organizers."}}
	ended.Embedded = true
	of(s, "Problem of an embed", "Agenda", func(p siteTrouble) templ.Component {
		return layouts.EmbedProblem(p.Site, p.Failure)
	}).is("ended", ended)
}
