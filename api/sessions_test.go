package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

func TestACreatedSessionIsWhatGetReturns(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		track, room, format, level := d.row(t, "tracks", "Web"), d.row(t, "rooms", "Hall"), d.row(t, "formats", "Talk"),
			d.row(t, "levels", "Easy")
		tag, second := d.row(t, "tags", "one"), d.row(t, "tags", "two")
		created := d.create(t, object{
			"title": "  Queues & <more>\n", "is_abstract": true, "status": "draft", "description": " <p>Hi <b>all</b></p> ",
			"starts_at": "2026-11-21T10:30:00.1239+01:00", "ends_at": "2026-11-21T10:00:00Z", "capacity": 0,
			"track_id": track, "room_id": room, "format_id": format, "level_id": level, "tag_ids": []string{second, tag, second},
			"custom_fields": []object{{"key": "z", "value": " 1 "}, {"key": "a", "value": ""}},
		})
		id := created["id"].(string)
		label := func(id, name string, more object) object {
			row := object{"id": id, "event_id": d.Event.ID, "name": name, "order": 0}
			maps.Copy(row, more)
			return row
		}
		wantEqual(t, created, object{
			"id": id, "event_id": d.Event.ID, "friendly_id": "A-1", "title": "Queues & <more>", "status": "draft",
			"is_abstract": true,
			"description": "<p>Hi <b>all</b></p>", "starts_at": "2026-11-21T09:30:00.123Z",
			"ends_at": "2026-11-21T10:00:00.000Z", "capacity": 0,
			"is_public": false, "is_plenary": false,
			"composition_status": object{"role": "standalone", "is_linked": false, "is_read_only": false, "source_count": 0,
				"target": nil},
			"track":  label(track, "Web", object{"color": models.TrackColors[0]}),
			"room":   label(room, "Hall", object{"capacity": nil}),
			"format": label(format, "Talk", object{"default_minutes": nil}), "level": label(level, "Easy", nil),
			"tags":         []object{label(tag, "one", nil), label(second, "two", object{"order": 1})},
			"participants": []object{}, "custom_fields": []object{{"key": "z", "value": "1"}, {"key": "a", "value": ""}},
			"created_at": "2026-11-21T09:30:00.000Z", "updated_at": "2026-11-21T09:30:00.000Z", "deleted_at": nil,
			"admin_url": "https://lectern.test/admin/events/" + d.Event.ID + "/sessions/" + id,
		})
		wantEqual(t, d.get(t, id), created)
		wantEqual(t, d.search(t, `{}`), []object{created})
	})
}

func TestDefaultsAndFriendlyIdsOfBothKinds(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		for _, want := range []struct {
			abstract            bool
			friendly, isDefault string
		}{{true, "A-1", "pending"}, {false, "S-1", "accepted"}, {true, "A-2", "pending"}, {false, "S-2", "accepted"}} {
			s := d.create(t, object{"title": "T", "is_abstract": want.abstract})
			wantEqual(t, []any{s["friendly_id"], s["status"], s["description"], s["track"]},
				[]any{want.friendly, want.isDefault, "", nil})
		}
		last := d.search(t, `{"filters": {"text": "S-2"}}`)[0]["id"].(string)
		d.do(t, "DELETE", d.path("/sessions/"+last), nil).want(200)
		s := d.create(t, object{"title": "T"}) // a friendly id is not used again
		wantEqual(t, []any{s["friendly_id"], s["is_abstract"]}, []any{"S-3", false})
		wantEqual(t, d.elsewhere(t).create(t, object{"title": "T"})["friendly_id"], "S-1") // each event counts for itself
	})
}

func TestAnswersMayBeAnObjectOfStrings(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "custom_fields": object{"b": "2", "a": "1"}})
		wantEqual(t, s["custom_fields"], []object{{"key": "a", "value": "1"}, {"key": "b", "value": "2"}})
		s = d.put(t, s["id"], `{"custom_fields": {}}`).want(200).object()
		wantEqual(t, d.get(t, s["id"])["custom_fields"], []object{})
	})
}

func TestLongestValuesAreKeptWhole(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		fields := object{"title": strings.Repeat("ß", 255), "description": strings.Repeat("語", 50_000),
			"custom_fields": []object{{"key": strings.Repeat("k", 255), "value": strings.Repeat("é", 10_000)}}}
		s := d.create(t, fields)
		for field, want := range fields {
			wantEqual(t, s[field], want)
		}
		wantEqual(t, d.put(t, s["id"], s).want(200).object(), s)
	})
}

