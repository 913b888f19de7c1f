package sessions_test

import (
	"net/url"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// saves sends a scorecard by "Save and next" and returns the page that it leads to.
func saves(b *admintest.Browser, path, score string) string {
	b.T.Helper()
	form := admintest.Fill(admintest.Fields(b.Get(path, 200)), "score", score, "then", "next")
	at, query, _ := strings.Cut(path, "?")
	location, _ := b.Post(at+"/review?"+query, form, 303)
	return location
}

func TestSavingGoesOnToTheNextThatWaits(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ids := d.Submissions(4, "Tide")
		draft := d.Session(models.NewSession{Title: "Unsent", IsAbstract: true,
			SessionInput: models.SessionInput{Status: new(models.Draft)}})
		net := d.Session(models.NewSession{Title: "Net", IsAbstract: true})
		b := d.As(staff.Reviewer)
		const byNumber = "?dir=asc&in=submissions&score=waits&sort=friendlyId"
		record := func(id string) string { return d.At("/sessions/" + id) }
		// From the queue, from nowhere, and from a list of one's own.
		at := saves(b, record(ids[1])+byNumber, "4")
		modelstest.Want(t, "after A-2 comes", at, record(ids[2])+byNumber)
		admintest.Wants(t, b.Get(at, 200), "Your review of A-2 is saved.", "1 of 5 reviewed", "Save and next",
			"/static/review.js")
		if at = saves(b, record(ids[2]), "3"); at != record(ids[3])+byNumber {
			t.Errorf("after A-3 comes %s", at)
		}
		byTitle := "?dir=desc&in=submissions&q=tide&sort=title"
		if at = saves(b, record(ids[3])+byTitle, "2"); at != record(ids[0])+byTitle {
			t.Errorf("in a list after Tide 4 comes %s", at)
		}
		// The list is at its end: nothing is shown that does not wait, and one says what else there is.
		if at = saves(b, at, "2"); at != d.At("/reviews") {
			t.Errorf("at the end of the list one comes to %s", at)
		}
		admintest.Wants(t, b.Get(at, 200), "Nothing in that list waits for you any more; 1 other submission does.", "Net")
		if at = saves(b, record(net.ID)+byNumber, "5"); at != d.At("/reviews") {
			t.Errorf("at the end one comes to %s", at)
		}
		page := b.Get(at, 200)
		admintest.Wants(t, page, "Your review of A-6 is saved.", "Nothing waits for you.", "5 of 5 reviewed",
			"Back to the submissions")
		admintest.Lacks(t, page, "Unsent", draft.ID)
		// What was not chosen is asked for, and nothing is lost.
		b.Get(record(ids[0]), 200)
		_, page = b.Post(record(ids[0])+"/review", url.Values{"then": {"next"}, "comment": {"Thought over"}}, 422)
		admintest.Wants(t, page, "Score is not chosen yet.", ">Thought over</textarea>")
		admintest.Lacks(t, admintest.Body(page), "popover") // on a phone too it stands open
	})
}

func TestAnOrganizerGoesOnToo(t *testing.T) {
	d := admintest.Open(t)
	ids := d.Submissions(2, "Tide")
	b := d.As(staff.Organizer)
	admintest.Wants(t, b.Get(d.At("/sessions/"+ids[0]), 200), "Review it yourself")
	admintest.Wants(t, b.Get(d.At("/sessions/"+ids[0]+"?in=submissions&score=waits"), 200), `id="scorecard"`,
		"0 of 2 reviewed")
	if at := saves(b, d.At("/sessions/"+ids[0]), "4"); !strings.HasPrefix(at, d.At("/sessions/"+ids[1])) {
		t.Errorf("after the first comes %s", at)
	}
}

func TestNoWayOfGoingOnLeadsToAnotherEvent(t *testing.T) {
	d := admintest.Open(t)
	id := d.Submissions(1, "Tide")[0]
	theirs := d.Foreign(models.NewSession{Title: "Theirs", IsAbstract: true})
	b := d.As(staff.Reviewer)
	for _, query := range []string{"?in=submissions&track=" + theirs.ID, "?in=sessions", "?in=trash", "?in=submissions&score=mine",
		"?in=submissions&speaker=" + store.NewID()} {
		modelstest.Want(t, query+" leads to", saves(b, d.At("/sessions/"+id)+query, "3"), d.At("/reviews"))
	}
}
