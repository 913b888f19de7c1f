package lists_test

import (
	"encoding/csv"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

func TestABulkChangeOfAllThatMatchIsFollowedToItsEndAndUndone(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(60, "Harbour")
	others := d.Submissions(2, "Else")
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Practice")
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/submissions?q=harbour&sort=title"), 200)
	admintest.Wants(t, page, "All 60 matching", `data-select-page`, `name="query" value="q=harbour&amp;sort=title"`)
	form := url.Values{"query": {"q=harbour&sort=title"}, "scope": {"all"}, "track": {track.ID}, "do": {"track"}}
	at, _ := b.Post(d.At("/submissions/bulk"), form, 303)
	admintest.Lacks(t, b.Get(at, 200), "What was changed")
	admintest.Wants(t, b.Text, "Reload to see how far it is", "<h1>Change the track to Practice</h1>", "0 of 60 done",
		"hx-get=", `http-equiv="refresh"`, "Back to submissions", "submissions?q=harbour")
	d.Work()
	page = b.Get(at, 200)
	admintest.Wants(t, page, "60 of 60 done", "Undo", "What was changed", "Track: none → Practice", `href="`+
		d.At("/sessions/"+ids[0])+`"`, "and 10 more", `submissions?q=harbour&amp;sort=title">Show the list`)
	admintest.Lacks(t, page, "hx-trigger=\"load", `http-equiv="refresh"`, "Retry")
	shows := func(id string, want bool) {
		t.Helper()
		s := d.Read(id)
		modelstest.Want(t, s.Title+" has the track", s.Track != nil, want)
	}
	shows(ids[59], true)
	shows(others[0], false)
	action := regexp.MustCompile(`action="([^"]+/undo)"`).FindStringSubmatch(page)[1]
	undo, _ := b.Post(action, nil, 303)
	d.Work()
	admintest.Wants(t, b.Get(undo, 200), "<h1>Undo</h1>", "60 of 60 done")
	shows(ids[59], false)
	admintest.Wants(t, b.Get(at, 200), ">undone</a>")
}

func TestABulkChangeSaysWhatIsMissing(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(2, "T")
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), url.Values{"scope": {"these"}, "do": {"status"},
		"status": {"draft"}}, 422), "Error: ", "Select at least one row first", `<option value="draft" selected>`)
	admintest.Lacks(t, b.Text, `href="#"`) // it is no field
	_, page := b.Post(d.At("/submissions/bulk"), url.Values{"scope": {"these"}, "do": {"status"}, "id": {ids[0]}}, 422)
	admintest.Wants(t, page, "Choose what to change first")
	admintest.Wants(t, page, `value="`+ids[0]+`" aria-label="Select T 1" checked`)
	_, page = b.Post(d.At("/submissions/bulk"), url.Values{"do": {"status"}, "id": {ids[0]}, "status": {"splendid"}}, 422)
	admintest.Wants(t, page, "must be one of draft")
}

func TestDeletionsAndDecisionsAreConfirmed(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(12, "T")
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	form := url.Values{"query": {"status=pending"}, "do": {"delete"}, "id": ids[:11], "scope": {"these"}}
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), form, 200), ">Delete 11 submissions?</h1>",
		"Delete 11 submissions</button>", "and 1 more", `name="id" value="`+ids[0])
	many := url.Values{"do": {"delete"}}
	for range store.MaxPageSize + 1 {
		many.Add("id", store.NewID())
	}
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), many, 422), "At most 100 rows are changed by ticking them.")
	form.Set("confirm", "yes")
	at, _ := b.Post(d.At("/submissions/bulk"), form, 303)
	d.Work()
	admintest.Wants(t, b.Get(at, 200), "<h1>Delete</h1>", "11 of 11 done", "In the Trash now", "Open the Trash",
		"submissions?status=pending")
	admintest.Lacks(t, b.Page, "Undo")
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), url.Values{"do": {"status"}, "status": {"accepted"},
		"scope": {"all"}}, 200), ">Accept 1 submission?</h1>", `name="scope" value="all"`, `name="status" value="accepted"`)
	b.Post(d.At("/sessions/bulk"), url.Values{"do": {"status"}, "status": {"accepted"}, "id": ids[11:]}, 200) // so on each list
	modelstest.Want(t, "the decision was made before it was confirmed", d.Read(ids[11]).Status, models.Pending)
	// Back from the Trash: one, then all.
	admintest.Wants(t, b.Get(d.At("/trash"), 200), `form="restore" name="id"`, "Deleted")
	admintest.Wants(t, b.Follow(b.Post(d.At("/trash/restore"), url.Values{"id": {ids[0]}}, 303)), "T 1 is back.")
	at, _ = b.Post(d.At("/trash/bulk"), url.Values{"scope": {"all"}, "do": {"restore"}}, 303)
	d.Work()
	admintest.Wants(t, b.Get(at, 200), "Restore from the Trash", "10 of 10 done", "Back to trash")
}

