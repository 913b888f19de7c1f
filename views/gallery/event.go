package gallery

import (
	"github.com/a-h/templ"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages"
)

// event are the pages of an event beside its programme.
func (s *shelf) event() {
	s.add("Dashboard", "empty", func(p layouts.Page) templ.Component {
		return pages.Dashboard(pages.DashboardPage{
			Shell: shell(p, "Dashboard", plain), When: "20 to 22 May 2027, in 180 days", Total: "0",
			Launch: []pages.LaunchStep{{Name: "Say when it is", Text: "First and last day.", Action: "Settings", URL: "/design"},
				{Name: "Add tracks", Text: "Three are there.", Done: true}},
		})
	})
	s.worded("Dashboard", func(p layouts.Page, w words) templ.Component {
		page := pages.DashboardPage{
			Shell: shell(p, "Dashboard", w), When: "20 to 22 May 2027, in 180 days", Total: "1,204",
			Attention: []pages.AttentionRow{{Count: "12", Text: w.text, Action: "Look at them", URL: "/design"}},
			Tiles: []pages.Tile{{Count: "1,204", Name: "Submissions", URL: "/design"},
				{Count: "96", Name: "Scheduled", Of: "of 120", URL: "/design"}},
			Days: pages.DaysChart{Summary: "214 in 60 days", Most: 9},
			Tracks: []pages.Share{{Name: w.label, Count: "400", Color: models.TrackColors[0], URL: "/design", N: 400,
				Total: 1204}, {Name: "Another", Count: "0", Color: models.TrackColors[1], URL: "/design", Total: 1204}},
		}
		for i := range 60 {
			page.Days.Days = append(page.Days.Days, pages.DayBar{Name: "20 May", Count: "3", N: int64(i * 7 % 10)})
		}
		for _, status := range models.Statuses {
			page.Status = append(page.Status, pages.Share{Name: components.StatusName(string(status)), Class: string(status),
				Count: "172", URL: "/design", N: 172, Total: 1204})
		}
		return pages.Dashboard(page)
	})
	s.families()
	s.add("Settings", "empty", func(p layouts.Page) templ.Component {
		return pages.Settings(pages.SettingsPage{Shell: shell(p, "Settings", plain), Action: "/design",
			Values: pages.SettingsValues{Name: "Harbour", Slug: "harbour", Zone: "Europe/Lisbon"}, ZoneNow: "09:30 WEST",
			Zones: []string{"Europe/Lisbon"}})
	})
	settings := func(w words) pages.SettingsValues {
		return pages.SettingsValues{Name: w.title, Slug: "harbour-2027", Zone: "Europe/Lisbon", StartsOn: "2027-05-20",
			EndsOn: "2027-05-22", Opens: "2027-01-10T09:00", Closes: "2027-10-31T01:30", ClosesWhich: "2"}
	}
	s.worded("Settings", func(p layouts.Page, w words) templ.Component {
		return pages.Settings(pages.SettingsPage{Shell: shell(p, "Settings", w), Action: "/design", Values: settings(w),
			ZoneNow: "09:30 WEST", ClosesTwice: option("The first, 01:30 WEST", "The second, 01:30 WET")})
	})
	s.add("Settings", "faults", func(p layouts.Page) templ.Component {
		sh := shell(p, "Settings", plain, components.Fault{Field: "name", Message: "must not be empty"},
			components.Fault{Field: "slug", Message: "is taken by another event"},
			components.Fault{Field: "timezone", Message: "must be a name of the time zone database"},
			components.Fault{Field: "ends_on", Message: "must not be before starts_on"},
			components.Fault{Field: "cfp_closes_at", Message: "must be after cfp_opens_at"})
		return pages.Settings(pages.SettingsPage{Shell: sh, Action: "/design", Values: settings(plain),
			ZoneNow: "09:30 WEST"})
	})
	s.add("Settings", "conflict", func(p layouts.Page) templ.Component {
		return pages.Settings(pages.SettingsPage{Shell: shell(p, "Settings", plain), Action: "/design",
			Conflict: new(conflict(plain))})
	})
	s.add("Activity", "empty", func(p layouts.Page) templ.Component {
		return pages.Activity(pages.ActivityPage{Shell: shell(p, "Activity", plain), Base: "/design",
			Kinds: option("Everything", "Tracks")})
	})
	s.add("Activity", "nothing matches", func(p layouts.Page) templ.Component {
		return pages.Activity(pages.ActivityPage{Shell: shell(p, "Activity", plain), Base: "/design", Kinds: option("Tracks"),
			Filtered: true})
	})
	s.worded("Activity", func(p layouts.Page, w words) templ.Component {
		line := func(id, door, action, did, url string, changes ...pages.FieldChange) pages.ActivityLine {
			return pages.ActivityLine{ActivityEntry: &store.ActivityEntry{ID: id, At: at(0), Actor: w.person, Door: door,
				Action: action, Subject: "session", SubjectID: "1", SubjectName: "A-12 " + w.title}, Time: "09:30 WEST", Did: did,
				URL: url, Changes: changes}
		}
		return pages.Activity(pages.ActivityPage{
			Shell: shell(p, "Activity", w), Base: "/design", Kinds: option("Everything"), Pages: pager,
			Days: []pages.ActivityDay{{Name: "Thursday, 20 May 2027", Lines: []pages.ActivityLine{
				line("1", "admin", "updated", "changed ", "/design",
					pages.FieldChange{Field: "Title", Before: w.title, After: w.text},
					pages.FieldChange{Field: "Room", Before: w.place},
					pages.FieldChange{Field: "Description", Before: w.text, After: w.text}),
				line("2", "api", "created", "created ", "", pages.FieldChange{Field: w.label, After: w.place}),
			}}},
		})
	})
	s.keys()
}

