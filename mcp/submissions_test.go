package mcp_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/modelstest"
	"lectern/models/store"
)

func TestRowsOfSubmissionsSayWhoAndWhen(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		old := d.abstract("Old")
		d.Clock.Move(time.Hour)
		s := d.abstract("New")
		d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada", LastName: "Byron"})
		got := d.tool("list_submissions", object{"limit": 1})
		s = modelstest.Must(d.Programme().Session(t.Context(), s.ID))(t)
		is(t, rows(t, got)[0], object{"friendly_id": s.FriendlyID, "speakers": "[Ada Byron]", "updated_at": s.UpdatedAt})
		is(t, got, object{"note": "Page 1 of 2; page 2 goes on."})
		modelstest.Want(t, "changed since", d.titles("list_submissions", object{"updated_since": old.UpdatedAt}), "New")
		for by, want := range map[string]string{
			"status": "accept_queue:0 accepted:0 decline_queue:0 declined:0 draft:0 pending:2 withdrawn:0", "level": "(none):2",
		} {
			modelstest.Want(t, by, fmt.Sprint(d.tool("list_submissions", object{"count_by": by})),
				"map[by:"+by+" counts:map["+want+"] total:2]")
		}
	})
}

func TestASubmissionSaysWhatHoldsItAndWhereItWent(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		a := d.abstract("A", models.SessionInput{Status: new(models.Accepted)})
		s := modelstest.Must(d.Programme().Compose(t.Context(), []string{a.ID}, ""))(t)
		d.change(s.ID, models.SessionChange{SessionInput: models.SessionInput{StartsAt: d.at(15, 9, 0)}})
		of := d.tool("get_submission", object{"submission_id": a.FriendlyID})
		is(t, of, object{"id": a.ID, "is_public": false, "local": nil})
		is(t, of["composed_into"].(object), object{"friendly_id": s.FriendlyID, "is_public": false})
		session := d.tool("get_submission", object{"submission_id": s.FriendlyID})
		is(t, session, object{"composed_of": 1.0, "parts": "[map[friendly_id:A-1 status:accepted title:A]]",
			"composed_into": nil, "publishing_held_by": "[Its decision letter was not begun.]",
			"starts_at": d.at(15, 9, 0).Value.String()})
		found := d.tool("search_schedule", object{"is_public": false})
		is(t, found, object{"note": "held_by undrafted: Its decision letter was not begun."})
		is(t, rows(t, found)[0], object{"held_by": "[undrafted]"})
		is(t, rows(t, d.tool("search_schedule", nil))[0], object{"held_by": nil})
		modelstest.Composed(t, d.Fixture, "Free to go", true)
		has(t, d.tool("search_schedule", object{"is_public": false})["note"], "Nothing holds those without held_by")
		is(t, session["local"].(object), object{"timezone": d.Event.Timezone, "ends_at": nil,
			"starts_at": "2027-05-15T09:00"})
		d.SetLetter(t, d.Event, a.ID, models.LetterSent)
		is(t, d.tool("get_submission", object{"submission_id": s.ID}), object{"publishing_held_by": nil,
			"note": "Nothing holds its publication; nobody has published it yet."})
		d.change(s.ID, models.SessionChange{IsPublic: new(true)})
		is(t, d.tool("get_submission", object{"submission_id": s.ID}), object{"is_public": true, "note": nil})
		of = d.tool("get_submission", object{"submission_id": a.ID})
		is(t, of, object{"is_public": false, "note": nil})
		is(t, of["composed_into"].(object), object{"is_public": true})
		gone := d.tool("update_submission", object{"submission_id": a.ID, "status": "withdrawn", "updated_at": of["updated_at"]})
		is(t, gone, object{"note": "It is part of " + s.FriendlyID + ", which keeps its place and stays public if it is: " +
			"see get_submission. schedule_session takes its place away, updateSession of the REST API (get_openapi) hides it."})
		modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
		of = d.tool("get_submission", object{"submission_id": a.ID})
		if _, told := of["composed_into"].(object)["deleted_at"].(string); !told {
			t.Errorf("%v", of)
		}
	})
}

