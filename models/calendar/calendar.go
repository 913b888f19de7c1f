// Package calendar brings sessions from a calendar in the iCalendar format of RFC 5545.
package calendar

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/frab"
	"lectern/models/ical"
	"lectern/models/moving"
	"lectern/models/store"
)

const (
	prefix   = "ical/"
	stepRows = 100
	maxPlace = 300 // of a place in bytes; what is longer is no room's name
	maxKey   = 200 // of a key in bytes; a longer one is replaced by its hash
)

// Calendar is a calendar that was read. Its entries become sessions, those marked free breaks; it names no speakers.
type Calendar struct {
	frame    moving.Frame
	sessions []moving.Submission
	known    map[string]bool // keys of labels and entries
}

// Read reads a calendar. Times without a zone are on the event's clock, zone. The error is a sentence.
func Read(src io.Reader, zone *time.Location) (*Calendar, error) {
	read, err := ical.Read(src, zone)
	if err != nil {
		return nil, err
	}
	c := &Calendar{known: map[string]bool{},
		frame: moving.Frame{System: "a calendar", Prefix: prefix, Name: cmp.Or(store.OneLine(read.Name), "a calendar")}}
	if len(read.Entries) == 0 {
		return nil, moving.NotGiven("the calendar has no entries")
	}
	place, tracks := shared(read.Entries), areTracks(read.Entries)
	for i := range read.Entries {
		e := &read.Entries[i]
		e.Location = strings.TrimSuffix(store.OneLine(e.Location), place)
		c.take(e, zone, tracks)
	}
	return c, nil
}

// shared returns what all places end with: calendars append the venue to each room.
func shared(entries []ical.Entry) (end string) {
	var places []string
	known := map[string]bool{"": true}
	for _, e := range entries {
		if place := store.OneLine(e.Location); !known[place] && len(place) <= maxPlace {
			known[place] = true
			places = append(places, place)
		}
	}
	if len(places) < 2 {
		return ""
	}
	parts := strings.SplitAfter(places[0], ", ")
	for n := len(parts) - 1; n > 0; n-- {
		longer := ", " + strings.Join(parts[n:], "")
		if slices.ContainsFunc(places, func(place string) bool { return !strings.HasSuffix(place, longer) }) {
			break
		}
		end = longer
	}
	return end
}

// areTracks reports whether categories are tracks, because no entry has two; otherwise they are tags.
func areTracks(entries []ical.Entry) bool {
	return !slices.ContainsFunc(entries, func(e ical.Entry) bool { return len(e.Categories) > 1 })
}

// take adds an entry as a session or a break, or records why it cannot come.
func (c *Calendar) take(e *ical.Entry, zone *time.Location, tracks bool) {
	title := store.OneLine(e.Title)
	key := prefix + cmp.Or(e.UID, e.Start.UTC().Format(time.RFC3339)+"/"+title)
	if len(key) > maxKey {
		key = prefix + store.HashKey(key)
	}
	skip := func(reason string) {
		c.frame.Skipped = append(c.frame.Skipped, frab.Skipped{ID: strings.TrimPrefix(key, prefix), Title: title,
			Reason: reason})
	}
	switch {
	case c.known[key]:
		skip("stands in the calendar twice; the first one comes")
		return
	case e.Fault != "":
		skip(e.Fault)
		c.frame.Still = append(c.frame.Still, key)
		return
	case title == "":
		skip("has no title")
		return
	case e.Repeats:
		skip("repeats; its first time comes")
	}
	c.known[key] = true
	room := c.label(models.Rooms, e.Location)
	if !e.Cancelled {
		day := e.Start.In(zone).Format(time.DateOnly)
		c.frame.Starts = min(cmp.Or(c.frame.Starts, day), day)
		c.frame.Ends = max(c.frame.Ends, day)
	}
	if e.Free && !e.Cancelled {
		c.frame.Breaks = append(c.frame.Breaks, frab.Break{Key: key, Kind: string(models.Pause), Title: title,
			Start: e.Start.UTC(), End: e.End.UTC(), Room: room, AllRooms: room == ""})
		return
	}
	s := moving.Submission{}
	s.Key, s.Title, s.Description, s.Status = key, title, moving.Paragraphs(e.Description), models.Accepted
	for _, category := range e.Categories {
		if tracks {
			s.Track = c.label(models.Tracks, category)
		} else {
			s.Tags = append(s.Tags, c.label(models.Tags, category))
		}
	}
	if s.Slots = []arrival.Slot{{Start: store.At(e.Start.UTC()), End: store.At(e.End.UTC()), Room: room}}; e.Cancelled {
		s.Status, s.Slots = models.Withdrawn, nil
	}
	c.sessions = append(c.sessions, s)
}

// label returns the key of a label, which it adds to the frame; "" for an empty name.
func (c *Calendar) label(family models.Family, name string) string {
	if name = store.OneLine(name); name == "" {
		return ""
	}
	key := prefix + string(family) + "/" + store.Fold(name)
	if !c.known[key] {
		c.known[key] = true
		c.frame.Labels = append(c.frame.Labels, arrival.Label{Key: key, Family: family,
			NewMetadata: models.NewMetadata{Name: name}})
	}
	return key
}

// Count returns how much the calendar has.
func (c *Calendar) Count() moving.Count {
	return moving.Count{Labels: len(c.frame.Labels), Breaks: len(c.frame.Breaks), Submissions: len(c.sessions)}
}

// Frame returns what the entries refer to, with the entries that cannot come.
func (c *Calendar) Frame(context.Context) (*moving.Frame, error) { return &c.frame, nil }

// People passes on nothing: attendees of an entry are not its speakers.
func (c *Calendar) People(context.Context, func([]moving.Person) error) error { return nil }

// Submissions passes on the sessions.
func (c *Calendar) Submissions(_ context.Context, take func([]moving.Submission) error) error {
	for some := range slices.Chunk(c.sessions, stepRows) {
		if err := take(some); err != nil {
			return err
		}
	}
	return nil
}

// Reviews passes on nothing.
func (c *Calendar) Reviews(context.Context, func([]moving.Review) error) error { return nil }

// Photo returns nothing, as a calendar has none.
func (c *Calendar) Photo(context.Context, string) ([]byte, error) {
	return nil, moving.NotGiven("a calendar has no files")
}

var _ moving.Source = &Calendar{}
