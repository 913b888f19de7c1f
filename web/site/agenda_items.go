package site

import (
	"slices"
	"strconv"
	"time"

	"lectern/models/site"
	pages "lectern/views/pages/site"
)

// items returns the day's list, by time: heads of hours, breaks, sessions, and the line of the present time.
func (d *day) items(onGrid bool) (items []pages.Item) {
	now := d.now()
	said := now.IsZero()
	var hour string
	tracks := map[string]string{} // of the last card in each room
	breaks := d.breaks
	perHour := map[string]int{}
	for _, s := range d.shown {
		perHour[s.StartsAt.In(d.v.zone).Format("15 -07")]++
	}
	begin := func(at time.Time) {
		if !said && !now.After(at) {
			items, said = append(items, d.nowLine(now)), true
		}
		local := at.In(d.v.zone)
		if this := local.Format("15 -07"); this != hour && !d.isShort() { // with its offset, as clocks may show it twice
			hour = this
			items = append(items, pages.Item{Hour: &pages.HourHead{ID: "h" + strconv.Itoa(d.row(at)),
				Clock: d.v.timeOf(local.Add(-time.Duration(local.Minute()) * time.Minute)), Note: d.v.N("agenda.starts", perHour[this])}})
		}
	}
	for _, s := range d.shown {
		for len(breaks) > 0 && !breaks[0].StartsAt.After(s.StartsAt.Time) {
			begin(breaks[0].StartsAt.Time)
			items = append(items, d.breakAt(&breaks[0]))
			breaks = breaks[1:]
		}
		begin(s.StartsAt.Time)
		card := d.v.card(s)
		d.addClasses(card, s)
		room, track := idOf(s.RoomID), d.v.names().of(s.TrackID)
		if onGrid && tracks[room] != track && minutesOf(s) > 2*stepMinutes {
			card.Track = track
		}
		tracks[room] = track
		items = append(items, pages.Item{Card: card})
	}
	for i := range breaks {
		begin(breaks[i].StartsAt.Time)
		items = append(items, d.breakAt(&breaks[i]))
	}
	if !said {
		items = append(items, d.nowLine(now))
	}
	return items
}

// now returns the present time if it lies in the day, else zero.
func (d *day) now() time.Time {
	now := d.v.now().Truncate(stepMinutes * time.Minute)
	if now.Before(d.begins) || !now.Before(d.ends) {
		return time.Time{}
	}
	return now
}

func (d *day) nowLine(now time.Time) pages.Item {
	return pages.Item{Now: &pages.NowLine{Class: "r" + strconv.Itoa(d.row(now)), Clock: d.v.timeOf(now.In(d.v.zone)),
		Said: d.v.T("agenda.now", "City", d.v.cityHere())}}
}

// addClasses adds to a card the classes for its place on the grid and for whether it is over.
func (d *day) addClasses(card *pages.Card, s *site.Session) {
	end := ends(&s.Entry)
	column := d.column[idOf(s.RoomID)]
	if s.IsPlenary {
		column = 0
		card.Class += " all"
	}
	card.Class = "s " + card.Class + " " + d.place(column, s.StartsAt.Time, end)
	switch minutes := minutesOf(s); {
	case minutes <= 2*stepMinutes:
		card.Class += " xs"
	case minutes <= 3*stepMinutes:
		card.Class += " sm"
	}
	if lane := d.lanes[s.ID]; lane > 0 {
		card.Class += [...]string{"", " ol", " or"}[lane]
	}
	if !end.After(d.past) {
		card.Class += " past"
	}
}

func (d *day) breakAt(b *site.Break) pages.Item {
	v, start := d.v, b.StartsAt.In(d.v.zone)
	p := &pages.Pause{Clock: v.timeOf(start), Datetime: start.Format(time.RFC3339), Title: b.Title,
		Until: v.until(b.StartsAt.Time, b.EndsAt.Time), Class: d.place(0, b.StartsAt.Time, b.EndsAt.Time)}
	if b.RoomID != nil && !b.IsPlenary {
		p.Room = v.names().of(b.RoomID)
		p.Class = d.place(d.column[*b.RoomID], b.StartsAt.Time, b.EndsAt.Time)
	} else {
		p.Class += " all"
	}
	return pages.Item{Break: p}
}

// besides is how many parallel sessions a session's page names.
const besides = 6

// beside returns sessions that overlap this one, in the order of their starts.
func (v *visit) beside(of *site.Session) (cards []pages.Card) {
	from, to := of.StartsAt.Time, ends(&of.Entry)
	for _, s := range v.agenda.Sessions {
		if s != of && s.StartsAt.Before(to) && ends(&s.Entry).After(from) && len(cards) < besides {
			cards = append(cards, *v.card(s))
		}
	}
	return cards
}

// around returns the sessions before and after this one in the same room on the same day.
func (v *visit) around(of *site.Session) (before, next *site.Session) {
	if of.RoomID == nil || of.StartsAt.IsZero() {
		return nil, nil
	}
	day := v.dayOf(of)
	same := slices.DeleteFunc(slices.Clone(v.agenda.Sessions), func(s *site.Session) bool {
		return s.RoomID == nil || *s.RoomID != *of.RoomID || v.dayOf(s) != day
	})
	at := slices.Index(same, of)
	if at > 0 {
		before = same[at-1]
	}
	if at >= 0 && at+1 < len(same) {
		next = same[at+1]
	}
	return before, next
}
