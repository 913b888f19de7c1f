package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// at is a time of May 2027 in the event's time zone.
func (d *desk) at(day, hour, minute int) store.Optional[store.Time] {
	return store.Some(store.At(time.Date(2027, 5, day, hour, minute, 0, 0, d.Event.Location())))
}

// titles are the titles of a tool's rows, in their order, and column the values of any field.
func (d *desk) titles(tool string, arguments object) string {
	d.t.Helper()
	return d.column(tool, arguments, "title")
}

func (d *desk) column(tool string, arguments object, field string) string {
	d.t.Helper()
	var values []string
	for _, row := range rows(d.t, d.tool(tool, arguments)) {
		values = append(values, row[field].(string))
	}
	return strings.Join(values, " ")
}

func TestTheScheduleIsSearched(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall, track, format := d.row(models.Rooms, "Hall"), d.row(models.Tracks, "Systems"), d.row(models.Formats, "Talk")
		first := d.session("First", models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0),
			RoomID: store.Some(hall), TrackID: store.Some(track)})
		d.session("Second", models.SessionInput{StartsAt: d.at(15, 10, 0), EndsAt: d.at(15, 11, 0),
			FormatID: store.Some(format), Status: new(models.Declined)})
		d.session("Later", models.SessionInput{StartsAt: d.at(16, 0, 0)})
		d.session("Whenever")
		d.abstract("Abstract")
		ada := d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Byron"})
		first = d.change(first.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true})
		for _, c := range []struct {
			arguments object
			titles    string
		}{
			{nil, "First Second Later Whenever"}, {object{"day": "2027-05-15"}, "First Second"},
			{object{"day": "2027-05-16"}, "Later"}, {object{"at": "2027-05-15T09:59"}, "First"},
			{object{"at": d.at(15, 10, 0).Value.String()}, "Second"}, {object{"at": "2027-05-16 00:00"}, "Later"},
			{object{"room": "Hall"}, "First"}, {object{"room": hall}, "First"}, {object{"track": "Systems"}, "First"},
			{object{"speaker": "byron"}, "First"}, {object{"speaker": ada}, "First"}, {object{"text": "later"}, "Later"},
			{object{"status": "declined"}, "Second"}, {object{"scheduled": false}, "Whenever"},
			{object{"is_public": true}, "First"}, {object{"is_public": false, "scheduled": true}, "Second Later"},
			{object{"limit": 2, "page": 2}, "Later Whenever"},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), d.titles("search_schedule", c.arguments), c.titles)
		}
		page := d.tool("search_schedule", object{"limit": 3})
		row := rows(t, page)[0]
		is(t, page, object{"note": "Page 1 of 2; page 2 goes on.", "timezone": d.Event.Timezone})
		is(t, row, object{"friendly_id": first.FriendlyID, "status": "accepted", "room": "Hall", "is_public": true,
			"speakers": "[Ada Byron]", "starts_at": "2027-05-15T09:00", "ends_at": "2027-05-15T10:00",
			"updated_at": first.UpdatedAt})
		const days = "No session starts on 2027-05-20; sessions start on 2027-05-15 and 2027-05-16."
		for _, arguments := range []object{{"day": "2027-05-20"}, {"at": "2027-05-20T10:00"}} {
			d.wantNote("search_schedule", arguments, days)
		}
		d.wantNote("search_schedule", object{"page": 7}, "The last page is 1.")
		count := d.tool("search_schedule", object{"count_by": "room", "day": "2027-05-15"})
		modelstest.Want(t, "counts by room", fmt.Sprint(count), "map[by:room counts:map[(none):1 Hall:1] total:2]")
		d.wantNote("get_schedule", object{"day": "2027-05-20"}, "The pagination counts the sessions of all days. "+days)
	})
}

func TestEveryRowOfALongScheduleIsReached(t *testing.T) {
	d := one(t)
	for i := range 105 {
		d.session(fmt.Sprint("Talk", i), models.SessionInput{StartsAt: d.at(15+i/60, 9+i%60/6, i%6)})
	}
	seen := map[any]bool{}
	for page := 1; ; page++ {
		got := d.tool("search_schedule", object{"page": page, "limit": 50})
		for _, row := range rows(t, got) {
			seen[row["friendly_id"]] = true
		}
		if got["note"] == nil {
			break
		}
	}
	modelstest.Want(t, "rows", len(seen), 105)
	secondDay := rows(t, d.tool("search_schedule", object{"day": "2027-05-16", "limit": 100}))
	modelstest.Want(t, "rows of the second day", len(secondDay), 45)
	for _, arguments := range []object{nil, {"day": "2027-05-16"}, {"day": "2027-05-20"}} {
		note := fmt.Sprint(d.tool("get_schedule", arguments)["note"])
		outside := arguments["day"] == "2027-05-20"
		if !strings.Contains(note, "search_schedule") || strings.Contains(note, "matches") ||
			strings.HasSuffix(note, "No session starts on 2027-05-20; sessions start on 2027-05-15 and 2027-05-16.") != outside {
			t.Errorf("%v: %s", arguments, note)
		}
	}
}

