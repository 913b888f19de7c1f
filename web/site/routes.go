package site

import (
	"github.com/a-h/templ"

	"lectern/models/look"
)

// route is a page of an event, below its address.
type route struct {
	path  string
	page  look.Page // which of the menu it belongs to, "" for none; the event may go without it
	reads []string  // what it reads of the address; all else changes nothing
	// needsProgramme has it answer 404 while nothing is public.
	needsProgramme bool
	show           func(*visit) (templ.Component, error)
	draw           func(*visit) (*picture, error) // in place of show, of a picture
}

// carrying is what all pages read, for the links to others: what is starred, and another clock.
var carrying = []string{"my", "tz"}

// narrowing is what sessions are narrowed by, and what else a list of them is told.
var narrowing = []string{"q", "track", "room", "format", "level", "tag", "my", "tz", "view"}

// parting is which part of a long list a page has.
var parting = []string{"day", "page"}

var routes = []route{
	{path: "", reads: carrying, show: showStart},
	{path: "/agenda", page: look.Agenda, reads: narrowing, show: showAgenda},
	{path: "/agenda/:day", page: look.Agenda, reads: narrowing, needsProgramme: true, show: showAgenda},
	{path: "/sessions", page: look.Sessions, reads: append(parting, narrowing...), needsProgramme: true, show: showSessions},
	{path: "/sessions/:session", reads: carrying, needsProgramme: true, show: showSession},
	{path: "/itinerary", page: look.Itinerary, reads: append(parting, narrowing...), needsProgramme: true, show: showItinerary},
	{path: "/speakers", page: look.Speakers, reads: append([]string{"q", "view"}, carrying...), needsProgramme: true, show: showSpeakers},
	{path: "/speakers/:speaker", page: look.Speakers, reads: carrying, needsProgramme: true,
		show: showSpeaker},
	{path: "/my", page: look.Schedule, reads: carrying, needsProgramme: true, show: showMine},
	{path: "/print/:day", reads: []string{"paper", "room"}, needsProgramme: true, show: showPaper},
	{path: "/feeds", reads: carrying, needsProgramme: true, show: showFeeds},
	{path: "/changes", page: look.Changes, reads: carrying, show: showChanges},
}
