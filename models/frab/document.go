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
	conference
	Items  []item
	Days   []text // dates, as written
	events int    // number of all events, wherever they are
	rooms  []Room // declared rooms with their properties
}

type conference struct {
	Title     text     `json:"title"`
	Start     text     `json:"start"`
	End       text     `json:"end"`
	DayChange text     `json:"day_change"`
	Zone      text     `json:"time_zone_name"`
	Tracks    []nameIn `json:"tracks"`
}

// item is an event with its day and room, or only a room.
type item struct {
	Event     *eventIn
	Day, Room string
}

// place is the position of an element in the file.
type place struct{ parent, day, room string }

// nameIn is a name: in JSON a field, in XML text or an attribute.
type nameIn struct {
	Text  text `xml:",chardata" json:"-"`
	Name  text `xml:"name,attr" json:"name"`
	Color text `xml:"color,attr" json:"color"`
}

// eventIn is an event as it stands in a file.
type eventIn struct {
	ID          text       `xml:"id,attr" json:"id"`
	GUID        text       `xml:"guid,attr" json:"guid"`
	Date        text       `xml:"date" json:"date"`
	Start       text       `xml:"start" json:"start"`
	Duration    text       `xml:"duration" json:"duration"`
	RoomXML     nameIn     `xml:"room" json:"-"`
	RoomJSON    text       `xml:"-" json:"room"`
	Title       text       `xml:"title" json:"title"`
	Subtitle    text       `xml:"subtitle" json:"subtitle"`
	Abstract    text       `xml:"abstract" json:"abstract"`
	Description text       `xml:"description" json:"description"`
	Type        text       `xml:"type" json:"type"`
	Language    text       `xml:"language" json:"language"`
	Track       text       `xml:"track" json:"track"`
	URL         text       `xml:"url" json:"url"`
	Persons     []personIn `xml:"persons>person" json:"persons"`
	Mark        string     `xml:"lectern-mark" json:"-"`
	within      `json:"-"`
}

// within are the events nested in another element.
type within struct {
	Events []eventIn `xml:"event"`
	Deeper []within  `xml:",any"`
}

type personIn struct {
	ID             text `xml:"id,attr" json:"id"`
	Code           text `xml:"code,attr" json:"code"`
	GUID           text `xml:"guid,attr" json:"guid"`
	Email          text `xml:"email,attr" json:"email"`
	NameAttr       text `xml:"name,attr" json:"-"`
	Name           text `xml:"name" json:"name"`
	Text           text `xml:",chardata" json:"-"`
	PublicName     text `xml:"-" json:"public_name"`
	FullPublicName text `xml:"-" json:"full_public_name"`
	Biography      text `xml:"biography" json:"biography"`
	Role           text `xml:"lectern-mark" json:"role"`
	JobTitle       text `xml:"-" json:"job_title"`
	Company        text `xml:"-" json:"company"`
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
		var track nameIn
		err := d.DecodeElement(&track, &start)
		doc.Tracks = append(doc.Tracks, track)
		return err
	case "event":
		var event eventIn
		err := d.DecodeElement(&event, &start)
		doc.add(&event, at)
		return err
	case "day":
		at.day = attribute(start, "date")
		doc.Days = append(doc.Days, text(at.day))
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
func (doc *document) ofConference(name string) *text {
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
func (doc *document) add(event *eventIn, at place) {
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
