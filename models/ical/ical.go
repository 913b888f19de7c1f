// Package ical reads and writes calendars in the format of RFC 5545.
package ical

import (
	"bytes"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Calendar is a list of entries under a name.
type Calendar struct {
	Name    string         // "" if not to be subscribed to, such as an attachment
	Zone    *time.Location // zone in which times are written; nil for UTC
	Refresh time.Duration  // how often clients should fetch it again; 0 for unspecified
	Entries []Entry
}

// Entry is an event of a calendar.
type Entry struct {
	UID         string // permanent, see UID
	Sequence    int    // higher after each change that matters to attendees
	Changed     time.Time
	Start, End  time.Time // equal for an entry without a length
	Title       string
	Description string // plain text
	Location    string
	URL         string
	Categories  []string
	Cancelled   bool
	Free        bool // takes nobody's time, like a break

	Repeats bool   // read, not written: it recurs
	Fault   string // read, not written: why its times are unknown
}

// UID returns the UID of a session or a break, the same in all calendars.
func UID(id string) string { return id + "@lectern" }

const (
	utcTime   = "20060102T150405Z"
	localTime = "20060102T150405"
)

// Bytes returns the calendar as a file.
func (c *Calendar) Bytes() []byte {
	w := &writer{}
	w.line("BEGIN", "VCALENDAR")
	w.line("VERSION", "2.0")
	w.line("PRODID", "-//Lectern//Lectern//EN")
	w.line("METHOD", "PUBLISH")
	if c.Name != "" {
		w.text("NAME", c.Name)
		w.text("X-WR-CALNAME", c.Name)
	}
	if c.Refresh > 0 {
		period := "PT" + strconv.Itoa(int(c.Refresh.Minutes())) + "M"
		w.line("REFRESH-INTERVAL;VALUE=DURATION", period)
		w.line("X-PUBLISHED-TTL", period)
	}
	if c.isLocal() {
		w.zone = c.Zone
		w.line("X-WR-TIMEZONE", c.Zone.String())
		w.timezone(c)
	}
	for i := range c.Entries {
		w.entry(&c.Entries[i])
	}
	w.line("END", "VCALENDAR")
	return w.Bytes()
}

// isLocal reports whether times are written in a described zone.
func (c *Calendar) isLocal() bool {
	return c.Zone != nil && c.Zone.String() != "UTC" && len(c.Entries) > 0
}

// writer writes into memory, which cannot fail.
type writer struct {
	bytes.Buffer
	zone *time.Location // nil if times are written in UTC
}

// timezone describes the zone from the first entry to the last: each span with an offset of its own.
func (w *writer) timezone(c *Calendar) {
	first, last := c.Entries[0].Start, c.Entries[0].End
	for _, e := range c.Entries {
		if e.Start.Before(first) {
			first = e.Start
		}
		if e.End.After(last) {
			last = e.End
		}
	}
	w.line("BEGIN", "VTIMEZONE")
	w.line("TZID", c.Zone.String())
	for at := first.In(c.Zone); ; {
		begins, ends := at.ZoneBounds()
		w.span(at, begins)
		if ends.IsZero() || ends.After(last) {
			break
		}
		at = ends
	}
	w.line("END", "VTIMEZONE")
}

// span writes the time around at in which the zone has one offset; begins is zero if that has no known beginning.
func (w *writer) span(at, begins time.Time) {
	name, offset := at.Zone()
	before := offset
	if begins.IsZero() {
		begins = time.Date(1970, 1, 1, 0, 0, 0, 0, time.FixedZone("", offset))
	} else {
		_, before = begins.Add(-time.Second).Zone()
	}
	kind := "STANDARD"
	if at.IsDST() {
		kind = "DAYLIGHT"
	}
	w.line("BEGIN", kind)
	w.line("DTSTART", begins.In(time.FixedZone("", before)).Format(localTime))
	w.line("TZOFFSETFROM", offsetText(before))
	w.line("TZOFFSETTO", offsetText(offset))
	w.text("TZNAME", name)
	w.line("END", kind)
}

// offsetText returns an offset in seconds as +0200.
func offsetText(seconds int) string {
	at := time.Unix(0, 0).In(time.FixedZone("", seconds))
	if seconds%60 != 0 {
		return at.Format("-070000")
	}
	return at.Format("-0700")
}

func (w *writer) entry(e *Entry) {
	w.line("BEGIN", "VEVENT")
	w.text("UID", e.UID)
	w.line("DTSTAMP", e.Changed.UTC().Format(utcTime))
	w.line("LAST-MODIFIED", e.Changed.UTC().Format(utcTime))
	w.line("SEQUENCE", strconv.Itoa(e.Sequence))
	w.moment("DTSTART", e.Start)
	if e.End.After(e.Start) {
		w.moment("DTEND", e.End)
	}
	w.text("SUMMARY", e.Title)
	w.optional("LOCATION", e.Location)
	w.optional("DESCRIPTION", e.Description)
	if e.URL != "" {
		w.line("URL", e.URL)
	}
	if len(e.Categories) > 0 {
		names := make([]string, len(e.Categories))
		for i, name := range e.Categories {
			names[i] = escape.Replace(clean(name))
		}
		w.line("CATEGORIES", strings.Join(names, ","))
	}
	if e.Cancelled {
		w.line("STATUS", "CANCELLED")
	} else {
		w.line("STATUS", "CONFIRMED")
	}
	if e.Free {
		w.line("TRANSP", "TRANSPARENT")
	}
	w.line("END", "VEVENT")
}

// moment writes a time in the zone, or in UTC if clocks show it twice that night, because not everybody takes it for
// the first.
func (w *writer) moment(name string, t time.Time) {
	if w.zone == nil || comesTwice(t.In(w.zone)) {
		w.line(name, t.UTC().Format(utcTime))
		return
	}
	w.line(name+";TZID="+w.zone.String(), t.In(w.zone).Format(localTime))
}

// comesTwice reports whether the clocks of its zone show a time twice.
func comesTwice(at time.Time) bool {
	back := func(change time.Time) time.Duration { // how far clocks are put back at a change
		_, before := change.Add(-time.Second).In(at.Location()).Zone()
		_, after := change.In(at.Location()).Zone()
		return time.Duration(before-after) * time.Second
	}
	begins, ends := at.ZoneBounds()
	return !begins.IsZero() && at.Sub(begins) < back(begins) || !ends.IsZero() && ends.Sub(at) <= back(ends)
}

var escape = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

// clean removes control characters that texts may not have.
func clean(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)
}

func (w *writer) text(name, text string) { w.line(name, escape.Replace(clean(text))) }

// optional writes a text unless it is empty.
func (w *writer) optional(name, text string) {
	if text != "" {
		w.text(name, text)
	}
}

// line writes a content line, folded into pieces of at most 75 bytes that do not split a character.
func (w *writer) line(name, value string) {
	room := 75
	if len(name)+1+len(value) <= room {
		w.WriteString(name + ":" + value + "\r\n")
		return
	}
	for _, part := range []string{name, ":", value} {
		for _, r := range part {
			if n := utf8.RuneLen(r); n > room {
				w.WriteString("\r\n ")
				room = 74
			}
			w.WriteRune(r)
			room -= utf8.RuneLen(r)
		}
	}
	w.WriteString("\r\n")
}
