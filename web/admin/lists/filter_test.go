package lists_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/seed"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// startingAt makes a programme session, "" for no start.
func startingAt(d *admintest.Desk, title, at string) *models.Session {
	d.T.Helper()
	n := models.NewSession{Title: title}
	if at != "" {
		start := modelstest.Must(store.ParseTime(at))(d.T)
		n.StartsAt, n.EndsAt = store.Some(start), store.Some(store.At(start.Add(1800e9)))
	}
	return d.Session(n)
}

// scores gives a submission a review by the signed-in user.
func scores(b *admintest.Browser, id, score string) {
	b.T.Helper()
	b.On(b.At("/sessions/"+id)).Post(b.At("/sessions/"+id+"/review"), url.Values{"score": {score}}, 303)
}

func TestFiltersAreChipsThatCanBeTakenAway(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(4, "Tide")
	var tracks []*models.Metadata
	for i, name := range []string{"Data that outlives us", "Safe harbour", "Empty"} {
		tracks = append(tracks, modelstest.RowOf(t, d.Programme(), models.Tracks, name))
		modelstest.Must(d.Programme().UpdateSession(t.Context(), ids[i],
			models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(tracks[i].ID)}}))(t)
	}
	b := d.As(staff.Organizer)
	plain := b.Get(d.At("/submissions"), 200)
	admintest.Lacks(t, plain, `class="chip"`, "filters</span>", "selected>") // a filter that is off is not shown
	admintest.Wants(t, plain, `<strong>4</strong>`, "Filter</summary>")
	page := b.Get(d.At("/submissions?sort=title&status=pending&track="+tracks[0].ID), 200)
	admintest.Wants(t, page, `<span class="muted">Track</span> <bdi class="truncate">Data that outlives us</bdi>`,
		"Tide 1", `<a class="chip" href="`+d.At("/submissions?sort=title&amp;status=pending")+`"`, `<strong>1</strong> of 4`,
		`<a class="clear" href="`+d.At("/submissions?sort=title&amp;status=pending")+`"`)
	admintest.Lacks(t, page, "Tide 2", `name="track" value="`+tracks[0].ID+`" type="hidden"`)
	// Several values of one filter, any of which will do.
	two := "/submissions?track=" + tracks[0].ID + "&track=" + tracks[1].ID
	page = b.Get(d.At(two), 200)
	admintest.Wants(t, page, "Tide 1", "Tide 2", `value="`+tracks[1].ID+`" checked`)
	for i, name := range []string{"Data that outlives us", "Safe harbour"} { // each goes by itself
		admintest.Wants(t, page, `<a class="chip" href="`+d.At("/submissions?track="+tracks[1-i].ID)+`" aria-label="Track `+name+
			`; take this filter away"`)
	}
	admintest.Lacks(t, page, "Tide 3", "Tide 4")
	admintest.Wants(t, b.Get(d.At(two+"&q=tide+2"), 200), "Tide 2", "<strong>1</strong> of 4")
	admintest.Lacks(t, b.Page, "Tide 1")
}

func TestEmptyParametersNeverStayInTheAddress(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(2, "Tide")
	b := d.As(staff.Owner)
	for path, want := range map[string]string{
		"/submissions?q=&score=":           "/submissions",
		"/submissions?q=tide&score=&dir=":  "/submissions?q=tide",
		"/sessions?track=&day=&public=yes": "/sessions?public=yes",
		"/trash?q=":                        "/trash",
		"/activity?kind=&page=1":           "/activity?page=1",
		"/speakers?q=":                     "/speakers",
	} {
		modelstest.Want(t, path+" leads to", b.Leads(d.At(path)), d.At(want))
	}
	modelstest.Want(t, "it leads to", b.Leads("/admin/deliveries?event=&result="), "/admin/deliveries")
}

