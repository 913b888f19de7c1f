package admin

import (
	"encoding/csv"
	"fmt"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// submissions makes some, all pending.
func (d *desk) submissions(count int, title string) []string {
	d.t.Helper()
	var ids []string
	for i := range count {
		n := models.NewSession{Title: fmt.Sprint(title, " ", i+1), IsAbstract: true}
		ids = append(ids, modelstest.Must(d.Programme().CreateSession(d.t.Context(), n))(d.t).ID)
	}
	return ids
}

// work makes all batches end.
func (d *desk) work() {
	d.t.Helper()
	for worked := true; worked; {
		worked = modelstest.Must(d.RunBatch(d.t.Context(), 10))(d.t)
	}
}

func TestABulkChangeOfAllThatMatchIsFollowedToItsEndAndUndone(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(60, "Harbour")
	others := d.submissions(2, "Else")
	track := modelstest.Must(d.Programme().CreateMetadata(t.Context(), models.Tracks,
		models.NewMetadata{Name: "Practice"}))(t)
	b := d.as(staff.Organizer)
	page := b.get(d.at("/submissions?q=harbour&sort=title"), 200)
	wants(t, page, "All 60 matching", `data-select-page`, `name="query" value="q=harbour&amp;sort=title"`)
	form := url.Values{"query": {"q=harbour&sort=title"}, "scope": {"all"}, "track": {track.ID}, "do": {"track"}}
	at, _ := b.post(d.at("/submissions/bulk"), form, 303)
	page = b.get(at, 200)
	lacks(t, page, "What was changed")
	wants(t, page, "Reload to see how far it is", "<h1>Change the track to Practice</h1>", "0 of 60 done", "hx-get=",
		`http-equiv="refresh"`, "Back to submissions", "submissions?q=harbour")
	d.work()
	page = b.get(at, 200)
	wants(t, page, "60 of 60 done", "Undo", "What was changed", "Track: none → Practice", `href="`+
		d.at("/sessions/"+ids[0])+`"`, "and 10 more", `submissions?q=harbour&amp;sort=title">Show the list`)
	lacks(t, page, "hx-trigger=\"load", `http-equiv="refresh"`, "Retry")
	shows := func(id string, want bool) {
		t.Helper()
		s := modelstest.Must(d.Programme().Session(t.Context(), id))(t)
		if (s.Track != nil) != want {
			t.Errorf("%s has the track %v", s.Title, s.Track)
		}
	}
	shows(ids[59], true)
	shows(others[0], false)
	action := regexp.MustCompile(`action="([^"]+/undo)"`).FindStringSubmatch(page)[1]
	undo, _ := b.post(action, nil, 303)
	d.work()
	wants(t, b.get(undo, 200), "<h1>Undo</h1>", "60 of 60 done")
	shows(ids[59], false)
	wants(t, b.get(at, 200), ">undone</a>")
}

func TestABulkChangeSaysWhatIsMissing(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(2, "T")
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	_, page := b.post(d.at("/submissions/bulk"), url.Values{"scope": {"these"}, "do": {"status"}, "status": {"draft"}},
		422)
	wants(t, page, "Error: ", "Select at least one row first", `<option value="draft" selected>`)
	_, page = b.post(d.at("/submissions/bulk"), url.Values{"scope": {"these"}, "do": {"status"}, "id": {ids[0]}}, 422)
	wants(t, page, "Choose what to change first")
	wants(t, page, `value="`+ids[0]+`" aria-label="Select T 1" checked`)
	_, page = b.post(d.at("/submissions/bulk"), url.Values{"do": {"status"}, "id": {ids[0]}, "status": {"splendid"}}, 422)
	wants(t, page, "must be one of draft")
}

func TestDeletionsAndDecisionsAreConfirmed(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(12, "T")
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	form := url.Values{"query": {"status=pending"}, "do": {"delete"}, "id": ids[:11], "scope": {"these"}}
	_, page := b.post(d.at("/submissions/bulk"), form, 200)
	wants(t, page, ">Delete 11 submissions?</h1>", "Delete 11 submissions</button>", "and 1 more",
		`name="id" value="`+ids[0])
	many := url.Values{"do": {"delete"}}
	for range store.MaxPageSize + 1 {
		many.Add("id", store.NewID())
	}
	_, page = b.post(d.at("/submissions/bulk"), many, 422)
	wants(t, page, "At most 100 rows are changed by ticking them.")
	form.Set("confirm", "yes")
	at, _ := b.post(d.at("/submissions/bulk"), form, 303)
	d.work()
	wants(t, b.get(at, 200), "<h1>Delete</h1>", "11 of 11 done", "In the Trash now", "Open the Trash",
		"submissions?status=pending")
	lacks(t, b.page, "Undo")
	_, page = b.post(d.at("/submissions/bulk"), url.Values{"do": {"status"}, "status": {"accepted"}, "scope": {"all"}},
		200)
	wants(t, page, ">Accept 1 submission?</h1>", `name="scope" value="all"`, `name="status" value="accepted"`)
	if s := modelstest.Must(d.Programme().Session(t.Context(), ids[11]))(t); s.Status != models.Pending {
		t.Errorf("the decision was made before it was confirmed")
	}
	// Back from the Trash: one, then all.
	page = b.get(d.at("/trash"), 200)
	wants(t, page, `form="restore" name="id"`, "Deleted")
	back, _ := b.post(d.at("/trash/restore"), url.Values{"id": {ids[0]}}, 303)
	wants(t, b.get(back, 200), "T 1 is back.")
	at, _ = b.post(d.at("/trash/bulk"), url.Values{"scope": {"all"}, "do": {"restore"}}, 303)
	d.work()
	wants(t, b.get(at, 200), "Restore from the Trash", "10 of 10 done", "Back to trash")
}

func TestAQueueOffersItsDecisionAndNoTabTheStatusItHas(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(3, "T")
	theirs := modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Secret", IsAbstract: true}))(t)
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	b.post(d.at("/submissions/bulk"), url.Values{"id": ids[:2], "do": {"accept_queue"}}, 303)
	button := func(do string) string { return `name="do" value="` + do + `"` }
	for query, tab := range map[string]struct{ has, lacks []string }{
		"":                     {[]string{"accept_queue", "decline_queue", "pending"}, []string{"accepted", "declined"}},
		"?status=pending":      {[]string{"accept_queue", "decline_queue"}, []string{"accepted", "declined", "pending"}},
		"?status=accept_queue": {[]string{"accepted", "pending"}, []string{"accept_queue", "decline_queue", "declined"}},
	} {
		page := b.get(d.at("/submissions"+query), 200)
		for _, do := range tab.has {
			wants(t, page, button(do))
		}
		for _, do := range tab.lacks {
			lacks(t, page, button(do))
		}
	}
	page := b.get(d.at("/submissions?status=accept_queue"), 200)
	wants(t, page, "Accept…", "Accept all 2…")
	lacks(t, page, `<option value="accept_queue"`)
	lacks(t, b.get(d.at("/submissions?status=decline_queue"), 200), "Decline all", "Decline it…")
	lacks(t, d.as(staff.Viewer).get(d.at("/submissions?status=accept_queue"), 200), "Accept all")
	ada := models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "ada@example.org"}
	d.Speaker(t, d.Event, ids[0], ada)
	d.Speaker(t, d.Event, ids[2], models.NewContact{FirstName: "Grace", LastName: "Not Asked", Email: "grace@example.org"})
	// Without a tick, a commit of all of the queue is opened, and nothing else is decided.
	b.get(d.at("/submissions?status=accept_queue"), 200)
	form := url.Values{"query": {"status=accept_queue"}, "scope": {"all"}, "do": {"accepted"}}
	at, _ := b.post(d.at("/submissions/bulk"), form, 303)
	page = b.get(at, 200)
	wants(t, page, ">Commit 2 decisions</h1>", "T 1", "T 2", "Ada Byron", "It sends nothing")
	lacks(t, page, "T 3", "Secret", "Grace")
	if s := modelstest.Must(d.Programme().Session(t.Context(), ids[0]))(t); s.Status != models.AcceptQueue {
		t.Errorf("it is %s before anybody committed it", s.Status)
	}
	b.post(at, fields(page), 303)
	d.work()
	for i, want := range []models.Status{models.Accepted, models.Accepted, models.Pending} {
		if s := modelstest.Must(d.Programme().Session(t.Context(), ids[i]))(t); s.Status != want {
			t.Errorf("%s is %s", s.Title, s.Status)
		}
	}
	if s := modelstest.Must(d.Elsewhere().Session(t.Context(), theirs.ID))(t); s.Status != models.Pending {
		t.Error("another event's submission was decided")
	}
}

