package gallery

import (
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	"lectern/views/pages/desk"
	"lectern/views/pages/settings"
	"lectern/views/pages/webhooks"
	"lectern/views/records"
)

// event adds the pages of an event beside its programme.
func (s *shelf) event() {
	s.dashboards()
	s.families()
	filled := func(w words) settings.Page {
		return settings.Page{Action: here, ZoneNow: "09:30 WEST", Look: here,
			Edit: edit("name", w.title, "slug", "harbour-2027", "timezone", "Europe/Lisbon", "starts_on", "2027-05-20",
				"ends_on", "2027-05-22"),
			Window: "Open until 1 March 2027, 23:59 Lisbon.", Call: here, Copy: here, Archive: here}
	}
	of(s, "Settings", "Settings", settings.Settings).
		is("empty", settings.Page{Action: here, ZoneNow: "09:30 WEST", Zones: []string{"Europe/Lisbon"},
			Edit: edit("name", "Harbour", "slug", "harbour", "timezone", "Europe/Lisbon")}).
		worded(filled).
		is("faults", filled(plain), "name", "must not be empty", "slug", "is taken by another event",
			"timezone", "must be a name of the time zone database", "ends_on", "must not be before starts_on").
		is("conflict", settings.Page{Action: here, Edit: clashing})
	s.looks()
	s.activity()
	s.keys()
}

func (s *shelf) activity() {
	of(s, "Activity", "Activity", desk.Activity).
		is("empty", desk.ActivityPage{Base: here, Kinds: option("Everything", "Tracks")}).
		is("nothing matches", desk.ActivityPage{Base: here, Kinds: option("Tracks"), Filtered: true}).
		worded(func(w words) desk.ActivityPage {
			line := func(id, door, action, did, url string, changes ...records.FieldChange) desk.ActivityLine {
				return desk.ActivityLine{ActivityEntry: &store.ActivityEntry{ID: id, At: at(0), Actor: w.person, Door: door,
					Action: action, Subject: "session", SubjectID: "1", SubjectName: "A-12 " + w.title}, Time: "09:30",
					Did: did, URL: url, Changes: changes}
			}
			return desk.ActivityPage{Base: here, Zone: "Europe/Lisbon", Kinds: option("Everything"), Pages: pager, Days: []desk.ActivityDay{{
				Name: "Thursday, 20 May 2027", Lines: []desk.ActivityLine{
					line("1", "admin", "updated", "changed ", here, records.FieldChange{Field: "Title", Before: w.title, After: w.text},
						records.FieldChange{Field: "Room", Before: w.place},
						records.FieldChange{Field: "Description", Before: w.text, After: w.text}),
					line("2", "api", "created", "created ", "", records.FieldChange{Field: w.label, After: w.place}),
				},
			}}}
		})
}

func (s *shelf) families() {
	row := func(family models.Family, w words) settings.MetadataRow {
		m := &models.Metadata{ID: "1", Family: family, Name: w.label, UpdatedAt: at(0)}
		r := settings.MetadataRow{Metadata: m, Uses: []settings.MetadataUse{{Text: "1,204 submissions", URL: here},
			{Text: "3 people"}}}
		switch family {
		case models.Tracks:
			m.Color, r.Warning = new("#1F4E5F"), "Hard to see on the dark page: its contrast is 1.8 to 1, and 3 to 1 is enough."
		case models.Rooms:
			m.Capacity = new(300)
		}
		return r
	}
	page := func(family models.Family, w words, change ...func(*settings.MetadataPage)) settings.MetadataPage {
		other := *row(family, w).Metadata
		other.ID, other.Name = "2", "Another"
		p := settings.MetadataPage{
			Shell: in(settings.FamilyWords[family].Title), Base: here, Family: family, Total: 2, MayChange: true,
			Rows: []settings.MetadataRow{row(family, w), {Metadata: &other}},
			Tabs: []components.Tab{{Name: "Tracks", URL: here, Count: "8", Current: true}, {Name: "Rooms", URL: here, Count: "0"}},
			Add:  settings.MetadataForm{MetadataValues: settings.MetadataValues{Own: models.TrackColors[3]}},
		}
		for _, change := range change {
			change(&p)
		}
		return p
	}
	of(s, "Tracks", "", settings.Metadata).
		worded(func(w words) settings.MetadataPage { return page(models.Tracks, w) }).
		is("formats", page(models.Formats, plain)).
		is("empty", page(models.Tracks, plain, func(p *settings.MetadataPage) { p.Rows, p.Total = nil, 0 })).
		is("edit with faults", page(models.Rooms, plain, func(p *settings.MetadataPage) {
			p.Edit = &settings.MetadataForm{ID: "1", MetadataValues: settings.MetadataValues{Own: "many"}}
		}), "name", "must not be empty", "capacity", "must be a whole number").
		is("conflict", page(models.Tracks, plain, func(p *settings.MetadataPage) { p.Conflict = new(conflict(plain)) }))
	of(s, "Delete a track", "Delete track", settings.DeleteMetadata).
		worded(func(w words) settings.DeleteMetadataPage {
			return settings.DeleteMetadataPage{
				ConfirmPage: layouts.ConfirmPage{Action: here, Cancel: here, Verb: "Delete track", Last: "This cannot be undone."},
				Uses:        row(models.Tracks, w).Uses, Others: option("Nothing: leave it without a track", w.label),
			}
		})
}

func (s *shelf) keys() {
	key := func(state string, w words) webhooks.KeyRow {
		return webhooks.KeyRow{
			Key: &apikey.Key{ID: "key-" + state, Name: w.label, Hint: "lec_…f3a9",
				Scopes: "read:events read:sessions write:sessions", CreatedBy: w.person},
			State: state, Made: "20 May 2027", Used: "2 hours ago", Expires: "20 May 2028", Revoke: here,
		}
	}
	of(s, "API keys", "API keys", webhooks.Keys).
		worded(func(w words) webhooks.KeysPage {
			return webhooks.KeysPage{Base: here,
				Rows: []webhooks.KeyRow{key("active", w), key("soon", w), key("expired", w), key("revoked", w)}}
		}).
		is("empty", webhooks.KeysPage{Base: here})
	of(s, "New key", "New key", webhooks.NewKey).
		is("empty", webhooks.NewKeyPage{Base: here, Days: "365"}).
		worded(func(w words) webhooks.NewKeyPage {
			return webhooks.NewKeyPage{Base: here, Name: w.label, Days: "365", Preset: webhooks.ChooseScopes,
				Scopes: []apikey.Scope{apikey.ReadEvents}}
		}, "name", "must not be empty", "scopes", "must not be empty")
	of(s, "Key made", "Your new key", webhooks.KeyMade).worded(func(w words) webhooks.KeyMadePage {
		return webhooks.KeyMadePage{KeyRow: key("active", w), Base: here, Value: "lec_0123456789abcdefghijklmnopqrstuvwxyz",
			Curl:  "curl -H 'x-access-token: lec_…' https://lectern.example.org/v1/events",
			Tools: "https://lectern.example.org/mcp"}
	})
	of(s, "Revoke a key", "", webhooks.RevokeKey).worded(func(w words) webhooks.RevokeKeyPage {
		return webhooks.RevokeKeyPage{KeyRow: key("active", w), ConfirmPage: layouts.ConfirmPage{
			Shell: in("Revoke " + w.label + "?"), Text: w.text, Points: webhooks.ScopesLost(key("active", w).Key),
			Action: here, Cancel: here, Stay: "Keep it", Verb: "Revoke the key",
		}}
	})
}
