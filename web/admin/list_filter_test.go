package admin

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

// startingAt makes a programme session, "" for no start.
func (d *desk) startingAt(title, at string) *models.Session {
	d.t.Helper()
	n := models.NewSession{Title: title}
	if at != "" {
		start := modelstest.Must(store.ParseTime(at))(d.t)
		n.StartsAt, n.EndsAt = store.Some(start), store.Some(store.At(start.Add(1800e9)))
	}
	return d.session(n)
}

// scores has who is signed in review a submission.
func (b *browser) scores(id, score string) {
	b.t.Helper()
	b.get(b.at("/sessions/"+id), 200)
	b.post(b.at("/sessions/"+id+"/review"), url.Values{"score": {score}}, 303)
}

func TestFiltersAreChipsThatCanBeTakenAway(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(4, "Tide")
	var tracks []*models.Metadata
	for i, name := range []string{"Data that outlives us", "Safe harbour", "Empty"} {
		tracks = append(tracks, d.add(d.Programme(), models.Tracks, models.NewMetadata{Name: name}))
		modelstest.Must(d.Programme().UpdateSession(t.Context(), ids[i],
			models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(tracks[i].ID)}}))(t)
	}
	b := d.as(staff.Organizer)
	plain := b.get(d.at("/submissions"), 200)
	lacks(t, plain, `class="chip"`, "filters</span>", "selected>") // a filter that is off is not shown
	wants(t, plain, `<strong>4</strong>`, "Filter</summary>")
	page := b.get(d.at("/submissions?sort=title&status=pending&track="+tracks[0].ID), 200)
	wants(t, page, `<span class="muted">Track</span> <bdi class="truncate">Data that outlives us</bdi>`, "Tide 1",
		`<a class="chip" href="`+d.at("/submissions?sort=title&amp;status=pending")+`"`, `<strong>1</strong> of 4`,
		`<a class="clear" href="`+d.at("/submissions?sort=title&amp;status=pending")+`"`)
	lacks(t, page, "Tide 2", `name="track" value="`+tracks[0].ID+`" type="hidden"`)
	// Several values of one filter, any of which will do.
	two := "/submissions?track=" + tracks[0].ID + "&track=" + tracks[1].ID
	page = b.get(d.at(two), 200)
	wants(t, page, "Tide 1", "Tide 2", `value="`+tracks[1].ID+`" checked`)
	for i, name := range []string{"Data that outlives us", "Safe harbour"} { // each goes by itself
		wants(t, page, `<a class="chip" href="`+d.at("/submissions?track="+tracks[1-i].ID)+`" aria-label="Track `+name+
			`; take this filter away"`)
	}
	lacks(t, page, "Tide 3", "Tide 4")
	wants(t, b.get(d.at(two+"&q=tide+2"), 200), "Tide 2", "<strong>1</strong> of 4")
	lacks(t, b.page, "Tide 1")
}

func TestEmptyParametersNeverStayInTheAddress(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.submissions(2, "Tide")
	b := d.as(staff.Owner)
	for path, want := range map[string]string{
		"/submissions?q=&score=":           "/submissions",
		"/submissions?q=tide&score=&dir=":  "/submissions?q=tide",
		"/sessions?track=&day=&public=yes": "/sessions?public=yes",
		"/trash?q=":                        "/trash",
		"/activity?kind=&page=1":           "/activity?page=1",
		"/speakers?q=":                     "/speakers",
	} {
		if got := b.leads(d.at(path)); got != d.at(want) {
			t.Errorf("%s leads to %s", path, got)
		}
	}
	if got := b.leads("/admin/deliveries?event=&result="); got != "/admin/deliveries" {
		t.Error(got)
	}
}