func TestFailedRowsHaveAReasonAndAreRetried(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(3, "T")
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), ids[1]))(t) // somebody was quicker
	form := url.Values{"id": ids, "do": {"status"}, "status": {"draft"}, "query": {"sort=title"}}
	at, _ := b.post(d.at("/submissions/bulk"), form, 303)
	page := b.get(at, 200)
	wants(t, page, "Pending → Draft", "2 of 3 done", "1 record was not changed", "Not changed", "T 2",
		"Retry the failed ones", "Undo", "<h1>Change status to Draft</h1>")
	modelstest.Must(d.Programme().RestoreSession(t.Context(), ids[1]))(t)
	again, _ := b.post(regexp.MustCompile(`action="([^"]+/retry)"`).FindStringSubmatch(page)[1], nil, 303)
	d.work()
	wants(t, b.get(again, 200), "3 of 3 done")
}

func TestASmallChangeIsMadeInPlaceAndTakenBack(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(4, "T")
	theirs := modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Secret", IsAbstract: true}))(t)
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	statuses := func() (all string) {
		for _, id := range ids {
			all += string(modelstest.Must(d.Programme().Session(t.Context(), id))(t).Status) + " "
		}
		return all
	}
	form := url.Values{"id": ids[:3], "do": {"accept_queue"}, "query": {"sort=title&status=pending"}}
	at, _ := b.post(d.at("/submissions/bulk"), form, 303)
	if at != d.at("/submissions?sort=title&status=pending") || statuses() != "accept_queue accept_queue accept_queue pending " {
		t.Fatal(at, statuses())
	}
	page := b.get(at, 200)
	wants(t, page, "3 submissions are in the accept queue.", "/undo\"", "T 4")
	page = b.undo(page)
	wants(t, page, "3 submissions are as they were.", "T 1", "/undo\"")
	if statuses() != "pending pending pending pending " {
		t.Fatal(statuses())
	}
	// One that changes nothing has nothing to take back.
	page = b.follow(b.post(d.at("/submissions/bulk"), url.Values{"id": ids[:1], "do": {"pending"}}, 303))
	wants(t, page, "Nothing had to be changed: 1 submission is pending.")
	lacks(t, page, "/undo\"")
	// All that match are no more than a page.
	page = b.follow(b.post(d.at("/submissions/bulk"), url.Values{"scope": {"all"}, "do": {"decline_queue"}}, 303))
	wants(t, page, "4 submissions are in the decline queue.")
	// A decision asks, whatever the number; and nothing of it is done before.
	_, page = b.post(d.at("/submissions/bulk"), url.Values{"id": ids[:1], "do": {"status"}, "status": {"accepted"}}, 200)
	wants(t, page, ">Accept 1 submission?</h1>")
	if s := modelstest.Must(d.Elsewhere().Session(t.Context(), theirs.ID))(t); s.Status != models.Pending {
		t.Error("another event's submission was changed")
	}
	// A script hears where else to go; it cannot put another page in the list's place.
	many := url.Values{"id": append(d.submissions(rowsAPage, "More"), ids[0]), "do": {"pending"}, "_token": tokenPattern.FindStringSubmatch(b.page)[1:2]}
	req := httptest.NewRequest("POST", d.at("/submissions/bulk"), strings.NewReader(many.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("HX-Request", "true")
	res, _ := b.do(req, 204)
	wants(t, b.get(res.Header.Get("HX-Redirect"), 200), "0 of 51 done", "<h1>Change status to Pending</h1>")
}

func TestTagsTracksAndRoomsAreChangedInPlace(t *testing.T) {
	d := open(t, Options{})
	ctx := t.Context()
	tag := d.add(d.Programme(), models.Tags, models.NewMetadata{Name: "first-time"})
	track := d.add(d.Programme(), models.Tracks, models.NewMetadata{Name: "Tides"})
	room := d.add(d.Programme(), models.Rooms, models.NewMetadata{Name: "Hall"})
	ids := []string{d.session(models.NewSession{Title: "S 1"}).ID, d.session(models.NewSession{Title: "S 2"}).ID}
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/sessions"), 200), "Room…", "Track…", "Tag…")
	lacks(t, b.get(d.at("/sessions"), 200), "To accept queue")
	lacks(t, b.get(d.at("/submissions"), 200), "Room…")
	for _, c := range []struct{ do, field, value, says string }{
		{"tag", "add_tag", tag.ID, "2 sessions have the tag first-time."},
		{"track", "track", track.ID, "2 sessions have the track Tides."},
		{"room", "room", room.ID, "2 sessions have the room Hall."},
		{"room", "room", "none", "2 sessions have no room."},
		{"tag", "remove_tag", tag.ID, "2 sessions are without the tag first-time."},
	} {
		b.get(d.at("/sessions"), 200)
		form := url.Values{"id": ids, "do": {c.do}, c.field: {c.value}}
		wants(t, b.follow(b.post(d.at("/sessions/bulk"), form, 303)), c.says)
	}
	s := modelstest.Must(d.Programme().Session(ctx, ids[1]))(t)
	if s.Track == nil || s.Room != nil || len(s.Tags) != 0 {
		t.Errorf("%+v", s)
	}
	// A choice that was left in another menu is not meant.
	form := url.Values{"id": ids, "do": {"track"}, "track": {"none"}, "room": {room.ID}, "status": {"declined"}}
	wants(t, b.follow(b.post(d.at("/sessions/bulk"), form, 303)), "2 sessions have no track.")
	if s = modelstest.Must(d.Programme().Session(ctx, ids[1]))(t); s.Room != nil || s.Status == models.Declined {
		t.Errorf("%+v", s)
	}
}

func TestBulkIsForOrganizersOfTheEvent(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(1, "T")
	elsewhere := modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Secret", IsAbstract: true}))(t)
	batch := modelstest.Must(d.Elsewhere().StartBatch(t.Context(), []string{elsewhere.ID}, nil,
		models.BatchChange{Status: new(models.Draft)}))(t)
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions"), 200)
	b.get(d.at("/batches/"+batch.ID), 404)
	for path, form := range map[string]url.Values{
		"/batches/" + batch.ID + "/undo": nil, "/batches/" + batch.ID + "/retry": nil,
		"/submissions/bulk": {"id": {ids[0], elsewhere.ID}, "do": {"accept_queue"}}, "/trash/restore": {"id": {elsewhere.ID}},
	} {
		b.get(d.at("/submissions"), 200)
		b.post(d.at(path), form, 404)
	}
	viewer := d.as(staff.Viewer)
	lacks(t, viewer.get(d.at("/submissions"), 200), "data-select-page", "/bulk\" data")
	viewer.post(d.at("/submissions/bulk"), url.Values{"id": ids, "do": {"accept_queue"}}, 403)
	viewer.get(d.at("/batches/"+batch.ID), 403)
}

func TestTheExportIsExactlyTheViewAndHarmless(t *testing.T) {
	d := open(t, Options{})
	d.submissions(60, "Harbour")
	d.submissions(3, "Else")
	evil := models.NewSession{Title: "=HYPERLINK(\"http://evil\") harbour", IsAbstract: true,
		SessionInput: models.SessionInput{
			Description: new("<p>+1 &amp; more</p>"), CustomFields: &models.AnswersInput{{Key: "@key", Value: "a\nb"}},
		}}
	s := modelstest.Must(d.Programme().CreateSession(t.Context(), evil))(t)
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "-Ada", LastName: "Byron", Email: "ada@example.org"})
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Harbour elsewhere", IsAbstract: true}))(t)
	b := d.as(staff.Viewer)
	res, text := b.do(httptest.NewRequest("GET",
		d.at("/submissions.csv?q=harbour&sort=title&dir=asc&columns=status&page=2"), nil), 200)
	if got := res.Header.Get("Content-Disposition"); got != `attachment; filename="conf-submissions-2026-11-21.csv"` {
		t.Error(got)
	}
	if !strings.HasPrefix(text, "\uFEFFLabel,Title,Status,Description,Participants,E-mail addresses,Answers\r\n") ||
		strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Errorf("%q", text[:200])
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF"))).ReadAll()
	if err != nil || len(rows) != 62 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[1],
		"|"); got != "A-64|'=HYPERLINK(\"http://evil\") harbour|Pending|'+1 & more|'-Ada Byron|ada@example.org|'@key: a\nb" {
		t.Errorf("%q", got)
	}
	if rows[2][1] != "Harbour 1" || rows[61][1] != "Harbour 9" {
		t.Errorf("from %s to %s", rows[2][1], rows[61][1])
	}
}

