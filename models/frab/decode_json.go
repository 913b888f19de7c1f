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
	conference
	Rooms []roomJSON `json:"rooms"`
	Days  []struct {
		Date  text                 `json:"date"`
		Rooms map[string][]eventIn `json:"rooms"`
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
	doc := &document{conference: c.conference}
	for _, room := range c.Rooms {
		doc.rooms = append(doc.rooms, Room{line(room.Name), string(room.GUID), room.Capacity})
		doc.Items = append(doc.Items, item{Room: string(room.Name)})
	}
	for _, day := range c.Days {
		doc.Days = append(doc.Days, day.Date)
		for _, room := range slices.Sorted(maps.Keys(day.Rooms)) {
			doc.Items = append(doc.Items, item{Room: room})
			for _, event := range day.Rooms[room] {
				doc.events++
				if doc.events > maxElements {
					return nil, fmt.Errorf("more than %d events", maxElements)
				}
				event.Mark = extras.Marks[string(event.GUID)]
				doc.Items = append(doc.Items, item{&event, string(day.Date), room})
			}
		}
	}
	return doc, nil
}
