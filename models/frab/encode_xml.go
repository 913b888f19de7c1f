package frab

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"time"
	"unicode/utf8"
)

// XML returns the schedule as schedule.xml. Its rooms must have unique names, its events a numeric ID and a UUID as
// GUID, its breaks a UUID as key. It does not contain e-mail addresses and biographies.
func (s *Schedule) XML() []byte {
	w := s.writer()
	x := &xmlWriter{}
	x.Grow(s.size())
	x.WriteString(xml.Header)
	x.open("schedule")
	x.open("generator", "name", generator).close("generator")
	x.optional("url", w.URL)
	x.text("version", w.Version)
	x.conference(w)
	for _, d := range w.days {
		x.open("day", "index", strconv.Itoa(d.index), "date", d.date, "start", d.start.Format(time.RFC3339),
			"end", d.end.Format(time.RFC3339))
		for _, room := range d.rooms {
			if x.open("room", "name", room.Name, "guid", room.GUID); room.Capacity != nil {
				x.mark(capacityMark + strconv.Itoa(*room.Capacity))
			}
			for _, item := range room.items {
				x.event(&item)
			}
			x.close("room")
		}
		x.close("day")
	}
	x.close("schedule")
	return x.Bytes()
}

// size estimates how many bytes a schedule takes, so that the buffer rarely has to grow.
func (s *Schedule) size() int {
	size := 4096 * (1 + len(s.Rooms))
	for i := range s.Events {
		e := &s.Events[i]
		size += 1024 + 128*len(e.Persons) + len(e.Abstract)*5/4 + len(e.Description)*5/4
	}
	return size
}

func (x *xmlWriter) conference(w *writer) {
	x.open("conference")
	x.text("title", w.Title)
	x.text("acronym", w.acronym())
	if w.Start != "" {
		x.text("start", w.Start)
		x.text("end", w.End)
	}
	x.text("days", strconv.Itoa(len(w.days)))
	x.text("timeslot_duration", timeslot)
	x.optional("base_url", w.URL)
	x.text("time_zone_name", w.zone.String())
	for _, track := range w.Tracks {
		x.open("track", "name", track.Name, "color", track.Color).close("track")
	}
	x.close("conference")
}

func (x *xmlWriter) event(item *written) {
	x.open("event", "id", item.ID, "guid", item.GUID)
	if item.mark != "" {
		x.mark(item.mark)
	}
	x.text("date", item.start.Format(time.RFC3339))
	x.text("start", clocked(item.start))
	x.text("duration", length(item.Event))
	x.text("room", item.Room)
	x.text("slug", item.slug)
	x.text("title", item.Title)
	x.text("subtitle", item.Subtitle)
	x.text("track", item.Track)
	x.text("type", item.Type)
	x.text("language", item.Language)
	x.text("abstract", item.Abstract)
	x.text("description", item.Description)
	x.optional("url", item.URL)
	x.open("persons")
	for i, person := range item.Persons {
		x.open("person", "id", strconv.Itoa(item.persons[i]), "guid", person.GUID)
		x.escape(person.Name)
		if person.Role != "" {
			x.mark(person.Role)
		}
		x.close("person")
	}
	x.close("persons")
	x.links("links", "link", item.Links)
	if len(item.Attachments) > 0 {
		x.links("attachments", "attachment", item.Attachments)
	}
	x.close("event")
}

// links writes links with their titles.
func (x *xmlWriter) links(all, one string, links []Link) {
	x.open(all)
	for _, l := range links {
		x.open(one, "href", l.URL)
		x.escape(l.Title)
		x.close(one)
	}
	x.close(all)
}

// xmlWriter writes elements into memory, which cannot fail. It costs a tenth of encoding structs.
type xmlWriter struct{ bytes.Buffer }

// open writes a start tag with attributes: names and values in turn. Empty attributes other than name are left out.
func (x *xmlWriter) open(name string, attributes ...string) *xmlWriter {
	x.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		if attributes[i+1] == "" && attributes[i] != "name" {
			continue
		}
		x.WriteString(" " + attributes[i] + `="`)
		x.escape(attributes[i+1])
		x.WriteByte('"')
	}
	x.WriteByte('>')
	return x
}

func (x *xmlWriter) close(name string) { x.WriteString("</" + name + ">\n") }

func (x *xmlWriter) text(name, text string) {
	x.WriteString("<" + name + ">")
	x.escape(text)
	x.close(name)
}

// escaped are the bytes that need escaping. Other bytes below space, and 0xef, which begins characters that XML may not
// have, are left to encoding/xml, which is slower.
var escaped = func() (as [256]string) {
	for b := range ' ' {
		as[b] = unknown
	}
	as[0xef] = unknown
	as['<'], as['>'], as['&'], as['"'], as['\n'], as['\t'] = "&lt;", "&gt;", "&amp;", "&#34;", "&#xA;", "&#x9;"
	return as
}()

const unknown = "?"

// escape writes an escaped text.
func (x *xmlWriter) escape(text string) {
	began, from := x.Len(), 0
	known := utf8.ValidString(text)
	for i := 0; known && i < len(text); i++ {
		as := escaped[text[i]]
		if as == "" {
			continue
		}
		known = as != unknown
		x.WriteString(text[from:i])
		x.WriteString(as)
		from = i + 1
	}
	if !known {
		x.Truncate(began)
		_ = xml.EscapeText(x, []byte(text))
		return
	}
	x.WriteString(text[from:])
}

// optional writes a text element unless the text is empty.
func (x *xmlWriter) optional(name, text string) {
	if text != "" {
		x.text(name, text)
	}
}

// mark writes a processing instruction of our own; words consists of letters, digits, spaces and hyphens.
func (x *xmlWriter) mark(words string) { x.WriteString("<?" + markTarget + " " + words + "?>") }
