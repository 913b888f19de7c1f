package admin

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
)

func TestWhatAListDoesNotKnowIsDropped(t *testing.T) {
	d := open(t, Options{})
	d.submissions(3, "Tide")
	ctx := t.Context()
	theirs := modelstest.Must(d.Elsewhere().CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: "Their track"}))(t)
	room := modelstest.Must(d.Programme().CreateMetadata(ctx, models.Rooms, models.NewMetadata{Name: "Hall"}))(t)
	b := d.as(staff.Viewer)
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
		b.dropsOf(d.at("/submissions?"+kept), odd)
		b.dropsOf(d.at("/submissions.csv?"+kept), odd)
	}
	wants(t, b.get(b.leads(d.at("/submissions?page=7")), 200), "1 to 3 of 3")
	// A record opens whatever the list behind it was.
	wants(t, b.get(d.at("/sessions/"+d.submissions(1, "Net")[0]+"?in=submissions&sort=xx&track=xx&q=net"), 200), "1 of 1")
}

// dropsOf looks at a list with more in its address that is to make no difference.
func (b *browser) dropsOf(list, odd string) {
	b.t.Helper()
	shown := func(at string) string {
		page := b.get(at, 200)
		for _, token := range tokenPattern.FindAllStringSubmatch(page, -1) {
			page = strings.ReplaceAll(page, token[1], "")
		}
		return page
	}
	if plain := shown(list); shown(list+"&"+odd) != plain || strings.Contains(plain, `class="notice`) {
		b.t.Errorf("%s makes a difference at %s", odd, list)
	}
}

func TestAllThatMatchAFilterThatIsGoneAreNotAll(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(3, "Tide")
	ctx := t.Context()
	track := modelstest.Must(d.Programme().CreateMetadata(ctx, models.Tracks, models.NewMetadata{Name: "Practice"}))(t)
	modelstest.Must(d.Programme().UpdateSession(ctx, ids[0],
		models.SessionChange{SessionInput: models.SessionInput{TrackID: store.Some(track.ID)}}))(t)
	b := d.as(staff.Organizer)
	b.get(d.at("/submissions?track="+track.ID), 200)
	if err := d.Programme().DeleteMetadata(ctx, models.Tracks, track.ID, nil); err != nil {
		t.Fatal(err)
	}
	_, page := b.post(d.at("/submissions/bulk"), url.Values{"query": {"track=" + track.ID}, "scope": {"all"},
		"do": {"decline_queue"}}, 422)
	wants(t, page, "Nothing was changed", "narrowed by a filter that is not there any more")
	d.work()
	if s := modelstest.Must(d.Programme().Session(ctx, ids[2]))(t); s.Status != models.Pending {
		t.Error("what was never looked at is changed")
	}
}

func TestTimesInListsShowAYearThatIsNotTheEvents(t *testing.T) {
	d := open(t, Options{})
	ctx := t.Context()
	for _, start := range []string{"2026-05-20T09:00:00Z", "2027-05-20T09:00:00Z", "2030-05-20T09:00:00Z"} {
		at := modelstest.Must(store.ParseTime(start))(t)
		d.session(models.NewSession{Title: start, SessionInput: models.SessionInput{StartsAt: store.Some(at)}})
	}
	shows := func(with, without string) {
		t.Helper()
		page := d.as(staff.Viewer).get(d.at("/sessions"), 200)
		wants(t, page, "20 May "+with+"<", "20 May 2030<", "Times in ")
		lacks(t, page, "20 May "+without)
		if strings.Count(page, "20 May<") != 1 {
			t.Errorf("the year of the event is shown, or none is:\n%s", body(page))
		}
	}
	modelstest.Must(d.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Null[string](),
		EndsOn: store.Null[string]()}))(t)
	shows("2027", "2026") // the present one
	modelstest.Must(d.Programme().UpdateEvent(ctx, models.EventChange{StartsOn: store.Some("2027-05-20"),
		EndsOn: store.Some("2027-05-22")}))(t)
	shows("2026", "2027")
}

func TestTheSearchSaysWhatItCovers(t *testing.T) {
	d := open(t, Options{})
	ids := d.submissions(2, "Tide")
	d.Speaker(t, d.Event, ids[0], models.NewContact{FirstName: "Ada", LastName: "Byron", Email: "countess@example.org"})
	b := d.as(staff.Viewer)
	wants(t, b.get(d.at("/submissions?q=byron"), 200), "Tide 1", `aria-describedby="searched"`, `id="searched"`,
		"descriptions and the names of people")
	wants(t, b.get(d.at("/submissions?q=countess"), 200),
		"No title, label, description or name of a person has “countess” in it.")
	wants(t, b.get(d.at("/submissions?q=byron&status=draft"), 200),
		"has “byron” in it among the records that pass the other filters.")
	wants(t, b.get(d.at("/submissions?status=draft"), 200), "No record passes these filters.")
}

func TestTheStepSaysWhatIsPlaced(t *testing.T) {
	d := open(t, Options{})
	at := modelstest.Must(store.ParseTime("2027-05-20T09:00:00Z"))(t)
	for range 2 {
		d.session(models.NewSession{Title: "S", SessionInput: models.SessionInput{StartsAt: store.Some(at)}})
	}
	b := d.as(staff.Viewer)
	wants(t, b.get(d.at(""), 200), `0</b> <span class="muted">of 2 sessions`, "2 to place", "Thursday 20", "2 sessions")
	wants(t, b.get(d.at("/sessions?scheduled=yes"), 200), "With a start")
	// On a phone a cell says what it lacks.
	wants(t, b.get(d.at("/sessions?columns=track"), 200), "No track")
}
