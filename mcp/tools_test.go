package mcp_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"lectern/mcp/tokens"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var update = flag.Bool("update", false, "write the snapshots of the tools anew")

func TestToolsAreTheirSnapshots(t *testing.T) {
	d := one(t)
	listed := modelstest.Must(d.client(nil).ListTools(context.Background(), mcpgo.ListToolsRequest{}))(t)
	if len(listed.Tools) != 16 {
		t.Fatalf("%d tools", len(listed.Tools))
	}
	for _, tool := range listed.Tools {
		wantSnapshot(t, tool.Name, tool)
		makes := tool.Name == "capture_abstract"
		changes := tool.Name == "update_submission" || tool.Name == "schedule_session"
		a := tool.Annotations
		if a.Title == "" || *a.ReadOnlyHint == (makes || changes) || *a.OpenWorldHint ||
			(a.DestructiveHint != nil && *a.DestructiveHint) != changes ||
			(a.IdempotentHint != nil && *a.IdempotentHint) != changes {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		fits(t, "the description of "+tool.Name, tool.Description, 100)
	}
}

// wantSnapshot holds a value against the file with its name.
func wantSnapshot(t *testing.T, name string, v any) {
	t.Helper()
	got := modelstest.Must(json.MarshalIndent(v, "", "  "))(t)
	file := filepath.Join("testdata", name+".json")
	if *update {
		modelstest.Fine(t, os.WriteFile(file, append(got, '\n'), 0o644))
	}
	if want, err := os.ReadFile(file); err != nil || string(got)+"\n" != string(want) {
		t.Errorf("%s is not what %s says (make gen): %v\n%s", name, file, err, got)
	}
}

func TestInstructionsAreShort(t *testing.T) {
	d := one(t)
	_, _,
		body := d.post(
		`{"jsonrpc":"2.0","id":1,"method":"initialize",
			"params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	result := decode(t, strings.TrimSpace(body))["result"].(object)
	instructions, _ := result["instructions"].(string)
	modelstest.Want(t, "name of the server", result["serverInfo"].(object)["name"], "lectern")
	if n := len(strings.Fields(instructions)); n < 60 || n > 100 {
		t.Errorf("the instructions have %d words", n)
	}
}

func TestAnAgentsJourney(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		track := d.row(models.Tracks, "Systems")
		queued := models.AcceptQueue
		wanted := d.abstract("Wanted", models.SessionInput{Status: &queued,
			Description: new("<p>First &amp; last</p><ul><li>one</li></ul>"), TrackID: store.Some(track),
			CustomFields: &models.AnswersInput{{Key: "length", Value: "30 minutes"}}})
		d.abstract("Other")
		d.session("Programme")
		person := d.Speaker(t, d.Event, wanted.ID, models.NewContact{FirstName: "Ada", LastName: "Byron",
			Email: "ada@example.org", CompanyName: "Engines", About: "<b>counts</b>"})

		event := rows(t, d.tool("list_events", nil))
		modelstest.Want(t, "events", len(event), 1)
		is(t, event[0], object{"id": d.Event.ID, "timezone": d.Event.Timezone, "slug": d.Event.Slug})
		list := rows(t, d.tool("list_submissions", object{"event_id": d.Event.ID, "status": []string{"accept_queue"}}))
		modelstest.Want(t, "submissions", len(list), 1)
		is(t, list[0], object{"id": wanted.ID, "track": "Systems", "description": "First & last - one"})
		for _, filter := range []object{{"status": "accept_queue"}, {"track": "Systems"}, {"track": track}, {"text": "byron"},
			{"text": wanted.FriendlyID}} {
			modelstest.Want(t, fmt.Sprint(filter), d.column("list_submissions", filter, "id"), wanted.ID)
		}
		second := d.column("list_submissions", object{"limit": 1, "page": 2}, "id")
		modelstest.Want(t, "the second page", second, wanted.ID)
		one := d.tool("get_submission", object{"submission_id": wanted.ID})
		is(t, one, object{"description": "First & last\n\n- one", "friendly_id": wanted.FriendlyID,
			"custom_fields": "[map[key:length value:30 minutes]]",
			"participants": fmt.Sprintf("[map[company:Engines "+
				"email:ada@example.org id:%s name:Ada Byron role:speaker]]", person)})
		people := rows(t, d.tool("search_speakers", object{"query": "engines"}))
		modelstest.Want(t, "people", fmt.Sprint(people), fmt.Sprintf("[map[about:counts company:Engines "+
			"email:ada@example.org id:%s name:Ada Byron sessions:[A-1 Wanted]]]", person))
		tracks := rows(t, d.tool("list_tracks", nil))
		if len(tracks) != 1 || tracks[0]["id"] != track || tracks[0]["color"] == "" || tracks[0]["order"] != 0.0 {
			t.Errorf("%v", tracks)
		}
		made := d.tool("capture_abstract", object{"title": " New ", "description": "<p>d</p><script>x</script>",
			"track": track, "custom_fields": object{"a": "b"}})
		kept := modelstest.Must(d.Programme().Session(t.Context(), made["id"].(string)))(t)
		is(t, made, object{"friendly_id": kept.FriendlyID, "status": "pending", "admin_url": kept.AdminURL})
		if !kept.IsAbstract || kept.Status != models.Pending || kept.Title != "New" || kept.Description != "<p>d</p>" ||
			*kept.TrackID != track || len(kept.CustomFields) != 1 {
			t.Errorf("%+v", kept)
		}
		draft := d.tool("capture_abstract", object{"title": "Draft", "status": "draft"})
		modelstest.Want(t, "status", draft["status"], any("draft"))
	})
}

func TestTheSchedule(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		track, room := d.row(models.Tracks, "Systems"), d.row(models.Rooms, "Main hall")
		d.session("Later", models.SessionInput{StartsAt: d.at(16, 0, 0), EndsAt: d.at(16, 1, 0),
			Status: new(models.Declined)})
		first := d.session("First", models.SessionInput{StartsAt: d.at(15, 23, 0), EndsAt: d.at(16, 0, 30),
			TrackID: store.Some(track), RoomID: store.Some(room)})
		d.session("Whenever")
		d.abstract("Abstract")
		d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "a@example.org"})

		all := d.tool("get_schedule", nil)
		got := rows(t, all)
		is(t, all, object{"timezone": d.Event.Timezone, "note": nil})
		first = modelstest.Must(d.Programme().Session(t.Context(), first.ID))(t)
		is(t, got[0], object{"starts_at": "2027-05-15T23:00", "ends_at": "2027-05-16T00:30", "room": "Main hall",
			"track": "Systems", "speakers": "[Ada Byron]", "unscheduled": nil, "friendly_id": first.FriendlyID,
			"status": "accepted", "updated_at": first.UpdatedAt})
		is(t, got[1], object{"status": "declined", "starts_at": "2027-05-16T00:00", "ends_at": "01:00"})
		is(t, got[2], object{"unscheduled": true, "starts_at": nil})
		for _, c := range []struct {
			arguments object
			titles    string
		}{
			{nil, "First Later Whenever"}, {object{"day": "2027-05-15"}, "First"}, {object{"day": "2027-05-16"}, "Later"},
			{object{"day": "2027-05-17"}, ""}, {object{"track": "Systems"}, "First"},
			{object{"track": track, "day": "2027-05-16"}, ""},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), d.titles("get_schedule", c.arguments), c.titles)
		}
		has(t, d.tool("get_schedule", object{"limit": 2})["note"], "first 2 of 3")
		// A key that may not list events gets the same schedule: the key tells the event's time zone.
		same := d.as(d.mint(apikey.ReadSessions)).tool("get_schedule", object{"event_id": d.Event.ID})
		modelstest.Want(t, "with read:sessions alone", fmt.Sprint(same), fmt.Sprint(all))
	})
}

func TestTheScheduleSaysWhenADayMayBeIncomplete(t *testing.T) {
	d := one(t)
	for i := range 101 {
		d.session(fmt.Sprint("Talk ", i), models.SessionInput{StartsAt: d.at(15, 9, i)})
	}
	got := d.tool("get_schedule", object{"day": "2027-05-15", "limit": 10})
	modelstest.Want(t, "rows", len(rows(t, got)), 10)
	has(t, got["note"], "first 100 of 101", "first 10 of 100")
	all := rows(t, d.tool("get_schedule", object{"day": "2027-05-15", "limit": 100}))
	modelstest.Want(t, "all rows", len(all), 100)
	modelstest.Want[any](t, "the last row", all[len(all)-1]["title"], "Talk 99")
	modelstest.Want(t, "rows by default", len(rows(t, d.tool("get_schedule", nil))), 50)
}

func TestTheAPIDescription(t *testing.T) {
	d := one(t)
	text, failed := d.as("").use("get_openapi", nil)
	index := decode(t, text)
	operations := index["operations"].([]any)
	if failed || index["openapi"] != "3.1.0" || index["server"] == "" || index["info"].(object)["version"] != "1.0" ||
		len(operations) < 20 {
		t.Fatalf("%s", text)
	}
	if n := len(operations); tokens.Count(text) > 37*n {
		t.Errorf("the index has %d tokens for %d operations", tokens.Count(text), n)
	}
	for _, row := range operations {
		id := row.(object)["operationId"].(string)
		text, failed := d.as("").use("get_openapi", object{"section": id})
		fragment := decode(t, text)
		if failed || fragment["method"] != row.(object)["method"] || fragment["path"] != row.(object)["path"] ||
			fragment["operation"].(object)["operationId"] != id {
			t.Fatalf("%s: %s", id, text)
		}
		schemas := fragment["components"].(object)["schemas"].(object)
		for _, part := range strings.Split(text, `"#/components/schemas/`)[1:] {
			if name, _, _ := strings.Cut(part, `"`); schemas[name] == nil {
				t.Errorf("%s refers to %s and does not bring it", id, name)
			}
		}
	}
	full, _ := d.as("").use("get_openapi", object{"section": "full"})
	if decode(t, full)["webhooks"] == nil {
		t.Error("full is not all")
	}
	d.as("").refused("get_openapi", object{"section": "nope"}, 400)
}
