package site

import (
	"cmp"
	"slices"
	"strconv"

	"lectern/models/site"
	"lectern/views/layouts"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// listBytes is roughly how many bytes of HTML a list of sessions may take. A page shows one day of a longer list, and
// some hours of a longer day.
const listBytes = 200_000

// unplaced stands in addresses for the day of sessions without a time.
const unplaced = "unplaced"

// listed adds sessions to a page: all of them, or those of the day and hours that the address names.
func (v *visit) listed(p *pages.ItineraryPage, some []*site.Session, open bool) error {
	asked := v.query.Get("day")
	if asked != "" && asked != unplaced && !slices.Contains(v.agendaDays(), asked) {
		return page.NoPage
	}
	var day string
	if days := v.daysOf(some); len(days) > 1 && len(partsOf(some, open)) > 1 {
		at := slices.IndexFunc(days, func(d dayList) bool { return d.day == cmp.Or(asked, v.today()) })
		if at < 0 && asked != "" {
			return page.NoPage
		}
		at = max(at, 0)
		day, some = days[at].day, days[at].sessions
		p.Tabs = v.dayTabs(days, day, func(day string) string { return v.here("day", day, "page", "") })
		if at+1 < len(days) {
			p.Next = &layouts.SiteLink{Name: p.Tabs[at+1].Name, URL: p.Tabs[at+1].URL}
		}
	}
	parts := partsOf(some, open)
	shown, err := v.partOf(p, parts, day)
	if err != nil {
		return err
	}
	p.Zones = v.zonesOf(shown...)
	if v.stops(p, shown, open); len(parts) > 1 && len(p.Days) == 1 {
		p.Days[0].Count = v.N("agenda.sessions", len(some))
	}
	return nil
}

// partOf returns the part that the address names by its number, else the first, and adds links to the others.
func (v *visit) partOf(p *pages.ItineraryPage, parts [][]*site.Session, day string) ([]*site.Session,
	error,
) {
	asked, shown := cmp.Or(v.query.Get("page"), "1"), -1
	for i, part := range parts {
		number := strconv.Itoa(i + 1)
		c := pages.Choice{Name: number, URL: v.here("day", day, "page", number), Current: number == asked}
		if i == 0 {
			c.URL = v.here("day", day, "page", "")
		}
		if start := part[0].StartsAt; !start.IsZero() {
			c.Name = v.timeOf(start.In(v.zone))
		}
		if c.Current {
			shown = i
		} else if shown >= 0 && shown+1 == i {
			p.Next = &layouts.SiteLink{Name: c.Name, URL: c.URL}
		}
		if len(parts) > 1 {
			p.Parts = append(p.Parts, c)
		}
	}
	switch {
	case shown >= 0:
		return parts[shown], nil
	case asked == "1": // no session is left
		return nil, nil
	}
	return nil, page.NoPage
}

// dayList is a day with the sessions that begin on it.
type dayList struct {
	day      string
	sessions []*site.Session
}

// daysOf groups sorted sessions by day; those without a time come last.
func (v *visit) daysOf(some []*site.Session) (days []dayList) {
	for _, s := range some {
		day := cmp.Or(v.dayOf(s), unplaced)
		if len(days) == 0 || days[len(days)-1].day != day {
			days = append(days, dayList{day: day})
		}
		last := &days[len(days)-1]
		last.sessions = append(last.sessions, s)
	}
	return days
}

// partsOf cuts sorted sessions into parts that fit a page each. Sessions with the same start stay together, unless they
// are too many.
func partsOf(some []*site.Session, open bool) (parts [][]*site.Session) {
	begin, together, bytes := 0, 0, 0
	for i, s := range some {
		if i > 0 && !s.StartsAt.Equal(some[i-1].StartsAt.Time) || s.StartsAt.IsZero() {
			together = i
		}
		if bytes += stopBytes(s, open); bytes <= listBytes || i == begin {
			continue
		}
		end := together
		if end == begin {
			end = i
		}
		parts, begin, bytes = append(parts, some[begin:end]), end, 0
		for _, s := range some[begin : i+1] {
			bytes += stopBytes(s, open)
		}
	}
	if begin < len(some) {
		parts = append(parts, some[begin:])
	}
	return parts
}

// stopBytes estimates the bytes of HTML that a session of a list takes.
func stopBytes(s *site.Session, open bool) int {
	bytes := 600 + 200*len(s.People)
	if open {
		bytes += len(s.Description)
	}
	return bytes
}
