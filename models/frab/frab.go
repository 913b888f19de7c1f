// Package frab reads and writes a conference's schedule in the formats of frab, pentabarf and pretalx, usually
// published as schedule.xml and schedule.json.
//
// What the formats have no place for is written where other readers do not look: in XML as processing instructions with
// the target lectern, in JSON below "lectern" of the schedule, and as role, job_title and company of a person.
package frab

import "time"

// Schedule is the schedule of one conference.
type Schedule struct {
	Title      string
	Start, End string  // first and last day, YYYY-MM-DD; "" if unknown
	Rooms      []Room  // in order of appearance, also those without events
	Tracks     []Track // declared ones, then those that only events name
	Events     []Event
	Breaks     []Break // only in files of Lectern
	Skipped    []Skipped

	// The following fields are written, but not read.
	Acronym string // letters, digits and hyphens
	Version string
	URL     string         // of the service, http or https
	Zone    *time.Location // nil for UTC
}

// Room is a room of a schedule, with a unique name.
type Room struct {
	Name     string
	GUID     string // "" or a UUID
	Capacity *int   // nil if unknown
}

// Break is a break or a blocker of a schedule.
type Break struct {
	Key        string // as an event's
	Kind       string // break or blocker
	Title      string
	Room       string // "" with AllRooms
	AllRooms   bool
	Start, End time.Time // UTC
}

// Track is a theme that events belong to.
type Track struct {
	Name  string
	Color string // "" or as written, e.g. #00ff00
}

// Event is an item of the schedule. It always has a Key, unique in its Schedule, a Title, a Start, and an End that is
// not before it; everything else may be empty.
type Event struct {
	Index       int    // position among all events of the file, from 1
	Key         string // the GUID, else the ID: stable between exports
	GUID        string
	ID          string
	Title       string
	Subtitle    string
	Abstract    string // often HTML, as written
	Description string // often HTML, as written
	Type        string
	Language    string
	Track       string
	Room        string
	Plenary     bool // nothing runs beside it
	URL         string
	Start, End  time.Time // UTC
	Persons     []Person
	Links       []Link // written but not read, like Attachments
	Attachments []Link // files
}

// Link is an address with a title.
type Link struct{ Title, URL string }

// Person takes part in an event. A person always has a Name, and is listed once per event.
type Person struct {
	ID        string
	GUID      string
	Name      string
	Email     string // read, never written
	Biography string // often HTML; like all that follows but Role, written only in JSON
	Avatar    string // address of a photo; not read
	URL       string // of a page about them; not read
	JobTitle  string // an addition of Lectern, like the two that follow
	Company   string
	Role      string // "" or speaker, moderator, chairperson
}

// Skipped is an item of the file that cannot be used.
type Skipped struct {
	Index  int    `json:"index"` // its place among all events of the file, from 1
	ID     string `json:"id,omitempty"`
	GUID   string `json:"guid,omitempty"`
	Title  string `json:"title"`
	Reason string `json:"reason"`
}
