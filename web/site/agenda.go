package site

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"lectern/models/site"
	pages "lectern/views/pages/site"
	"lectern/web/page"
)

// showAgenda shows a day of the programme: the day that the address names, else today, else the first.
func showAgenda(v *visit) (templ.Component, error) {
	if v.agenda == nil {
		return v.notYet("/agenda"), nil
	}
	day := cmp.Or(v.Params("day"), v.query.Get("day"))
	if day != "" && !slices.Contains(v.agendaDays(), day) {
		return nil, page.NoPage
	}
	if day == "" {
		day = v.today()
	}
	if day == "" {
		why := "frame.empty"
		if len(v.agenda.Unplaced) > 0 {
			why = "agenda.unplaced"
		}
		return v.nothing("/agenda", v.T(why)), nil
	}
	d := v.dayOn(day)
	p := pages.AgendaPage{Site: v.sheet(v.T("agenda.title", "Day", v.Day(page.Date(day))), "/agenda/"+day),
		Filter: d.filter(),
		Print:  v.to("print/" + day)}
	p.Heading, p.Wide = p.Title, true
	p.Description = v.T("agenda.about", "Event", v.event.Name, "Day", v.Day(page.Date(day)),
		"Sessions", v.N("agenda.sessions", len(d.all)))
	days := v.daysOf(v.agenda.Sessions)
	for i := range days {
		days[i].sessions = d.narrowed.left(days[i].sessions)
	}
	p.Days = v.dayTabs(days, day, v.dayAt)
	v.pictured(&p.Site, v.pictureOfDay(day))
	moments := d.moments()
	p.Zones, p.Zone = v.zones(moments...), v.letters(moments...)
	p.Count = v.N("agenda.sessions", len(d.shown)) + ", " + v.N("agenda.rooms", len(d.rooms))
	if len(d.shown) == 0 {
		p.Nothing, p.Clear = v.T("agenda.nomatch"), p.Filter.Clear
		return pages.Agenda(p), nil
	}
	asList := v.query.Get("view") == "list"
	if d.hasGrid() {
		p.Views = []pages.Choice{{Name: v.T("agenda.grid"), URL: v.here("view", ""), Current: !asList},
			{Name: v.T("agenda.list"), URL: v.here("view", "list"), Current: asList}}
	}
	if d.hasGrid() && !asList {
		p.Columns, p.Rooms, p.Marks = len(d.rooms), d.heads(), d.marks()
		p.Gutter = "n" + strconv.Itoa(min(longest, d.row(d.ends.Add(stepMinutes*time.Minute-1))-1)) // from the heads on
	}
	p.Wide = p.Columns > 0
	p.Items, p.Few = d.items(p.Columns > 0), d.isShort()
	return pages.Agenda(p), nil
}

// notYet returns the page of a programme that is not public yet.
func (v *visit) notYet(at string) templ.Component {
	return v.nothing(at, v.T("agenda.notyet", "Event", v.event.Name))
}

// nothing returns the page of a programme with nothing to show.
func (v *visit) nothing(at, why string) templ.Component {
	p := pages.AgendaPage{Site: v.sheet(v.T("agenda.programme"), at), Nothing: why}
	p.Heading, p.Unlisted = p.Title, true
	return pages.Agenda(p)
}

// dayAt returns the address of a day of the agenda, with this page's filters.
func (v *visit) dayAt(day string) string {
	if v.embed != nil {
		return v.here("day", day)
	}
	return v.asks(v.path("agenda", day))
}

// dayTabs returns the tabs of the days, each with its number of sessions.
func (v *visit) dayTabs(days []dayList, current string, to func(day string) string) (tabs []pages.DayTab) {
	for _, d := range days {
		tab := pages.DayTab{Name: v.T("itinerary.unplaced"), Count: v.N("agenda.sessions", len(d.sessions)),
			URL: to(d.day), Current: d.day == current}
		if d.day != unplaced {
			tab.Name = v.DayName(page.Date(d.day))
		}
		tabs = append(tabs, tab)
	}
	return tabs
}

// day is a day of the programme, filtered.
type day struct {
	v            *visit
	date         string
	narrowed     narrowed
	all, shown   []*site.Session
	breaks       []site.Break
	rooms        []site.Room    // rooms in which something is shown
	column       map[string]int // by room id, from 2
	begins, ends time.Time
	past         time.Time      // what ended by then is over; zero while the event is not on
	lanes        map[string]int // of sessions that overlap another one in their room: 1 or 2
}

// stepMinutes is how many minutes a row of the grid stands for.
const stepMinutes = 5

// widest is how many rooms a grid can have, and longest how many rows: the style sheet has places for no more.
const widest, longest = 60, 24 * 60 / stepMinutes

func (v *visit) dayOn(date string) *day {
	d := &day{v: v, date: date, narrowed: narrow(v.query), column: map[string]int{}, lanes: map[string]int{}}
	if v.isOn() {
		d.past = v.now()
	}
	for _, s := range v.agenda.Sessions {
		if v.dayOf(s) == date {
			d.all = append(d.all, s)
		}
	}
	d.shown = d.narrowed.left(d.all)
	d.addRooms()
	d.addBreaks()
	if !d.begins.IsZero() { // marks stand at full and half hours of the event's clock
		local := d.begins.In(v.zone)
		d.begins = d.begins.Add(-time.Duration(local.Minute()%30)*time.Minute - time.Duration(local.Second())*time.Second)
	}
	if last := d.begins.Add((longest - 2) * stepMinutes * time.Minute); d.ends.After(last) {
		d.ends = last
	}
	d.assignLanes()
	return d
}

