package lists_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
	"lectern/web/admin/visit"
)

func TestAPageBehindTheLastOneLeadsToTheLastOne(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(visit.RowsAPage+1, "T")
	b := d.As(staff.Viewer)
	for path, want := range map[string]string{
		"/submissions?page=9&sort=title": "/submissions?page=2&sort=title",
		"/activity?kind=session&page=9":  "/activity?kind=session&page=2",
	} {
		if got := b.Leads(d.At(path)); !strings.HasSuffix(got, want) {
			t.Errorf("%s leads to %s", path, got)
		}
	}
}

func TestAnEmptyQueueIsDone(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	b := d.As(staff.Viewer)
	for path, text := range map[string]string{
		"/submissions?status=accept_queue":      "The accept queue is empty.",
		"/submissions?needs=session":            "Nothing waits here: accepted, in no session.",
		"/submissions?status=withdrawn":         "Nothing matches",
		"/submissions?status=accept_queue&q=zz": "Nothing matches",
	} {
		admintest.Wants(t, b.Get(d.At(path), 200), text)
	}
}

func TestFiltersAndBulkOfferEveryRowOfALongFamily(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(1, "T")
	var last *models.Metadata
	for i := range store.MaxPageSize + 1 {
		last = d.Add(d.Programme(), models.Tracks, models.NewMetadata{Name: fmt.Sprintf("Track %03d", i)})
	}
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/submissions?track="+last.ID), 200),
		`name="track" value="`+last.ID+`" checked> <bdi>Track 100`)
	page := b.Get(d.At("/submissions"), 200)
	admintest.Wants(t, page, `name="track" value="`+last.ID+`">`, `<option value="`+last.ID+`">Track 100`)
}

func TestTheEventSwitcherKeepsThePage(t *testing.T) {
	d := admintest.Open(t)
	s := d.Session(models.NewSession{Title: "Tides", IsAbstract: true})
	modelstest.RowOf(t, d.Programme(), models.Tags, "new")
	batch := modelstest.Must(d.Programme().StartBatch(t.Context(), []string{s.ID}, nil, models.BatchChange{Status: new(models.Draft)}))(t)
	b := d.As(staff.Owner)
	for path, want := range map[string]string{
		"": "", "/submissions?q=x": "/submissions", "/sessions/" + s.ID: "/submissions", "/sessions/" + s.ID +
			"/edit": "/submissions",
		"/metadata/rooms": "/metadata/rooms", "/keys/new": "/keys", "/batches/" + batch.ID +
			"?back=submissions": "/submissions", "/settings": "/settings",
	} {
		admintest.Wants(t, b.Get(d.At(path), 200), `href="/admin/events/`+d.Other.ID+want+`"`)
	}
}

func TestWhatAListDoesNotKnowIsDropped(t *testing.T) {
	d := admintest.Open(t)
	d.Submissions(3, "Tide")
	theirs := modelstest.RowOf(t, d.Elsewhere(), models.Tracks, "Their track")
	room := modelstest.RowOf(t, d.Programme(), models.Rooms, "Hall")
	b := d.As(staff.Viewer)
	for _, odd := range []string{
		"track=xx", "track=" + theirs.ID, "track=" + room.ID, "status=xx", "sort=xx", "dir=xx", "level=" +
			store.NewID(), "speaker=1",
		"needs=xx", "scheduled=maybe", "page=0", "page=last", "rows=xx", "columns=start", "q=" + strings.Repeat("x", 201),
		"status=xx&track=xx&public=xx",
	} {
		kept := "public=no"
		if strings.Contains(odd, "public") {
			kept = "q=tide+2"
		}
		b.DropsOf(d.At("/submissions?"+kept), odd)
		b.DropsOf(d.At("/submissions.csv?"+kept), odd)
	}
	admintest.Wants(t, b.Get(b.Leads(d.At("/submissions?page=7")), 200), "1 to 3 of 3")
	// A record opens whatever the list behind it was.
	admintest.Wants(t, b.Get(d.At("/sessions/"+d.Submissions(1, "Net")[0]+"?in=submissions&sort=xx&track=xx&q=net"),
		200), "1 of 1")
}

