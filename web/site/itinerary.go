package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lectern/models/site"
	pages "lectern/views/pages/site"
	"lectern/views/words"
	"lectern/web/page"
)

// showItinerary shows all sessions by day and time, with all their people.
func showItinerary(v *visit) (templ.Component, error) {
	return v.sessionsAtLength("/itinerary", v.T("itinerary.title"), false)
}

// showSessions lists all sessions, with descriptions that open in place.
func showSessions(v *visit) (templ.Component, error) {
	return v.sessionsAtLength("/sessions", v.T("itinerary.list"), true)
}

func (v *visit) sessionsAtLength(at, title string, open bool) (templ.Component, error) {
	all := slices.Collect(v.agenda.All)
	n := narrow(v.query)
	shown, filter := n.left(all), v.filter(n, all)
	p := pages.ItineraryPage{Site: v.sheet(title, at), Filter: &filter}
	p.Lede = v.N("agenda.sessions", len(shown))
	p.Description = v.T("itinerary.about", "Event", v.event.Name, "Sessions", p.Lede)
	switch {
	case len(shown) > 0:
	case n.isEmpty():
		p.Nothing = v.T("frame.empty")
	default:
		p.Nothing, p.Clear = v.T("itinerary.nomatch"), filter.Clear
	}
	if err := v.listed(&p, shown, open); err != nil {
		return nil, err
	}
	return pages.Itinerary(p), nil
}

// stops adds sessions to the days of a page.
func (v *visit) stops(p *pages.ItineraryPage, some []*site.Session, open bool) {
	for _, s := range some {
		stop := pages.Stop{Card: *v.card(s)}
		if stop.Class += " s"; open {
			stop.Description = s.Description
		}
		for _, on := range s.People {
			stop.Everyone = append(stop.Everyone, v.onSession(on))
		}
		day := v.dayOf(s)
		if day == "" {
			p.Unplaced = append(p.Unplaced, stop)
			continue
		}
		if len(p.Days) == 0 || p.Days[len(p.Days)-1].ID != "d"+day {
			p.Days = append(p.Days, pages.ItineraryDay{ID: "d" + day, Name: v.DayHead(page.Date(day))})
		}
		last := &p.Days[len(p.Days)-1]
		last.Stops = append(last.Stops, stop)
	}
	for i := range p.Days {
		p.Days[i].Count = v.N("agenda.sessions", len(p.Days[i].Stops))
	}
}

// showMine shows the sessions that the address stars, where they overlap, and how long the gaps are.
func showMine(v *visit) (templ.Component, error) {
	p := pages.ItineraryPage{Site: v.sheet(v.T("mine.title"), "/my")}
	p.Own = v.to("my")
	chosen := map[int]bool{}
	for _, number := range v.mine() {
		chosen[number] = true
	}
	var some []*site.Session
	for s := range v.agenda.All {
		if chosen[s.Number] {
			some = append(some, s)
			delete(chosen, s.Number) // calendars list a session that lost its time as cancelled
		}
	}
	gone := 0
	for _, e := range slices.Concat(v.agenda.Cancelled, v.agenda.Gone) {
		if chosen[e.Number] {
			gone++
		}
	}
	if gone > 0 {
		p.Lede = v.N("mine.gone", gone)
	}
	if len(some) == 0 {
		p.Lede, p.Nothing = "", cmp.Or(p.Lede, v.T("mine.none"))
		return pages.Itinerary(p), nil
	}
	p.Lede = strings.TrimSpace(v.N("agenda.sessions", len(some)) + ". " + p.Lede)
	p.Zones = v.zonesOf(some...)
	v.stops(&p, some, false)
	v.between(&p, some)
	numbers := v.query.Get("my")
	feed := v.path("my.ics") + "?my=" + numbers + "&lang=" + v.Tag
	p.TakeAway = &pages.TakeAway{Link: v.s.BaseURL + v.path("my") + "?my=" + numbers, Download: feed,
		Subscribe: "webcal://" + strings.TrimPrefix(strings.TrimPrefix(v.s.BaseURL, "https://"), "http://") + feed}
	return pages.Itinerary(p), nil
}

// shortestBreak is the shortest gap that is mentioned.
const shortestBreak = 15 * time.Minute

// between says where a reader's own sessions overlap, and where there are gaps.
func (v *visit) between(p *pages.ItineraryPage, some []*site.Session) {
	stops := map[string]*pages.Stop{}
	for i := range p.Days {
		for j := range p.Days[i].Stops {
			stops[p.Days[i].Stops[j].Number] = &p.Days[i].Stops[j]
		}
	}
	var until time.Time
	var before *site.Session
	for _, s := range some {
		if s.StartsAt.IsZero() {
			continue
		}
		stop, start := stops[v.card(s).Number], s.StartsAt.Time
		if before != nil && v.dayOf(before) == v.dayOf(s) {
			switch gap := start.Sub(until); {
			case gap < 0:
				stop.Clash = v.clash(before, start, until)
			case gap >= shortestBreak:
				stop.Free = v.T("mine.free", "Time", v.length(gap))
			}
		}
		if end := ends(&s.Entry); end.After(until) {
			until, before = end, s
		}
	}
}

// clash says until when an earlier session overlaps one that starts, with the day if it is another.
func (v *visit) clash(s *site.Session, start, until time.Time) string {
	local, title := until.In(v.zone), words.Apart(s.Title)
	if local.Format(time.DateOnly) != start.In(v.zone).Format(time.DateOnly) {
		return v.T("mine.clashday", "Title", title, "Day", v.Day(local), "Clock", v.timeOf(local))
	}
	return v.T("mine.clash", "Title", title, "Clock", v.timeOf(local))
}

// lasting says how long a session takes, from a day on in hours.
func (v *visit) lasting(minutes int) string {
	if whole := time.Duration(minutes) * time.Minute; whole >= longEnough {
		return v.length(whole)
	}
	return v.T("session.minutes", "Count", minutes)
}

// until says when something ends: "until 10:40", with the day for what takes a day or more.
func (v *visit) until(start, end time.Time) string {
	local := end.In(v.zone)
	if end.Sub(start) >= longEnough {
		return v.T("agenda.untilday", "Day", v.Day(local), "Clock", v.timeOf(local))
	}
	return v.T("agenda.until", "Clock", v.timeOf(local))
}

// toEnd returns what follows a start: "–10:40", with the day for what takes a day or more.
func (v *visit) toEnd(start, end time.Time) string {
	local := end.In(v.zone)
	switch {
	case !end.After(start):
		return ""
	case end.Sub(start) >= longEnough:
		return " – " + v.Day(local) + ", " + v.timeOf(local)
	}
	return "–" + v.timeOf(local)
}

// length words a duration in hours and minutes.
func (v *visit) length(d time.Duration) string {
	hours, minutes := int(d.Hours()), int(d.Minutes())%60
	switch {
	case hours == 0:
		return v.T("session.minutes", "Count", minutes)
	case minutes == 0:
		return v.T("session.hours", "Count", hours)
	}
	return v.T("session.hours", "Count", hours) + " " + v.T("session.minutes", "Count", minutes)
}