// What was kept when filters had one value each, and sessions had a tab for each status, still filters.
func TestViewsAndAddressesOfBeforeStillFilter(t *testing.T) {
	d := admintest.Open(t)
	startingAt(d, "Alpha", "2027-05-20T09:00:00Z")
	draft := startingAt(d, "Beta", "")
	modelstest.SetStatus(t, d.Programme(), draft.ID, models.Draft)
	b := d.As(staff.Viewer)
	b.On(d.At("/sessions")).Post(d.At("/sessions/views"), url.Values{"name": {"Old"},
		"query": {"columns=status,track,start,changed&dir=asc&sort=title&status=draft"}}, 303)
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), "Old", "status=draft")
	page := b.Get(d.At("/sessions?columns=status,track,start,changed&dir=asc&sort=title&status=draft"), 200)
	admintest.Wants(t, page, "Beta", `<span class="muted">Status</span> <bdi class="truncate">Draft</bdi>`,
		`aria-current="true">Old`, ">Track</th>")
	admintest.Lacks(t, page, "Alpha")
	admintest.Wants(t, b.Get(d.At("/sessions?scheduled=yes"), 200), "Alpha", "With a start")
	admintest.Lacks(t, b.Page, "Beta")
	admintest.Wants(t, b.Get(d.At("/sessions?scheduled=no"), 200), "Beta")
	admintest.Lacks(t, b.Page, "Alpha", `class="chip"`) // the tab says it
	admintest.Wants(t, b.Get(d.At("/submissions?scheduled=no"), 200), "Without a start")
	admintest.Wants(t, b.Get(d.At("/sessions?public=no"), 200), "Not published")
}

func TestSessionsOpenWithDays(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Lisbon"),
		StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(t)
	startingAt(d, "Opening", "2027-05-20T08:00:00Z")
	startingAt(d, "Beside it", "2027-05-20T08:00:00Z")
	startingAt(d, "Night", "2027-05-20T23:30:00Z") // 0:30 on Friday in Lisbon
	startingAt(d, "Somewhen", "")
	b := d.As(staff.Viewer)
	page := b.Get(d.At("/sessions"), 200)
	admintest.Wants(t, page, `<nav class="tabs" aria-label="Days">`, "All days", "Thursday", "Friday", "Saturday",
		"Not placed yet", `?day=2027-05-20"`, `?scheduled=no"`, "0 are public, 1 has no time yet. Times in Lisbon.",
		`<span class="date-head">Thursday 20 May</span> 2 sessions`, `<span class="date-head">Friday 21 May</span> 1 session`,
		`<b>9:00</b>`, `<b class="again">9:00</b>`, "to 9:30", `<b>0:30</b>`)
	admintest.Lacks(t, page, "WEST", "Pending<span", "20 May, ")
	page = b.Get(d.At("/sessions?day=2027-05-21"), 200)
	admintest.Wants(t, page, "Night", `aria-current="page">Friday`)
	admintest.Lacks(t, page, "Opening", "Somewhen", `class="chip"`)
	// The day stays while one searches, and another order names it in each row.
	admintest.Wants(t, page, `<input type="hidden" name="day" value="2027-05-21"`)
	admintest.Wants(t, b.Get(d.At("/sessions?sort=title&dir=asc"), 200), "Thu 20 May,", "Fri 21 May,")
	admintest.Lacks(t, b.Page, `class="date-head"`)
	b.DropsOf(d.At("/sessions?sort=title"), "day=2027-02-30")
	b.DropsOf(d.At("/sessions?sort=title"), "day=someday")
}

func TestAColumnThatSaysTheSameOfAllRowsStepsBack(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "T")
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Tides")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), ids[0],
		models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID), Status: new(models.AcceptQueue)}}))(t)
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/submissions"), 200)
	admintest.Wants(t, page, ">Track</th>", ">Next step</th>", "Waits to be accepted", "No review yet", "No.")
	admintest.Lacks(t, page, ">Format</th>", ">Score<")                                            // nothing of either
	admintest.Lacks(t, b.Get(d.At("/submissions?status=pending"), 200), ">Track</th>", ">Status<") // by the filter
	admintest.Wants(t, b.Get(d.At("/submissions?status=accept_queue"), 200), ">Track</th>")        // one row is not alike
	// Who chose columns keeps them, and who has not yet sees which are theirs to choose.
	admintest.Wants(t, page, `value="format" checked`)
	admintest.Wants(t, b.Get(d.At("/submissions?columns=format"), 200), ">Format</th>")
}