func TestViewsAreKeptSharedAndDeleted(t *testing.T) {
	d := open(t, Options{})
	d.submissions(1, "T")
	b, other := d.as(staff.Viewer), d.as(staff.Viewer)
	b.get(d.at("/submissions?status=pending"), 200)
	at, _ := b.post(d.at("/submissions/views"), url.Values{"name": {"To read"}, "query": {"status=pending&page=3&evil=1"}},
		303)
	page := b.follow(b.leads(at), "") // there is no third page
	wants(t, page, "The view To read is kept.", `submissions?status=pending" aria-current="true">To read`)
	lacks(t, other.get(d.at("/submissions"), 200), "To read")
	b.post(d.at("/submissions/views"), url.Values{"name": {"For all"}, "query": {"q=x"}, "shared": {"yes"}}, 303)
	page = other.get(d.at("/submissions"), 200)
	wants(t, page, "For all", "submissions?q=x", "shared")
	lacks(t, page, "Delete the view")
	_, page = b.post(d.at("/submissions/views"), url.Values{"name": {"To read"}, "query": {"status=draft"}}, 422)
	wants(t, page, "is taken by another of your views", `value="To read"`)
	id := regexp.MustCompile(`/views/([^/"]+)/delete`).FindStringSubmatch(b.get(d.at("/submissions"), 200))[1]
	other.post(d.at("/submissions/views/"+id+"/delete"), nil, 404)
	page = b.follow(b.post(d.at("/submissions/views/"+id+"/delete"), nil, 303))
	wants(t, page, "The view For all is deleted.")
	lacks(t, other.get(d.at("/submissions"), 200), "For all")
	wants(t, b.undo(page), "The view For all is kept.", "submissions?q=x")
	wants(t, other.get(d.at("/submissions"), 200), "For all", "shared")
	lacks(t, b.get(d.at("/sessions"), 200), "For all", "To read")
}

