package gallery

import (
	"fmt"
	"strconv"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages/agenda"
)

// agendaRooms returns n rooms, each a column.
func agendaRooms(n int, w words) (columns []agenda.Column) {
	for i := range n {
		name := fmt.Sprint("Room ", i+1)
		if i == 1 {
			name = w.place
		}
		columns = append(columns, agenda.Column{ID: fmt.Sprint("r", i+1), Name: name, Seats: "120 seats",
			Class: agendaColumn(i + 1)})
	}
	return columns
}

func agendaColumn(i int) string { return fmt.Sprintf("ct%d cu%d", i/10, i%10) }

// agendaCard returns a card of rows five-minute rows, the first of them from rows after nine o'clock.
func agendaCard(id, title, person string, room, from, rows int) agenda.Card {
	card := agenda.Card{Label: id, Title: title, People: person, Room: fmt.Sprint("Room ", room),
		Where: fmt.Sprint(rows*5, " min"), Track: "Data that outlives us", Ink: fmt.Sprint("t", room%6),
		Minutes: strconv.Itoa(rows * 5), Was: "- - -"}
	if room > 0 {
		card.Class = fmt.Sprintf("rh%d rm%d lh%d lm%d %s", from/12, from%12, rows/12, rows%12, agendaColumn(room))
	}
	switch {
	case rows <= 2:
		card.Class += " tiny"
	case rows <= 6:
		card.Class += " short"
	}
	return card
}

// agendaInks returns the colours that the cards refer to.
func agendaInks() (inks []agenda.Ink) {
	for i := range 6 {
		inks = append(inks, agenda.Ink{ID: fmt.Sprint("t", i), Color: models.TrackColors[i]})
	}
	return inks
}

// agendaOf returns a day in rooms.
func agendaOf(w words, rooms int, change func(*agenda.Page)) agenda.Page {
	p := agenda.Page{Shell: in("Agenda"), Base: here, Sessions: here, Day: "2027-05-20",
		Date: "Thursday 20 May 2027", View: "rooms", Version: "1", MayChange: true, Step: 5, Zone: "Lisbon (WEST)",
		Breaks: here, Suggest: here, Publish: here, Rows: 60, Width: rooms, Columns: agendaRooms(rooms, w),
		Days: []agenda.Tab{{Name: "Thursday 20", Short: "Thu 20", URL: here, Placed: "52 placed",
			Conflicts: "3 conflicts", Current: true}, {Name: "Friday 21", Short: "Fri 21", URL: here, Placed: "35 placed"},
			{Name: "Saturday 22", Short: "Sat 22", URL: here, Placed: "0 placed"}},
		Views: []components.Tab{{Name: "Rooms", URL: here, Current: true}, {Name: "Tracks", URL: here}, {Name: "List", URL: here}},
		Steps: []components.Option{{Value: "5", Name: "5 min rows", Chosen: true}, {Value: "15", Name: "15 min rows"}},
		Conflicts: []agenda.Conflict{{Text: w.person + " is in two rooms, 09:50 to 10:10", URL: here},
			{Text: "Rope Loft holds 40, S-8 expects 90", URL: here}},
		ConflictCount: "2 conflicts",
		Bands: []agenda.Band{{Title: "Coffee on the quay", Times: "11:00 to 11:20", URL: here, Class: "rh2 rm0 lh0 lm4 all"},
			{Title: w.title, Times: "12:00 to 13:00", Class: "rh3 rm0 lh1 lm0 " + agendaColumn(1)}},
		Inks: agendaInks(), Legend: []agenda.Track{{Name: w.label, Color: models.TrackColors[0]}, {Name: "No track", Color: "#A8A199"}},
	}
	for i := range 10 {
		p.Times = append(p.Times, agenda.Time{Name: fmt.Sprintf("%02d:%02d", 9+i/2, i%2*30),
			Class: fmt.Sprintf("rh%d rm%d lh0 lm1", i/2, i%2*6)})
	}
	p.Shelf = agenda.Shelf{Any: true, Count: "9", Cards: []agenda.Card{
		agendaCard("w1", w.title, w.person, 0, 0, 6), agendaCard("w2", "Tide, moon, cron", "Plum", 0, 0, 2)}, More: "and 7 more"}
	nine := agenda.Start{Name: "09:00", Cards: []agenda.Card{agendaCard("1", w.title, w.person, 1, 0, 8)}}
	for room := 2; room <= rooms; room++ {
		nine.Cards = append(nine.Cards, agendaCard(fmt.Sprint("a", room), "Queues that forget nothing", "Inês Carvalho", room, 0, 6),
			agendaCard(fmt.Sprint("b", room), "Backups are a love letter to strangers", "Plum", room, 6, 2))
	}
	clash := agendaCard("2", "The second team", w.person, 2, 10, 8)
	clash.Conflict = w.person + " is also in Signal Tower"
	over := agendaCard("3", w.title, w.person, 2, 13, 6)
	over.Class, over.Conflict = over.Class+" on1", "Overlaps The second team"
	p.Starts = []agenda.Start{nine, {Name: "09:50", Cards: []agenda.Card{clash}}, {Name: "10:05",
		Cards: []agenda.Card{over}}}
	if change != nil {
		change(&p)
	}
	return p
}