func TestASubmissionIsUpdatedAsItWasRead(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := d.abstract("A")
		row := rows(t, d.tool("list_submissions", nil))[0]
		update := object{"submission_id": s.FriendlyID, "status": "accept_queue", "updated_at": row["updated_at"]}
		got := d.tool("update_submission", update)
		kept := modelstest.Must(d.Programme().Session(t.Context(), s.ID))(t)
		modelstest.Want(t, "status", kept.Status, models.AcceptQueue)
		is(t, got, object{"status": "accept_queue", "id": s.ID, "updated_at": kept.UpdatedAt})
		update["status"] = "declined"
		d.wantHint("update_submission", update, 409, "get_submission")
		update["updated_at"] = got["updated_at"]
		is(t, d.tool("update_submission", update), object{"status": "declined", "note": nil})
		other := d.abstract("B")
		accepted := d.tool("update_submission", object{"submission_id": other.ID, "status": "accepted",
			"updated_at": other.UpdatedAt.String()})
		has(t, accepted["note"], "letter")
		update["submission_id"] = "A-99"
		d.wantHint("update_submission", update, 404, "search_schedule")
		update["submission_id"] = got["id"]
		stale, _ := d.refused("update_submission", update, 409)
		has(t, stale, "changed this submission since")
	})
}

func TestACaptureTakesNamesAndTellsWhatIsSimilar(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		track := d.row(models.Tracks, "Systems")
		first := d.tool("capture_abstract", object{"title": `Queues "that" forget`, "track": "Systems"})
		kept := modelstest.Must(d.Programme().Session(t.Context(), first["id"].(string)))(t)
		modelstest.Want(t, "track", *kept.TrackID, track)
		is(t, first, object{"similar": "[]"})
		second := d.tool("capture_abstract", object{"title": "forget that queues", "track": track})
		is(t, second, object{"similar": `[map[friendly_id:A-1 status:pending title:Queues "that" forget]]`})
		d.session("Tides of the harbour")
		third := d.tool("capture_abstract", object{"title": "Harbour tides"})
		is(t, third, object{"similar": "[map[friendly_id:S-1 status:accepted title:Tides of the harbour]]"})
		d.row(models.Tracks, "Systems")
		message, _ := d.refused("capture_abstract", object{"title": "x", "track": "Systems"}, 400)
		has(t, message, "several tracks")
		// A key that may not read is told nothing of others, and denied nothing on the way.
		blind := d.as(d.mint(apikey.WriteSessions)).tool("capture_abstract",
			object{"event_id": d.Event.ID, "title": "Queues that forget"})
		_, told := blind["similar"]
		modelstest.Want(t, "similar ones are told", told, false)
	})
}

func TestSimilarIsWhatIsCalledMuchAlike(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for _, title := range []string{"Keeping harbours: running on old code", "Harbour tours", "Old stones",
			"How to keep running (on code)"} {
			d.abstract(title,
				models.SessionInput{Description: new("We have been keeping harbours running on ancient code.")})
		}
		for title, want := range map[string]string{
			"“Keeping harbours” – running, on very old code!": "A-1 A-4",
			"Keeping harbours, running on ancient code":       "A-1 A-4",
			"Harbour": "A-2", "Stones, old ones": "A-3", "Nothing of the kind": "", "¿?": "",
		} {
			found := []string{}
			similar, _ := d.tool("capture_abstract", object{"title": title, "status": "draft"})["similar"].([]any)
			for _, s := range similar {
				found = append(found, s.(object)["friendly_id"].(string))
			}
			modelstest.Want(t, title, strings.Join(found, " "), want)
			for _, s := range rows(t, d.tool("list_submissions", object{"status": "draft"})) {
				modelstest.Must(d.Programme().DeleteSession(t.Context(), s["id"].(string)))(t)
			}
		}
	})
}

