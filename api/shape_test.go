package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// full makes a session of the event that has everything, and returns it as it is read.
func (d *door) full(t testing.TB) object {
	t.Helper()
	made := d.create(t, object{"title": "Paper", "is_abstract": true, "track_id": d.row(t, "tracks", "T"),
		"room_id": d.row(t, "rooms", "R"), "format_id": d.row(t, "formats", "F"), "level_id": d.row(t, "levels", "L"),
		"tag_ids": []string{d.row(t, "tags", "1"), d.row(t, "tags", "2")}})
	d.speaker(t, made["id"], models.NewContact{FirstName: "Ada", Email: "ada@example.org"})
	return d.get(t, made["id"])
}

func TestASearchAnswersWithTheFieldsThatItAsksFor(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		full := d.full(t)
		wantEqual(t, d.search(t, `{}`)[0], full)
		wantEqual(t, d.search(t, `{"fields": [], "expand": ["track"]}`)[0], full)
		for _, expand := range []string{`["track"]`, `"track"`, `{"track": true}`, `null`} { // accepted without effect
			wantEqual(t, d.search(t, `{"expand": `+expand+`}`)[0], full)
		}
		for _, name := range slices.Sorted(maps.Keys(full)) {
			wantEqual(t, d.search(t, object{"fields": []string{name}})[0], object{name: full[name]})
		}
		path := d.path("/sessions?fields=title,id")
		wantEqual(t, d.do(t, "POST", path, `{}`).want(200).results(), []object{{"id": full["id"], "title": "Paper"}})
		got := d.do(t, "POST", path, `{"fields": ["room_id"], "filters": {"text": "nothing"}}`).want(200)
		wantEqual(t, got.results(), []object{})
		wantEqual(t, d.do(t, "POST", path, `{"fields": ["room_id"]}`).want(200).results()[0],
			object{"id": full["id"], "title": "Paper", "room_id": full["room"].(object)["id"]})
		wantEqual(t, d.search(t, object{"fields": []string{"track_name", "room_name", "format_name", "level_name", "tag_names",
			"participant_names"}})[0], object{"track_name": "T", "room_name": "R", "format_name": "F", "level_name": "L",
			"tag_names": []any{"1", "2"}, "participant_names": []any{"Ada"}})
		long := "<p>" + strings.Repeat("word ", 60) + "</p>"
		d.put(t, full["id"], object{"description": long, "track_id": nil}).want(200)
		for range 2 { // the second is kept
			wantEqual(t, d.search(t, `{"fields": ["excerpt", "track_name"]}`)[0], object{"track_name": nil,
				"excerpt": object{"text": strings.Repeat("word ", 40)[:199], "length": 299}})
		}
		wantEqual(t, d.search(t, `{"fields": ["title"]}`)[0], object{"title": "Paper"})
		for _, body := range []string{`{"fields": ["id", "nope"]}`, `{"fields": ["TrackID"]}`, `{"fields": ["search"]}`} {
			d.do(t, "POST", d.path("/sessions/search"), body).wantField("fields")
		}
		d.do(t, "POST", d.path("/sessions/search?fields=nope"), `{}`).wantError(400, "ValidationError", "nope", "title",
			"participant_ids", "score")
		d.do(t, "POST", d.path("/sessions/search"), `{"fields": [3]}`).wantField("fields[0]")
		d.do(t, "POST", d.path("/sessions/search"), `{"fields": [`+many(101, func(int) string { return `"id"` })+`]}`).
			wantField("fields")
	})
}

func TestASearchThatExpandsNothingAnswersWithIds(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		full := d.full(t)
		bare := maps.Clone(full)
		for _, name := range []string{"track", "room", "format", "level"} {
			bare[name+"_id"] = full[name].(object)["id"]
			delete(bare, name)
		}
		for _, name := range []string{"tags", "participants"} {
			ids := []any{}
			for _, row := range full[name].([]any) {
				ids = append(ids, row.(object)["id"])
			}
			bare[strings.TrimSuffix(name, "s")+"_ids"] = ids
			delete(bare, name)
		}
		wantEqual(t, d.search(t, `{"expand": "none"}`)[0], bare)
		wantEqual(t, d.search(t, `{"expand": ["none"]}`)[0], bare)
		d.put(t, full["id"], `{"track_id": null, "tag_ids": []}`).want(200)
		got := d.search(t, `{"expand": "none"}`)[0]
		wantEqual(t, []any{got["track_id"], got["tag_ids"]}, []any{nil, []any{}})
	})
}

func TestTheDocumentDescribesWhatASearchFindsInEveryShape(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		doc, full := readDocument(t, d), d.full(t)
		bodies := []any{object{}, object{"expand": "none"}, object{"expand": "scores,publish_gate"},
			object{"fields": []string{"track_id", "tag_ids", "score", "reviews", "publish_gate", "track_name", "tag_names", "excerpt"}}}
		for name := range full {
			bodies = append(bodies, object{"fields": []string{name}})
		}
		for _, body := range bodies {
			got := d.do(t, "POST", d.path("/sessions/search"), body).want(200)
			if err := doc.check(t, got.raw, "paths", "/v1/event/{eventId}/sessions/search", "post", "responses", "200",
				"content", "application/json", "schema"); err != nil {
				t.Errorf("%v: %v", body, err)
			}
		}
	})
}

