package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestTheOverviewCountsWhatListsShow(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		web := d.row(models.Tracks, "Web")
		d.abstract("A", models.SessionInput{TrackID: store.Some(web)})
		d.abstract("B", models.SessionInput{Status: new(models.Draft)})
		s := d.session("C", models.SessionInput{StartsAt: d.at(15, 9, 0)})
		d.session("D")
		d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
		got := d.tool("get_event_overview", nil)
		is(t, got, object{"name": d.Event.Name, "timezone": d.Event.Timezone, "speakers": 1, "conflicts": 0,
			"days": "map[2027-05-15:1]", "first_conflicts": nil, "note": nil,
			"submissions": "map[by_status:map[draft:1 pending:1] by_track:map[(none):1 Web:1] total:2]",
			"sessions":    "map[by_status:map[accepted:2] by_track:map[(none):2 Web:0] total:2 unpublished:2 unscheduled:1]"})
		d.row(models.Tracks, "Web") // counts with its namesake
		for i := range 11 {
			d.row(models.Tracks, fmt.Sprint("Track ", i))
		}
		got = d.tool("get_event_overview", nil)
		if tracks := got["submissions"].(object)["by_track"].(object); len(tracks) != 11 || tracks["Web"] != 1.0 ||
			!strings.Contains(got["note"].(string), "count_by") {
			t.Errorf("%v", got)
		}
	})
}

func TestRoomsAndOtherRowsAreListed(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		p := d.Programme()
		hall := modelstest.Must(p.CreateMetadata(t.Context(), models.Rooms, models.NewMetadata{Name: "Hall",
			Capacity: new(420)}))(t)
		talk := modelstest.Must(p.CreateMetadata(t.Context(), models.Formats, models.NewMetadata{Name: "Talk",
			DefaultMinutes: new(30)}))(t)
		for _, family := range []models.Family{models.Tracks, models.Levels, models.Tags} {
			d.row(family, "One of "+string(family))
		}
		for family, want := range map[string]string{
			"": fmt.Sprintf("[map[capacity:420 id:%s name:Hall]]", hall.ID), "rooms": "Hall", "tracks": "One of tracks",
			"formats": fmt.Sprintf("[map[default_minutes:30 id:%s name:Talk]]", talk.ID), "levels": "One of levels",
			"tags": "One of tags",
		} {
			arguments := object{"family": family}
			if family == "" {
				arguments = nil
			}
			has(t, rows(t, d.tool("list_rooms", arguments)), want)
		}
		for i := range 100 {
			d.row(models.Rooms, fmt.Sprint("Room ", i))
		}
		first := d.tool("list_rooms", nil)
		if first["note"] != "Page 1 of 2; page 2 goes on." || len(rows(t, d.tool("list_rooms", object{"page": 2}))) != 1 {
			t.Errorf("%v", first["note"])
		}
		for i := range 100 {
			d.row(models.Tracks, fmt.Sprint("Track ", i))
		}
		tracks := d.tool("list_tracks", nil)
		if tracks["note"] != "list_rooms with family tracks and page 2 goes on." || len(rows(t, tracks)) != 100 ||
			len(rows(t, d.tool("list_rooms", object{"family": "tracks", "page": 2}))) != 1 {
			t.Errorf("%v", tracks["note"])
		}
	})
}

func TestChangesAreToldFromNowOn(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.session("Before")
		now := d.tool("list_changes", nil)
		if len(now["results"].([]any)) != 0 || !strings.Contains(now["note"].(string), "cursor") {
			t.Errorf("%v", now)
		}
		s := d.abstract("After")
		ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
		gone := d.session("Gone")
		modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
		hall := d.row(models.Rooms, "Hall")
		next := d.tool("list_changes", object{"since": now["cursor"], "limit": 3})
		if len(next["results"].([]any)) != 3 || !strings.Contains(next["note"].(string), "more") {
			t.Errorf("%v", next)
		}
		last := d.tool("list_changes", object{"since": next["cursor"]})
		all := append(next["results"].([]any), last["results"].([]any)...)
		for _, row := range all {
			at, err := time.Parse(time.RFC3339, fmt.Sprint(row.(object)["changed_at"]))
			if age := time.Since(at); err != nil || age < -time.Minute || age > 10*time.Minute {
				t.Errorf("%v: %v", row, err)
			}
			delete(row.(object), "changed_at")
		}
		has(t, all,
			fmt.Sprintf("map[friendly_id:A-1 id:%s kind:session name:After status:pending]", s.ID),
			fmt.Sprintf("map[id:%s kind:speaker name:Ada]", ada),
			fmt.Sprintf("map[deleted:true deleted_at:%s friendly_id:S-2 id:%s kind:session name:Gone status:accepted]",
				store.At(d.Clock.Now()), gone.ID),
			fmt.Sprintf("map[id:%s kind:room name:Hall]", hall))
		modelstest.Want(t, "note", last["note"], nil)
		d.refused("list_changes", object{"since": "x"}, 400)
		has(t, d.tool("list_changes", object{"since": "start", "limit": 100})["results"], "name:Before", "name:Ada",
			"name:Hall", fmt.Sprintf("deleted:true deleted_at:%s friendly_id:S-2", store.At(d.Clock.Now())))
	})
}

func TestToolsThatAKeyCannotUseAreNotListed(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		listed := func(headers map[string]string) (names []string) {
			all, err := d.client(headers).ListTools(t.Context(), mcpgo.ListToolsRequest{})
			modelstest.Fine(t, err)
			for _, tool := range all.Tools {
				names = append(names, tool.Name)
			}
			slices.Sort(names)
			return names
		}
		all := listed(nil)
		if !slices.Equal(listed(withKey(d.key)), all) || !slices.Equal(listed(withKey("lct_unknown")), all) {
			t.Error("a key with all scopes, or one that is none, does not list all")
		}
		for scope, want := range map[apikey.Scope]string{
			apikey.ReadMetadata: "get_openapi list_rooms list_tracks", apikey.ReadEvents: "get_openapi list_events",
			apikey.WriteSessions: "capture_abstract get_openapi update_submission", apikey.WriteMetadata: "get_openapi",
			apikey.ReadContacts: "get_openapi get_speaker search_speakers",
		} {
			key := d.mint(scope)
			modelstest.Want(t, string(scope), strings.Join(listed(withKey(key)), " "), want)
			d.as(key).wantHint("get_schedule", object{"event_id": d.Event.ID}, 403, "read:sessions")
		}
	})
}