func TestAllThatMatchAFilterThatIsGoneAreNotAll(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(3, "Tide")
	ctx := t.Context()
	track := modelstest.RowOf(t, d.Programme(), models.Tracks, "Practice")
	modelstest.Must(d.Programme().UpdateSession(ctx, ids[0],
		models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
	b := d.As(staff.Organizer)
	b.Get(d.At("/submissions?track="+track.ID), 200)
	modelstest.Fine(t, metadata.Of(d.Programme()).Delete(ctx, models.Tracks, track.ID, nil))
	admintest.Wants(t, b.Answer(d.At("/submissions/bulk"), url.Values{"query": {"track=" + track.ID}, "scope": {"all"},
		"do": {"decline_queue"}}, 422), "Nothing was changed", "narrowed by a filter that is not there any more")
	d.Work()
	modelstest.Want(t, "what was never looked at is changed", d.Read(ids[2]).Status, models.Pending)
}

func TestTimesInListsShowAYearThatIsNotTheEvents(t *testing.T) {
	d := admintest.Open(t)
	ctx := t.Context()
	for _, start := range []string{"2026-05-20T09:00:00Z", "2027-05-20T09:00:00Z", "2030-05-20T09:00:00Z"} {
		at := modelstest.Must(store.ParseTime(start))(t)
		d.Session(models.NewSession{Title: start, SessionInput: models.SessionInput{StartsAt: store.Some(at)}})
	}
	shows := func(with, without string) {
		t.Helper()
		page := d.As(staff.Viewer).Get(d.At("/sessions"), 200)
		admintest.Wants(t, page, "20 May "+with+"<", "20 May 2030<", "Times in ")
		admintest.Lacks(t, page, "20 May "+without)
		modelstest.Want(t, "the year of the event is shown, or none is:\n"+admintest.Body(page),
			strings.Count(page, "20 May<"), 1)
	}
	modelstest.Must(d.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Null[string](),
		EndsOn: store.Null[string]()}))(t)
	shows("2027", "2026") // the present one
	d.Days("2027-05-20", "2027-05-22")
	shows("2026", "2027")
}

func TestTheSearchSaysWhatItCovers(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(2, "Tide")
	d.Speaker(t, d.Event, ids[0], models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "countess@example.org"})
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At("/submissions?q=byron"), 200), "Tide 1", `aria-describedby="searched"`, `id="searched"`,
		"descriptions and the names of people")
	admintest.Wants(t, b.Get(d.At("/submissions?q=countess"), 200),
		"No title, label, description or name of a person has “countess” in it.")
	admintest.Wants(t, b.Get(d.At("/submissions?q=byron&status=draft"), 200),
		"has “byron” in it among the records that pass the other filters.")
	admintest.Wants(t, b.Get(d.At("/submissions?status=draft"), 200), "No record passes these filters.")
}

func TestTheStepSaysWhatIsPlaced(t *testing.T) {
	d := admintest.Open(t)
	at := modelstest.Must(store.ParseTime("2027-05-20T09:00:00Z"))(t)
	for range 2 {
		d.Session(models.NewSession{Title: "S", SessionInput: models.SessionInput{StartsAt: store.Some(at)}})
	}
	b := d.As(staff.Viewer)
	admintest.Wants(t, b.Get(d.At(""), 200), `0</b> <span class="muted">of 2 sessions`, "2 to place", "Thursday 20",
		"2 sessions")
	admintest.Wants(t, b.Get(d.At("/sessions?scheduled=yes"), 200), "With a start")
	// On a phone a cell says what it lacks.
	admintest.Wants(t, b.Get(d.At("/sessions?columns=track"), 200), "No track")
}
