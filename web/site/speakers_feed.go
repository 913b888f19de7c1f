package site

import (
	"encoding/json"
	"encoding/xml"
	"time"

	"lectern/models/look"
	"lectern/models/site"
)

// speakersFeed lists an event's speakers with their sessions, for programs.
type speakersFeed struct {
	XMLName xml.Name        `xml:"speakers" json:"-"`
	Event   string          `xml:"event,attr" json:"event"`
	URL     string          `xml:"url,attr" json:"url"`
	All     []speakerInFeed `xml:"speaker" json:"speakers"`
}

type speakerInFeed struct {
	ID        string          `xml:"id,attr" json:"id"` // the name of their page
	Name      string          `xml:"name" json:"name"`
	SortName  string          `xml:"sort_name" json:"sort_name"`
	JobTitle  string          `xml:"job_title,omitempty" json:"job_title,omitempty"`
	Company   string          `xml:"company,omitempty" json:"company,omitempty"`
	Biography string          `xml:"biography,omitempty" json:"biography,omitempty"` // HTML
	Photo     string          `xml:"photo,omitempty" json:"photo,omitempty"`
	URL       string          `xml:"url,omitempty" json:"url,omitempty"`
	Sessions  []sessionInFeed `xml:"session" json:"sessions"`
}

type sessionInFeed struct {
	ID    string `xml:"guid,attr" json:"guid"`
	Role  string `xml:"role,attr" json:"role"`
	Title string `xml:"title" json:"title"`
	Start string `xml:"start,omitempty" json:"start,omitempty"` // by the event's clock
	End   string `xml:"end,omitempty" json:"end,omitempty"`
	Room  string `xml:"room,omitempty" json:"room,omitempty"`
	Track string `xml:"track,omitempty" json:"track,omitempty"`
	URL   string `xml:"url" json:"url"`
}

func (s *handlers) speakersJSON(a *site.Agenda, l *look.Look) ([]byte, error) {
	return json.Marshal(s.speakersFeed(a, l))
}

func (s *handlers) speakersXML(a *site.Agenda, l *look.Look) ([]byte, error) {
	text, err := xml.Marshal(s.speakersFeed(a, l))
	return append([]byte(xml.Header), text...), err
}

// speakersFeed returns the people of an agenda in order, each with their sessions in order.
func (s *handlers) speakersFeed(a *site.Agenda, l *look.Look) speakersFeed {
	out := speakersFeed{Event: a.Name, URL: s.BaseURL + "/events/" + a.Slug, All: []speakerInFeed{}}
	zone, names, sessions := zoneOf(a), namesOf(a), map[string][]sessionInFeed{}
	for x := range a.All {
		entry := sessionInFeed{ID: x.ID, Title: x.Title, Room: names.of(x.RoomID), Track: names.of(x.TrackID),
			URL: s.address(a, sessionAt(x))}
		if !x.StartsAt.IsZero() {
			entry.Start = x.StartsAt.In(zone).Format(time.RFC3339)
			entry.End = ends(&x.Entry).In(zone).Format(time.RFC3339)
		}
		for _, on := range x.People {
			entry.Role = string(on.Role)
			sessions[on.ID] = append(sessions[on.ID], entry)
		}
	}
	for _, p := range a.People {
		entry := speakerInFeed{ID: p.Page, Name: p.Name, SortName: p.SortedUnder, JobTitle: p.JobTitle, Company: p.Company,
			Biography: p.About, Sessions: sessions[p.ID]}
		if p.Photo != "" {
			entry.Photo = s.BaseURL + p.Photo
		}
		if l.Has(look.Speakers) {
			entry.URL = s.address(a, personAt(p))
		}
		out.All = append(out.All, entry)
	}
	return out
}
