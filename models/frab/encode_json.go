package frab

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// JSON returns the schedule as schedule.json, by the rules of XML.
func (s *Schedule) JSON() ([]byte, error) {
	w := s.writer()
	out := fileOut{Schema: "https://c3voc.de/schedule/schema.json", Generator: generatorOut{generator}}
	out.Schedule = scheduleOut{Version: w.Version, BaseURL: w.URL, Conference: w.conference()}
	marks := map[string]string{}
	for _, d := range w.days {
		for _, room := range d.rooms {
			for _, item := range room.items {
				if item.mark != "" {
					marks[item.GUID] = item.mark
				}
			}
		}
	}
	if len(marks) > 0 {
		out.Schedule.Lectern = &extrasJSON{Marks: marks}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(out)
	return b.Bytes(), err
}

type fileOut struct {
	Schema    string       `json:"$schema"`
	Generator generatorOut `json:"generator"`
	Schedule  scheduleOut  `json:"schedule"`
}

type generatorOut struct {
	Name string `json:"name"`
}

type scheduleOut struct {
	Version    string        `json:"version"`
	BaseURL    string        `json:"base_url,omitempty"`
	Conference conferenceOut `json:"conference"`
	Lectern    *extrasJSON   `json:"lectern,omitempty"`
}

type conferenceOut struct {
	Acronym  string     `json:"acronym"`
	Title    string     `json:"title"`
	Start    string     `json:"start"`
	End      string     `json:"end"`
	Days     int        `json:"daysCount"`
	Timeslot string     `json:"timeslot_duration"`
	Zone     string     `json:"time_zone_name"`
	Rooms    []roomOut  `json:"rooms"`
	Tracks   []trackOut `json:"tracks"`
	Listed   []dayOut   `json:"days"`
}

type roomOut struct {
	Name     string `json:"name"`
	Slug     string `json:"slug"`
	GUID     string `json:"guid"`
	Capacity *int   `json:"capacity"`
}

type trackOut struct {
	Name  string `json:"name"`
	Slug  string `json:"slug"`
	Color string `json:"color,omitempty"`
}

type dayOut struct {
	Index int                   `json:"index"`
	Date  string                `json:"date"`
	Start string                `json:"day_start"`
	End   string                `json:"day_end"`
	Rooms map[string][]eventOut `json:"rooms"`
}

type eventOut struct {
	GUID        string      `json:"guid"`
	ID          json.Number `json:"id"`
	Date        string      `json:"date"`
	Start       string      `json:"start"`
	Duration    string      `json:"duration"`
	Room        string      `json:"room"`
	Slug        string      `json:"slug"`
	URL         string      `json:"url"`
	Title       string      `json:"title"`
	Subtitle    string      `json:"subtitle"`
	Track       *string     `json:"track"`
	Type        string      `json:"type"`
	Language    string      `json:"language"`
	Abstract    string      `json:"abstract"`
	Description string      `json:"description"`
	Persons     []personOut `json:"persons"`
	Links       []linkOut   `json:"links"`
	Attachments []linkOut   `json:"attachments"`
}

// linkOut is a link in pretalx's form.
type linkOut struct {
	Title string `json:"title"`
	URL   string `json:"url"`
	Type  string `json:"type"`
}

func linksOut(links []Link) []linkOut {
	out := []linkOut{}
	for _, l := range links {
		out = append(out, linkOut{l.Title, l.URL, "related"})
	}
	return out
}

// personOut is a person in pretalx's form, with what Lectern adds. It has no field for an e-mail address.
type personOut struct {
	ID         int     `json:"id"`
	GUID       string  `json:"guid,omitempty"`
	Name       string  `json:"name"`
	PublicName string  `json:"public_name"`
	Avatar     *string `json:"avatar"`
	Biography  string  `json:"biography"`
	URL        string  `json:"url,omitempty"`
	Role       string  `json:"role,omitempty"`
	JobTitle   string  `json:"job_title,omitempty"`
	Company    string  `json:"company,omitempty"`
}

func (w *writer) conference() conferenceOut {
	out := conferenceOut{Acronym: w.acronym(), Title: w.Title, Start: w.Start, End: w.End, Days: len(w.days),
		Timeslot: timeslot, Zone: w.zone.String(), Rooms: []roomOut{}, Tracks: []trackOut{}, Listed: []dayOut{}}
	for _, room := range w.Rooms {
		out.Rooms = append(out.Rooms, roomOut{room.Name, slugged(room.Name, len(out.Rooms)), room.GUID, room.Capacity})
	}
	for _, track := range w.Tracks {
		out.Tracks = append(out.Tracks, trackOut{track.Name, slugged(track.Name, len(out.Tracks)), track.Color})
	}
	for _, d := range w.days {
		rooms := map[string][]eventOut{}
		for _, room := range d.rooms {
			rooms[room.Name] = []eventOut{}
			for _, item := range room.items {
				rooms[room.Name] = append(rooms[room.Name], item.out())
			}
		}
		out.Listed = append(out.Listed, dayOut{d.index, d.date, d.start.Format(time.RFC3339), d.end.Format(time.RFC3339), rooms})
	}
	return out
}

func (item *written) out() eventOut {
	out := eventOut{GUID: item.GUID, ID: json.Number(item.ID), Date: item.start.Format(time.RFC3339),
		Start: clocked(item.start), Duration: length(item.Event), Room: item.Room, Slug: item.slug, URL: item.URL,
		Title: item.Title, Subtitle: item.Subtitle, Type: item.Type, Language: item.Language, Abstract: item.Abstract,
		Description: item.Description, Persons: []personOut{}, Links: linksOut(item.Links),
		Attachments: linksOut(item.Attachments)}
	if item.Track != "" {
		out.Track = &item.Track
	}
	for i, person := range item.Persons {
		x := personOut{ID: item.persons[i], GUID: person.GUID, Name: person.Name, PublicName: person.Name,
			Biography: person.Biography, URL: person.URL, Role: person.Role, JobTitle: person.JobTitle, Company: person.Company}
		if person.Avatar != "" {
			x.Avatar = &person.Avatar
		}
		out.Persons = append(out.Persons, x)
	}
	return out
}

// slugged returns a slug for a room or a track: its position, which makes it unique, and the letters of its name.
func slugged(name string, place int) string {
	return strings.Trim(strconv.Itoa(place+1)+"-"+plain(name, '-'), "-")
}
