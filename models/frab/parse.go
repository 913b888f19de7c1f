package frab

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Parse reads a schedule. Times written without an offset are in the zone the file
// names, else in fallback, else in UTC.
//
// A file that is no schedule, is not well-formed UTF-8 XML or exceeds the bounds is an
// error, which names the line where it can. A single item that cannot be used is none:
// it is listed in Skipped, with the reason.
func Parse(r io.Reader, fallback *time.Location) (*Schedule, error) {
	doc, err := decode(r)
	if err != nil {
		return nil, err
	}
	clock, err := newClock(doc.Conference.Zone, doc.Conference.DayChange, fallback)
	if err != nil {
		return nil, err
	}

	p := &parser{
		clock:  clock,
		keys:   map[string]bool{},
		rooms:  map[string]bool{},
		tracks: map[string]bool{},
		schedule: &Schedule{
			Title: line(doc.Conference.Title),
			Start: line(doc.Conference.Start),
			End:   line(doc.Conference.End),
		},
	}
	for _, t := range slices.Concat(doc.Conference.Tracks, doc.Conference.InTracks, doc.Tracks) {
		p.track(Track{Name: first(t.Text, t.Name), Color: line(t.Color)})
	}
	for _, day := range doc.Days {
		for _, room := range day.Rooms {
			p.room(line(room.Name))
			for _, e := range room.Events {
				p.event(e, day.Date, line(room.Name))
			}
		}
	}
	return p.schedule, nil
}

type parser struct {
	clock    clock
	schedule *Schedule
	index    int
	keys     map[string]bool
	rooms    map[string]bool
	tracks   map[string]bool
}

func (p *parser) track(t Track) {
	if t.Name != "" && !p.tracks[t.Name] {
		p.tracks[t.Name] = true
		p.schedule.Tracks = append(p.schedule.Tracks, t)
	}
}

func (p *parser) room(name string) {
	if name != "" && !p.rooms[name] {
		p.rooms[name] = true
		p.schedule.Rooms = append(p.schedule.Rooms, name)
	}
}

// event takes one item in, or lists it as skipped.
func (p *parser) event(x eventXML, day, room string) {
	p.index++
	e := Event{
		Index:       p.index,
		Key:         first(x.GUID, x.ID),
		GUID:        line(x.GUID),
		ID:          line(x.ID),
		Title:       line(x.Title),
		Subtitle:    line(x.Subtitle),
		Abstract:    strings.TrimSpace(x.Abstract),
		Description: strings.TrimSpace(x.Description),
		Type:        line(x.Type),
		Language:    line(x.Language),
		Track:       line(x.Track),
		Room:        first(x.Room, room),
		URL:         line(x.URL),
		Persons:     persons(x.Persons),
	}
	if err := p.place(&e, x, day); err != nil {
		p.schedule.Skipped = append(p.schedule.Skipped, Skipped{
			Index: p.index, ID: e.ID, GUID: e.GUID, Title: e.Title, Reason: err.Error(),
		})
		return
	}
	p.keys[e.Key] = true
	p.room(e.Room)
	p.track(Track{Name: e.Track})
	p.schedule.Events = append(p.schedule.Events, e)
}

// place gives the event its times, or says why it cannot be used.
func (p *parser) place(e *Event, x eventXML, day string) error {
	if e.Key == "" {
		return errors.New("no guid and no id")
	}
	if e.Title == "" {
		return errors.New("no title")
	}
	if p.keys[e.Key] {
		return fmt.Errorf("an earlier item has the same guid or id %q", e.Key)
	}
	start, err := p.clock.start(line(x.Date), line(day), line(x.Start))
	if err != nil {
		return err
	}
	length, err := duration(line(x.Duration))
	if err != nil {
		return err
	}
	e.Start = start.UTC()
	e.End = e.Start.Add(length)
	return nil
}

// persons leaves out who has no name, and whom the event lists already.
func persons(listed []personXML) []Person {
	var persons []Person
	seen := map[string]bool{}
	for _, x := range listed {
		person := Person{
			ID:        first(x.ID, x.Code),
			GUID:      line(x.GUID),
			Name:      first(x.Text, x.Name, x.NameAttr, x.Email),
			Email:     line(x.Email),
			Biography: strings.TrimSpace(x.Biography),
		}
		key := first(person.GUID, person.ID)
		if person.Name == "" || key != "" && seen[key] {
			continue
		}
		seen[key] = true
		persons = append(persons, person)
	}
	return persons
}

// line puts on one line what may be broken and indented in the file.
func line(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}), " ")
}

// first is the first of the texts that is not blank.
func first(texts ...string) string {
	for _, s := range texts {
		if s = line(s); s != "" {
			return s
		}
	}
	return ""
}
