package mcp_test

import (
	"fmt"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

// TestNothingIsToldWithTheFiltersThatAreWhy searches words that are there, beside filters that leave them out.
func TestNothingIsToldWithTheFiltersThatAreWhy(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		track := d.row(models.Tracks, "Systems")
		d.session("Tides", models.SessionInput{StartsAt: d.at(15, 9, 0)})
		d.abstract("Logs")
		const tryFewer = " Try fewer words, or list_submissions; search_speakers finds people by company or e-mail."
		const days = "No session starts on 2027-05-20; sessions start on 2027-05-15."
		for _, c := range []struct {
			tool      string
			arguments object
			want      any
		}{
			{"search_schedule", object{"text": "Tides", "status": "declined"},
				"No session of the programme matches with the filters status and text together. Titles like it: S-1 “Tides” " +
					"(accepted)." + tryFewer},
			{"search_schedule", object{"text": "nowhere", "limit": 3, "track": " "},
				"No session of the programme matches with the filter text." + tryFewer +
					" track is empty, so it leaves nothing out."},
			{"list_submissions", object{"level": "", "track": "", "status": []any{}, "event_id": ""},
				"level and track are empty, so they leave nothing out."},
			{"list_submissions", object{"level": "", "count_by": "status"}, "level is empty, so it leaves nothing out."},
			{"list_submissions", object{"level": "(None)", "track": "(NONE)"}, nil},
			{"get_schedule", object{"track": ""}, "track is empty, so it leaves nothing out."},
			{"search_schedule", object{"day": "2027-05-15", "track": track},
				"No session of the programme matches with the filters day and track together."},
			{"search_schedule", object{"at": "2027-05-15T13:00"}, "No session of the programme matches with the filter at."},
			{"search_schedule", object{"day": "2027-05-20", "text": "Tides"},
				"No session of the programme matches with the filters day and text together. Titles like it: S-1 “Tides” " +
					"(accepted)." + tryFewer + " " + days},
			{"search_schedule", object{"day": "2027-05-20", "count_by": "room"}, days},
			{"search_schedule", object{"at": "2027-05-20T10:00", "count_by": "room"}, days},
			{"search_schedule", object{"speaker": "nobody", "count_by": "room"},
				"No session of the programme matches with the filter speaker. Try list_submissions, or a part of the name in " +
					"search_speakers, which tells each one's sessions."},
			{"list_submissions", object{"text": "Logs", "status": []any{"accepted"}, "created_since": "2026-01-01"},
				"No submission matches with the filters created_since, status and text together. Titles like it: A-1 “Logs” " +
					"(pending). Try fewer words, or search_schedule; search_speakers finds people by company or e-mail."},
			{"list_submissions", object{"track": track, "count_by": "status"}, "No submission matches with the filter track."},
			{"get_schedule", object{"day": "2027-05-15", "track": track},
				"No session of the programme matches with the filters day and track together."},
			{"get_schedule", object{"day": "2027-05-20"}, "The pagination counts the sessions of all days. " + days},
		} {
			d.wantNote(c.tool, c.arguments, c.want)
		}
	})
}

func TestADayThatIsNoneOfTheEventsIsTold(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := d.session("Tides")
		d.row(models.Rooms, "Hall")
		place := func(what, at string, note any) {
			t.Helper()
			got := d.tool("schedule_session", object{"session_id": s.FriendlyID, "starts_at": at})
			modelstest.Want(t, what, got["note"], note)
		}
		place("before there is any day", "2027-05-20T09:00", nil)
		place("alone on another day", "2027-05-21T09:00", nil)
		other := d.session("Logs", models.SessionInput{StartsAt: d.at(20, 9, 0)})
		place("alone", "2027-05-22T09:00", "No other session starts on 2027-05-22; sessions start on 2027-05-20.")
		place("beside another one", "2027-05-20T09:00", nil)
		modelstest.Must(d.Programme().DeleteSession(t.Context(), other.ID))(t)
		d.Event = modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{
			StartsOn: store.Some("2027-05-15"), EndsOn: store.Some("2027-05-16")}))(t)
		place("outside", "2027-05-21T09:00", "2027-05-21 is outside the event, which is from 2027-05-15 to 2027-05-16.")
		place("where it is", "2027-05-21T10:00", nil)
		place("on a day of the event's", "2027-05-16T10:00", nil)
		free := func(day string) bool {
			note := fmt.Sprint(d.tool("find_free_slots", object{"day": day})["note"])
			return strings.HasPrefix(note, day+" is outside the event, which is from 2027-05-15 to 2027-05-16. Free for")
		}
		if free("2027-05-15") || free("2027-05-16") || !free("2027-06-15") {
			t.Error("the free slots tell another day's")
		}
	})
}

func TestASessionThatIsPlacedHasAnEndOrSaysWhyNot(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall := d.row(models.Rooms, "Hall")
		d.session("There", models.SessionInput{StartsAt: d.at(15, 9, 20), EndsAt: d.at(15, 10, 0),
			RoomID: store.Some(hall)})
		place := func(in models.SessionInput, arguments object) object {
			arguments["session_id"] = d.session("New", in).ID
			return d.tool("schedule_session", arguments)
		}
		got := place(models.SessionInput{}, object{"room": "Hall", "starts_at": "2027-05-15T09:00"})
		is(t, got, object{"ends_at": "2027-05-15T09:30", "conflicts": "[Hall also has S-1 “There” 09:20–10:00]",
			"note": nil})
		for name, c := range map[string]struct {
			in        models.SessionInput
			arguments object
			note      string
		}{
			"declined": {models.SessionInput{Status: new(models.Declined)},
				object{"room": "Hall", "starts_at": "2027-05-15T09:30"},
				"It is declined, so it takes no place and collides with nothing."},
			"no start": {models.SessionInput{}, object{"room": "Hall"}, "It has no start, so it takes no place yet."},
			"no end": {models.SessionInput{StartsAt: d.at(15, 13, 0)}, object{"room": "Hall"},
				"It has no end; give it one with ends_at."},
		} {
			if got := place(c.in, c.arguments); got["note"] != c.note || fmt.Sprint(got["conflicts"]) != "[]" {
				t.Errorf("%s: %v", name, got)
			}
		}
	})
}

