package api_test

import (
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestAKeyIsToldWhatItReaches(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		key := d.mint(t, d.Event, apikey.ReadMetadata, apikey.WriteSessions)
		wantEqual(t, d.do(t, "GET", "/v1/key", nil, "x-access-token", key).want(200).object(), object{
			"name": "key", "scopes": []string{"write:sessions", "read:metadata"}, "expires_at": nil,
			"event": object{"id": d.Event.ID, "name": d.Event.Name, "slug": d.Event.Slug, "timezone": d.Event.Timezone}})
		d.do(t, "GET", "/v1/key", nil, "x-access-token", "lct_guess").wantError(401, "UnauthorizedError")
	})
}

// placed makes a programme session at a time of 2026-12-01, UTC, in a room.
func (d *door) placed(t testing.TB, title, from, to, room string) object {
	t.Helper()
	return d.create(t, object{"title": title, "room_id": room,
		"starts_at": "2026-12-01T" + from + ":00Z", "ends_at": "2026-12-01T" + to + ":00Z"})
}

func TestSessionsAreCountedAsTheyAreFound(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		rows := programme(t, d)
		count := func(body any) object { return d.do(t, "POST", d.path("/sessions/count"), body).want(200).object() }
		track := object{"id": rows["tracks"+d.Event.Slug], "name": "one of tracks", "count": 1}
		wantEqual(t, count(`{"by": "track", "filters": {"is_abstract": true}}`), object{"by": "track", "total": 2,
			"counts": []object{track, {"id": nil, "name": nil, "count": 1}}})
		track["count"] = 0
		wantEqual(t, count(`{"by": "track", "filters": {"text": "nothing has this"}}`), object{"by": "track", "total": 0,
			"counts": []object{track}})
		sees := d.mint(t, d.event, apikey.ReadSessions)
		for _, group := range d.do(t, "POST", d.path("/sessions/count"), `{"by": "track", "filters": {"text": "nothing has this"}}`, "x-access-token", sees).want(200).
			object()["counts"].([]any) {
			if group.(object)["count"].(float64) == 0 {
				t.Errorf("without read:metadata %v is told", group)
			}
		}
		for _, by := range []string{"status", "track", "room", "format", "level"} {
			for _, filters := range []string{`{}`, `{"is_abstract": false}`, `{"include_deleted": true}`, `{"text": "ta"}`} {
				found := d.search(t, `{"filters": `+filters+`}`)
				got, sum := count(`{"by": "`+by+`", "filters": `+filters+`}`), 0.0
				for _, group := range got["counts"].([]any) {
					n := 0.0
					for _, s := range found {
						name := s[by]
						if row, isRow := name.(object); isRow {
							name = row["name"]
						}
						if name == group.(object)["name"] {
							n++
						}
					}
					if sum += n; group.(object)["count"] != n {
						t.Errorf("%s of %s: %v, want %v", by, filters, group, n)
					}
				}
				if got["total"] != sum || int(sum) != len(found) {
					t.Errorf("%s of %s: %v in all, found %d", by, filters, got["total"], len(found))
				}
			}
		}
		for _, body := range []string{`{}`, `{"by": null, "filters": null}`} {
			wantEqual(t, count(body), count(`{"by": "status", "filters": {}}`))
		}
		d.do(t, "POST", d.path("/sessions/count"), `{"by": "mood"}`).wantField("by")
		d.do(t, "POST", d.path("/sessions/count"), `{"by": "status", "filters": {"room": "Nowhere"}}`).wantField("filters.room")
	})
}

func TestNewFiltersRefuseWhatNamesNothing(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for filters, field := range map[string]string{
			`{"room": "Nowhere"}`: "filters.room", `{"day": "2026-02-30"}`: "filters.day", `{"day": "0001-01-01"}`: "filters.day",
			`{"format": "Nowhere"}`: "filters.format", `{"level": ["Nowhere"]}`: "filters.level",
			`{"tag": "Nowhere"}`: "filters.tag",
			`{"needs": "sleep"}`: "filters.needs", `{"contact_id": ["x"]}`: "filters.contact_id", `{"at": "noon"}`: "filters.at",
		} {
			d.do(t, "POST", d.path("/sessions/search"), `{"filters": `+filters+`}`).wantField(field)
		}
	})
}