func TestColumnsAndRowsAreRemembered(t *testing.T) {
	d := open(t, Options{})
	d.submissions(1, "T")
	modelstest.Must(d.Programme().CreateSession(t.Context(), models.NewSession{Title: "S"}))(t)
	b := d.as(staff.Viewer)
	page := b.get(d.at("/submissions"), 200)
	wants(t, page, ">Track</th>")
	at, _ := b.post(d.at("/submissions/columns"), url.Values{"columns": {"level", "evil"}, "rows": {"compact"},
		"query": {"sort=title&columns=tags"}}, 303)
	if at != d.at("/submissions?sort=title") {
		t.Error(at)
	}
	page = b.get(at, 200)
	wants(t, page, ">Level</th>", `class="table-wrap compact"`)
	lacks(t, page, ">Track</th>", ">Tags</th>")
	wants(t, b.get(d.at("/sessions"), 200), ">Room</th>", `class="table-wrap"`)
	b.post(d.at("/submissions/columns"), url.Values{"columns": {"evil"}}, 303)
	wants(t, b.get(d.at("/submissions"), 200), ">Track</th>", `class="table-wrap"`)
	b.post(d.at("/submissions/columns"), nil, 303)
	lacks(t, b.get(d.at("/submissions"), 200), ">Track</th>") // the title alone is a choice too
}

