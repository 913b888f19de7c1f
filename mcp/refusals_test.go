package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"lectern/mcp"
	"lectern/models"
	"lectern/models/apikey"
	"lectern/models/modelstest"
)

func TestEachToolNeedsItsScopeAlone(t *testing.T) {
	d := one(t)
	s := d.abstract("x")
	ada := d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Ada"})
	modelstest.RowOf(t, d.Programme(), models.Rooms, "Hall")
	d.row(models.Tracks, "Systems")
	s = modelstest.Must(d.Programme().Session(t.Context(), s.ID))(t)
	for tool, c := range map[string]struct {
		scope     apikey.Scope
		arguments object
	}{
		"list_events":      {apikey.ReadEvents, object{}},
		"get_schedule":     {apikey.ReadSessions, object{"event_id": d.Event.ID, "track": "Systems"}},
		"list_submissions": {apikey.ReadSessions, object{"event_id": d.Event.ID, "track": "Systems"}},
		"get_submission":   {apikey.ReadSessions, object{"event_id": d.Event.ID, "submission_id": s.ID}},
		"search_schedule":  {apikey.ReadSessions, object{"event_id": d.Event.ID, "room": "Hall"}},
		"search_speakers":  {apikey.ReadContacts, object{"event_id": d.Event.ID}},
		"get_speaker":      {apikey.ReadContacts, object{"event_id": d.Event.ID, "speaker_id": ada}},
		"list_rooms":       {apikey.ReadMetadata, object{"event_id": d.Event.ID}},
		"update_submission": {apikey.WriteSessions, object{"event_id": d.Event.ID, "submission_id": s.ID, "status": "pending",
			"updated_at": s.UpdatedAt}},
		"get_event_overview": {apikey.ReadSessions, object{"event_id": d.Event.ID}},
		"find_free_slots":    {apikey.ReadSessions, object{"event_id": d.Event.ID, "day": "2027-05-15"}},
		"list_tracks":        {apikey.ReadMetadata, object{"event_id": d.Event.ID}},
		"capture_abstract":   {apikey.WriteSessions, object{"event_id": d.Event.ID, "title": "y"}},
	} {
		d.as(d.mint(c.scope)).tool(tool, c.arguments)
		var others []apikey.Scope
		for _, scope := range apikey.Scopes {
			if scope != c.scope {
				others = append(others, scope)
			}
		}
		modelstest.Want(t, tool, d.as(d.mint(others...)).hint(tool, c.arguments, 403),
			"The key lacks "+string(c.scope)+"; ask staff for a key with that scope.")
	}
}

func TestWithoutReadEventsTheEventMustBeNamed(t *testing.T) {
	d := one(t)
	keyed := d.as(d.mint(apikey.ReadSessions, apikey.ReadContacts, apikey.ReadMetadata, apikey.WriteSessions))
	for tool, arguments := range map[string]object{
		"get_schedule": {}, "list_submissions": {}, "get_submission": {"submission_id": "x"}, "search_speakers": {},
		"list_tracks": {}, "capture_abstract": {"title": "x"}, "search_schedule": {}, "get_event_overview": {}, "list_rooms": {},
		"get_speaker": {"speaker_id": "x"}, "update_submission": {"submission_id": "x", "status": "draft", "updated_at": "x"},
		"schedule_session": {"session_id": "x", "room": "x"}, "find_free_slots": {"day": "2027-05-15"},
	} {
		modelstest.Want(t, tool, keyed.hint(tool, arguments, 403), "Pass event_id "+d.Event.ID+", which is this key's "+
			"event, or ask staff for a key with the scope read:events, with which it can be left out.")
	}
}

