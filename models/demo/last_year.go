package demo

import (
	"context"
	"fmt"
	"slices"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/frab"
	"lectern/models/store"
)

var lastLabels = map[models.Family][]models.NewMetadata{
	models.Tracks: {
		{Name: "Keeping it running", Color: new("#1F7A9C")}, {Name: "Data that lasts", Color: new("#C2502E")},
		{Name: "People on watch", Color: new("#2E8049")}, {Name: "Made for years", Color: new("#7458B0")},
	},
	models.Rooms: {
		{Name: "Pier Hall", Capacity: new(300)}, {Name: "Sail Loft", Capacity: new(110)},
		{Name: "Engine Room", Capacity: new(45)},
	},
	models.Formats: {
		{Name: "Keynote", DefaultMinutes: new(45)}, {Name: "Talk", DefaultMinutes: new(30)},
		{Name: "Lightning talk", DefaultMinutes: new(10)}, {Name: "Workshop", DefaultMinutes: new(100)},
		{Name: "Panel", DefaultMinutes: new(50)}, {Name: "Social", DefaultMinutes: new(180)},
	},
	models.Levels: {{Name: "For everyone"}, {Name: "Some experience"}, {Name: "Deep water"}},
}

// lastYear is the conference of half a year ago. The foundation began to use Lectern after it, so its programme is
// imported from its published schedule.
func (s *story) lastYear(e *edition) {
	e.found(place{"Tideline", "America/Halifax", thursday(s.today.AddDate(0, 0, -27*7)), 2}, 60, lastLabels)
	entries := entriesOf(lastYearText)
	held := func(x *entry) bool { return x.place != "" }
	s.at(s.daysAgo(57, 9, 0), "importing last year's schedule", func(ctx context.Context) error {
		if err := e.reread(ctx); err != nil {
			return err
		}
		p := e.by(s.staff.Owner)
		if _, err := arrival.Of(p).Import(ctx, e.schedule(entries), arrival.Options{AsSubmissions: true}); err != nil {
			return err
		}
		if err := e.reread(ctx); err != nil {
			return err
		}
		rows, _, err := p.SearchSessions(ctx, models.SessionSearch{Page: store.Page{Size: store.MaxPageSize}})
		for _, x := range entries {
			for _, row := range rows {
				if row.Title == x.title && row.IsAbstract {
					x.row = row
				} else if row.Title == x.title {
					x.session = row
				}
			}
		}
		return err
	})
	s.at(s.daysAgo(57, 10, 0), "taking the form over for last year", func(ctx context.Context) error {
		return call.Of(e.by(s.staff.Beatriz)).Start(ctx)
	})
	for i, x := range entries {
		if !held(x) {
			s.at(s.daysAgo(56, 10, i), "entering "+x.title, func(ctx context.Context) error { return e.enterLate(ctx, x) })
		}
		e.review(x, s.daysAgo(55, 9, i), 0)
		s.at(s.daysAgo(54, 9, i), "ending "+x.title, func(ctx context.Context) error {
			p := e.by(s.staff.Beatriz)
			if !held(x) {
				_, err := p.UpdateSession(ctx, x.row.ID,
					models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Status(x.state))}})
				return err
			}
			if err := p.MarkTold(ctx, x.row.ID, "", "Told last year, before letters were sent from here"); err != nil {
				return err
			}
			_, err := p.UpdateSession(ctx, x.session.ID, models.SessionChange{IsPublic: new(true)})
			return err
		})
	}
}

// enterLate makes a submission that was not accepted. It can name only people who are at this event already.
func (e *edition) enterLate(ctx context.Context, x *entry) error {
	n, err := e.input(x, nil)
	if err != nil {
		return err
	}
	n.IsAbstract = true
	return e.enter(ctx, e.by(e.staff.Tomas), x, n)
}

// schedule returns the programme as the conference published it.
func (e *edition) schedule(entries []*entry) *frab.Schedule {
	schedule := &frab.Schedule{Title: e.event.Name}
	for i, x := range entries {
		start, end, room, found := e.slot(x)
		if !found {
			continue
		}
		item := frab.Event{
			Index: i + 1, Key: fmt.Sprint("tideline-", i+1), Title: x.title, Abstract: x.description(), Type: x.format,
			Track: x.track, Room: room, Start: start.UTC(), End: end.UTC(),
		}
		for _, who := range x.by {
			at := slices.IndexFunc(crew, func(p [5]string) bool { return fullName(p) == who.name })
			item.Persons = append(item.Persons, frab.Person{
				ID: who.name, Name: who.name, Email: address(at), Biography: "<p>" + crew[at][4] + "</p>",
			})
		}
		schedule.Events = append(schedule.Events, item)
	}
	return schedule
}
