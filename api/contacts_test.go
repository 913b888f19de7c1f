package api_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestAContactIsMadeReadAndChangedInPart(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		made := d.do(t, "POST", d.path("/contacts/create"), object{"email": "Ada@Example.org", "first_name": " Ada ",
			"last_name": "Lovelace", "company_name": "Engines", "job_title": "Analyst", "phone": "+44 1",
			"website_url": "https://ada.example", "linkedin_url": "https://linkedin.example/ada",
			"about": "<p>x</p><script>y</script>"}).want(200).object()
		id := made["id"].(string)
		wantEqual(t, made, object{
			"id": id, "email": "Ada@Example.org", "full_name": "Ada Lovelace", "company_name": "Engines", "about": "<p>x</p>",
			"photo_url": nil, "first_name": "Ada", "last_name": "Lovelace", "job_title": "Analyst", "phone": "+44 1",
			"website_url": "https://ada.example", "linkedin_url": "https://linkedin.example/ada",
			"created_at": "2026-11-21T09:30:00.000Z", "updated_at": "2026-11-21T09:30:00.000Z",
			"admin_url":   "https://lectern.test/admin/events/" + d.Event.ID + "/contacts/" + id,
			"session_ids": []string{},
		})
		path := d.path("/contacts/" + id)
		wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), made)
		wantEqual(t, d.do(t, "PUT", path, made).want(200).object(), made) // as it was read
		d.do(t, "GET", d.path("/speakers/"+id), nil).wantError(404, "NotFoundError")

		changed := d.do(t, "PUT", path, object{"last_name": "King", "phone": "", "updated_at": made["updated_at"]}).
			want(200).object()
		if changed["updated_at"] == made["updated_at"] {
			t.Error("the token did not move")
		}
		made["last_name"], made["full_name"], made["phone"] = "King", "Ada King", ""
		made["updated_at"] = changed["updated_at"]
		wantEqual(t, changed, made)
		d.do(t, "PUT", path, `{"job_title": "x", "updated_at": "2026-11-21T09:30:00Z"}`).wantError(409, "ConflictError")
		wantEqual(t, d.do(t, "GET", path, nil).want(200).object(), made)
		modelstest.Want(t, "emissions", d.Committed.Load(), 0)
	})
}

func TestContactsAreFoundWhetherTheySpeakOrNot(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		talk := d.create(t, object{"title": "Talk"})["id"].(string)
		ada := d.speaker(t, talk, models.NewContact{FirstName: "Ada", CompanyName: "Engines"})
		d.do(t, "POST", d.path("/contacts/create"), `{"first_name": "Bob", "email": "bob@engines.example"}`).want(200)
		d.elsewhere(t).do(t, "POST", "/v1/event/"+d.Other.ID+"/contacts/create", `{"first_name": "Eve Engines"}`).want(200)
		for body, want := range map[string][]string{
			`{}`: {"Ada", "Bob"}, `{"filters": {"text": "ENGINES"}}`: {"Ada", "Bob"},
			`{"filters": {"text": "bob eng"}}`: {"Bob"},
			`{"filters": {"speaking": true}}`:  {"Ada"}, `{"filters": {"speaking": false}}`: {"Bob"},
			`{"filters": {"text": "eve"}}`: {}, `{"filters": null}`: {"Ada", "Bob"}, `{"pageSize": 1, "page": 2}`: {"Bob"},
			`{"filters": {"text": null, "speaking": null}}`: {"Ada", "Bob"},
		} {
			got := d.do(t, "POST", d.path("/contacts/search"), body).want(200)
			wantEqual(t, pluck(got.results(), "full_name"), want)
		}
		found := d.do(t, "POST", d.path("/contacts/search"), `{"filters": {"text": "ada"}}`).want(200).results()[0]
		wantEqual(t, found, d.do(t, "GET", d.path("/speakers/"+ada), nil).want(200).object())
		wantEqual(t, found["session_ids"], []string{talk})
	})
}

