package api_test

import (
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestSpeakersAreThePeopleOnLiveSessionsOfTheEvent(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		talk := d.create(t, object{"title": "Talk"})["id"].(string)
		abstract := d.create(t, object{"title": "Abstract", "is_abstract": true})["id"].(string)
		gone := d.create(t, object{"title": "Gone"})["id"].(string)
		zoe := d.speaker(t, talk, models.NewContact{FirstName: "Zoë", LastName: "Ångström", Email: "Zoe@Example.org",
			CompanyName: "100% Co", About: "<p>x</p>"})
		ada := d.speaker(t, abstract, models.NewContact{FirstName: "ada", LastName: "Lovelace",
			PhotoURL: "https://example.org/a.jpg"})
		bob := d.speaker(t, gone, models.NewContact{FirstName: "Bob", Email: "bob@example.org"})
		d.Join(t, d.event, gone, zoe, models.Speaking)
		other := d.elsewhere(t)
		theirs := other.create(t, object{"title": "Theirs"})["id"].(string)
		secret := other.speaker(t, theirs, models.NewContact{FirstName: "Secret", Email: "secret@example.org",
			CompanyName: "100% secret"})

		find := func(path, text string) []string {
			t.Helper()
			return pluck(d.do(t, "POST", d.path(path), object{"filters": object{"text": text}}).want(200).results(), "full_name")
		}
		wantEqual(t, find("/speakers/search", ""), []string{"ada Lovelace", "Bob", "Zoë Ångström"})
		d.do(t, "DELETE", d.path("/sessions/"+gone), nil).want(200)
		for _, path := range []string{"/speakers/search", "/speakers"} {
			for text, want := range map[string][]string{
				"": {"ada Lovelace", "Zoë Ångström"}, "ÅNG": {"Zoë Ångström"}, "zoe@": {"Zoë Ångström"}, "% co": {"Zoë Ångström"},
				"love": {"ada Lovelace"},
				"bob":  {}, "secret": {}, "_": {}, "x": {"Zoë Ångström"}, "jpg": {},
			} {
				modelstest.WantAll(t, path+" "+text, find(path, text), want)
			}
		}
		for text, want := range map[string][]string{"lovelcae": {"ada Lovelace"}, "Zoé Angstrom": {"Zoë Ångström"},
			"secert": {}, "lvoelcae": {}, "": {"ada Lovelace", "Zoë Ångström"}} {
			got := d.do(t, "POST", d.path("/speakers/search"), object{"filters": object{"text": text, "near": true}}).want(200)
			modelstest.WantAll(t, "near "+text, pluck(got.results(), "full_name"), want)
		}
		near := d.do(t, "POST", d.path("/speakers"), `{"filters": {"near": true}, "pageSize": 1, "page": 2}`).want(200).object()
		wantEqual(t, []any{near["pagination"].(object)["totalResults"], len(near["results"].([]any))}, []any{2, 1})
		rows := d.do(t, "POST", d.path("/speakers"), `{"pageSize": 1, "page": 2}`).want(200)
		wantEqual(t, rows.object(), object{
			"results": []object{{"id": zoe, "email": "Zoe@Example.org", "full_name": "Zoë Ångström",
				"company_name": "100% Co", "about": "<p>x</p>", "photo_url": nil}},
			"pagination": object{"currentPage": 2, "pageSize": 1, "totalPages": 2, "totalResults": 2},
		})
		for _, hidden := range []string{bob, secret, nobody} {
			d.do(t, "GET", d.path("/speakers/"+hidden), nil).wantError(404, "NotFoundError")
		}
		shown := d.do(t, "GET", d.path("/speakers/"+ada), nil).want(200).object()
		wantEqual(t, shown["photo_url"], "https://example.org/a.jpg")
		d.do(t, "POST", d.path("/sessions/"+gone+"/restore"), nil).want(200)
		wantEqual(t, find("/speakers", "bob"), []string{"Bob"})
	})
}

func TestASpeakerIsReadWithExactlyTheseFields(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		first, second := d.create(t, object{"title": "1"})["id"].(string), d.create(t, object{"title": "2"})["id"].(string)
		gone := d.create(t, object{"title": "3"})["id"].(string)
		id := d.speaker(t, first, models.NewContact{FirstName: "Ada", LastName: "Lovelace", Email: "ada@example.org",
			CompanyName: "Engines", JobTitle: "Analyst",
			Phone: "+44 1", WebsiteURL: "https://ada.example", LinkedinURL: "https://linkedin.example/ada", About: "<p>x</p>",
			TravelNotes: "secret travel", LogisticsNotes: "secret logistics"})
		for _, session := range []string{second, gone} {
			d.Join(t, d.event, session, id, models.Speaking)
		}
		d.do(t, "DELETE", d.path("/sessions/"+gone), nil).want(200)
		wantEqual(t, d.do(t, "GET", d.path("/speakers/"+id), nil).want(200).object(), object{
			"id": id, "email": "ada@example.org", "full_name": "Ada Lovelace", "company_name": "Engines", "about": "<p>x</p>",
			"photo_url":  nil,
			"first_name": "Ada", "last_name": "Lovelace", "job_title": "Analyst", "phone": "+44 1",
			"website_url": "https://ada.example", "linkedin_url": "https://linkedin.example/ada",
			"created_at": "2026-11-21T09:30:00.000Z", "updated_at": "2026-11-21T09:30:00.000Z",
			"admin_url":   "https://lectern.test/admin/events/" + d.Event.ID + "/contacts/" + id,
			"session_ids": []string{first, second},
		})
	})
}

func TestAContactOnBothEventsShowsOnlyTheSessionsOfTheKeysEvent(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		other := d.elsewhere(t)
		here, there := d.create(t, object{"title": "Here"})["id"].(string),
			other.create(t, object{"title": "There"})["id"].(string)
		id := d.speaker(t, here, models.NewContact{FirstName: "Ada"})
		modelstest.Exec(t, d.SQL,
			`INSERT INTO event_contacts (event_id, organization_id, contact_id, workflow_status, travel_notes, logistics_notes,
				created_at, updated_at) SELECT $1, organization_id, contact_id, workflow_status, 'there only', '', created_at, updated_at
			FROM event_contacts WHERE contact_id = $2`, d.Other.ID, id)
		d.Join(t, d.Other, there, id, models.Speaking)
		wantEqual(t, d.do(t, "GET", d.path("/speakers/"+id), nil).want(200).object()["session_ids"], []string{here})
		wantEqual(t, other.do(t, "GET", other.path("/speakers/"+id), nil).want(200).object()["session_ids"], []string{there})
	})
}