func TestTheEventIsAskedForOnceARequest(t *testing.T) {
	d := one(t)
	events := func(f func()) (n int) {
		for _, path := range d.calls.during(f) {
			if path == "GET /v1/events" {
				n++
			}
		}
		return n
	}
	for _, tool := range []string{"get_schedule", "list_submissions", "search_speakers", "list_tracks", "list_events",
		"search_schedule", "get_event_overview", "list_rooms"} {
		modelstest.Want(t, "questions of "+tool+" for the event", events(func() { d.tool(tool, nil) }), 1)
	}
	modelstest.Want(t, "questions for a named event",
		events(func() { d.tool("list_submissions", object{"event_id": d.Event.ID}) }), 0)
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_submissions","arguments":{}}}`
	modelstest.Want(t, "questions of a batch", events(func() { d.post("["+call+","+call+"]", "x-access-token", d.key) }),
		1)
}

func TestACaptureOfAWrongKeyOrEventAsksNothingFurther(t *testing.T) {
	d := one(t)
	modelstest.WantAll(t, "calls with an unknown key", d.calls.during(func() {
		d.as("lct_0000000000000000000000000000000000000").refused("capture_abstract", object{"title": "x"}, 401)
	}), []string{"GET /v1/events"})
	modelstest.WantAll(t, "calls for no event", d.calls.during(func() {
		d.refused("capture_abstract", object{"title": "x", "event_id": "?"}, 400)
	}), nil)
}