func TestTheOverviewSaysWhatSearchesFind(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		programme(t, d)
		d.Event = modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{
			StartsOn: store.Some("2026-12-01"), EndsOn: store.Some("2026-12-03")}))(t)
		room := d.row(t, "rooms", "Loft")
		d.placed(t, "One", "10:00", "11:00", room)
		d.placed(t, "Two", "10:30", "11:30", room)
		got := d.do(t, "GET", d.path("/overview"), nil).want(200).object()
		total := func(filters string) any {
			return d.do(t, "POST", d.path("/sessions/search"), `{"filters": `+filters+`}`).want(200).
				object()["pagination"].(object)["totalResults"]
		}
		submissions, sessions := got["submissions"].(object), got["sessions"].(object)
		for name, is := range map[string][2]any{
			"submissions": {submissions["total"], total(`{"is_abstract": true}`)},
			"sessions":    {sessions["total"], total(`{"is_abstract": false}`)},
			"unscheduled": {got["unscheduled"], total(`{"is_abstract": false, "scheduled": false}`)},
			"unpublished": {got["unpublished"], total(`{"is_abstract": false, "is_public": false}`)},
			"conflicts":   {got["conflicts"], 1.0},
			"speakers":    {got["speakers"], 1.0},
		} {
			modelstest.Want(t, name, is[0], is[1])
		}
		wantEqual(t, got["days"], []object{{"day": "2026-12-01", "sessions": 3}, {"day": "2026-12-02", "sessions": 1},
			{"day": "2026-12-03", "sessions": 0}})
		wantEqual(t, []any{got["name"], got["timezone"], got["starts_on"], got["ends_on"]},
			[]any{d.Event.Name, d.Event.Timezone, "2026-12-01", "2026-12-03"})
		wantEqual(t, submissions["by_track"].([]any)[0].(object)["name"], "one of tracks")
	})
}

func TestConflictsAreTold(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		loft, hall := d.row(t, "rooms", "Loft"), d.row(t, "rooms", "Hall")
		one := d.placed(t, "One", "10:00", "11:00", loft)
		two := d.placed(t, "Two", "10:30", "11:30", loft)
		three := d.placed(t, "Three", "10:50", "11:10", hall)
		ada := d.speaker(t, three["id"], models.NewContact{FirstName: "Ada"})
		d.Join(t, d.Event, one["id"].(string), ada, models.Speaking)
		side := func(s object) object {
			return object{"id": s["id"], "friendly_id": s["friendly_id"], "title": s["title"], "starts_at": s["starts_at"],
				"ends_at": s["ends_at"], "room": s["room"].(object)["name"]}
		}
		inLoft := object{"kind": "room", "id": loft, "name": "Loft", "from": "2026-12-01T10:30:00.000Z",
			"until": "2026-12-01T11:00:00.000Z", "session": side(two), "with": side(one)}
		all := d.do(t, "GET", d.path("/conflicts"), nil).want(200).results()
		wantEqual(t, all, []object{inLoft, {"kind": "person", "id": ada, "name": "Ada", "from": "2026-12-01T10:50:00.000Z",
			"until": "2026-12-01T11:00:00.000Z", "session": side(three), "with": side(one)}})
		second := d.do(t, "GET", d.path("/conflicts?page=2&pageSize=1"), nil).want(200)
		wantEqual(t, second.results(), all[1:])
		wantEqual(t, second.object()["pagination"],
			object{"currentPage": 2, "pageSize": 1, "totalPages": 2, "totalResults": 2})
		wantEqual(t, d.do(t, "GET", d.path("/conflicts?page=9"), nil).want(200).results(), []object{})
		of := func(s object) []object {
			return d.do(t, "GET", d.path("/sessions/"+s["friendly_id"].(string)+"/conflicts"), nil).want(200).results()
		}
		wantEqual(t, of(two), []object{inLoft})
		wantEqual(t, []any{len(of(one)), of(one)[0]["session"].(object)["title"]}, []any{2, "One"})
		d.put(t, two["id"], `{"starts_at": null, "ends_at": null}`).want(200)
		wantEqual(t, of(two), []object{})
		modelstest.Must(people.In(d.Programme().Directory()).Update(t.Context(), ada,
			modelstest.Values("away", "2026-12-01 00:00-23:00")))(t)
		d.put(t, three["id"], `{"starts_at": "2026-12-01T12:00:00Z", "ends_at": "2026-12-01T13:00:00Z", "is_plenary": true}`).want(200)
		wantEqual(t, of(three), []object{{"kind": "away", "id": ada, "name": "Ada", "from": "2026-12-01T12:00:00.000Z",
			"until": "2026-12-01T13:00:00.000Z", "session": side(d.get(t, three["id"])), "with": nil}})
		d.put(t, one["id"], `{"starts_at": "2026-12-01T12:30:00Z", "ends_at": "2026-12-01T13:30:00Z"}`).want(200)
		for _, s := range []object{one, three} {
			for _, c := range of(s) {
				if c["kind"] == "plenary" && (c["id"] != three["id"] || c["name"] != "Three") {
					t.Errorf("what is plenary is %v %v", c["id"], c["name"])
				}
			}
		}
	})
}