// TestSpeakersHaveAllTheirSessions has more submissions than a page, and the sessions behind them.
func TestSpeakersHaveAllTheirSessions(t *testing.T) {
	d := one(t)
	s := d.session("Tides")
	ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada", About: strings.Repeat("x", 300)})
	for i := range 101 {
		a := d.abstract("Logs")
		if i%50 == 0 {
			d.Join(t, d.Event, a.ID, ada, models.Speaking)
		} else {
			d.Speaker(t, d.Event, a.ID, models.NewContact{FirstName: "Bob", LastName: fmt.Sprintf("%03d", i)})
		}
	}
	all := d.tool("search_speakers", object{"limit": 100})
	got := rows(t, all)[0]
	is(t, got, object{"sessions": "[S-1 Tides A-1 Logs A-51 Logs A-101 Logs]"})
	is(t, all, object{"note": nil})
	for i := range 30 {
		d.Join(t, d.Event, d.create(i%2 == 0, "More", nil).ID, ada, models.Speaking)
	}
	alone := rows(t, d.tool("search_speakers", object{"query": "Ada"}))[0]["sessions"].([]any)
	if len(alone) != 26 || alone[15] != "S-16 More" || alone[16] != "A-1 Logs" || alone[25] != "9 more, see get_speaker" {
		t.Errorf("%v", alone)
	}
	is(t, got, object{"about": strings.Repeat("x", 40) + "… [40 of 300 chars, see get_speaker]"})
}

func TestSpeakersHaveTheirSessions(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := d.session("Tides", models.SessionInput{StartsAt: d.at(15, 9, 0), EndsAt: d.at(15, 9, 45),
			RoomID: store.Some(d.row(models.Rooms, "Hall"))})
		a := d.abstract("Logs")
		d.session("Of nobody")
		ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada", Email: "ada@example.org", JobTitle: "Countess"})
		d.Join(t, d.Event, a.ID, ada, models.Speaking)
		people := rows(t, d.tool("search_speakers", nil))
		modelstest.Want(t, "people", len(people), 1)
		is(t, people[0], object{"sessions": "[S-1 Tides A-1 Logs]"})
		got := d.tool("get_speaker", object{"speaker_id": ada})
		sessions := fmt.Sprintf("[map[ends_at:2027-05-15T09:45 friendly_id:S-1 id:%s is_abstract:false role:speaker room:Hall "+
			"starts_at:2027-05-15T09:00 status:accepted title:Tides] map[friendly_id:A-1 id:%s is_abstract:true role:speaker "+
			"status:pending title:Logs]]", s.ID, a.ID)
		is(t, got, object{"name": "Ada", "email": "ada@example.org", "job_title": "Countess",
			"timezone": d.Event.Timezone, "sessions": sessions})
		narrow := d.as(d.mint(apikey.ReadContacts, apikey.ReadEvents))
		alone := narrow.tool("get_speaker", object{"speaker_id": ada})
		is(t, alone, object{"sessions": nil, "session_ids": []any{s.ID, a.ID}})
		has(t, alone["note"], "read:sessions")
		if found := narrow.tool("search_speakers", nil); strings.Contains(fmt.Sprint(found), "Tides") {
			t.Error(found)
		}
		d.wantHint("get_speaker", object{"speaker_id": "nobody"}, 404, "search_speakers")
	})
}

func TestAnswersToNoQuestionOfTheCallAreTold(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		captured := func(answers object, note any) {
			t.Helper()
			d.wantNote("capture_abstract", object{"title": "Tides", "custom_fields": answers}, note)
		}
		captured(object{"length": "30 minutes"}, nil) // there is no call
		cfp := call.Of(d.Programme())
		modelstest.Fine(t, cfp.Start(t.Context()))
		part := modelstest.Must(cfp.Form(t.Context()))(t).Parts[0].ID
		for _, key := range []string{"room", "width"} {
			modelstest.Must(cfp.AddQuestion(t.Context(), part, call.QuestionInput{Key: key, Type: field.Text, Label: key,
				Required: call.Optional, SeenBy: call.Reviewers}))(t)
		}
		captured(object{"length": "30 minutes", "room": "Any", "breadth": "3"}, "No question of the call has the key breadth "+
			"or length, which is kept; the keys are room, width and have_you_given_this_talk_before.")
		asked := d.tool("capture_abstract", object{"title": "Ebb", "custom_fields": object{"have you given this TALK before?": "No"}})
		twice := d.tool("capture_abstract", object{"title": "Flow", "custom_fields": object{" Room": "1", "ROOM": "2"}})
		has(t, d.tool("get_submission", object{"submission_id": twice["id"]})["custom_fields"], "value:1", "value:2")
		has(t, twice["note"], "No question of the call has the key")
		is(t, asked, object{"note": nil})
		is(t, d.tool("get_submission", object{"submission_id": asked["id"]}),
			object{"custom_fields": "[map[key:have_you_given_this_talk_before value:No]]"})
		captured(object{"room": "Any"}, nil)
	})
}

