package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestFreeSlotsAreFound(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Rooms,
			models.NewMetadata{Name: "Hall", Capacity: new(90)}))(t).ID
		loft := d.row(models.Rooms, "Loft")
		talk := d.session("Talk", models.SessionInput{RoomID: store.Some(hall), StartsAt: d.at(15, 9, 0),
			EndsAt: d.at(15, 9, 45)})
		long := d.session("Long", models.SessionInput{RoomID: store.Some(loft), StartsAt: d.at(15, 9, 0),
			EndsAt: d.at(15, 16, 0)})
		d.Join(t, d.Event, talk.ID, d.Speaker(t, d.Event, long.ID, models.NewContact{FirstName: "Ada"}), models.Speaking)
		crowd := d.session("Crowd", models.SessionInput{Capacity: store.Some(91)})
		for _, b := range []models.NewBreak{
			{Kind: models.Pause, Title: "Lunch", IsPlenary: true, StartsAt: *d.at(15, 12, 0).Value,
				EndsAt: *d.at(15, 13, 0).Value},
			{Kind: models.Blocker, Title: "Repairs", RoomID: &hall, StartsAt: *d.at(15, 17, 0).Value,
				EndsAt: *d.at(16, 9, 30).Value},
		} {
			modelstest.Must(agenda.Of(d.Programme()).AddBreak(t.Context(), b))(t)
		}
		free := func(arguments object) string {
			t.Helper()
			got, said := d.tool("find_free_slots", arguments), ""
			for _, row := range rows(t, got) {
				said += fmt.Sprint(row["room"], " ", row["capacity"], row["free"], " ")
			}
			return said + fmt.Sprint(got["breaks"], got["note"])
		}
		breaks := "[12:00–13:00 Lunch in all rooms; nothing may be beside it, in any room " +
			"17:00–24:00 Repairs (blocked) in Hall]"
		for _, c := range []struct {
			arguments object
			want      string
		}{
			{object{"day": "2027-05-15"}, "Hall 90 [09:45–12:00 13:00–16:00] " + breaks +
				"Free for at least 30 minutes, looked at 09:00–16:00."},
			{object{"day": "2027-05-15", "room": "Hall", "minutes": 90, "from": "13:00", "until": "24:00"},
				"Hall 90 [13:00–17:00] " + breaks + "Free for at least 90 minutes, looked at 13:00–24:00."},
			{object{"day": "2027-05-15", "session_id": talk.FriendlyID, "until": "18:00"},
				"Hall 90 [16:00–17:00] Loft <nil> [16:00–18:00] " + breaks + "Free for at least 45 minutes, looked at 09:00–18:00."},
			{object{"day": "2027-05-15", "session_id": crowd.ID, "from": "14:00"}, "Hall 90 [14:00–16:00] " + breaks +
				"91 people are expected; fewer seats than that: Hall. Free for at least 30 minutes, looked at 14:00–16:00."},
			{object{"day": "2027-05-15", "minutes": 700}, breaks + "No room is free for 700 minutes at 09:00–16:00; " +
				"ask for fewer minutes, other hours with from and until, or another day."},
			{object{"day": "2027-05-16", "page": 2, "until": "12:00"}, "[00:00–09:30 Repairs (blocked) in Hall]" +
				"Free for at least 30 minutes, looked at 09:00–12:00. The last page is 1."},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), free(c.arguments), c.want)
		}
		bob := d.Speaker(t, d.Event, talk.ID, models.NewContact{FirstName: "Bob"})
		modelstest.IsAway(t, d.Fixture, bob, "2027-05-15 16:30-17:30;2027-05-16")
		modelstest.IsAway(t, d.Fixture, d.Speaker(t, d.Event, long.ID, models.NewContact{FirstName: "Cleo"}), "2027-05-15")
		for _, c := range []struct {
			arguments object
			want      string
		}{
			{object{"day": "2027-05-15", "session_id": "S-1", "until": "20:00", "minutes": 30}, "Hall 90 [16:00–16:30] " +
				"Loft <nil> [16:00–16:30 17:30–20:00] " + breaks + "Bob is away for some of that day, which counts as taken. " +
				"At which hours, organizers alone see, in the admin. Free for at least 30 minutes, looked at 09:00–20:00."},
			{object{"day": "2027-05-15", "room": "Hall"}, "Hall 90 [09:45–12:00 13:00–16:00] " + breaks +
				"Free for at least 30 minutes, looked at 09:00–16:00."},
			{object{"day": "2027-05-16", "session_id": "S-1"}, "[00:00–09:30 Repairs (blocked) in Hall]Bob is away for some of " +
				"that day, which counts as taken. At which hours, organizers alone see, in the admin. No room is free for 45 minutes at 09:00–16:00; ask for fewer minutes, other " +
				"hours with from and until, or another day."},
		} {
			modelstest.Want(t, fmt.Sprint(c.arguments), free(c.arguments), c.want)
		}
		d.wantHint("find_free_slots", object{"day": "2027-05-15", "session_id": "S-99"}, 404, "search_schedule")
		got := d.as(d.mint(apikey.ReadSessions)).tool("find_free_slots",
			object{"event_id": d.Event.ID, "day": "2027-05-16", "room": "Hall"})
		is(t, got, object{"timezone": d.Event.Timezone, "breaks": "[00:00–09:30 Repairs (blocked) in Hall]"})
		modelstest.Want(t, "it tells of UTC", strings.Contains(fmt.Sprint(got), "UTC"), false)
	})
}