func (s *shelf) families() {
	row := func(family models.Family, w words) pages.MetadataRow {
		m := &models.Metadata{ID: "1", Family: family, Name: w.label, UpdatedAt: at(0)}
		r := pages.MetadataRow{Metadata: m, Uses: []pages.MetadataUse{{Text: "1,204 submissions", URL: "/design"},
			{Text: "3 people"}}}
		switch family {
		case models.Tracks:
			m.Color, r.Warning = new("#1F4E5F"), "Hard to see on the dark page: contrast 1.8 to 1, at least 3 to 1 is needed."
		case models.Rooms:
			m.Capacity = new(300)
		}
		return r
	}
	page := func(sh layouts.Shell, family models.Family, w words) pages.MetadataPage {
		other := row(family, w)
		other.Metadata = new(*other.Metadata)
		other.ID, other.Name, other.Uses, other.Warning = "2", "Another", nil, ""
		return pages.MetadataPage{
			Shell: sh, Base: "/design", Family: family, Rows: []pages.MetadataRow{row(family, w), other}, Total: 2,
			MayChange: true,
			Tabs: []components.Tab{{Name: "Tracks", URL: "/design", Count: "8", Current: true},
				{Name: "Rooms", URL: "/design", Count: "0"}},
			Add: pages.MetadataForm{MetadataValues: pages.MetadataValues{Color: models.TrackColors[3]}},
		}
	}
	s.worded("Tracks", func(p layouts.Page, w words) templ.Component {
		return pages.Metadata(page(shell(p, "Tracks", w), models.Tracks, w))
	})
	for _, family := range models.Families[1:] {
		s.add("Tracks", string(family), func(p layouts.Page) templ.Component {
			return pages.Metadata(page(shell(p, pages.FamilyWords[family].Title, plain), family, plain))
		})
	}
	s.add("Tracks", "empty", func(p layouts.Page) templ.Component {
		page := page(shell(p, "Tracks", plain), models.Tracks, plain)
		page.Rows, page.Total = nil, 0
		return pages.Metadata(page)
	})
	s.add("Tracks", "for a viewer", func(p layouts.Page) templ.Component {
		page := page(shell(p, "Tracks", plain), models.Tracks, plain)
		page.MayChange = false
		return pages.Metadata(page)
	})
	s.add("Tracks", "edit with faults", func(p layouts.Page) templ.Component {
		page := page(shell(p, "Rooms", plain, components.Fault{Field: "name", Message: "must not be empty"},
			components.Fault{Field: "capacity", Message: "must be a whole number"}), models.Rooms, plain)
		page.Edit = &pages.MetadataForm{ID: "1", MetadataValues: pages.MetadataValues{Capacity: "many"}}
		return pages.Metadata(page)
	})
	s.add("Tracks", "conflict", func(p layouts.Page) templ.Component {
		page := page(shell(p, "Tracks", plain), models.Tracks, plain)
		page.Conflict = new(conflict(plain))
		return pages.Metadata(page)
	})
	s.worded("Delete a track", func(p layouts.Page, w words) templ.Component {
		r := row(models.Tracks, w)
		return pages.DeleteMetadata(pages.DeleteMetadataPage{ConfirmPage: pages.ConfirmPage{
			Shell: shell(p, "Delete track", w), Action: "/design", Cancel: "/design", Verb: "Delete track",
			Last: "This cannot be undone.",
		}, Uses: r.Uses, Others: option("Nothing: leave it without a track", w.label)})
	})
	s.add("Delete a track", "unused", func(p layouts.Page) templ.Component {
		return pages.DeleteMetadata(pages.DeleteMetadataPage{ConfirmPage: pages.ConfirmPage{
			Shell: shell(p, "Delete tag", plain), Action: "/design", Cancel: "/design", Verb: "Delete tag",
		}})
	})
}