func TestNothingIsDoneWithWhatIsDeletedAndThatIsSaid(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s, a := d.session("S"), d.abstract("A")
		for _, id := range []string{s.ID, a.ID} {
			modelstest.Must(d.Programme().DeleteSession(t.Context(), id))(t)
		}
		update := object{"submission_id": "A-1", "status": "accepted", "updated_at": a.UpdatedAt.String()}
		for _, c := range []struct {
			tool, label string
			arguments   object
		}{
			{"schedule_session", "S-1", object{"session_id": "s-1", "starts_at": "2027-05-15T10:00"}},
			{"find_free_slots", "S-1", object{"session_id": s.ID, "day": "2027-05-15"}},
			{"update_submission", "A-1", update},
		} {
			message, hint := d.refused(c.tool, c.arguments, 404)
			modelstest.Want(t, c.tool, message, c.label+" is deleted.")
			has(t, hint, "restoreSession")
		}
		update["event_id"] = d.Event.ID
		message, _ := d.as(d.mint(apikey.WriteSessions)).refused("update_submission", update, 404) // without read:sessions
		modelstest.Want(t, "it is told", strings.Contains(message, "deleted"), false)
	})
}

func TestADeletedSubmissionIsToldAsDeleted(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		s := d.session("Gone", models.SessionInput{StartsAt: d.at(15, 9, 0)})
		modelstest.Must(d.Programme().DeleteSession(t.Context(), s.ID))(t)
		got := d.tool("get_submission", object{"submission_id": s.ID})
		is(t, got, object{"publishing_held_by": nil, "note": "It is deleted: no list and no page has it. restoreSession of " +
			"the REST API (get_openapi) brings it back, and so do staff, from the Trash."})
		if got["deleted_at"] == nil {
			t.Errorf("%v", got)
		}
		modelstest.Must(d.Programme().RestoreSession(t.Context(), s.ID))(t)
		is(t, d.tool("get_submission", object{"submission_id": s.ID}), object{"note": nil, "deleted_at": nil})
	})
}

func TestWhatCameInAfterATimeSaysWhen(t *testing.T) {
	d := one(t)
	long := strings.Repeat("The tide comes in twice a day. ", 20)
	since, track := store.At(d.Clock.Now()), d.row(models.Tracks, "Testing and automation")
	d.Clock.Move(1e9)
	for i := range 25 {
		d.abstract(fmt.Sprintf("Keeping harbour %d running on old code", i), models.SessionInput{Description: &long,
			TrackID: store.Some(track)})
	}
	d.wantNote("list_submissions", object{"created_since": since.String()},
		"Descriptions are left out: ask for fewer rows with limit, or see get_submission.")
	text, _ := d.use("list_submissions", object{"created_since": since.String()})
	got := rows(t, decode(t, text))
	fits(t, "a page", text, 3000)
	if len(got) != 25 || got[0]["created_at"] == nil || got[0]["description"] != nil {
		t.Errorf("%v", got)
	}
	few := rows(t, d.tool("list_submissions", object{"created_since": since.String(), "limit": 5}))
	if few[0]["created_at"] == nil || few[0]["description"] == nil {
		t.Errorf("%v", few[0])
	}
	row := rows(t, d.tool("list_submissions", object{"limit": 5}))[0]
	modelstest.Want(t, "created_at, which was not asked for", row["created_at"], nil)
	d.Clock.Move(1e9)
	last := few[0]["id"].(string)
	d.change(last, models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}})
	modelstest.Must(d.Programme().Compose(t.Context(), []string{last}, ""))(t)
	d.abstract("The last")
	d.Clock.Move(1e9)
	d.change(few[1]["id"].(string),
		models.SessionChange{SessionInput: models.SessionInput{Description: new(long + "Or so.")}})
	got = rows(t, d.tool("list_submissions", object{"created_since": since.String(), "limit": 15}))
	modelstest.Want(t, "title of the first", got[0]["title"], "The last")
	for _, row := range got[1:] {
		if text, _ := row["description"].(string); !strings.Contains(text, "see get_submission]") {
			t.Errorf("%v", row)
		}
	}
}
