package frab

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// isJSON reports whether a file begins like a JSON object.
func isJSON(r *bufio.Reader) bool {
	for n := 1; n <= r.Size(); n++ {
		start, err := r.Peek(n)
		if err != nil {
			return false
		}
		switch start[n-1] {
		case ' ', '\t', '\r', '\n':
		case '{':
			return true
		default:
			return false
		}
	}
	return false
}

// documentJSON is the part of a schedule.json that is read.
type documentJSON struct {
	Schedule *struct {
		Conference conferenceJSON `json:"conference"`
		Lectern    extrasJSON     `json:"lectern"`
	} `json:"schedule"`
}

type conferenceJSON struct {
	Title     text       `json:"title"`
	Start     text       `json:"start"`
	End       text       `json:"end"`
	DayChange text       `json:"day_change"`
	Zone      text       `json:"time_zone_name"`
	Rooms     []roomJSON `json:"rooms"`
	Tracks    []struct {
		Name  text `json:"name"`
		Color text `json:"color"`
	} `json:"tracks"`
	Days []struct {
		Date  text                   `json:"date"`
		Rooms map[string][]eventJSON `json:"rooms"`
	} `json:"days"`
}

type roomJSON struct {
	Name     text `json:"name"`
	GUID     text `json:"guid"`
	Capacity *int `json:"capacity"`
}

// extrasJSON is what Lectern adds: the words of events' marks, by the event's guid.
type extrasJSON struct {
	Marks map[string]string `json:"marks,omitempty"`
}

type eventJSON struct {
	ID          text         `json:"id"`
	GUID        text         `json:"guid"`
	Date        text         `json:"date"`
	Start       text         `json:"start"`
	Duration    text         `json:"duration"`
	Room        text         `json:"room"`
	Title       text         `json:"title"`
	Subtitle    text         `json:"subtitle"`
	Abstract    text         `json:"abstract"`
	Description text         `json:"description"`
	Type        text         `json:"type"`
	Language    text         `json:"language"`
	Track       text         `json:"track"`
	URL         text         `json:"url"`
	Persons     []personJSON `json:"persons"`
}

type personJSON struct {
	ID             text `json:"id"`
	Code           text `json:"code"`
	GUID           text `json:"guid"`
	Name           text `json:"name"`
	PublicName     text `json:"public_name"`
	FullPublicName text `json:"full_public_name"`
	Email          text `json:"email"`
	Biography      text `json:"biography"`
	Role           text `json:"role"`
	JobTitle       text `json:"job_title"`
	Company        text `json:"company"`
}

// text is a string; some dialects write numbers or null. Anything else becomes "".
type text string

// UnmarshalJSON implements json.Unmarshaler.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case b[0] == '"':
		return json.Unmarshal(b, (*string)(t))
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = text(b)
	}
	return nil
}

func decodeJSON(r io.Reader) (*document, error) {
	in := &limited{r: r, left: maxBytes}
	var file documentJSON
	decoder := json.NewDecoder(in)
	err := decoder.Decode(&file)
	if err == nil && decoder.More() {
		err = errors.New("something follows the end of the schedule")
	}
	switch {
	case in.err != nil:
		return nil, in.err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("the file ends in the middle of the schedule")
	case err != nil:
		return nil, fmt.Errorf("byte %d: %w", decoder.InputOffset(), err)
	case file.Schedule == nil:
		return nil, errors.New(`the file holds no "schedule"`)
	}
	return file.Schedule.Conference.document(file.Schedule.Lectern)
}

// document converts the conference to the form of an XML file.
func (c *conferenceJSON) document(extras extrasJSON) (*document, error) {
	doc := &document{Title: string(c.Title), Start: string(c.Start), End: string(c.End),
		DayChange: string(c.DayChange), Zone: string(c.Zone)}
	for _, track := range c.Tracks {
		doc.Tracks = append(doc.Tracks, nameXML{Name: string(track.Name), Color: string(track.Color)})
	}
	for _, room := range c.Rooms {
		doc.rooms = append(doc.rooms, Room{line(string(room.Name)), string(room.GUID), room.Capacity})
		doc.Items = append(doc.Items, item{Room: string(room.Name)})
	}
	for _, day := range c.Days {
		doc.Days = append(doc.Days, string(day.Date))
		for _, room := range slices.Sorted(maps.Keys(day.Rooms)) {
			doc.Items = append(doc.Items, item{Room: room})
			for _, event := range day.Rooms[room] {
				doc.events++
				if doc.events > maxElements {
					return nil, fmt.Errorf("more than %d events", maxElements)
				}
				doc.Items = append(doc.Items, item{event.event(extras), string(day.Date), room})
			}
		}
	}
	return doc, nil
}

func (e *eventJSON) event(extras extrasJSON) *eventXML {
	x := &eventXML{ID: string(e.ID), GUID: string(e.GUID), Date: string(e.Date), Start: string(e.Start),
		Duration: string(e.Duration), Room: nameXML{Text: string(e.Room)}, Title: string(e.Title),
		Subtitle: string(e.Subtitle), Abstract: string(e.Abstract), Description: string(e.Description),
		Type: string(e.Type), Language: string(e.Language), Track: string(e.Track), URL: string(e.URL),
		Mark: extras.Marks[string(e.GUID)]}
	for _, p := range e.Persons {
		x.Persons = append(x.Persons, personXML{ID: string(p.ID), Code: string(p.Code), GUID: string(p.GUID),
			Email: string(p.Email), Name: first(string(p.Name), string(p.PublicName), string(p.FullPublicName)),
			Biography: string(p.Biography), Role: string(p.Role),
			JobTitle: string(p.JobTitle), Company: string(p.Company)})
	}
	return x
}