func TestASessionIsScheduled(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall := d.row(models.Rooms, "Hall")
		talk := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Formats,
			models.NewMetadata{Name: "Talk", DefaultMinutes: new(40)}))(t)
		d.session("There", models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0),
			RoomID: store.Some(hall)})
		s := d.session("New", models.SessionInput{FormatID: store.Some(talk.ID)})
		place := func(arguments object) object {
			arguments["session_id"] = s.FriendlyID
			return d.tool("schedule_session", arguments)
		}
		local := func(hour, minute int) any { return fmt.Sprintf("2027-05-15T%02d:%02d", hour, minute) }
		got := place(object{"room": "Hall", "starts_at": "2027-05-15T09:30"})
		is(t, got, object{"starts_at": local(9, 30), "ends_at": local(10, 10), "room": "Hall",
			"timezone": d.Event.Timezone, "conflicts": "[Hall also has S-1 “There” 09:00–10:00]"})
		overview := d.tool("get_event_overview", nil)
		is(t, overview, object{"conflicts": 1.0,
			"first_conflicts": "[S-2 “New” 09:30–10:10: Hall also has S-1 “There” 09:00–10:00, on 2027-05-15]"})
		extra := d.session("Third", models.SessionInput{StartsAt: d.at(15, 9, 40), RoomID: store.Some(hall)})
		overview = d.tool("get_event_overview", object{"conflicts": 1})
		is(t, overview, object{"conflicts": 3, "note": "The first 1 of 3 conflicts are told; raise conflicts (at most 100)."})
		modelstest.Want(t, "conflicts told", len(overview["first_conflicts"].([]any)), 1)
		modelstest.Must(d.Programme().DeleteSession(t.Context(), extra.ID))(t)
		got = place(object{"starts_at": d.at(15, 11, 0).Value.String()}) // the length stays
		is(t, got, object{"starts_at": local(11, 0), "ends_at": local(11, 40), "conflicts": "[]"})
		kept := modelstest.Must(d.Programme().Session(t.Context(), s.ID))(t)
		if !kept.StartsAt.Equal(d.at(15, 11, 0).Value.Time) || *kept.RoomID != hall || got["updated_at"] != kept.UpdatedAt.String() {
			t.Errorf("%v, %+v", got, kept)
		}
		d.refused("schedule_session", object{"session_id": s.ID, "room": "Hall", "updated_at": s.UpdatedAt}, 409)
		accepted := models.SessionInput{Status: new(models.Accepted)}
		two := modelstest.Must(d.Programme().Compose(t.Context(), []string{d.abstract("A", accepted).ID,
			d.abstract("B", accepted).ID}, ""))(t)
		d.wantNote("schedule_session", object{"session_id": two.ID, "starts_at": "2027-05-15T20:00"}, "It is composed of 2 "+
			"submissions and had no end, so it lasts as long as staff gave these, else as its format says; give ends_at where "+
			"that is too short.")
		a := d.abstract("C", accepted)
		d.wantHint("schedule_session", object{"session_id": a.ID, "room": "Hall"}, 400, "admin")
		into := modelstest.Must(d.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		d.wantHint("schedule_session", object{"session_id": a.ID, "room": "Hall"}, 400, into.FriendlyID)
		modelstest.Want(t, "hint", d.hint("schedule_session", object{"session_id": s.ID, "room": "hal"}, 400),
			`Call list_rooms for the ids and names of the rooms. Did you mean "Hall"?`)
		d.as("").refused("search_schedule", object{"at": "2027-05-15T12:00"}, 401)
		// The key tells the event's time zone, also without read:events.
		narrow := d.as(d.mint(apikey.ReadSessions, apikey.WriteSessions))
		arguments := object{"event_id": d.Event.ID, "session_id": s.ID, "starts_at": "2027-05-15T12:00"}
		for at, want := range map[string]string{"2027-05-15T12:00": "2027-05-15T12:00",
			"2027-05-15T12:00Z": "2027-05-15T14:00"} {
			arguments["starts_at"] = at
			is(t, narrow.tool("schedule_session", arguments), object{"starts_at": want, "timezone": d.Event.Timezone,
				"note": nil})
		}
		modelstest.Fine(t, d.KeepSeen(t.Context()))
		denied := modelstest.First(d.Webhooks().SecurityLog(t.Context(),
			store.SecurityFilter{Events: []store.SecurityEvent{store.Denied}}, store.Page{}))(t)
		modelstest.Want(t, "refusals noted of who asked for nothing else", len(denied), 0)
	})
}

func TestASearchForALabelFindsItFirst(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for i := range 12 {
			d.session("S-1 is named", models.SessionInput{StartsAt: d.at(15, 9, 59-i)})
		}
		for _, text := range []string{"S-1", "s-1"} {
			found := rows(t, d.tool("search_schedule", object{"text": text}))
			modelstest.Want(t, "found by "+text, len(found), 12)
			modelstest.Want[any](t, "the first by "+text, found[0]["friendly_id"], "S-1")
		}
		byStart := rows(t, d.tool("search_schedule", object{"text": "named"}))
		modelstest.Want[any](t, "the first by start", byStart[0]["friendly_id"], "S-12")
	})
}
