package desk

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/desk"
	"lectern/web/admin/visit"
)

// foundBesideAtMost is how many results that are no records the palette shows.
const foundBesideAtMost = 6

// deeds are the actions that the palette offers, found by any of their words: where they are, and who may do them.
var deeds = []struct {
	title, also, path, icon string
	needs                   staff.Role
}{
	{"New submission", "add proposal abstract", "/submissions/new", "plus", staff.Organizer},
	{"New session", "add programme", "/sessions/new", "plus", staff.Organizer},
	{"Add a person", "new speaker contact", "/speakers/new", "plus", staff.Organizer},
	{"Import people", "csv file upload speakers contacts", "/imports", "upload", staff.Organizer},
	{"Bring your conference", "import move pretalx sessionize sheet schedule csv xlsx xml json", "/moves", "upload",
		staff.Organizer},
	{"Export submissions", "csv file download proposals", "/submissions.csv", "download", staff.Viewer},
	{"Export sessions", "csv file download programme", "/sessions.csv", "download", staff.Viewer},
	{"Export people", "csv file download speakers", "/speakers.csv", "download", staff.Organizer},
}

// foundBeside returns the actions, tracks, rooms and other events of this user that fit what is typed. It costs one
// statement.
func foundBeside(v *visit.Visit, fits func(searchable string) bool) (records []pages.FoundRecord, err error) {
	add := func(r pages.FoundRecord, fields ...string) {
		if fits(store.Searchable(fields...)) && len(records) < foundBesideAtMost {
			records = append(records, r)
		}
	}
	for _, deed := range deeds {
		if v.May(deed.needs) {
			add(pages.FoundRecord{Icon: deed.icon, Title: deed.title, URL: v.At(deed.path)}, deed.title, deed.also)
		}
	}
	if v.MayEverywhere() {
		add(pages.FoundRecord{Icon: "download", Title: "This event as a file", URL: "/admin/archives/" + v.Event.ID},
			"This event as a file", "archive export zip")
	}
	if v.User.RoleAt("") == staff.Owner {
		add(pages.FoundRecord{Icon: "download", Title: "All events as a file", URL: "/admin/archive"}, "All events as a file",
			"archive export organization zip backup")
		add(pages.FoundRecord{Icon: "plus", Title: "Invite staff", URL: visit.StaffPath + "/invite"}, "Invite staff",
			"reviewer organizer")
	}
	for _, of := range []struct {
		family           models.Family
		icon, name, path string
	}{{models.Tracks, "tag", "Track", "/sessions?track="}, {models.Rooms, "tag", "Room", "/sessions?room="}} {
		rows, err := v.Programme.Family(v.UserContext(), of.family)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			add(pages.FoundRecord{Icon: of.icon, Title: row.Name, Meta: of.name, URL: v.At(of.path + row.ID)}, row.Name, of.name)
		}
	}
	events, err := v.Store.EventsFor(v.UserContext(), v.User)
	for _, e := range events {
		if e.ID != v.Event.ID {
			add(pages.FoundRecord{Icon: "calendar-days", Title: e.Name, Meta: "Event", URL: "/admin/events/" + e.ID}, e.Name)
		}
	}
	return records, err
}