func TestBadArgumentsAreNamed(t *testing.T) {
	d := one(t)
	cases := []struct {
		tool      string
		arguments any
		parts     []string
	}{
		{"list_submissions", object{"limit": 0}, []string{"limit", "1 to 100"}},
		{"list_submissions", object{"limit": 101}, []string{"limit", "1 to 100"}},
		{"list_submissions", object{"limit": 1.5}, []string{"limit", "whole"}},
		{"list_submissions", object{"limit": "10"}, []string{"limit", "whole"}},
		{"list_submissions", object{"page": 1000}, []string{"page", "1 to 999"}},
		{"list_submissions", object{"status": "rejected"}, []string{"status", "accept_queue", "withdrawn"}},
		{"list_submissions", object{"status": []any{"pending", 3}}, []string{"status", "decline_queue"}},
		{"list_submissions", object{"status": object{}}, []string{"status"}},
		{"list_submissions", object{"text": 3}, []string{"text", "string"}},
		{"list_submissions", object{"text": strings.Repeat("x", 201)}, []string{"text", "200"}},
		{"list_submissions", object{"track": "Nowhere"}, []string{"track", "Nowhere"}},
		{"list_submissions", object{"event_id": "../events"}, []string{"event_id"}},
		{"list_submissions", object{"statuses": "pending"}, []string{"statuses", "status, text, track"}},
		{"get_schedule", object{"day": "Saturday"}, []string{"day", "2027-05-15"}},
		{"get_schedule", object{"day": "2027-02-30"}, []string{"day"}},
		{"get_schedule", object{"limit": 101}, []string{"limit", "100"}},
		{"get_submission", object{}, []string{"submission_id", "required"}},
		{"get_submission", object{"submission_id": "a/b?c"}, []string{"submission_id"}},
		{"list_submissions", object{"updated_since": "lately"}, []string{"updated_since", "2027-05-15T10:30"}},
		{"list_submissions", object{"count_by": "mood"}, []string{"count_by", "status, track"}},
		{"search_schedule", object{"room": "Nowhere"}, []string{"room", "Nowhere"}},
		{"search_schedule", object{"day": "Saturday"}, []string{"day", "2027-05-15"}},
		{"search_schedule", object{"at": 3}, []string{"at", "string"}},
		{"search_schedule", object{"format": "Nowhere"}, []string{"format", "Nowhere"}},
		{"search_schedule", object{"level": "Nowhere"}, []string{"level", "Nowhere"}},
		{"list_submissions", object{"level": "Nowhere"}, []string{"level", "Nowhere"}},
		{"list_submissions", object{"created_since": "lately"}, []string{"created_since", "2027-05-15T10:30"}},
		{"get_submission", object{"submission_id": "A-1", "offset": -1}, []string{"offset", "whole"}},
		{"search_schedule", object{"needs": "letter"}, []string{"needs", "room, person"}},
		{"list_submissions", object{"tag": "Nowhere"}, []string{"tag", "Nowhere"}},
		{"list_submissions", object{"needs": "place"}, []string{"needs", "session, letter"}},
		{"schedule_session", object{"session_id": "S-1", "room": "Hall", "unschedule": true},
			[]string{"unschedule", "no room"}},
		{"schedule_session", object{"session_id": "S-1", "unschedule": false}, []string{"starts_at", "unschedule"}},
		{"search_schedule", object{"is_public": "yes"}, []string{"is_public", "true or false"}},
		{"get_event_overview", object{"conflicts": 0}, []string{"conflicts", "1 to 100"}},
		{"list_rooms", object{"family": "halls"}, []string{"family", "rooms, tracks"}},
		{"get_speaker", object{}, []string{"speaker_id", "required"}},
		{"update_submission", object{"submission_id": "A-1"}, []string{"status", "required"}},
		{"update_submission", object{"submission_id": "A-1", "status": "draft"}, []string{"updated_at", "required"}},
		{"find_free_slots", object{"day": "Saturday"}, []string{"day", "2027-05-15"}},
		{"find_free_slots", object{"minutes": 30}, []string{"day", "required"}},
		{"find_free_slots", object{"day": "2027-05-15", "minutes": 1441}, []string{"minutes", "1440"}},
		{"find_free_slots", object{"day": "2027-05-15", "room": "Nowhere"}, []string{"room", "Nowhere"}},
		{"find_free_slots", object{"day": "2027-05-15", "from": "noon"}, []string{"from", "09:00"}},
		{"schedule_session", object{"session_id": "S-1"}, []string{"starts_at", "room", "required"}},
		{"schedule_session", object{"session_id": "S-1", "starts_at": "noon"}, []string{"starts_at", "2027-05-15T10:30"}},
		{"capture_abstract", object{"title": "x", "track": "Nowhere"}, []string{"track", "Nowhere"}},
		{"search_speakers", object{"limit": -1}, []string{"limit"}},
		{"list_events", object{"x": 1}, []string{"x", "none"}},
		{"capture_abstract", object{}, []string{"title", "required"}},
		{"capture_abstract", object{"title": "  "}, []string{"title", "empty"}},
		{"capture_abstract", object{"title": strings.Repeat("x", 256)}, []string{"title", "255"}},
		{"capture_abstract", object{"title": "x", "status": "queued"}, []string{"status", "pending"}},
		{"capture_abstract", object{"title": "x", "track": "01930000-0000-7000-8000-000000000000"},
			[]string{"track", "track of this event"}},
		{"capture_abstract", object{"title": "x", "custom_fields": object{"a": 1}}, []string{"custom_fields", "strings"}},
		{"capture_abstract", object{"title": "x", "custom_fields": []any{}}, []string{"custom_fields", "object"}},
		{"capture_abstract", object{"title": "x", "participants": []any{}}, []string{"participants", "not an argument"}},
		{"capture_abstract", object{"title": "x", "is_abstract": false}, []string{"is_abstract", "not an argument"}},
		{"get_openapi", object{"section": 1}, []string{"section"}},
		{"list_events", []any{1}, []string{"arguments", "object"}},
	}
	for _, c := range cases {
		message, hint := d.refused(c.tool, c.arguments, 400)
		has(t, message, c.parts...)
		listed := map[string]string{"track": "list_tracks", "room": "list_rooms", "format": "family formats",
			"tag": "family tags", "level": "family levels"}
		if strings.Contains(message, "filters.") || !strings.HasPrefix(hint, "Change the argument "+c.parts[0]) &&
			!strings.HasPrefix(hint, "Leave out "+c.parts[0]) &&
			(listed[c.parts[0]] == "" || !strings.Contains(hint, listed[c.parts[0]])) {
			t.Errorf("%s %v: %s %s", c.tool, c.arguments, message, hint)
		}
	}
	made := modelstest.First(d.Programme().SearchSessions(t.Context(), models.SessionSearch{}))(t)
	modelstest.Want(t, "sessions made", len(made), 0)
}

