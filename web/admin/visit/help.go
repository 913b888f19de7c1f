package visit

import "strings"

// manual is where the documentation is.
const manual = "/docs"

// helps are the pages of the documentation about pages of an event, by what their addresses have behind the event's.
var helps = []struct{ Path, Name string }{
	{"/call", "call"}, {"/submissions", "call"}, {"/reviews", "reviews"}, {"/rounds", "reviews"}, {"/triage", "decisions"},
	{"/decisions", "decisions"}, {"/letters", "decisions"}, {"/sessions", "sessions"}, {"/revisions", "sessions"},
	{"/agenda", "agenda"}, {"/publish", "publish"}, {"/look", "publish"}, {"/embeds", "publish"}, {"/speakers", "people"},
	{"/sourcing", "people"}, {"/tasks", "tasks"}, {"/keys", "api"}, {"/metadata", "start"}, {"/moves", "moving"},
	{"/settings", "start"},
}

// HelpOf is the page of the documentation about a page of an event, or its contents.
func HelpOf(path string) string {
	for _, help := range helps {
		if path == help.Path || strings.HasPrefix(path, help.Path+"/") {
			return manual + "/" + help.Name
		}
	}
	return manual
}
