package lists_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/metadata"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

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
	_, page := b.Post(d.At("/submissions/bulk"), url.Values{"query": {"track=" + track.ID}, "scope": {"all"},
		"do": {"decline_queue"}}, 422)
	admintest.Wants(t, page, "Nothing was changed", "narrowed by a filter that is not there any more")
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
	modelstest.Must(d.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-20"),
		EndsOn: store.Some("2027-05-22")}))(t)
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
