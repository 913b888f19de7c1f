package site

import "github.com/a-h/templ"

// route is a page of an event, below its address.
type route struct {
	path  string
	menu  string   // which of the menu it belongs to, "" for none
	reads []string // what it reads of the address; all else changes nothing
	// needsProgramme has it answer 404 while nothing is public; byClock has it show what is past, and on.
	needsProgramme, byClock bool
	show                    func(*visit) (templ.Component, error)
}

// narrowing is what sessions are narrowed by, and what else a list of them is told.
var narrowing = []string{"q", "track", "room", "format", "level", "tag", "my", "tz", "view"}

var routes = []route{
	{path: "", menu: "start", byClock: true, show: showStart},
	{path: "/agenda", menu: "agenda", reads: narrowing, byClock: true, show: showAgenda},
	{path: "/agenda/:day", menu: "agenda", reads: narrowing, needsProgramme: true, byClock: true, show: showAgenda},
	{path: "/sessions", menu: "sessions", reads: narrowing, needsProgramme: true, byClock: true, show: showSessions},
	{path: "/sessions/:session", menu: "agenda", reads: []string{"my", "tz"}, needsProgramme: true, byClock: true,
		show: showSession},
	{path: "/itinerary", menu: "itinerary", reads: narrowing, needsProgramme: true, byClock: true, show: showItinerary},
	{path: "/speakers", menu: "speakers", reads: []string{"q", "view", "my"}, needsProgramme: true, show: showSpeakers},
	{path: "/speakers/:speaker", menu: "speakers", reads: []string{"my", "tz"}, needsProgramme: true, show: showSpeaker},
	{path: "/my", menu: "my", reads: []string{"my", "tz"}, needsProgramme: true, show: showMine},
	{path: "/print/:day", reads: []string{"paper", "room"}, needsProgramme: true, show: showPaper},
	{path: "/feeds", needsProgramme: true, show: showFeeds},
	{path: "/changes", menu: "changes", show: showChanges},
}
