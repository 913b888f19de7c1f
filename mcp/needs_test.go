package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestWhatNeedsSomethingIsFound(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall, format, tag := d.row(models.Rooms, "Hall"), d.row(models.Formats, "Workshop"), d.row(models.Tags, "hands-on")
		level := d.row(models.Levels, "Beginners")
		at := models.SessionInput{RoomID: store.Some(hall), StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0)}
		first := d.session("First", at)
		at.FormatID = store.Some(format)
		d.session("Second", at)
		d.session("Waiting", models.SessionInput{TagIDs: &[]string{tag}, LevelID: store.Some(level)})
		early := d.abstract("Early")
		d.Clock.Move(1)
		since := d.Clock.Now()
		d.Clock.Move(60e9)
		d.session("Late", models.SessionInput{StartsAt: d.at(16, 9, 0)})
		d.abstract("Taken", models.SessionInput{Status: new(models.Accepted), FormatID: store.Some(format)})
		d.abstract("Open", models.SessionInput{TagIDs: &[]string{tag}, LevelID: store.Some(level)})
		d.change(early.ID, models.SessionChange{Title: new("Anew")})
		for _, c := range []struct {
			tool      string
			arguments object
			titles    string
		}{
			{"search_schedule", object{"needs": "room"}, "First Second"},
			{"search_schedule", object{"needs": "place"}, "Late Waiting"},
			{"search_schedule", object{"format": "(none)"}, "First Late Waiting"},
			{"search_schedule", object{"format": "(none)", "level": "(none)", "tag": "(none)"}, "First Late"},
			{"list_submissions", object{"level": "(none)", "track": "(none)"}, "Taken Anew"},
			{"search_schedule", object{"needs": "people", "day": "2027-05-16"}, "Late"},
			{"search_schedule", object{"format": "Workshop"}, "Second"},
			{"search_schedule", object{"format": format}, "Second"},
			{"search_schedule", object{"tag": "hands-on"}, "Waiting"},
			{"search_schedule", object{"updated_since": store.At(since).String()}, "Late"},
			{"list_submissions", object{"needs": "session"}, "Taken"},
			{"list_submissions", object{"needs": "letter"}, "Taken"},
			{"list_submissions", object{"format": "Workshop"}, "Taken"},
			{"list_submissions", object{"tag": "hands-on"}, "Open"},
			{"list_submissions", object{"level": "Beginners"}, "Open"},
			{"list_submissions", object{"created_since": store.At(since).String()}, "Open Taken"},
			{"list_submissions", object{"updated_since": store.At(since).String()}, "Open Taken Anew"},
			{"search_schedule", object{"level": level}, "Waiting"},
		} {
			modelstest.Want(t, fmt.Sprint(c.tool, c.arguments), d.titles(c.tool, c.arguments), c.titles)
		}
		for tool, others := range map[string]string{"search_schedule": "list_submissions",
			"list_submissions": "search_schedule"} {
			has(t, d.tool(tool, object{"text": "li@example.org"})["note"], others, "search_speakers")
		}
		untold := d.tool("list_submissions", object{"needs": "letter"})
		has(t, rows(t, untold)[0]["held_by"], "[undrafted]")
		has(t, untold["note"], "held_by undrafted: ")
		rooms := rows(t, d.tool("search_schedule", object{"needs": "room"}))
		modelstest.Want(t, "who shares a room", fmt.Sprint(rooms[0]["conflicts"], rooms[1]["conflicts"]), "[S-2] [S-1]")
		for _, arguments := range []object{{"scheduled": false, "format": "(none)"}, {"scheduled": false, "is_public": false}} {
			note := fmt.Sprint(d.tool("search_schedule", arguments)["note"])
			modelstest.Want(t, "others are told", strings.Contains(note, "in no session yet"), false)
		}
		const besides = "Besides, an accepted submission is in no session yet: list_submissions with needs session tells it."
		d.wantNote("search_schedule", object{"needs": "place"}, besides)
		d.wantNote("search_schedule", object{"scheduled": false}, besides)
		d.wantNote("search_schedule", object{"scheduled": false, "format": format},
			"No session of the programme matches with the filters format and scheduled together. "+besides)
		for _, arguments := range []object{{"scheduled": true}, {"scheduled": false, "status": "accepted", "level": level},
			{"scheduled": false, "level": level}} {
			d.wantNote("search_schedule", arguments, nil)
		}
		gone := d.tool("schedule_session", object{"session_id": first.FriendlyID, "unschedule": true})
		is(t, gone, object{"starts_at": nil, "ends_at": nil, "room": nil, "conflicts": "[]"})
		modelstest.Want(t, "titles after that", d.titles("search_schedule", object{"needs": "place"}),
			"Late First Waiting")
	})
}