func TestAnotherEventsRecordsStayThere(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		secret := modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
			models.NewSession{Title: "Secret plan", IsAbstract: true}))(t)
		d.refused("get_submission", object{"submission_id": secret.ID}, 404)
		d.wantHint("get_submission", object{"submission_id": secret.ID, "event_id": d.Other.ID}, 403, "one event only")
		for _, tool := range []string{"list_submissions", "get_schedule", "search_speakers", "list_tracks"} {
			d.refused(tool, object{"event_id": d.Other.ID}, 403)
			d.refused(tool, object{"event_id": d.Other.Slug}, 403)
			d.tool(tool, object{"event_id": d.Event.Slug})
			if text, _ := d.use(tool, nil); strings.Contains(text, "Secret") {
				t.Errorf("%s: %s", tool, text)
			}
		}
	})
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	d := open(t, f, mcp.Options{})
	other, reading := d.mint(apikey.ReadEvents), d.mint(apikey.ReadEvents, apikey.ReadSessions)
	d.abstract("x")
	f2 := open(t, f, mcp.Options{FallbackKey: reading})
	const bad = "lct_0000000000000000000000000000000000000"
	for _, c := range []struct {
		name     string
		desk     *desk
		headers  map[string]string
		used     string // the key the REST API saw; "" when none was sent on
		accepted bool
	}{
		{"header", d, withKey(d.key), d.key, true},
		{"bearer", d, map[string]string{"Authorization": "Bearer " + d.key}, d.key, true},
		{"bearer in lower case", d, map[string]string{"Authorization": "bearer " + d.key}, d.key, true},
		{"header before bearer", d, map[string]string{"Authorization": "Bearer " + other, "x-access-token": d.key}, d.key,
			true},
		{"none", d, nil, "", false},
		{"basic", d, map[string]string{"Authorization": "Basic " + d.key}, "", false},
		{"unknown", d, withKey(bad), bad, false},
		{"fallback", f2, nil, reading, true},
		{"header before fallback", f2, withKey(d.key), d.key, true},
		{"bearer before fallback", f2, map[string]string{"Authorization": "Bearer " + other}, other, false},
		{"unknown, not the fallback", f2, withKey(bad), bad, false},
		{"basic, not the fallback", f2, map[string]string{"Authorization": "Basic eA=="}, "", false},
		{"empty, not the fallback", f2, map[string]string{"x-access-token": ""}, "", false},
		{"empty bearer, not the fallback", f2, map[string]string{"Authorization": "Bearer "}, "", false},
		{"unknown before a good bearer", f2, map[string]string{"Authorization": "Bearer " + d.key, "x-access-token": bad},
			bad, false},
	} {
		c.desk.calls.keys = nil
		text, failed := c.desk.useBy(c.headers, "list_submissions", object{"event_id": d.Event.ID})
		if failed == c.accepted {
			t.Errorf("%s: %s", c.name, text)
		}
		modelstest.Want(t, c.name+": keys that the API saw", strings.Join(c.desk.calls.keys, " "), c.used)
		for _, key := range []string{d.key, other, reading, bad} {
			if strings.Contains(text, key) || strings.Contains(text, key[4:20]) || strings.Contains(text, key[len(key)-8:]) {
				t.Errorf("%s: a key is in the output: %s", c.name, text)
			}
		}
	}
	// Nothing is read from the address.
	d.address += "?x-access-token=" + d.key + "&api_key=" + d.key + "&access_token=" + d.key
	d.as("").wantHint("list_events", nil, 401, "x-access-token", "Bearer")
}