func TestAQueueOffersItsDecisionAndNoTabTheStatusItHas(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "T")
	theirs := d.Foreign(models.NewSession{Title: "Secret", IsAbstract: true})
	b := d.As(staff.Organizer)
	b.On(d.At("/submissions")).Post(d.At("/submissions/bulk"), url.Values{"id": ids[:2], "do": {"accept_queue"}}, 303)
	button := func(do string) string { return `name="do" value="` + do + `"` }
	for query, tab := range map[string]struct{ has, lacks []string }{
		"":                     {[]string{"accept_queue", "decline_queue", "pending"}, []string{"accepted", "declined"}},
		"?status=pending":      {[]string{"accept_queue", "decline_queue"}, []string{"accepted", "declined", "pending"}},
		"?status=accept_queue": {[]string{"accepted", "pending"}, []string{"accept_queue", "decline_queue", "declined"}},
	} {
		page := b.Get(d.At("/submissions"+query), 200)
		for _, do := range tab.has {
			admintest.Wants(t, page, button(do))
		}
		for _, do := range tab.lacks {
			admintest.Lacks(t, page, button(do))
		}
	}
	admintest.Wants(t, b.Get(d.At("/submissions?status=accept_queue"), 200), "Accept…", "Accept all 2…")
	admintest.Lacks(t, b.Text, `<option value="accept_queue"`)
	admintest.Lacks(t, b.Get(d.At("/submissions?status=decline_queue"), 200), "Decline all", "Decline it…")
	admintest.Lacks(t, d.As(staff.Viewer).Get(d.At("/submissions?status=accept_queue"), 200), "Accept all")
	ada := models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "ada@example.org"}
	d.Speaker(t, d.Event, ids[0], ada)
	d.Speaker(t, d.Event, ids[2], models.NewContact{FirstName: "Grace", LastName: "Not Asked", Email: "grace@example.org"})
	// Without a tick, a commit of all of the queue is opened, and nothing else is decided.
	b.Get(d.At("/submissions?status=accept_queue"), 200)
	form := url.Values{"query": {"status=accept_queue"}, "scope": {"all"}, "do": {"accepted"}}
	at, _ := b.Post(d.At("/submissions/bulk"), form, 303)
	page := b.Get(at, 200)
	admintest.Wants(t, page, ">Commit 2 decisions</h1>", "T 1", "T 2", "Ada Byron", "It sends nothing")
	admintest.Lacks(t, page, "T 3", "Secret", "Grace")
	modelstest.Want(t, "it is", d.Read(ids[0]).Status, models.AcceptQueue)
	b.Post(at, admintest.Fields(page), 303)
	d.Work()
	for i, want := range []models.Status{models.Accepted, models.Accepted, models.Pending} {
		if s := d.Read(ids[i]); s.Status != want {
			t.Errorf("%s is %s", s.Title, s.Status)
		}
	}
	modelstest.Want(t, "another event's submission was decided",
		modelstest.Must(d.Elsewhere().Session(t.Context(), theirs.ID))(t).Status, models.Pending)
}

func TestFailedRowsHaveAReasonAndAreRetried(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "T")
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	modelstest.Must(d.Programme().DeleteSession(t.Context(), ids[1]))(t) // somebody was quicker
	form := url.Values{"id": ids, "do": {"status"}, "status": {"draft"}, "query": {"sort=title"}}
	page := b.Follow(b.Post(d.At("/submissions/bulk"), form, 303))
	admintest.Wants(t, page, "Pending → Draft", "2 of 3 done", "1 record was not changed", "Not changed", "T 2",
		"Retry the failed ones", "Undo", "<h1>Change status to Draft</h1>")
	modelstest.Must(d.Programme().RestoreSession(t.Context(), ids[1]))(t)
	again, _ := b.Post(regexp.MustCompile(`action="([^"]+/retry)"`).FindStringSubmatch(page)[1], nil, 303)
	d.Work()
	admintest.Wants(t, b.Get(again, 200), "3 of 3 done")
}