func TestRowsInConflictTellWhoAndWithWhat(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		at := func(hour int) models.SessionInput {
			return models.SessionInput{StartsAt: d.at(15, hour, 0), EndsAt: d.at(15, hour+1, 0)}
		}
		ada := d.Speaker(t, d.Event, d.session("First", at(9)).ID,
			models.NewContact{FirstName: "Ada"})
		for range 5 {
			d.Join(t, d.Event, d.session("Other", at(9)).ID, ada, models.Speaking)
		}
		bob := d.Speaker(t, d.Event, d.session("Late", at(12)).ID,
			models.NewContact{FirstName: "Bob"})
		modelstest.IsAway(t, d.Fixture, bob, "2027-05-15 12:00-13:30")
		all := at(15)
		all.IsPlenary = new(true)
		d.session("All of us", all)
		d.session("Beside", at(15))
		for need, want := range map[string]string{"person": "[Ada: S-2 Ada: S-3 Ada: S-4 2 more]", "away": "[Bob is away]",
			"plenary": "[S-9]"} {
			got := rows(t, d.tool("search_schedule", object{"needs": need}))
			modelstest.Want(t, need, fmt.Sprint(got[0]["conflicts"]), want)
		}
		got := rows(t, d.tool("search_schedule", object{"needs": "people"}))
		modelstest.Want(t, "conflicts that were not searched for", got[0]["conflicts"], nil)
	})
}

func TestConflictsThatAreTooManyToTellAreSaidToBe(t *testing.T) {
	d := one(t)
	d.crowd() // 435 conflicts of the room, and as many of the person
	const tooMany = "There are too many conflicts to tell them all here; get_submission tells those of a session."
	has(t, d.tool("search_schedule", object{"needs": "room"})["note"], tooMany)
	for _, row := range rows(t, d.tool("search_schedule", object{"needs": "person", "limit": 15})) {
		d.tool("schedule_session", object{"session_id": row["friendly_id"], "unschedule": true})
	}
	note := fmt.Sprint(d.tool("search_schedule", object{"needs": "room"})["note"])
	modelstest.Want(t, "of 210 it is said", strings.Contains(note, tooMany), false)
}

func TestAPublicSessionOfAWithdrawnSubmissionIsFound(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := modelstest.Composed(t, d.Fixture, "Tides", true)
		modelstest.Composed(t, d.Fixture, "Logs", true)
		_, _, err := d.Programme().Publish(t.Context(), s.ID, models.Publishing{})
		modelstest.Fine(t, err)
		a := d.tool("get_submission", object{"submission_id": "A-1"})
		d.tool("update_submission", object{"submission_id": "A-1", "status": "withdrawn", "updated_at": a["updated_at"]})
		modelstest.Want(t, "dropped", d.titles("search_schedule", object{"needs": "dropped"}), "Tides")
		for id, want := range map[string]any{"S-1": "A-1 is withdrawn, and this is public all the same.",
			"S-2": "Nothing holds its publication; nobody has published it yet."} {
			d.wantNote("get_submission", object{"submission_id": id}, want)
		}
	})
}
