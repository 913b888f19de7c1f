package mcp_test

import (
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
		first := d.session(models.NewSession{Title: "First", SessionInput: at})
		at.FormatID = store.Some(format)
		d.session(models.NewSession{Title: "Second", SessionInput: at})
		d.session(models.NewSession{Title: "Waiting", SessionInput: models.SessionInput{TagIDs: &[]string{tag},
			LevelID: store.Some(level)}})
		early := d.session(models.NewSession{Title: "Early", IsAbstract: true})
		d.Clock.Move(1)
		since := d.Clock.Now()
		d.Clock.Move(60e9)
		d.session(models.NewSession{Title: "Late", SessionInput: models.SessionInput{StartsAt: d.at(16, 9, 0)}})
		abstract := func(title string, in models.SessionInput) {
			d.session(models.NewSession{Title: title, IsAbstract: true, SessionInput: in})
		}
		abstract("Taken", models.SessionInput{Status: new(models.Accepted), FormatID: store.Some(format)})
		abstract("Open", models.SessionInput{TagIDs: &[]string{tag}, LevelID: store.Some(level)})
		modelstest.Must(d.Programme().UpdateSession(t.Context(), early.ID, models.SessionChange{Title: new("Anew")}))(t)
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
			if got := d.titles(c.tool, c.arguments); got != c.titles {
				t.Errorf("%s %v: %s, want %s", c.tool, c.arguments, got, c.titles)
			}
		}
		for tool, others := range map[string]string{"search_schedule": "list_submissions",
			"list_submissions": "search_schedule"} {
			got := d.tool(tool, object{"text": "li@example.org"})
			if note, _ := got["note"].(string); !strings.Contains(note, others) ||
				!strings.Contains(note, "search_speakers") {
				t.Errorf("%s: %v", tool, got)
			}
		}
		gone := d.tool("schedule_session", object{"session_id": first.FriendlyID, "unschedule": true})
		if gone["starts_at"] != nil || gone["ends_at"] != nil || gone["room"] != nil ||
			len(gone["conflicts"].([]any)) != 0 {
			t.Errorf("%v", gone)
		}
		if got := d.titles("search_schedule", object{"needs": "place"}); got != "Late First Waiting" {
			t.Errorf("after that: %s", got)
		}
	})
}