// What was kept when filters had one value each, and sessions had a tab for each status, still filters.
func TestViewsAndAddressesOfBeforeStillFilter(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.startingAt("Alpha", "2027-05-20T09:00:00Z")
	draft := d.startingAt("Beta", "")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), draft.ID,
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Draft)}}))(t)
	b := d.as(staff.Viewer)
	b.get(d.at("/sessions"), 200)
	b.post(d.at("/sessions/views"), url.Values{"name": {"Old"},
		"query": {"columns=status,track,start,changed&dir=asc&sort=title&status=draft"}}, 303)
	wants(t, b.get(d.at("/sessions"), 200), "Old", "status=draft")
	page := b.get(d.at("/sessions?columns=status,track,start,changed&dir=asc&sort=title&status=draft"), 200)
	wants(t, page, "Beta", `<span class="muted">Status</span> <bdi class="truncate">Draft</bdi>`, `aria-current="true">Old`,
		">Track</th>")
	lacks(t, page, "Alpha")
	wants(t, b.get(d.at("/sessions?scheduled=yes"), 200), "Alpha", "With a start")
	lacks(t, b.page, "Beta")
	wants(t, b.get(d.at("/sessions?scheduled=no"), 200), "Beta")
	lacks(t, b.page, "Alpha", `class="chip"`) // the tab says it
	wants(t, b.get(d.at("/submissions?scheduled=no"), 200), "Without a start")
	wants(t, b.get(d.at("/sessions?public=no"), 200), "Not published")
}

func TestSessionsOpenWithDays(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	modelstest.Must(d.Programme().UpdateEvent(t.Context(), models.EventChange{Timezone: new("Europe/Lisbon"),
		StartsOn: store.Some("2027-05-20"), EndsOn: store.Some("2027-05-22")}))(t)
	d.startingAt("Opening", "2027-05-20T08:00:00Z")
	d.startingAt("Beside it", "2027-05-20T08:00:00Z")
	d.startingAt("Night", "2027-05-20T23:30:00Z") // 0:30 on Friday in Lisbon
	d.startingAt("Somewhen", "")
	b := d.as(staff.Viewer)
	page := b.get(d.at("/sessions"), 200)
	wants(t, page, `<nav class="tabs" aria-label="Days">`, "All days",
		"Thursday", "Friday", "Saturday", "Not placed yet", `?day=2027-05-20"`, `?scheduled=no"`,
		"0 are public, 1 has no time yet. Times in Lisbon.",
		`<span class="date-head">Thursday 20 May</span> 2 sessions`, `<span class="date-head">Friday 21 May</span> 1 session`,
		`<b>9:00</b>`, `<b class="again">9:00</b>`, "to 9:30", `<b>0:30</b>`)
	lacks(t, page, "WEST", "Pending<span", "20 May, ")
	page = b.get(d.at("/sessions?day=2027-05-21"), 200)
	wants(t, page, "Night", `aria-current="page">Friday`)
	lacks(t, page, "Opening", "Somewhen", `class="chip"`)
	// The day stays while one searches, and another order names it in each row.
	wants(t, page, `<input type="hidden" name="day" value="2027-05-21"`)
	wants(t, b.get(d.at("/sessions?sort=title&dir=asc"), 200), "Thu 20 May,", "Fri 21 May,")
	lacks(t, b.page, `class="date-head"`)
	b.dropsOf(d.at("/sessions?sort=title"), "day=2027-02-30")
	b.dropsOf(d.at("/sessions?sort=title"), "day=someday")
}

func TestAColumnThatSaysTheSameOfAllRowsStepsBack(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(3, "T")
	track := d.add(d.Programme(), models.Tracks, models.NewMetadata{Name: "Tides"})
	modelstest.Must(d.Programme().UpdateSession(t.Context(), ids[0],
		models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID), Status: new(models.AcceptQueue)}}))(t)
	b := d.as(staff.Organizer)
	page := b.get(d.at("/submissions"), 200)
	wants(t, page, ">Track</th>", ">Next step</th>", "Waits to be accepted", "No review yet", "No.")
	lacks(t, page, ">Format</th>", ">Score<")                                            // nothing of either
	lacks(t, b.get(d.at("/submissions?status=pending"), 200), ">Track</th>", ">Status<") // by the filter
	wants(t, b.get(d.at("/submissions?status=accept_queue"), 200), ">Track</th>")        // one row is not alike
	// Who chose columns keeps them, and who has not yet sees which are theirs to choose.
	wants(t, page, `value="format" checked`)
	wants(t, b.get(d.at("/submissions?columns=format"), 200), ">Format</th>")
}

