package frab

import "encoding/xml"

// The document as it is written. Dialects differ in where they put a track or a
// person's name, so some things are looked for in several places.
type document struct {
	XMLName    xml.Name `xml:"schedule"`
	Conference struct {
		Title     string     `xml:"title"`
		Start     string     `xml:"start"`
		End       string     `xml:"end"`
		DayChange string     `xml:"day_change"`
		Zone      string     `xml:"time_zone_name"`
		Tracks    []trackXML `xml:"track"`
		InTracks  []trackXML `xml:"tracks>track"`
	} `xml:"conference"`
	Tracks []trackXML `xml:"tracks>track"`
	Days   []struct {
		Date  string `xml:"date,attr"`
		Rooms []struct {
			Name   string     `xml:"name,attr"`
			Events []eventXML `xml:"event"`
		} `xml:"room"`
	} `xml:"day"`
}

type trackXML struct {
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
	Room        string      `xml:"room"`
	Title       string      `xml:"title"`
	Subtitle    string      `xml:"subtitle"`
	Abstract    string      `xml:"abstract"`
	Description string      `xml:"description"`
	Type        string      `xml:"type"`
	Language    string      `xml:"language"`
	Track       string      `xml:"track"`
	URL         string      `xml:"url"`
	Persons     []personXML `xml:"persons>person"`
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
}