func TestASmallChangeIsMadeInPlaceAndTakenBack(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(4, "T")
	theirs := d.Foreign(models.NewSession{Title: "Secret", IsAbstract: true})
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	statuses := func() (all string) {
		for _, id := range ids {
			all += string(d.Read(id).Status) + " "
		}
		return all
	}
	form := url.Values{"id": ids[:3], "do": {"accept_queue"}, "query": {"sort=title&status=pending"}}
	at, _ := b.Post(d.At("/submissions/bulk"), form, 303)
	if at != d.At("/submissions?sort=title&status=pending") ||
		statuses() != "accept_queue accept_queue accept_queue pending " {
		t.Fatal(at, statuses())
	}
	page := b.Get(at, 200)
	admintest.Wants(t, page, "3 submissions are in the accept queue.", "/undo\"", "T 4")
	page = b.Undo(page)
	admintest.Wants(t, page, "3 submissions are as they were.", "T 1", "/undo\"")
	if statuses() != "pending pending pending pending " {
		t.Fatal(statuses())
	}
	// One that changes nothing has nothing to take back.
	page = b.Follow(b.Post(d.At("/submissions/bulk"), url.Values{"id": ids[:1], "do": {"pending"}}, 303))
	admintest.Wants(t, page, "Nothing had to be changed: 1 submission is pending.")
	admintest.Lacks(t, page, "/undo\"")
	// All that match are no more than a page.
	page = b.Follow(b.Post(d.At("/submissions/bulk"), url.Values{"scope": {"all"}, "do": {"decline_queue"}}, 303))
	admintest.Wants(t, page, "4 submissions are in the decline queue.")
	// A decision asks, whatever the number; and nothing of it is done before.
	_, page = b.Post(d.At("/submissions/bulk"), url.Values{"id": ids[:1], "do": {"status"}, "status": {"accepted"}}, 200)
	admintest.Wants(t, page, ">Accept 1 submission?</h1>")
	modelstest.Want(t, "another event's submission was changed",
		modelstest.Must(d.Elsewhere().Session(t.Context(), theirs.ID))(t).Status, models.Pending)
	// A script hears where else to go; it cannot put another page in the list's place.
	many := url.Values{"id": append(d.Submissions(visit.RowsAPage, "More"), ids[0]), "do": {"pending"}}
	req := b.FormRequest(d.At("/submissions/bulk"), many)
	req.Header.Set("HX-Request", "true")
	res, _ := b.Do(req, 204)
	admintest.Wants(t, b.Get(res.Header.Get("HX-Redirect"), 200), "0 of 51 done", "<h1>Change status to Pending</h1>")
}

func TestTagsTracksAndRoomsAreChangedInPlace(t *testing.T) {
	d := admintest.Open(t)
	tag := modelstest.RowOf(t, d.Programme(), models.Tags, "first-time")
	track, room := modelstest.RowOf(t, d.Programme(), models.Tracks, "Tides"), d.Room("Hall")
	ids := []string{d.Session(models.NewSession{Title: "S 1"}).ID, d.Session(models.NewSession{Title: "S 2"}).ID}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), "Room…", "Track…", "Tag…")
	admintest.Lacks(t, b.Get(d.At("/sessions"), 200), "To accept queue")
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), "Room…")
	for _, c := range []struct{ do, field, value, says string }{
		{"tag", "add_tag", tag.ID, "2 sessions have the tag first-time."},
		{"track", "track", track.ID, "2 sessions have the track Tides."},
		{"room", "room", room, "2 sessions have the room Hall."},
		{"room", "room", "none", "2 sessions have no room."},
		{"tag", "remove_tag", tag.ID, "2 sessions are without the tag first-time."},
	} {
		b.Get(d.At("/sessions"), 200)
		form := url.Values{"id": ids, "do": {c.do}, c.field: {c.value}}
		admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/bulk"), form, 303)), c.says)
	}
	s := d.Read(ids[1])
	if s.Track == nil || s.Room != nil || len(s.Tags) != 0 {
		t.Errorf("%+v", s)
	}
	// A choice that was left in another menu is not meant.
	form := url.Values{"id": ids, "do": {"track"}, "track": {"none"}, "room": {room}, "status": {"declined"}}
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/bulk"), form, 303)), "2 sessions have no track.")
	if s = d.Read(ids[1]); s.Room != nil || s.Status == models.Declined {
		t.Errorf("%+v", s)
	}
}

