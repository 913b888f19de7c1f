package mcp_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/apikey"
	"lectern/models/modelstest"
	"lectern/models/people"
	"lectern/models/store"
)

func TestEachKindOfConflictIsASentence(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		ctx, p := t.Context(), d.Programme()
		d.Event = modelstest.Must(p.UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-15"),
			EndsOn: store.Some("2027-05-16")}))(t)
		d.wantNote("search_schedule", object{"day": "2027-05-20"},
			"No session has a start yet; the event is from 2027-05-15 to 2027-05-16.")
		loft := modelstest.Must(p.CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Loft", Capacity: new(40)}))(t)
		talk := d.session("Talk", models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0),
			RoomID: store.Some(loft.ID), Capacity: store.Some(90)})
		ada := d.Speaker(t, d.Event, talk.ID, models.NewContact{FirstName: "Ada"})
		other := d.session("Other", models.SessionInput{StartsAt: d.at(15, 9, 30), EndsAt: d.at(15, 10, 30)})
		d.Join(t, d.Event, other.ID, ada, models.Speaking)
		d.session("Opening", models.SessionInput{StartsAt: d.at(15, 9, 50), EndsAt: d.at(15, 9, 55), IsPlenary: new(true)})
		modelstest.Must(agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Pause, Title: "Tea", IsPlenary: true,
			StartsAt: *d.at(15, 9, 20).Value, EndsAt: *d.at(15, 9, 30).Value}))(t)
		modelstest.Must(people.In(p.Directory()).Update(ctx, ada, modelstest.Values("away", "2027-05-15 09:00-09:10")))(t)
		got := d.tool("schedule_session", object{"session_id": talk.ID, "room": "Loft"})["conflicts"].([]any)
		has(t, got, "Ada is also in S-2 “Other” 09:30–10:30", "Loft has fewer seats than are expected", "Ada is away",
			"nothing may be beside the break “Tea” 09:20–09:30", "nothing may be beside S-3 “Opening” 09:50–09:55")
		message, hint := d.refused("update_submission", object{"submission_id": "S-1", "status": "declined",
			"updated_at": "2026-11-21T09:30:00.000Z"}, 400)
		has(t, message, "programme session")
		has(t, hint, "schedule_session")
		modelstest.Want(t, "when Ada is away is told", strings.Contains(fmt.Sprint(got), "09:10"), false)
		modelstest.Want(t, "lines", len(got), 5)
		read := d.tool("get_submission", object{"submission_id": talk.ID})
		is(t, read, object{"conflicts": fmt.Sprint(got), "capacity": float64(90)})
		opening := d.tool("get_submission", object{"submission_id": "S-3"})
		modelstest.Want(t, "plenary", opening["is_plenary"], any(true))
		has(t, opening["conflicts"], "nothing may be beside it, and at the same time is S-1 “Talk” 09:00–10:00")
	})
}

// without is a REST API that answers nothing at paths with an end.
type without struct {
	http.RoundTripper
	end string
}

func (w without) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasSuffix(r.URL.Path, w.end) {
		return nil, errors.New("gone")
	}
	return w.RoundTripper.RoundTrip(r)
}

func TestWhatIsNotToldOfConflictsIsSaid(t *testing.T) {
	d := one(t)
	hall := d.row(models.Rooms, "Hall")
	for i := range 27 {
		d.session(fmt.Sprint("Talk ", i), models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 10, 0),
			RoomID: store.Some(hall)})
	}
	arguments := object{"session_id": "S-1", "starts_at": "2027-05-15T09:30"}
	got := d.tool("schedule_session", arguments)
	if got["note"] != "These are the first 25 of 26 conflicts." || len(got["conflicts"].([]any)) != 25 {
		t.Errorf("%v", got)
	}
	read := d.tool("get_submission", object{"submission_id": "S-1"})
	if read["note"] != got["note"] || len(read["conflicts"].([]any)) != 25 {
		t.Errorf("%v", read)
	}
	whole := d.calls.RoundTripper
	for end, want := range map[string]string{"/nothing": "These", "/v1/key": "Times and days are in UTC"} {
		d.calls.RoundTripper = without{whole, end}
		got := d.as(d.mint(apikey.ReadSessions)).tool("get_submission",
			object{"event_id": d.Event.ID, "submission_id": "S-1"})
		if note := got["note"].(string); !strings.HasPrefix(note, want) ||
			!strings.HasSuffix(note, "of 26 conflicts.") {
			t.Error(note)
		}
	}
	d.calls.RoundTripper = without{whole, "/conflicts"}
	arguments["starts_at"] = "2027-05-15T09:40"
	is(t, d.tool("schedule_session", arguments), object{"starts_at": "2027-05-15T09:40", "conflicts": nil,
		"note": "It is saved; what it collides with could not be read."})
	read = d.tool("get_submission", object{"submission_id": "S-1"})
	is(t, read, object{"title": "Talk 0", "note": "What it collides with could not be read now."})
}