func TestTheHeadSaysWhereTheWorkStands(t *testing.T) {
	d := admintest.Open(t)
	organizer, reviewer, viewer := d.As(staff.Organizer), d.As(staff.Reviewer), d.As(staff.Viewer)
	admintest.Lacks(t, organizer.Get(d.At("/submissions"), 200), `class="standing"`)
	ids := d.Submissions(3, "T")
	scores(reviewer, ids[0], "4")
	modelstest.SetStatus(t, d.Programme(), ids[2], models.Withdrawn)
	admintest.Wants(t, organizer.Get(d.At("/submissions?q=zeppelin"), 200),
		"2 wait for a decision, 1 of them for a first review.")
	admintest.Wants(t, reviewer.Get(d.At("/submissions"), 200), "2 wait for a decision, 1 of them for your review.")
	admintest.Wants(t, viewer.Get(d.At("/submissions"), 200), "2 wait for a decision.")
	admintest.Lacks(t, viewer.Page, "review.", "No review yet")
	for _, id := range ids[:2] {
		modelstest.SetStatus(t, d.Programme(), id, models.Accepted)
	}
	admintest.Wants(t, organizer.Get(d.At("/submissions"), 200), "None waits for a decision.")
}

func TestScoresAndNextStepsAreFacts(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(6, "T")
	p := d.Programme()
	scores(d.As(staff.Reviewer), ids[0], "3")
	scores(d.As(staff.Owner), ids[0], "5")
	for i, status := range []models.Status{models.Pending, models.Pending, models.DeclineQueue, models.Accepted,
		models.Accepted, models.Declined} {
		modelstest.SetStatus(t, p, ids[i], status)
	}
	d.SetLetter(t, d.Event, ids[3], models.LetterDraft)
	target := modelstest.Must(p.Compose(t.Context(), ids[4:5], ""))(t)
	d.SetLetter(t, d.Event, ids[4], models.LetterSent)
	b := d.As(staff.Organizer)
	page := b.Get(d.At("/submissions"), 200)
	admintest.Wants(t, page, `aria-label="2 reviews: 3, 5"`, "4.00", "M26.0 9.0h0M50.0 9.0h0", "No review<", "Decide",
		"No review yet", "Waits to be declined", "Letter draft", "In session", ">"+target.FriendlyID+"</a>", "No letter yet")
	admintest.Lacks(t, page, " style=")
	reviewer := d.As(staff.Reviewer)
	admintest.Lacks(t, reviewer.Get(d.At("/submissions"), 200), "4.00", "reviews: ", "Decide", "No review yet")
	// The gate, from the same facts as it is held by.
	startingAt(d, "Alone", "")
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), "Ready", "Held", "No letter behind it")
}

func TestWhatIsPublishedIsATabUnlessADayIsChosen(t *testing.T) {
	d := admintest.Open(t)
	one, _ := startingAt(d, "Opening", "2027-05-20T09:00:00Z"), startingAt(d, "Closing", "2027-05-21T09:00:00Z")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/sessions"), 200), "Published <span class=\"count\">1",
		"All days <span class=\"count\">2")
	page := b.Get(d.At("/sessions?public=yes"), 200)
	admintest.Wants(t, page, "Opening", "aria-current=\"page\">Published", "All days <span class=\"count\">2")
	admintest.Lacks(t, page, "Closing", "take this filter away")
	admintest.Wants(t, b.Get(d.At("/sessions?public=yes&day=2027-05-20"), 200), "Opening", "take this filter away")
}

// TestPagesAreLight counts the elements of full pages: 50 rows of a list, 66 tracks.
func TestPagesAreLight(t *testing.T) {
	d := admintest.Open(t)
	modelstest.Fine(t, seed.Fill(t.Context(), d.Programme(), 400, 60))
	b := d.As(staff.Organizer)
	light := func(paths ...string) {
		for _, path := range paths {
			page := b.Get(d.At(path), 200)
			n := strings.Count(page, "<") - strings.Count(page, "</")
			if t.Log(path, n, "elements", fmt.Sprint(len(page)/1000, " kB")); n > 1510 {
				t.Errorf("%s has %d elements", path, n)
			}
		}
	}
	light("/submissions", "/sessions", "/trash")
	_, tracks, err := d.Programme().ListMetadata(t.Context(), models.Tracks, "", store.Page{Size: 1})
	modelstest.Fine(t, err)
	for n := range 66 - int(tracks.TotalResults) {
		d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: fmt.Sprint("Devroom ", n)})
	}
	light("/metadata/tracks")
}
