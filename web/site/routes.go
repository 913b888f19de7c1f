package site

import (
	"github.com/a-h/templ"

	"lectern/models/look"
)

// route is a page below an event's address.
type route struct {
	path  string
	page  look.Page // the menu's page that it belongs to, "" for none; events may turn it off
	reads []string  // the parameters that it reads; all others change nothing
	// needsProgramme makes it answer 404 while nothing is public.
	needsProgramme bool
	show           func(*visit) (templ.Component, error)
	draw           func(*visit) (*picture, error) // draws a picture; set instead of show
}

// carrying are the parameters that all pages read, for their links: what is starred, and another clock.
var carrying = []string{"my", "tz"}

// narrowing are the parameters of the filters, and the other parameters of a list of sessions.
var narrowing = []string{"q", "track", "room", "format", "level", "tag", "my", "tz", "view"}

// parting are the parameters that choose a part of a long list.
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