func (s *shelf) keys() {
	key := func(state string, w words) pages.KeyRow {
		return pages.KeyRow{
			APIKey: &models.APIKey{ID: "key-" + state, Name: w.label, Hint: "lec_…f3a9",
				Scopes: "read:events read:sessions write:sessions", CreatedBy: w.person},
			State: state, Made: "20 May 2027", Used: "2 hours ago", Expires: "20 May 2028", Revoke: "/design",
		}
	}
	s.worded("API keys", func(p layouts.Page, w words) templ.Component {
		return pages.Keys(pages.KeysPage{Shell: shell(p, "API keys", w), Base: "/design",
			Rows: []pages.KeyRow{key("active", w), key("soon", w), key("expired", w), key("revoked", w)}})
	})
	s.add("API keys", "empty", func(p layouts.Page) templ.Component {
		return pages.Keys(pages.KeysPage{Shell: shell(p, "API keys", plain), Base: "/design"})
	})
	s.add("New key", "empty", func(p layouts.Page) templ.Component {
		return pages.NewKey(pages.NewKeyPage{Shell: shell(p, "New key", plain), Base: "/design", Days: "365"})
	})
	s.worded("New key", func(p layouts.Page, w words) templ.Component {
		sh := shell(p, "New key", w, components.Fault{Field: "name", Message: "must not be empty"},
			components.Fault{Field: "scopes", Message: "must not be empty"})
		return pages.NewKey(pages.NewKeyPage{Shell: sh, Base: "/design", Name: w.label, Days: "365",
			Scopes: []models.Scope{models.ReadEvents}})
	})
	s.worded("Key made", func(p layouts.Page, w words) templ.Component {
		return pages.KeyMade(pages.KeyMadePage{Shell: shell(p, "Your new key", w), KeyRow: key("active", w), Base: "/design",
			Value: "lec_0123456789abcdefghijklmnopqrstuvwxyz",
			Curl:  "curl -H 'x-access-token: lec_…' https://lectern.example.org/v1/events",
			Tools: "https://lectern.example.org/mcp"})
	})
	s.worded("Revoke a key", func(p layouts.Page, w words) templ.Component {
		return pages.RevokeKey(pages.RevokeKeyPage{KeyRow: key("active", w), ConfirmPage: pages.ConfirmPage{
			Shell: shell(p, "Revoke "+w.label+"?", w), Text: w.text, Points: pages.ScopesLost(key("active", w).APIKey),
			Action: "/design", Cancel: "/design", Stay: "Keep it", Verb: "Revoke the key",
		}})
	})
}