func TestAnUpdateChangesOnlyWhatItNames(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		track, tag := d.row(t, "tracks", "Web"), d.row(t, "tags", "one")
		full := object{"title": "T", "description": "D", "starts_at": "2026-11-21T10:00:00Z",
			"ends_at": "2026-11-21T11:00:00Z", "capacity": 5,
			"track_id": track, "room_id": d.row(t, "rooms", "R"), "format_id": d.row(t, "formats", "F"),
			"level_id": d.row(t, "levels", "L"),
			"tag_ids":  []string{tag}, "custom_fields": object{"a": "1"}}
		before := d.create(t, full)
		for field, change := range map[string]struct{ send, shows any }{
			"title": {"New", "New"}, "description": {"<i>x</i>", "<i>x</i>"}, "status": {"withdrawn", "withdrawn"},
			"capacity": {nil, nil}, "ends_at": {nil, nil}, "track_id": {nil, nil}, "room_id": {nil, nil},
			"format_id": {nil, nil}, "level_id": {nil, nil}, "tag_ids": {[]string{}, []object{}}, "custom_fields": {[]object{}, []object{}},
		} {
			after := d.put(t, before["id"], object{field: change.send}).want(200).object()
			want := maps.Clone(before)
			shown := strings.TrimSuffix(field, "_id")
			if field == "tag_ids" {
				shown = "tags"
			}
			want[shown], want["updated_at"] = change.shows, after["updated_at"]
			wantEqual(t, after, want)
			wantEqual(t, d.get(t, before["id"]), after)
			if after["updated_at"].(string) <= before["updated_at"].(string) {
				t.Fatalf("%s: updated_at did not grow: %v", field, after["updated_at"])
			}
			before = after
		}
		wantEqual(t, d.put(t, before["id"], `{"starts_at": null}`).want(200).object()["starts_at"], nil)
	})
}

func TestClearingTheStartOfASessionWithAnEndIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "starts_at": "2026-11-21T10:00:00Z", "ends_at": "2026-11-21T10:00:00Z"})
		d.put(t, s["id"], `{"starts_at": null}`).wantField("ends_at")
		d.put(t, s["id"], `{"starts_at": "2026-11-21T10:00:00.001Z"}`).wantField("ends_at")
		wantEqual(t, d.get(t, s["id"]), s)
		d.put(t, s["id"], `{"starts_at": null, "ends_at": null}`).want(200)
	})
}

func TestAWholeRecordMayBeSentBack(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		record := d.create(t, object{"title": "T", "is_abstract": true, "description": "<p>\"Q\" & A</p>",
			"tag_ids":  []string{d.row(t, "tags", "x")},
			"track_id": d.row(t, "tracks", "Web"), "starts_at": "2026-11-21T10:00:00Z", "custom_fields": object{"a": "1"}})
		d.speaker(t, record["id"], models.NewContact{FirstName: "Ada"})
		d.Clock.Move(time.Second)
		record = d.get(t, record["id"])
		wantEqual(t, d.put(t, record["id"], record).want(200).object(), record)
		record["title"], record["track"], record["participants"], record["id"] = "Changed", nil, []object{}, nobody
		record["deleted_at"], record["composition_status"] = "2026-01-01T00:00:00Z", "x"
		id := d.search(t, `{}`)[0]["id"]
		after := d.put(t, id, record).want(200).object()
		if after["title"] != "Changed" || after["track"] == nil || len(after["participants"].([]any)) != 1 ||
			after["deleted_at"] != nil || after["id"] != id {
			t.Fatalf("read-only fields were not ignored: %v", after)
		}
		if after["updated_at"] == record["updated_at"] {
			t.Fatal("updated_at did not move")
		}
	})
}

func TestAnUpdateThatChangesNothingKeepsTheToken(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T", "description": "<p>D</p>", "capacity": 3, "custom_fields": object{"a": "1"}})
		d.Clock.Move(time.Hour)
		for _, body := range []string{`{}`, `{"title": " T "}`, `{"description": "<p>D</p>"}`,
			`{"capacity": 3, "ends_at": null}`, `{"tag_ids": []}`,
			`{"is_public": false}`, `{"status": "accepted", "is_abstract": false}`, `{"custom_fields": {"a": "1"}}`,
			`{"publish_override": true}`} {
			wantEqual(t, d.put(t, s["id"], body).want(200).object(), s)
		}
	})
}

func TestAStaleTokenIsAConflictAndChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T"})
		second := d.put(t, s["id"], object{"title": "Second", "updated_at": s["updated_at"]}).want(200).object()
		d.put(t, s["id"], object{"title": "Lost", "updated_at": s["updated_at"]}).wantError(409, "ConflictError")
		d.put(t, s["id"], object{"title": "Lost", "updated_at": "2036-01-01T00:00:00Z"}).wantError(409, "ConflictError")
		wantEqual(t, d.get(t, s["id"]), second)
		at, _ := time.Parse(time.RFC3339, second["updated_at"].(string))
		zoned := at.In(time.FixedZone("", 3600)).Format(time.RFC3339Nano)
		third := d.put(t, s["id"], object{"title": "Third", "updated_at": zoned}).want(200).object()
		forced := d.put(t, s["id"], object{"title": "Forced"}).want(200).object()
		wantEqual(t, []any{third["title"], forced["title"]}, []any{"Third", "Forced"})
	})
}

func TestOfManyWritersWithOneTokenExactlyOneWins(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T"})
		statuses := make([]int, 16)
		modelstest.AllSucceed(t, 16, func(i int) error {
			statuses[i] = d.put(t, s["id"], object{"title": fmt.Sprint("Writer ", i), "updated_at": s["updated_at"]}).status
			return nil
		})
		slices.Sort(statuses)
		wantEqual(t, statuses, append([]int{200}, slices.Repeat([]int{409}, 15)...))
	})
}

func TestManyForcedWritersAllWinWithTokensOfTheirOwn(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "T"})
		tokens := make([]string, 8)
		modelstest.AllSucceed(t, 8, func(i int) error {
			tokens[i], _ = d.put(t, s["id"], object{"title": fmt.Sprint("Writer ", i)}).object()["updated_at"].(string)
			return nil
		})
		slices.Sort(tokens)
		if len(slices.Compact(tokens)) != 8 || tokens[0] == "" {
			t.Errorf("a token was given twice, or none: %q", tokens)
		}
	})
}

func TestDeleteHidesAndRestoreBringsBack(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "Gone"})
		d.create(t, object{"title": "Stays"})
		path := d.path("/sessions/" + s["id"].(string))
		d.do(t, "POST", path+"/restore", nil).wantError(404, "NotFoundError")
		d.Clock.Move(time.Second)
		answer := d.do(t, "DELETE", path, nil).want(200).object()
		wantEqual(t, answer, object{"id": s["id"], "deleted_at": "2026-11-21T09:30:01.000Z"})

		deleted := d.get(t, s["id"])
		if deleted["deleted_at"] != answer["deleted_at"] || deleted["updated_at"] == s["updated_at"] {
			t.Fatalf("the deleted row reads %v", deleted)
		}
		wantEqual(t, d.titles(t, `{}`), []string{"Stays"})
		wantEqual(t, d.titles(t, `{"filters": {"include_deleted": false}}`), []string{"Stays"})
		wantEqual(t, d.titles(t, `{"filters": {"include_deleted": true}}`), []string{"Gone", "Stays"})
		d.put(t, s["id"], `{"title": "x"}`).wantError(404, "NotFoundError")
		d.do(t, "DELETE", path, nil).wantError(404, "NotFoundError")
		wantEqual(t, d.get(t, s["id"]), deleted)

		restored := d.do(t, "POST", path+"/restore", nil).want(200).object()
		if restored["deleted_at"] != nil || restored["updated_at"].(string) <= deleted["updated_at"].(string) {
			t.Fatalf("the restored row reads %v", restored)
		}
		wantEqual(t, d.titles(t, `{}`), []string{"Gone", "Stays"})
		d.do(t, "POST", path+"/restore", nil).wantError(404, "NotFoundError")
		d.put(t, s["id"], `{"title": "Back"}`).want(200)
	})
}

func TestParticipantsAreEmbeddedInTheirOrder(t *testing.T) {
	each(t, func(t *testing.T, d *door) {
		s := d.create(t, object{"title": "Panel"})
		id := s["id"].(string)
		first := d.speaker(t, id, models.NewContact{FirstName: "Zoë", LastName: "Last", Email: "zoe@example.org",
			CompanyName: "Co", About: "<p>x</p>",
			PhotoURL: "https://example.org/p.jpg", Phone: "1", TravelNotes: "secret"})
		other := d.create(t, object{"title": "Another"})["id"].(string)
		second := d.speaker(t, other, models.NewContact{FirstName: "Ada"})
		d.Join(t, d.event, id, second, models.Moderator)
		wantEqual(t, d.get(t, id)["participants"], []object{
			{"id": first, "email": "zoe@example.org", "full_name": "Zoë Last", "company_name": "Co", "about": "<p>x</p>",
				"photo_url": "https://example.org/p.jpg", "role": "speaker", "order": 0},
			{"id": second, "email": "", "full_name": "Ada", "company_name": "", "about": "", "photo_url": nil,
				"role": "moderator", "order": 1},
		})
		wantEqual(t, d.search(t, `{"filters": {"text": "panel"}}`), []object{d.get(t, id)})
	})
}
