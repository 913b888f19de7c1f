package site

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"time"

	"lectern/models/ical"
	"lectern/models/look"
	"lectern/models/site"
)

// refresh is how often calendars are asked to fetch the feed again.
const refresh = time.Hour

// selection says what a calendar holds of an agenda.
type selection struct {
	name   string // added to the event's name; "" for none
	entry  func(*site.Entry) bool
	breaks func(*site.Break) bool
}

// everything selects the whole event.
var everything = &selection{
	entry:  func(*site.Entry) bool { return true },
	breaks: func(*site.Break) bool { return true },
}

func noBreak(*site.Break) bool { return false }

// ofTrack selects a track, nil where none of its sessions was ever shown.
func ofTrack(a *site.Agenda, id string) *selection {
	return (&selection{
		name:   namesOf(a)[id],
		entry:  func(e *site.Entry) bool { return e.TrackID != nil && *e.TrackID == id },
		breaks: noBreak,
	}).unlessEmpty(a)
}

// ofRoom selects a room, nil where nothing was ever shown in it.
func ofRoom(a *site.Agenda, id string) *selection {
	chosen := &selection{
		name:   namesOf(a)[id],
		entry:  func(e *site.Entry) bool { return e.RoomID != nil && *e.RoomID == id },
		breaks: func(b *site.Break) bool { return b.RoomID != nil && *b.RoomID == id },
	}
	if chosen.unlessEmpty(a) == nil {
		return nil
	}
	chosen.breaks = func(b *site.Break) bool { return b.RoomID == nil || *b.RoomID == id }
	return chosen
}

// ofSession selects a session, nil where it was never shown.
func ofSession(a *site.Agenda, id string) *selection {
	return (&selection{entry: func(e *site.Entry) bool { return e.ID == id }, breaks: noBreak}).unlessEmpty(a)
}

// ofSpeaker selects the sessions of a person, by the name of their page, even where all are cancelled now.
func ofSpeaker(a *site.Agenda, page string) *selection {
	theirs, name := map[string]bool{}, ""
	for _, s := range a.Sessions {
		for _, on := range s.People {
			if on.Page == page {
				theirs[s.ID], name = true, on.Name
			}
		}
	}
	for _, id := range a.WasOn[page] {
		theirs[id] = true
	}
	return (&selection{name: name, entry: func(e *site.Entry) bool { return theirs[e.ID] },
		breaks: noBreak}).unlessEmpty(a)
}

// ofMine selects the sessions with these numbers, even cancelled ones, for a reader's own schedule.
func ofMine(numbers, name string) *selection {
	mine := starredIn(numbers)
	return &selection{name: name, breaks: noBreak, entry: func(e *site.Entry) bool {
		_, found := slices.BinarySearch(mine, e.Number)
		return found
	}}
}

// unlessEmpty returns the selection, or nil where it selects nothing.
func (chosen *selection) unlessEmpty(a *site.Agenda) *selection {
	for i := range a.Sessions {
		if chosen.entry(&a.Sessions[i].Entry) {
			return chosen
		}
	}
	for i := range a.Cancelled {
		if chosen.entry(&a.Cancelled[i]) {
			return chosen
		}
	}
	for i := range a.Breaks {
		if chosen.breaks(&a.Breaks[i]) {
			return chosen
		}
	}
	return nil
}

func (s *handlers) calendar(a *site.Agenda, l *look.Look) ([]byte, error) {
	return s.entries(a, l, everything), nil
}

// entries returns the selected entries of an agenda as a calendar.
func (s *handlers) entries(a *site.Agenda, l *look.Look, chosen *selection) []byte {
	c := &ical.Calendar{Name: a.Name, Zone: zoneOf(a), Refresh: refresh}
	if chosen.name != "" {
		c.Name += " · " + chosen.name
	}
	names := namesOf(a)
	place := func(room *string) string { return l.Location(names.of(room), a.Name) }
	for i := range a.Sessions {
		if x := a.Sessions[i]; chosen.entry(&x.Entry) {
			entry := calendarEntry(&x.Entry, place(x.RoomID))
			entry.Description, entry.URL = described(x), s.address(a, sessionAt(x))
			if track := names.of(x.TrackID); track != "" {
				entry.Categories = []string{track}
			}
			c.Entries = append(c.Entries, entry)
		}
	}
	for i := range a.Cancelled {
		if e := &a.Cancelled[i]; chosen.entry(e) {
			entry := calendarEntry(e, place(e.RoomID))
			entry.Cancelled = true
			c.Entries = append(c.Entries, entry)
		}
	}
	for i := range a.Breaks {
		if b := &a.Breaks[i]; chosen.breaks(b) {
			c.Entries = append(c.Entries, ical.Entry{UID: ical.UID(b.ID), Sequence: b.Sequence, Changed: b.UpdatedAt.Time,
				Start: b.StartsAt.Time, End: b.EndsAt.Time, Title: b.Title, Location: place(b.RoomID), Free: true})
		}
	}
	return c.Bytes()
}

func calendarEntry(e *site.Entry, place string) ical.Entry {
	return ical.Entry{UID: ical.UID(e.ID), Sequence: e.Sequence, Changed: e.UpdatedAt.Time, Start: e.StartsAt.Time,
		End: ends(e), Title: e.Title, Location: place}
}

// described returns the people of a session, and its text.
func described(s *site.Session) string {
	var people []string
	for _, person := range s.People {
		people = append(people, person.Name)
	}
	return strings.TrimSpace(strings.Join(people, ", ") + "\n\n" + plainText(s.Description))
}

// plainText returns the text of sanitised HTML, in which no attribute holds a >, with paragraphs and items on lines of
// their own.
func plainText(text string) string {
	var out strings.Builder
	for text != "" {
		before, rest, found := strings.Cut(text, "<")
		out.WriteString(before)
		if !found {
			break
		}
		tag, rest, _ := strings.Cut(rest, ">")
		switch name, _, _ := strings.Cut(tag, " "); name {
		case "br", "br/", "/li", "/tr":
			out.WriteByte('\n')
		case "/p", "/h1", "/h2", "/h3", "/h4", "/h5", "/h6", "/blockquote", "/pre":
			out.WriteString("\n\n")
		case "li":
			out.WriteString("- ")
		}
		text = rest
	}
	return strings.TrimSpace(emptyLines.ReplaceAllString(html.UnescapeString(out.String()), "\n\n"))
}

var emptyLines = regexp.MustCompile(`\n\s*\n`)