func TestALinkWithColumnsShowsThemAndKeepsNothing(t *testing.T) {
	d := open(t, Options{})
	d.submissions(1, "T")
	b := d.as(staff.Viewer)
	page := b.get(d.at("/submissions?columns=tags&columns=level&rows=compact"), 200)
	wants(t, page, ">Tags</th>", ">Level</th>", `class="table-wrap compact"`, `.csv?columns=`,
		`name="columns" value="tags,level"`)
	lacks(t, page, ">Track</th>")
	lacks(t, b.get(d.at("/submissions?columns=title"), 200), ">Track</th>", ">Tags</th>")
	wants(t, b.get(d.at("/submissions?columns=no_column"), 200), ">Track</th>")
	page = b.get(d.at("/submissions?columns=no_column,tags"), 200)
	wants(t, page, ">Tags</th>")
	lacks(t, page, ">Track</th>", "no_column")
	page = b.get(d.at("/submissions"), 200)
	wants(t, page, ">Track</th>", `class="table-wrap"`)
	lacks(t, page, ">Tags</th>")
}

func TestThePaletteFindsRecordsOfTheEvent(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(10, "Harbour")
	ada := d.Speaker(t, d.Event, ids[0], models.NewContact{FirstName: "Harriet", LastName: "Harbour"})
	modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Harbour secret", IsAbstract: true}))(t)
	b := d.as(staff.Viewer)
	b.get(d.at(""), 200)
	for _, path := range []string{d.at("/find?q=harbour"), "/admin/find?q=harbour"} {
		page := b.get(path, 200)
		wants(t, page, `<li><a href="`+d.at("/sessions/"), d.at("/speakers/"+ada), "Harriet Harbour")
		lacks(t, page, "secret", "<html")
		if n := strings.Count(page, "<li>"); n != 8 {
			t.Errorf("%d records", n)
		}
	}
	page := b.get(d.at("/find?q=h"), 200)
	wants(t, page, "Type two letters or more")
	lacks(t, page, "<a href")
	wants(t, b.get(d.at("/find?q=zeppelin"), 200), "Nothing found for “zeppelin”.")
	b.dropsOf(d.at("/speakers?page=1"), "q="+strings.Repeat("x", 201))
	wants(t, b.get(d.at("/speakers?q=harriet"), 200), "Harriet Harbour", d.at("/submissions?speaker="+ada))
	wants(t, b.get(d.at("/submissions?speaker="+ada), 200), "With Harriet Harbour", "Harbour 1")
}