func TestFaultyContactsAreRefusedNamingTheField(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id, path := d.rows(t)["contact"], d.path("/contacts/create")
		d.do(t, "POST", path, `{"first_name": "A", "email": "taken@example.org"}`).want(200)
		d.unchanged(t, func() {
			for body, field := range map[string]string{
				`{"first_name": "A", "email": "TAKEN@example.org"}`: "email", `{"first_name": "A", "email": "nowhere"}`: "email",
				`{"first_name": "` + long(256) + `"}`: "first_name", `{"first_name": "\u0000"}`: "first_name",
				`{"first_name": null}`: "first_name", `{"first_name": 3}`: "first_name",
				`{"first_name": "A", "phone": "` + long(51) + `"}`:     "phone",
				`{"first_name": "A", "website_url": "javascript:x"}`:   "website_url",
				`{"first_name": "A", "about": "` + long(50_001) + `"}`: "about", `{"First_Name": "A"}`: "First_Name",
				`{"first_name": "A", "travel_notes": "x"}`: "travel_notes", `{"first_name": "A", "hotel": "x"}`: "hotel",
			} {
				d.do(t, "POST", path, body).wantField(field)
				d.do(t, "PUT", d.path("/contacts/"+id), body).wantField(field)
			}
			d.do(t, "POST", path, `{}`).wantField("first_name")
			d.do(t, "POST", path, `{"first_name": "A", "photo_url": "https://example.org/a.jpg"}`).wantField("photo_url")
			d.do(t, "PUT", d.path("/contacts/"+id), `{"first_name": "", "last_name": " "}`).wantField("first_name")
		})
	})
}

// A key reaches the people of its event, and changes whom no other event shares, as who organizes the event alone does.
func TestAKeyReachesThePeopleOfItsEventAlone(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		other := d.elsewhere(t)
		create := func(of *door, name string) string {
			return of.do(t, "POST", of.path("/contacts/create"), object{"first_name": name, "email": name + "@example.org",
				"phone": "+44 1"}).want(200).object()["id"].(string)
		}
		ours, theirs := create(d, "Ours"), create(other, "Theirs")
		d.unchanged(t, func() {
			missing := d.do(t, "GET", d.path("/contacts/"+nobody), nil).wantError(404, "NotFoundError")
			hidden := d.do(t, "GET", d.path("/contacts/"+theirs), nil).wantError(404, "NotFoundError")
			wantEqual(t, hidden.object(), missing.object())
			d.do(t, "PUT", d.path("/contacts/"+theirs), `{"job_title": "x"}`).wantError(404, "NotFoundError")
			for _, taken := range []string{"Ours@example.org", "Theirs@example.org"} {
				body := object{"first_name": "New", "email": taken}
				refused := d.do(t, "POST", d.path("/contacts/create"), body).wantField("email")
				if strings.Contains(string(refused.raw), "Theirs") || strings.Contains(string(refused.raw), theirs) {
					t.Errorf("tells who it is: %s", refused.raw)
				}
			}
			d.do(t, "PUT", d.path("/contacts/"+ours), `{"email": "theirs@example.org"}`).wantField("email")
		})

		// By their address they join as a guest, whose profile is not ours to change and whose phone is not told.
		id := d.create(t, object{"title": "Talk"})["id"].(string)
		d.do(t, "PUT", d.path("/sessions/"+id+"/participants"), object{"participants": []object{
			{"email": "theirs@example.org", "first_name": "T"}}}).want(200)
		guest := d.do(t, "GET", d.path("/contacts/"+theirs), nil).want(200).object()
		wantEqual(t, []any{guest["full_name"], guest["phone"], guest["session_ids"]}, []any{"Theirs", "", []string{id}})
		found := d.do(t, "POST", d.path("/contacts/search"), `{"filters": {"text": "theirs"}}`).want(200).results()
		wantEqual(t, found, []object{guest})
		d.unchanged(t, func() {
			d.do(t, "PUT", d.path("/contacts/"+theirs), `{"job_title": "x"}`).wantField("contact")
			d.do(t, "PUT", d.path("/contacts/"+theirs), guest).want(200) // which changes nothing
		})
		wantEqual(t, other.do(t, "GET", other.path("/contacts/"+theirs), nil).want(200).object()["phone"], "+44 1")
	})
}

// TestWhoTypedAnAddressAloneIsNamedWhereTheirDraftIs begins a draft with an address that nobody has proven.
func TestWhoTypedAnAddressAloneIsNamedWhereTheirDraftIs(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		c := modelstest.OpenCall(t, d.Fixture)
		pl, _ := c.Begin(t, d.Fixture, "Zed", "Tides")
		named := func(path string) int {
			rows := d.do(t, "POST", d.path(path), `{"filters": {"text": "zed"}}`).want(200)
			if strings.Contains(string(rows.raw), "@") {
				t.Errorf("%s tells the address: %s", path, rows.raw)
			}
			return len(rows.results())
		}
		wantEqual(t, named("/contacts/search"), 0)
		wantEqual(t, named("/speakers/search"), 1) // whoever is on a live session, as the contract says
		c.Prove(t, d.Fixture, pl)
		found := d.do(t, "POST", d.path("/contacts/search"), `{"filters": {"text": "zed"}}`).want(200).results()
		wantEqual(t, []any{len(found), found[0]["full_name"]}, []any{1, "Zed"})
	})
}
