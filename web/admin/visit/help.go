package visit

import "strings"

// manual is the address of the documentation.
const manual = "/docs"

// helps names the page of the documentation for each part of the admin; "" is an event's dashboard.
var helps = map[string]string{
	"": "start", "settings": "start", "metadata": "start", "activity": "start", "trash": "start",
	"call": "call", "submissions": "call", "reviews": "reviews", "rounds": "reviews",
	"triage": "decisions", "decisions": "decisions", "letters": "decisions", "batches": "decisions",
	"sessions": "sessions", "compose": "sessions", "revisions": "sessions", "agenda": "agenda",
	"publish": "publish", "look": "publish", "embeds": "publish", "tasks": "tasks",
	"speakers": "people", "sourcing": "people", "imports": "people", "contacts": "people",
	"staff": "team", "account": "team", "security": "team", "security/providers": "sign-in", "status": "operations",
	"moves": "moving", "bring": "moving", "archives": "moving-events", "archive": "moving-events", "copies": "moving-events",
	"keys": "api", "endpoints": "webhooks", "deliveries": "webhooks",
}

// HelpOf returns the address of the documentation for a page of the admin, chosen by the path below /admin or below the
// event; the contents where no page covers it.
func HelpOf(path string) string {
	path = strings.TrimPrefix(path, "/admin/")
	if ofEvent, is := strings.CutPrefix(path, "events/"); is {
		_, path, _ = strings.Cut(ofEvent, "/")
	}
	part, below, _ := strings.Cut(path, "/")
	next, _, _ := strings.Cut(below, "/")
	for _, part := range []string{part + "/" + next, part} {
		if name := helps[part]; name != "" {
			return manual + "/" + name
		}
	}
	return manual
}