// moments returns the times shown on the day, or its beginning where nothing is shown.
func (d *day) moments() []time.Time {
	moments := startsOf(d.shown...)
	for _, b := range d.breaks {
		moments = append(moments, b.StartsAt.Time)
	}
	if len(moments) == 0 {
		moments = append(moments, page.Date(d.date))
	}
	return moments
}

// addRooms gives a column to each room in which something is shown, and one behind them to sessions without a room.
func (d *day) addRooms() {
	there := map[string]bool{}
	for _, s := range d.shown {
		there[idOf(s.RoomID)] = true
		end := ends(&s.Entry)
		if end.Sub(s.StartsAt.Time) >= longEnough { // so that it does not stretch the day beyond everything else
			end = s.StartsAt.Add(time.Hour)
		}
		d.reach(s.StartsAt.Time, end)
	}
	d.rooms = slices.DeleteFunc(slices.Clone(d.v.agenda.Rooms), func(r site.Room) bool { return !there[r.ID] })
	if there[""] && len(d.rooms) > 0 {
		d.rooms = append(d.rooms, site.Room{Name: d.v.T("agenda.noroom")})
	}
	for i, room := range d.rooms {
		d.column[room.ID] = i + 2
	}
}

// addBreaks finds the day's breaks: those for all rooms if no filter is on, and those in rooms that are shown.
func (d *day) addBreaks() {
	for _, b := range d.v.agenda.Breaks {
		inRoom := b.RoomID == nil && d.narrowed.isEmpty() || b.RoomID != nil && d.column[*b.RoomID] > 0
		if inRoom && len(d.shown) > 0 && b.StartsAt.In(d.v.zone).Format(time.DateOnly) == d.date {
			d.breaks = append(d.breaks, b)
			d.reach(b.StartsAt.Time, b.EndsAt.Time)
		}
	}
}

// reach extends the day so that it includes these times.
func (d *day) reach(from, to time.Time) {
	if d.begins.IsZero() || from.Before(d.begins) {
		d.begins = from
	}
	if to.After(d.ends) {
		d.ends = to
	}
}

// assignLanes gives a lane each to sessions that overlap in a room; a third one shares a lane.
func (d *day) assignLanes() {
	busy := map[string][2]time.Time{} // when each of a room's two lanes is free again
	before := map[string]*site.Session{}
	for _, s := range d.shown {
		room := idOf(s.RoomID)
		taken := busy[room]
		lane := 0
		if s.StartsAt.Before(taken[0]) {
			lane = 1
			d.lanes[s.ID] = 2
			if first := before[room]; first != nil && d.lanes[first.ID] == 0 {
				d.lanes[first.ID] = 1
			}
		} else {
			before[room] = s
			if s.StartsAt.Before(taken[1]) {
				d.lanes[s.ID] = 1
			}
		}
		if end := ends(&s.Entry); end.After(taken[lane]) {
			taken[lane] = end
		}
		busy[room] = taken
	}
}

// lastRow is the last row of the grid with a place in the style sheet: a day of 24 hours, below the heads.
const lastRow = 290

// hasGrid tells whether the day can be shown as a grid: it has several rooms, and no more rooms and rows than there are
// places for. The last hour of a day of 25 hours has no place.
func (d *day) hasGrid() bool {
	return len(d.rooms) > 1 && len(d.rooms) <= widest && d.row(d.shown[len(d.shown)-1].StartsAt.Time) <= lastRow
}

// isShort tells whether a day has one room and so few sessions that the list needs no heads of hours.
func (d *day) isShort() bool { return len(d.rooms) < 2 && len(d.shown) <= 24 }

// row returns the row of a time; the first one below the heads is 2. Rows count elapsed time, even on a day on which
// the clocks change.
func (d *day) row(at time.Time) int { return 2 + int(at.Sub(d.begins)/(stepMinutes*time.Minute)) }

// place returns the classes for a position on the grid, cut at the end of the day.
func (d *day) place(column int, from, to time.Time) string {
	if to.After(d.ends) {
		to = d.ends
	}
	start := d.row(from)
	span := max(1, d.row(to.Add(stepMinutes*time.Minute-1))-start)
	where := "r" + strconv.Itoa(start) + " n" + strconv.Itoa(span)
	if column > 0 {
		return "c" + strconv.Itoa(column) + " " + where
	}
	return where
}

func (d *day) heads() (heads []pages.RoomHead) {
	for i, room := range d.rooms {
		head := pages.RoomHead{Class: "c" + strconv.Itoa(i+2), Name: room.Name}
		if room.Capacity != nil {
			head.Note = d.v.N("agenda.seats", *room.Capacity)
		}
		heads = append(heads, head)
	}
	return heads
}

// marks returns the full and half hours beside the grid.
func (d *day) marks() (marks []pages.Mark) {
	for at := d.begins; at.Before(d.ends); at = at.Add(30 * time.Minute) {
		local := at.In(d.v.zone)
		class := "r" + strconv.Itoa(d.row(at))
		if local.Minute() == 0 {
			class += " full"
		}
		marks = append(marks, pages.Mark{Class: class, Clock: d.v.timeOf(local)})
	}
	return marks
}

// filter returns the form that filters the day.
func (d *day) filter() pages.Filter { return d.v.filter(d.narrowed, d.all) }
