package frab

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// document is the content of a file. Dialects differ in where they put events, rooms, tracks and people's names, so
// these are looked for everywhere.
type document struct {
	Title, Start, End, DayChange, Zone string // of the conference
	Tracks                             []nameXML
	Items                              []item
	Days                               []string // dates, as written
	events                             int      // number of all events, wherever they are
	rooms                              []Room   // declared rooms with their properties
}

// item is an event with its day and room, or only a room.
type item struct {
	Event     *eventXML
	Day, Room string
}

// place is the position of an element in the file.
type place struct{ parent, day, room string }

// nameXML is a name as text or as an attribute.
type nameXML struct {
	Text  string `xml:",chardata"`
	Name  string `xml:"name,attr"`
	Color string `xml:"color,attr"`
}

type eventXML struct {
	ID          string      `xml:"id,attr"`
	GUID        string      `xml:"guid,attr"`
	Date        string      `xml:"date"`
	Start       string      `xml:"start"`
	Duration    string      `xml:"duration"`
	Room        nameXML     `xml:"room"`
	Title       string      `xml:"title"`
	Subtitle    string      `xml:"subtitle"`
	Abstract    string      `xml:"abstract"`
	Description string      `xml:"description"`
	Type        string      `xml:"type"`
	Language    string      `xml:"language"`
	Track       string      `xml:"track"`
	URL         string      `xml:"url"`
	Persons     []personXML `xml:"persons>person"`
	Mark        string      `xml:"lectern-mark"`
	within
}

// within are the events nested in another element.
type within struct {
	Events []eventXML `xml:"event"`
	Deeper []within   `xml:",any"`
}

type personXML struct {
	ID        string `xml:"id,attr"`
	Code      string `xml:"code,attr"`
	GUID      string `xml:"guid,attr"`
	Email     string `xml:"email,attr"`
	NameAttr  string `xml:"name,attr"`
	Name      string `xml:"name"`
	Text      string `xml:",chardata"`
	Biography string `xml:"biography"`
	Role      string `xml:"lectern-mark"`
	JobTitle  string `xml:"-"` // JSON alone has it, and the next
	Company   string `xml:"-"`
}

// read reads the root element.
func (doc *document) read(d *xml.Decoder) error {
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		if root, ok := token.(xml.StartElement); ok {
			if root.Name.Local != "schedule" {
				return fmt.Errorf("expected element type <schedule> but have <%s>", root.Name.Local)
			}
			return doc.walk(d, place{})
		}
	}
}

// walk reads an element's content up to its end.
func (doc *document) walk(d *xml.Decoder, at place) error {
	for {
		token, err := d.Token()
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := doc.element(d, token, at); err != nil {
				return err
			}
		}
	}
}

func (doc *document) element(d *xml.Decoder, start xml.StartElement, at place) error {
	name := start.Name.Local
	if field := doc.ofConference(name); field != nil && at.parent == "conference" {
		return d.DecodeElement(field, &start)
	}
	at.parent = name
	switch name {
	case "track":
		var track nameXML
		err := d.DecodeElement(&track, &start)
		doc.Tracks = append(doc.Tracks, track)
		return err
	case "event":
		var event eventXML
		err := d.DecodeElement(&event, &start)
		doc.add(&event, at)
		return err
	case "day":
		at.day = attribute(start, "date")
		doc.Days = append(doc.Days, at.day)
	case "room":
		at.room = attribute(start, "name")
		doc.Items = append(doc.Items, item{Room: at.room})
		doc.rooms = append(doc.rooms, Room{Name: line(at.room), GUID: attribute(start, "guid")})
	case markName:
		var mark string
		err := d.DecodeElement(&mark, &start)
		if n, err := strconv.Atoi(strings.TrimPrefix(line(mark), capacityMark)); err == nil && len(doc.rooms) > 0 {
			doc.rooms[len(doc.rooms)-1].Capacity = &n
		}
		return err
	}
	return doc.walk(d, at)
}

// ofConference returns the field for an element of the conference, or nil.
func (doc *document) ofConference(name string) *string {
	switch name {
	case "title":
		return &doc.Title
	case "start":
		return &doc.Start
	case "end":
		return &doc.End
	case "day_change":
		return &doc.DayChange
	case "time_zone_name":
		return &doc.Zone
	}
	return nil
}

// add adds an event, and the events nested in it.
func (doc *document) add(event *eventXML, at place) {
	doc.Items = append(doc.Items, item{Event: event, Day: at.day, Room: at.room})
	doc.addWithin(&event.within, at)
}

func (doc *document) addWithin(w *within, at place) {
	for i := range w.Events {
		doc.add(&w.Events[i], at)
	}
	for i := range w.Deeper {
		doc.addWithin(&w.Deeper[i], at)
	}
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