func TestTheHeadSaysWhereTheWorkStands(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	organizer, reviewer, viewer := d.as(staff.Organizer), d.as(staff.Reviewer), d.as(staff.Viewer)
	lacks(t, organizer.get(d.at("/submissions"), 200), `class="standing"`)
	ids := d.submissions(3, "T")
	reviewer.scores(ids[0], "4")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), ids[2],
		models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Withdrawn)}}))(t)
	wants(t, organizer.get(d.at("/submissions?q=zeppelin"), 200), "2 wait for a decision, 1 of them for a first review.")
	wants(t, reviewer.get(d.at("/submissions"), 200), "2 wait for a decision, 1 of them for your review.")
	wants(t, viewer.get(d.at("/submissions"), 200), "2 wait for a decision.")
	lacks(t, viewer.page, "review.", "No review yet")
	for _, id := range ids[:2] {
		modelstest.Must(d.Programme().UpdateSession(t.Context(), id,
			models.SessionChange{SessionInput: models.SessionInput{Status: new(models.Accepted)}}))(t)
	}
	wants(t, organizer.get(d.at("/submissions"), 200), "None waits for a decision.")
}

func TestScoresAndNextStepsAreFacts(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(6, "T")
	p := d.Programme()
	d.as(staff.Reviewer).scores(ids[0], "3")
	d.as(staff.Owner).scores(ids[0], "5")
	for i, status := range []models.Status{models.Pending, models.Pending, models.DeclineQueue, models.Accepted,
		models.Accepted, models.Declined} {
		modelstest.Must(p.UpdateSession(t.Context(), ids[i],
			models.SessionChange{SessionInput: models.SessionInput{Status: new(status)}}))(t)
	}
	d.SetLetter(t, d.Event, ids[3], models.LetterDraft)
	target := modelstest.Must(p.Compose(t.Context(), ids[4:5], ""))(t)
	d.SetLetter(t, d.Event, ids[4], models.LetterSent)
	b := d.as(staff.Organizer)
	page := b.get(d.at("/submissions"), 200)
	wants(t, page, `aria-label="2 reviews: 3, 5"`, "4.00", "M26.0 9.0h0M50.0 9.0h0", "No review<", "Decide",
		"No review yet", "Waits to be declined", "Letter draft", "In session", ">"+target.FriendlyID+"</a>", "No letter yet")
	lacks(t, page, " style=")
	reviewer := d.as(staff.Reviewer)
	lacks(t, reviewer.get(d.at("/submissions"), 200), "4.00", "reviews: ", "Decide", "No review yet")
	// The gate, from the same facts as it is held by.
	d.startingAt("Alone", "")
	page = b.get(d.at("/sessions"), 200)
	wants(t, page, "Ready", "Held", "No letter behind it")
}

func TestWhatIsPublishedIsATabUnlessADayIsChosen(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	one, _ := d.startingAt("Opening", "2027-05-20T09:00:00Z"), d.startingAt("Closing", "2027-05-21T09:00:00Z")
	modelstest.Must(d.Programme().UpdateSession(t.Context(), one.ID,
		models.SessionChange{IsPublic: new(true), PublishOverride: true}))(t)
	b := d.as(staff.Viewer)
	wants(t, b.get(d.at("/sessions"), 200), "Published <span class=\"count\">1", "All days <span class=\"count\">2")
	page := b.get(d.at("/sessions?public=yes"), 200)
	wants(t, page, "Opening", "aria-current=\"page\">Published", "All days <span class=\"count\">2")
	lacks(t, page, "Closing", "take this filter away")
	wants(t, b.get(d.at("/sessions?public=yes&day=2027-05-20"), 200), "Opening", "take this filter away")
}

// TestPagesAreLight counts the elements of full pages: 50 rows of a list, 66 tracks.
func TestPagesAreLight(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	modelstest.Fine(t, d.Programme().Seed(t.Context(), 400, 60))
	b := d.as(staff.Organizer)
	light := func(paths ...string) {
		for _, path := range paths {
			page := b.get(d.at(path), 200)
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
		d.add(d.Programme(), models.Tracks, models.NewMetadata{Name: fmt.Sprint("Devroom ", n)})
	}
	light("/metadata/tracks")
}