func TestThePaletteShowsTheBestFirst(t *testing.T) {
	d := open(t, Options{})
	first := d.session(models.NewSession{Title: "Ada", IsAbstract: true})
	d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Zoe", LastName: "Long", CompanyName: "Ada & Co"})
	person := d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Byron"})
	d.submissions(20, "Net")
	for range 10 {
		d.session(models.NewSession{Title: "Of her", IsAbstract: true,
			SessionInput: models.SessionInput{Description: new("What ada wrote, A-1")}})
	}
	b := d.as(staff.Viewer)
	titles := func(q string) (found []string) {
		for _, m := range regexp.MustCompile(`dir="auto">([^<]+)</span>`).
			FindAllStringSubmatch(b.get(d.at("/find?q="+q), 200), -1) {
			found = append(found, m[1])
		}
		return found
	}
	if got := strings.Join(titles("ada"), ","); got != "Ada Byron,Ada,Of her,Of her,Of her,Of her,Of her,Zoe Long" {
		t.Errorf("ada finds %s (%s)", got, person)
	}
	if got := titles("a-1"); len(got) != 8 || got[0] != "Ada" || got[1] != "Net 18" {
		t.Errorf("a-1 finds %q", got)
	}
}

// TestAListCostsAFixedNumberOfStatements pins what lists ask. Beside what all pages ask, and the rows, a page of
// submissions reads the scores and the letters of its rows, and one of sessions the letters behind them and what
// collides with them; how many wait for a first review is counted anew only after a change.
func TestAListCostsAFixedNumberOfStatements(t *testing.T) {
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			d := openOn(t, dialect, Options{})
			if err := d.Programme().Seed(t.Context(), 300, 40); err != nil {
				t.Fatal(err)
			}
			b := d.as(staff.Organizer)
			for _, path := range []string{"", "/submissions", "/sessions?sort=title", "/trash",
				"/submissions?q=harbour&status=pending"} {
				d.submissions(1, "New") // nothing counted is kept
				count := func() int { return len(d.Statement.During(func() { b.get(d.at(path), 200) })) }
				most := 15
				if path == "" { // has the most to count, at once, also of what changed since a release
					most = 17
				}
				first, again := count(), count()
				if first > most || again > 10 {
					t.Errorf("%q costs %d statements, then %d", path, first, again)
				}
				t.Log(path, first, again)
			}
		})
	}
}

func TestWhyARecordWasLeftIsSaidInWords(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"track_id is not a track of this event": "The track is not a track of this event.",
		"It was decided before.":                "It was decided before.",
		"no such session":                       "No such session.",
		"":                                      "Something went wrong on our side. Try again.",
		"ends_at must not be before starts_at":  "The end must not be before the start.",
	} {
		if got := reason(message); got != want {
			t.Errorf("%q is told as %q", message, got)
		}
	}
}