func TestTheRESTAPIAway(t *testing.T) {
	t.Parallel()
	d := open(t, modelstest.Open(t, "sqlite"), mcp.Options{API: "http://127.0.0.1:1"})
	message, _ := d.refused("list_events", nil, 502)
	if strings.Contains(message, "127.0.0.1") {
		t.Errorf("where the API is, is nobody's affair: %s", message)
	}
	d.wantHint("capture_abstract", object{"event_id": "x", "title": "y"}, 502, "list_submissions")
	modelstest.Want(t, "a search is no capture", d.hint("search_schedule", object{"event_id": "x"}, 502),
		"Try again in a moment.")
}

// slow is a REST API that never answers.
type slow struct {
	began chan struct{}
	ended chan error
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	close(s.began)
	<-r.Context().Done()
	s.ended <- r.Context().Err()
	return nil, r.Context().Err()
}

func TestHangingUpEndsTheRESTCall(t *testing.T) {
	d := one(t)
	began, ended := make(chan struct{}), make(chan error, 1)
	d.calls.RoundTripper = slow{began, ended}
	ctx, cancel := context.WithCancel(context.Background())
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_events","arguments":{}}}`
	r, err := http.NewRequestWithContext(ctx, "POST", d.address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("x-access-token", d.key)
	go func() {
		if res, err := http.DefaultClient.Do(r); err == nil {
			res.Body.Close()
		}
	}()
	<-began
	cancel()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("the call ended for no reason")
		}
	case <-time.After(modelstest.Patience):
		t.Fatal("the REST call goes on")
	}
}

func TestTextOfRecordsIsPlainAndBounded(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	d := open(t, f, mcp.Options{ListText: 20, FullText: 30})
	long := d.abstract("a\u202eb\u2066c\U000E0041d",
		models.SessionInput{Description: new("<p>One &lt;two&gt; <a href=\"https://e.org/x\">three</a></p><p>" +
			strings.Repeat("é", 100) + "</p>")})
	row := rows(t, d.tool("list_submissions", nil))[0]
	modelstest.Want(t, "title", row["title"], "abcd")
	modelstest.Want(t, "description", row["description"], "One <two> three <htt… [20 of 134 chars, see get_submission]")
	one := d.tool("get_submission", object{"submission_id": long.ID})
	modelstest.Want[any](t, "the whole", one["description"],
		"One <two> three <https://e.org… [30 of 135 chars, offset 30 goes on]")
	text, _ := d.use("get_submission", object{"submission_id": long.ID})
	if strings.Contains(text, `\u003c`) || !json.Valid([]byte(text)) {
		t.Errorf("%s", text)
	}
	cut := func(whole string) string { return "… [20 of " + whole + " chars, see get_submission]" }
	markup := strings.Repeat("<p><em> </em></p>", 100)
	for description, want := range map[string]string{
		strings.Repeat("é", 20):          strings.Repeat("é", 20),
		strings.Repeat("会", 21):          strings.Repeat("会", 20) + cut("21"),
		markup + "few words":             "few words",
		markup + strings.Repeat("w", 30): strings.Repeat("w", 20) + cut("30"),
		strings.Repeat("a ", 60) + "end": strings.TrimSpace(strings.Repeat("a ", 10)) + cut("123"),
		strings.Repeat("&amp;", 60):      strings.Repeat("&", 20) + cut("60"),
		// However far the beginning goes that is read of it.
		strings.Repeat("a", 19) + "&amp;<b>b" + strings.Repeat(" c", 60):                               strings.Repeat("a", 19) + "&" + cut("141"),
		"Read <a href=\"https://e.org\">twelve words " + strings.Repeat("or more ", 20) + "</a> of it": "Read twelve words or" + cut("199"),
	} {
		s := d.abstract("text", models.SessionInput{Description: &description})
		got := rows(t, d.tool("list_submissions", object{"text": s.FriendlyID}))[0]["description"]
		modelstest.Want[any](t, description, got, want)
	}
}
