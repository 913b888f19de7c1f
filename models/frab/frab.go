// Package frab reads and writes a conference's schedule in the formats of frab, pentabarf and pretalx, usually
// published as schedule.xml and schedule.json.
//
// What the formats have no place for is written where their readers do not look: in XML as processing instructions
// with the target lectern, in JSON below "lectern" of the schedule, and as role, job_title and company of a person.
package frab

import "time"

// Schedule is one conference as its file tells it.
type Schedule struct {
	Title      string
	Start, End string  // first and last day, YYYY-MM-DD; "" when nothing tells them
	Rooms      []Room  // in the order first seen, also those without events
	Tracks     []Track // the declared ones, then those only events name
	Events     []Event
	Breaks     []Break // as Lectern tells of them
	Skipped    []Skipped

	// What is written and not read.
	Acronym string // of letters, digits and hyphens
	Version string
	URL     string         // of the service, http or https
	Zone    *time.Location // nil for UTC
}

// Room is where events are. Two rooms of one schedule have different names.
type Room struct {
	Name     string
	GUID     string // "" or a UUID
	Capacity *int   // nil when nothing tells it
}

// Break is what stands in a schedule beside events.
type Break struct {
	Key        string // as that of an event
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

// Event is one item of the schedule. It always has a Key, unique in its Schedule,
// a Title, a Start, and an End that is not before it; everything else may be empty.
type Event struct {
	Index       int    // its place among all events of the file, from 1
	Key         string // the GUID, else the ID: what stays the same from one export to the next
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
	Plenary     bool // nothing is beside it
	URL         string
	Start, End  time.Time // UTC
	Persons     []Person
	Links       []Link // written and not read, as what follows
	Attachments []Link // files that come along
}

// Link is an address with a title.
type Link struct{ Title, URL string }

// Person takes part in an event. A person always has a Name, and is listed once an event.
type Person struct {
	ID        string
	GUID      string
	Name      string
	Email     string // read, never written
	Biography string // written in JSON alone, as is what follows but the role; often HTML
	Avatar    string // address of a photo; it is not read
	URL       string // of a page about them; it is not read
	JobTitle  string // as Lectern tells it, as the two that follow
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