func TestFreeSlotsOfASubmissionAreThoseOfItsSession(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		a := d.abstract("A", models.SessionInput{Status: new(models.Accepted)})
		ask := func() string {
			message, hint := d.refused("find_free_slots", object{"day": "2027-05-15", "session_id": a.FriendlyID}, 400)
			return message + " " + hint
		}
		modelstest.Want(t, "refusal", ask(), "A-1 is a submission; only programme sessions have a place. Staff compose it "+
			"into a programme session in the admin; then schedule that one.")
		into := modelstest.Must(d.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		has(t, ask(), "Call again with session_id "+into.FriendlyID)
		row := rows(t, d.tool("list_submissions", nil))[0]
		modelstest.Want[any](t, "composed into", row["composed_into"], into.FriendlyID)
		d.abstract("B")
		row = rows(t, d.tool("list_submissions", object{"text": "B"}))[0]
		modelstest.Want(t, "composed into", row["composed_into"], nil)
	})
}

// TestHintsNameTheArgumentAndTheToolThatHelps asks with what a person would have at hand.
func TestHintsNameTheArgumentAndTheToolThatHelps(t *testing.T) {
	d := one(t)
	for _, c := range []struct {
		tool      string
		arguments object
		hint      string
	}{
		{"get_speaker", object{"speaker_id": "Ada Byron"}, "search_speakers finds it by a name."},
		{"get_submission", object{"submission_id": "Queues that forget"}, "list_submissions finds a submission by its title"},
		{"schedule_session", object{"session_id": "Queues that forget", "room": "x"}, "search_schedule finds a session"},
		{"list_changes", object{"since": "2026-11-21"}, "list_submissions with created_since or updated_since"},
		{"search_speakers", object{"query": strings.Repeat("x", 201)}, "Change the argument query and call again."},
	} {
		d.wantHint(c.tool, c.arguments, 400, c.hint)
	}
	has(t, d.tool("search_speakers", object{"query": "ada"})["note"], "searchContacts of the REST API")
	d.wantNote("search_speakers", nil, nil)
}

func TestALabelThatASearchMissesIsTold(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		a := d.abstract("A", models.SessionInput{Status: new(models.Accepted)})
		modelstest.Must(d.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		d.abstract("B")
		d.abstract("Harbours")
		gone := d.session("Currents", models.SessionInput{Description: new("Of harbours.")})
		modelstest.Must(d.Programme().DeleteSession(t.Context(), gone.ID))(t)
		for _, c := range []struct{ tool, text, want string }{
			{"search_schedule", "A-1", "A-1 is a submission that is composed into S-1."},
			{"search_schedule", "a-2", "A-2 is a submission; get_submission reads it."},
			{"search_schedule", "S-2", "S-2 is deleted; get_submission still reads it."},
			{"search_schedule", "harbours", "Titles like it: A-3 “Harbours” (pending). Try fewer words, or list_submissions; " +
				"search_speakers finds people by company or e-mail."},
			{"list_submissions", "currents", "S-2 “Currents” is deleted; get_submission still reads it. Try fewer words, or " +
				"search_schedule; search_speakers finds people by company or e-mail."},
			{"list_submissions", "S-1", "S-1 is a session of the programme; get_submission reads it."},
			{"search_schedule", "S-99", "Nothing here has the label S-99."},
		} {
			note := fmt.Sprint(d.tool(c.tool, object{"text": c.text})["note"])
			if _, said, _ := strings.Cut(note, "the filter text. "); said != c.want {
				t.Errorf("%s: %s", c.text, note)
			}
		}
	})
}

func TestWhatIsNextInARoomIsTold(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		hall := store.Some(d.row(models.Rooms, "Hall"))
		for _, hour := range []int{13, 9} {
			d.session("Tides", models.SessionInput{StartsAt: d.at(15, hour, 30), EndsAt: d.at(15, hour, 45), RoomID: hall})
		}
		d.session("Elsewhere", models.SessionInput{StartsAt: d.at(15, 12, 0)})
		d.session("Gone", models.SessionInput{StartsAt: d.at(15, 11, 0), RoomID: hall, Status: new(models.Withdrawn)})
		on := d.tool("search_schedule", object{"at": "2027-05-15T09:35", "room": "Hall"})
		modelstest.Want(t, "rows while one is on", len(rows(t, on)), 1)
		modelstest.Want[any](t, "note while one is on", on["note"], "Next there: S-1 at 13:30.")
		const none = "No session of the programme matches with the filters at and room together. "
		for at, want := range map[string]string{"10:30": "Next there: S-1 at 13:30.", "08:00": "Next there: S-2 at 09:30.",
			"15:00": "Nothing starts there later that day."} {
			d.wantNote("search_schedule", object{"at": "2027-05-15T" + at, "room": "Hall"}, none+want)
		}
	})
}