func TestTheGateIsToldWhereAsked(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true, "status": "accepted"})
		s := d.compose(t, "", a)
		gate := func(s object) object {
			got := d.do(t, "GET", d.path("/sessions/"+s["id"].(string)+"?expand=publish_gate"), nil).want(200).object()
			wantEqual(t, d.put(t, s["id"], got).want(200).object(), d.get(t, s["id"])) // what was read may be sent back
			return got["publish_gate"].(object)
		}
		held := func(hold, message string) object {
			return object{"open": false, "reasons": []object{{"hold": hold, "message": message}}}
		}
		wantEqual(t, gate(s), held("undrafted", "Its decision letter was not begun."))
		wantEqual(t, gate(a), held("undrafted", "Its decision letter was not begun."))
		wantEqual(t, gate(d.create(t, object{"title": "B"})),
			held("alone", "No live submission with a decision letter is behind it."))
		d.letter(t, a["id"], models.LetterDraft)
		wantEqual(t, gate(s), held("unsent", "Its decision letter has not been sent."))
		d.wantHeld(t, s["id"])
		d.letter(t, a["id"], models.LetterSent)
		wantEqual(t, gate(s), object{"open": true, "reasons": []object{}})
		asks := func(approval bool) {
			modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: &approval}))(t)
		}
		asks(true)
		wantEqual(t, gate(s), held("content", "Its content is not approved."))
		wantEqual(t, gate(a), object{"open": true, "reasons": []object{}})
		d.wantHeld(t, s["id"])
		asks(false)
		d.wantPublished(t, s["id"], publish)
		wantEqual(t, gate(s), object{"open": true, "reasons": []object{}})
		other := d.do(t, "GET", d.path("/sessions/"+s["id"].(string)+"?expand=track"), nil).want(200).object()
		if _, told := other["publish_gate"]; told {
			t.Error("another expansion tells the gate")
		}
	})
}

func TestALabelStandsForAnID(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		a := d.create(t, object{"title": "A", "is_abstract": true})
		wantEqual(t, a["friendly_id"], "A-1")
		for _, label := range []string{"A-1", "a-1", "a1"} {
			wantEqual(t, d.get(t, label), a)
		}
		wantEqual(t, d.put(t, "A-1", `{"title": "Better"}`).want(200).object()["title"], "Better")
		result := d.do(t, "POST", d.path("/sessions/bulk"), object{"operations": []object{
			{"action": "update", "id": "A-1", "data": object{"title": "Best"}}, {"action": "delete", "id": "A-2"}}}).want(200).object()
		wantEqual(t, result["stats"], object{"total": 2, "succeeded": 1, "failed": 1})
		wantEqual(t, result["results"].([]any)[0].(object)["id"], a["id"])
		wantEqual(t, d.do(t, "DELETE", d.path("/sessions/A-1"), nil).want(200).object()["id"], a["id"])
		wantEqual(t, d.do(t, "POST", d.path("/sessions/A-1/restore"), nil).want(200).object()["title"], "Best")
		for _, label := range []string{"A-2", "S-1", "A-0", "B-1"} {
			d.do(t, "GET", d.path("/sessions/"+label), nil).wantError(404, "NotFoundError")
			d.put(t, label, `{"title": "x"}`).wantError(404, "NotFoundError")
		}
		d.elsewhere(t).create(t, object{"title": "Theirs", "is_abstract": true})
		wantEqual(t, d.get(t, "A-1")["title"], "Best")
	})
}