func TestBulkIsForOrganizersOfTheEvent(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(1, "T")
	elsewhere := d.Foreign(models.NewSession{Title: "Secret", IsAbstract: true})
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions"), 200)
	b.Post(d.At("/submissions/bulk"), url.Values{"id": {ids[0], elsewhere.ID}, "do": {"accept_queue"}}, 404)
	viewer := d.As(staff.Viewer)
	admintest.Lacks(t, viewer.Get(d.At("/submissions"), 200), "data-select-page", "/bulk\" data")
	viewer.Post(d.At("/submissions/bulk"), url.Values{"id": ids, "do": {"accept_queue"}}, 403)
	viewer.Get(d.At("/batches/"+store.NewID()), 403)
}

func TestTheExportIsExactlyTheViewAndHarmless(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(60, "Harbour")
	d.Submissions(3, "Else")
	evil := models.NewSession{Title: "=HYPERLINK(\"http://evil\") harbour", IsAbstract: true,
		SessionInput: models.SessionInput{
			Description: new("<p>+1 &amp; more</p>"), CustomFields: &models.AnswersInput{{Key: "@key", Value: "a\nb"}},
		}}
	s := d.Session(evil)
	d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "-Ada", LastName: "Byron", Email: "ada@example.org"})
	d.Foreign(models.NewSession{Title: "Harbour elsewhere", IsAbstract: true})
	b := d.As(staff.Organizer)
	res, text := b.Do(httptest.NewRequest("GET",
		d.At("/submissions.csv?q=harbour&sort=title&dir=asc&columns=status&page=2"), nil), 200)
	modelstest.Want(t, "Content-Disposition", res.Header.Get("Content-Disposition"),
		`attachment; filename="conf-submissions-2026-11-21.csv"`)
	if !strings.HasPrefix(text, "\uFEFFLabel,Title,Status,Description,Participants,E-mail addresses,Answers\r\n") ||
		strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") {
		t.Errorf("%q", text[:200])
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF"))).ReadAll()
	if err != nil || len(rows) != 62 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	modelstest.Want(t, "the first row", strings.Join(rows[1], "|"),
		"A-64|'=HYPERLINK(\"http://evil\") harbour|Pending|'+1 & more|'-Ada Byron|ada@example.org|'@key: a\nb")
	if rows[2][1] != "Harbour 1" || rows[61][1] != "Harbour 9" {
		t.Errorf("from %s to %s", rows[2][1], rows[61][1])
	}
}

func TestViewsAreKeptSharedAndDeleted(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	b, other := d.As(staff.Viewer), d.As(staff.Viewer)
	b.Get(d.At("/submissions?status=pending"), 200)
	at, _ := b.Post(d.At("/submissions/views"), url.Values{"name": {"To read"}, "query": {"status=pending&page=3&evil=1"}},
		303)
	page := b.Follow(b.Leads(at), "") // there is no third page
	admintest.Wants(t, page, "The view To read is kept.", `submissions?status=pending" aria-current="true">To read`)
	admintest.Lacks(t, other.Get(d.At("/submissions"), 200), "To read")
	b.Post(d.At("/submissions/views"), url.Values{"name": {"For all"}, "query": {"q=x"}, "shared": {"yes"}}, 303)
	admintest.Wants(t, other.Get(d.At("/submissions"), 200), "For all", "submissions?q=x", "shared")
	admintest.Lacks(t, other.Text, "Delete the view")
	_, page = b.Post(d.At("/submissions/views"), url.Values{"name": {"To read"}, "query": {"status=draft"}}, 422)
	admintest.Wants(t, page, "is taken by another of your views", `value="To read"`)
	id := regexp.MustCompile(`/views/([^/"]+)/delete`).FindStringSubmatch(b.Get(d.At("/submissions"), 200))[1]
	other.Post(d.At("/submissions/views/"+id+"/delete"), nil, 404)
	page = b.Follow(b.Post(d.At("/submissions/views/"+id+"/delete"), nil, 303))
	admintest.Wants(t, page, "The view For all is deleted.")
	admintest.Lacks(t, other.Get(d.At("/submissions"), 200), "For all")
	admintest.Wants(t, b.Undo(page), "The view For all is kept.", "submissions?q=x")
	admintest.Wants(t, other.Get(d.At("/submissions"), 200), "For all", "shared")
	admintest.Lacks(t, b.Get(d.At("/sessions"), 200), "For all", "To read")
}