func (s *shelf) agenda() {
	empty := func(p *agenda.Page) {
		p.Starts, p.Bands, p.Conflicts, p.Legend = nil, nil, nil, nil
		p.Days[0].Conflicts, p.Days[0].Placed = "", "0 placed"
		p.Shelf = agenda.Shelf{Count: "0"}
	}
	list := func(p *agenda.Page) { p.View, p.Columns, p.Bands = "list", nil, nil }
	of(s, "Agenda", "Agenda", agenda.Agenda).
		worded(func(w words) agenda.Page { return agendaOf(w, 6, nil) }).
		is("crowded", agendaOf(plain, 30, nil)).
		is("rows of 15 minutes", agendaOf(plain, 12, func(p *agenda.Page) { p.Step = 15 })).
		is("a list", agendaOf(plain, 6, list)).
		is("empty", agendaOf(plain, 4, empty)).
		is("nothing found", agendaOf(plain, 4, func(p *agenda.Page) {
			p.Shelf = agenda.Shelf{Any: true, Count: "9", Text: "zeppelin", Clear: here, Found: "0 found"}
		})).
		is("no dates", agenda.Page{Shell: in("Agenda"), Base: here, Sessions: here})
	move := func(w words) agenda.MovePage {
		return agenda.MovePage{Shell: in("Move " + w.title), Action: here, Back: here, Name: w.title, Time: "11:20",
			Minutes: "80", Ends: "12:40", Zone: "Europe/Lisbon", Placed: true,
			Days:  []components.Option{{Value: "1", Name: "Thu 20", Chosen: true}, {Value: "2", Name: "Fri 21"}},
			Rooms: option("No room yet", w.place+", 120 seats")}
	}
	clash := func(w words) agenda.MovePage {
		p := move(w)
		p.Clash = &agenda.Clash{Next: "14:20", NextURL: here, Lines: []components.Linked{{Subject: w.place,
			Before: " also has ", Label: "S-12", Name: w.title, URL: here, After: ", 11:00 to 11:50, while this is 11:20 to 12:40."}}}
		return p
	}
	twice := move(plain)
	twice.Twice = option("Choose one", "The first, 02:30 CEST", "The second, 02:30 CET")
	free := move(plain)
	free.Clash = &agenda.Clash{Free: true}
	of(s, "Move in the agenda", "", agenda.Move).worded(clash).is("free", free).
		is("twice", twice, "time", "comes twice that night").is("faults", move(plain), "minutes", "must be at least 1", "day",
		"Saturday 29 May 2027 is no day of the event any more")
	late := agenda.Answered{Text: "Li moved “Knots” meanwhile: Chart Room, Thursday 20 May, 12:00 to 12:10, just now. You " +
		"wanted Great Hall, Thursday 20 May, 14:00 to 14:10.", Action: here, Keep: here}
	of(s, "A late move", "Move", agenda.Stale).is("a choice", agenda.StalePage{Answer: late})
	of(s, "What became of a move", "Agenda", agendaLine).
		worded(func(w words) agendaTold {
			return agendaTold{answer: agenda.Answered{Text: "“" + w.title + "” is in " + w.place + ", Thursday 20 May, 14:00 to 14:10 now.",
				Undo: &components.Undo{Action: here}, Warnings: clash(w).Clash.Lines}}
		}).
		is("too late", agendaTold{answer: late})
}
