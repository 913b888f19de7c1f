package frab

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Parse reads a schedule, XML or JSON. Times without an offset are in the zone that the file names, else in fallback,
// else in UTC.
//
// A file that is no schedule, holds no event, is not well-formed UTF-8 or exceeds the limits is an error, which names
// the line where it can. A single unusable event is no error: it is in Skipped with the reason.
func Parse(r io.Reader, fallback *time.Location) (*Schedule, error) {
	start := bufio.NewReader(r)
	read := decode
	if isJSON(start) {
		read = decodeJSON
	}
	doc, err := read(start)
	if err != nil {
		return nil, err
	}
	clock, err := newClock(string(doc.Zone), string(doc.DayChange), fallback)
	if err != nil {
		return nil, err
	}

	p := &parser{
		clock:    clock,
		keys:     map[string]bool{},
		rooms:    map[string]bool{},
		details:  map[string]Room{},
		tracks:   map[string]bool{},
		schedule: &Schedule{Title: line(doc.Title)},
	}
	for _, t := range doc.Tracks {
		p.track(Track{Name: first(t.Text, t.Name), Color: line(t.Color)})
	}
	for _, room := range doc.rooms {
		p.details[room.Name] = room
	}
	for _, i := range doc.Items {
		p.room(line(i.Room))
		if i.Event != nil {
			p.event(i.Event, i.Day, i.Room)
		}
	}
	for p.index < doc.events {
		p.skip(&Event{Index: p.next()}, "it stands inside an element where none is read")
	}
	if p.index == 0 {
		return nil, errors.New("there is no event in this schedule")
	}
	p.schedule.Start, p.schedule.End = p.days(doc)
	return p.schedule, nil
}

// days returns the first and the last day: those of the conference, else of the listed days, else of the events.
func (p *parser) days(doc *document) (start, end string) {
	start, end = dateOf(doc.Start), dateOf(doc.End)
	if start != "" && start <= end {
		return start, end
	}
	var days []string
	for _, day := range doc.Days {
		if date := dateOf(day); date != "" {
			days = append(days, date)
		}
	}
	if len(days) == 0 {
		for _, e := range p.schedule.Events {
			days = append(days, e.Start.In(p.clock.location).Format(time.DateOnly))
		}
	}
	if len(days) == 0 {
		return "", ""
	}
	return slices.Min(days), slices.Max(days)
}

// dateOf returns the date at the start of a date or timestamp, or "".
func dateOf[T ~string](t T) string {
	s := line(t)
	s = s[:min(len(s), len(time.DateOnly))]
	if day, err := time.Parse(time.DateOnly, s); err != nil || day.Year() < 1900 {
		return ""
	}
	return s
}

type parser struct {
	clock    clock
	schedule *Schedule
	index    int
	keys     map[string]bool
	rooms    map[string]bool
	details  map[string]Room
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
		room := p.details[name]
		room.Name = name
		p.schedule.Rooms = append(p.schedule.Rooms, room)
	}
}

// event adds an item, or lists it as skipped.
func (p *parser) event(x *eventIn, day, room string) {
	e := Event{
		Index:       p.next(),
		Key:         first(x.GUID, x.ID),
		GUID:        line(x.GUID),
		ID:          line(x.ID),
		Title:       line(x.Title),
		Subtitle:    line(x.Subtitle),
		Abstract:    strings.TrimSpace(string(x.Abstract)),
		Description: strings.TrimSpace(string(x.Description)),
		Type:        line(x.Type),
		Language:    line(x.Language),
		Track:       line(x.Track),
		Room:        first(x.RoomXML.Text, x.RoomXML.Name, x.RoomJSON, text(room)),
		URL:         line(x.URL),
		Persons:     persons(x.Persons),
	}
	marked := strings.Fields(x.Mark)
	if len(marked) > 1 && p.keys[marked[1]] {
		return // a break of all rooms is listed in each; keep one
	}
	if err := p.place(&e, x, day); err != nil {
		p.skip(&e, err.Error())
		return
	}
	p.keys[e.Key] = true
	p.room(e.Room)
	if e.Plenary = slices.Equal(marked, []string{plenaryMark}); len(marked) > 0 && !e.Plenary {
		p.pause(&e, marked)
		return
	}
	p.track(Track{Name: e.Track})
	p.schedule.Events = append(p.schedule.Events, e)
}

// pause adds an item that a mark declares as a break or a blocker: the mark has its kind and, for all rooms, its key.
func (p *parser) pause(e *Event, marked []string) {
	b := Break{Key: e.Key, Kind: marked[0], Title: e.Title, Room: e.Room, Start: e.Start, End: e.End}
	if len(marked) > 1 {
		b.Key, b.AllRooms, b.Room = marked[1], true, ""
		p.keys[b.Key] = true
	}
	p.schedule.Breaks = append(p.schedule.Breaks, b)
}

// next returns the next number of an event.
func (p *parser) next() int {
	p.index++
	return p.index
}

func (p *parser) skip(e *Event, reason string) {
	p.schedule.Skipped = append(p.schedule.Skipped, Skipped{Index: e.Index, ID: e.ID, GUID: e.GUID, Title: e.Title,
		Reason: reason})
}

// place sets the times of the event, or returns why it cannot be used.
func (p *parser) place(e *Event, x *eventIn, day string) error {
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

// persons leaves out people without a name and duplicates.
func persons(listed []personIn) []Person {
	var persons []Person
	seen := map[string]bool{}
	for _, x := range listed {
		person := Person{
			ID:        first(x.ID, x.Code),
			GUID:      line(x.GUID),
			Name:      first(x.Text, x.Name, x.NameAttr, x.PublicName, x.FullPublicName, x.Email),
			Email:     line(x.Email),
			Biography: strings.TrimSpace(string(x.Biography)),
			JobTitle:  line(x.JobTitle),
			Company:   line(x.Company),
			Role:      line(x.Role),
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

// line joins the lines of a text, without indentation.
func line[T ~string](s T) string {
	return strings.Join(strings.FieldsFunc(string(s), func(r rune) bool {
		return r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}), " ")
}

// first returns the first text that is not blank.
func first[T ~string](texts ...T) string {
	for _, t := range texts {
		if s := line(t); s != "" {
			return s
		}
	}
	return ""
}