func TestColumnsAndRowsAreRemembered(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	d.Session(models.NewSession{Title: "S"})
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), ">Track</th>")
	at, _ := b.Post(d.At("/submissions/columns"), url.Values{"columns": {"level", "evil"}, "rows": {"compact"},
		"query": {"sort=title&columns=tags"}}, 303)
	modelstest.Want(t, "it leads to", at, d.At("/submissions?sort=title"))
	admintest.Wants(t, b.Get(at, 200), ">Level</th>", `class="table-wrap compact"`)
	admintest.Lacks(t, b.Text, ">Track</th>", ">Tags</th>")
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), ">Room</th>", `class="table-wrap"`)
	b.Post(d.At("/submissions/columns"), url.Values{"columns": {"evil"}}, 303)
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), ">Track</th>", `class="table-wrap"`)
	b.Post(d.At("/submissions/columns"), nil, 303)
	admintest.Lacks(t, b.Get(d.At("/submissions"), 200), ">Track</th>") // the title alone is a choice too
}

func TestALinkWithColumnsShowsThemAndKeepsNothing(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/submissions?columns=tags&columns=level&rows=compact"), 200), ">Tags</th>",
		">Level</th>", `class="table-wrap compact"`, `.csv?columns=`, `name="columns" value="tags,level"`)
	admintest.Lacks(t, b.Text, ">Track</th>")
	admintest.Lacks(t, b.Get(d.At("/submissions?columns=title"), 200), ">Track</th>", ">Tags</th>")
	admintest.Wants(t, b.Get(d.At("/submissions?columns=no_column"), 200), ">Track</th>")
	admintest.Wants(t, b.Get(d.At("/submissions?columns=no_column,tags"), 200), ">Tags</th>")
	admintest.Lacks(t, b.Text, ">Track</th>", "no_column")
	admintest.Wants(t, b.Get(d.At("/submissions"), 200), ">Track</th>", `class="table-wrap"`)
	admintest.Lacks(t, b.Text, ">Tags</th>")
}

func TestThePaletteFindsRecordsOfTheEvent(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(10, "Harbour")
	ada := d.Speaker(t, d.Event, ids[0], models.NewContact{FirstName: "Harriet", LastName: "Harbour"})
	d.Foreign(models.NewSession{Title: "Harbour secret", IsAbstract: true})
	b := d.As(staff.Viewer)
	b.Get(d.At(""), 200)
	for _, path := range []string{d.At("/find?q=harbour"), "/admin/find?q=harbour"} {
		admintest.Wants(t, b.Get(path, 200), `<li><a href="`+d.At("/sessions/"), d.At("/speakers/"+ada), "Harriet Harbour")
		admintest.Lacks(t, b.Text, "secret", "<html")
		modelstest.Want(t, "how often <li>", strings.Count(b.Text, "<li>"), 8)
	}
	admintest.Wants(t, b.Get(d.At("/find?q=h"), 200), "Type two letters or more")
	admintest.Lacks(t, b.Text, "<a href")
	admintest.Wants(t, b.Get(d.At("/find?q=zeppelin"), 200), "Nothing found for “zeppelin”.")
	b.DropsOf(d.At("/speakers?page=1"), "q="+strings.Repeat("x", 201))
	admintest.Wants(t, b.Get(d.At("/speakers?q=harriet"), 200), "Harriet Harbour", d.At("/submissions?speaker="+ada))
	admintest.Wants(t, b.Get(d.At("/submissions?speaker="+ada), 200), "With Harriet Harbour", "Harbour 1")
}

func TestThePaletteShowsTheBestFirst(t *testing.T) {
	d := admintest.Open(t)
	first := d.Session(models.NewSession{Title: "Ada", IsAbstract: true})
	d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Zoe", LastName: "Long", CompanyName: "Ada & Co"})
	d.Speaker(t, d.Event, first.ID, models.NewContact{FirstName: "Ada", LastName: "Byron"})
	d.Submissions(20, "Net")
	for range 10 {
		d.Session(models.NewSession{Title: "Of her", IsAbstract: true,
			SessionInput: models.SessionInput{Description: new("What ada wrote, A-1")}})
	}
	b := d.As(staff.Viewer)
	titles := func(q string) (found []string) {
		for _, m := range regexp.MustCompile(`dir="auto">([^<]+)</span>`).
			FindAllStringSubmatch(b.Get(d.At("/find?q="+q), 200), -1) {
			found = append(found, m[1])
		}
		return found
	}
	modelstest.Want(t, "ada finds", strings.Join(titles("ada"), ","),
		"Ada Byron,Ada,Of her,Of her,Of her,Of her,Of her,Zoe Long")
	if got := titles("a-1"); len(got) != 8 || got[0] != "Ada" || got[1] != "Net 18" {
		t.Errorf("a-1 finds %q", got)
	}
}