func TestASearchTellsScoresToWhoMayReadReviews(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		id := d.full(t)["id"].(string)
		d.create(t, object{"title": "Not yet", "is_abstract": true})
		modelstest.Fine(t, d.Programme().GiveReview(t.Context(), d.Hire(t, "li", staff.Reviewer), id,
			models.Opinion{Score: 4}))
		sort := object{"order": "title", "sort": "desc"}
		asked := object{"fields": []string{"score", "reviews"}, "sort": sort}
		wantEqual(t, d.search(t, asked), []object{{"score": 4, "reviews": 1}, {"score": nil, "reviews": 0}})
		got := d.search(t, object{"expand": "scores", "sort": sort})[0]
		score, reviews := got["score"], got["reviews"]
		delete(got, "score")
		delete(got, "reviews")
		wantEqual(t, []any{score, reviews, got}, []any{4, 1, d.get(t, id)})
		key := d.mint(t, d.Event, apikey.ReadSessions)
		for _, body := range []any{asked, `{"expand": "scores"}`, `{"expand": "none,scores"}`} {
			d.do(t, "POST", d.path("/sessions/search"), body, "x-access-token", key).
				wantError(403, "ForbiddenError", "read:reviews")
		}
		d.do(t, "POST", d.path("/sessions/search"), `{"expand": "none"}`, "x-access-token", key).want(200)
		d.put(t, id, `{"status": "draft"}`).want(200)
		wantEqual(t, d.search(t, asked)[0], object{"score": nil, "reviews": 0})
	})
}

func TestASearchTellsWhatHoldsEachSession(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{AsksApproval: new(true)}))(t)
		abstract := func(title string) object {
			return d.create(t, object{"title": title, "is_abstract": true, "status": "accepted"})
		}
		one, two := abstract("One"), abstract("Two")
		joined, alone := d.compose(t, "", one, two), d.create(t, object{"title": "Alone"})
		d.SetLetter(t, d.Event, one["id"].(string), models.LetterSent)
		d.elsewhere(t).create(t, object{"title": "Elsewhere"})
		d.put(t, d.create(t, object{"title": "Public"})["id"], `{"is_public": true, "publish_override": true}`).want(200)
		modelstest.Must(d.Programme().UpdateSession(t.Context(), joined["id"].(string),
			models.SessionChange{ContentState: new(models.ContentApproved)}))(t)
		sort := object{"order": "friendlyId", "sort": "asc"}
		rows := d.search(t, object{"expand": "publish_gate", "sort": sort})
		held := ""
		for _, row := range rows {
			read := d.do(t, "GET", d.path("/sessions/"+row["id"].(string)+"?expand=publish_gate"), nil).want(200).object()
			wantEqual(t, row, read)
			held += fmt.Sprint(row["friendly_id"], " ")
			for _, reason := range row["publish_gate"].(object)["reasons"].([]any) {
				held += reason.(object)["hold"].(string) + " "
			}
		}
		modelstest.Want(t, "held", held, "A-1 A-2 undrafted S-1 undrafted S-2 alone content S-3 ")
		few := d.search(t, object{"fields": []string{"id", "publish_gate"}, "filters": object{"text": "Alone"}})
		wantEqual(t, few, []object{{"id": alone["id"], "publish_gate": rows[3]["publish_gate"]}})
		wantEqual(t, d.search(t, object{"expand": "publish_gate", "filters": object{"text": "nowhere"}}), []object{})
	})
}

func TestWhatASearchDoesNotAskForIsNotRead(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		d.full(t)
		row := d.search(t, `{}`)[0] // the metadata is known from now on
		during := func(body any) []string {
			t.Helper()
			d.put(t, row["id"], object{"title": store.NewID()}) // so that the page is not kept
			return d.Statement.During(func() { d.search(t, body) })
		}
		statements := func(fields ...string) int {
			t.Helper()
			return len(during(object{"fields": fields}))
		}
		everything, little := len(during(`{}`)), statements("id", "title")
		modelstest.Want(t, "statements for two fields", little, everything-1) // people and tags come in one
		read := func(fields ...string) string {
			return strings.Join(during(object{"fields": fields}), "\n")
		}
		if text := read("id", "description"); strings.Contains(read("id"), "description") ||
			!strings.Contains(text, "description") || strings.Contains(text, "custom_fields") {
			t.Errorf("reads %s", text)
		}
		if people, tags := read("participants"), read("tags"); strings.Contains(people, "session_tags") ||
			strings.Contains(tags, "participants") {
			t.Errorf("reads %s for people, %s for tags", people, tags)
		}
		for field, more := range map[string]int{"participants": 1, "participant_ids": 1, "tags": 1, "track": 0,
			"track_id": 0} {
			modelstest.Want(t, "statements for "+field, statements("id", field), little+more)
		}
	})
}