// TestAListCostsAFixedNumberOfStatements pins what lists ask. Beside what all pages ask, and the rows, a page of
// submissions reads the scores and the letters of its rows, and one of sessions the letters behind them and what
// collides with them; each page counts the deliverables to check; how many wait for a first review is counted anew only
// after a change.
func TestAListCostsAFixedNumberOfStatements(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		modelstest.Fine(t, seed.Fill(t.Context(), d.Programme(), 300, 40))
		b := d.As(staff.Organizer)
		for _, path := range []string{"", "/submissions", "/sessions?sort=title", "/trash",
			"/submissions?q=harbour&status=pending"} {
			d.Submissions(1, "New") // nothing counted is kept
			count := func() int { return len(d.Statement.During(func() { b.Get(d.At(path), 200) })) }
			most := 16
			if path == "" { // has the most to count, at once, also of what changed since a release
				most = 19
			}
			if first, again := count(), count(); first > most || again > 11 {
				t.Errorf("%q costs %d statements, then %d", path, first, again)
			}
		}
	})
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
		modelstest.Want(t, message+" is told as", lists.ReasonSentence(message), want)
	}
}

func TestAListsFormThatIsSentTwiceChangesOnceAndIsUndoneWhole(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "Tide")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/submissions?status=pending"), 200))
	form["id"], form["do"] = ids, []string{"accept_queue"}
	b.Post(d.At("/submissions/bulk"), form, 303)
	admintest.Wants(t, b.Follow(b.Post(d.At("/submissions/bulk"), form, 303)), "3 submissions", "Undo")
	undo := admintest.UndoOf(b.Text)
	batch := admintest.Between(b.Text, `action="`+d.At("/batches/"), `"`)
	for range 2 { // the second time tells the same
		admintest.Wants(t, b.Follow(b.Post(d.At("/batches/"+batch), undo, 303)), "submissions")
	}
	for _, id := range ids {
		if s := d.Read(id); s.Status != models.Pending {
			t.Errorf("%s is %s", s.FriendlyID, s.Status)
		}
	}
}

func TestManySessionsPutIntoOneRoomAreTold(t *testing.T) {
	d := admintest.Open(t)
	hall := d.Room("Hall")
	one, two := d.Placed("One", "", "09:00", "10:00"), d.Placed("Two", "", "09:30", "10:30")
	b := d.As(staff.Organizer)
	form := admintest.Fields(b.Get(d.At("/sessions"), 200))
	form["id"], form["do"], form["room"] = []string{one.ID, two.ID}, []string{"room"}, []string{hall}
	admintest.Wants(t, b.Follow(b.Post(d.At("/sessions/bulk"), form, 303)), "Hall</bdi> also has", "Undo")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), two.ID))(t)
	trash := admintest.Fill(admintest.Fields(b.Get(d.At("/trash"), 200)), "id", two.ID)
	admintest.Wants(t, b.Follow(b.Post(d.At("/trash/restore"), trash, 303)), "is back.", "Hall</bdi> also has")
}

func TestContentIsApprovedAsTheListShowedIt(t *testing.T) {
	d, b := admintest.OpenAs(t, staff.Organizer)
	d.AskApproval(b, true)
	s := d.Session(models.NewSession{Title: "Seen"})
	form := admintest.Fields(b.Get(d.At("/sessions"), 200))
	seen := modelstest.Must(store.ParseTime(form.Get("as_of")))(t)
	form.Set("as_of", store.At(seen.Add(-1e9)).String()) // a moment before it was written
	form["id"], form["do"] = []string{s.ID}, []string{"approve"}
	b.Post(d.At("/sessions/bulk"), form, 303)
	d.Work()
	if s := d.Read(s.ID); s.ContentState == models.ContentApproved {
		t.Error("a text that nobody saw is approved")
	}
}
