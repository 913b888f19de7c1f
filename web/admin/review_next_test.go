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

// saves sends a scorecard by "Save and next" and returns the page that it leads to.
func (b *browser) saves(path, score string) string {
	b.t.Helper()
	form := fields(b.get(path, 200))
	form.Set("score", score)
	form.Set("then", "next")
	at, query, _ := strings.Cut(path, "?")
	location, _ := b.post(at+"/review?"+query, form, 303)
	return location
}

func TestSavingGoesOnToTheNextThatWaits(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := openOn(t, dialect, Options{})
			ids := d.submissions(4, "Tide")
			draft := d.session(models.NewSession{Title: "Unsent", IsAbstract: true,
				SessionInput: models.SessionInput{Status: new(models.Draft)}})
			net := d.session(models.NewSession{Title: "Net", IsAbstract: true})
			b := d.as(staff.Reviewer)
			const byNumber = "?dir=asc&in=submissions&score=waits&sort=friendlyId"
			record := func(id string) string { return d.at("/sessions/" + id) }
			// From the queue, from nowhere, and from a list of one's own.
			at := b.saves(record(ids[1])+byNumber, "4")
			if at != record(ids[2])+byNumber {
				t.Errorf("after A-2 comes %s", at)
			}
			wants(t, b.get(at, 200), "Your review of A-2 is saved.", "1 of 5 reviewed", "Save and next", "/static/review.js")
			if at = b.saves(record(ids[2]), "3"); at != record(ids[3])+byNumber {
				t.Errorf("after A-3 comes %s", at)
			}
			byTitle := "?dir=desc&in=submissions&q=tide&sort=title"
			if at = b.saves(record(ids[3])+byTitle, "2"); at != record(ids[0])+byTitle {
				t.Errorf("in a list after Tide 4 comes %s", at)
			}
			// The list is at its end: nothing is shown that does not wait, and one says what else there is.
			if at = b.saves(at, "2"); at != d.at("/reviews") {
				t.Errorf("at the end of the list one comes to %s", at)
			}
			wants(t, b.get(at, 200), "Nothing in that list waits for you any more; 1 other submission does.", "Net")
			if at = b.saves(record(net.ID)+byNumber, "5"); at != d.at("/reviews") {
				t.Errorf("at the end one comes to %s", at)
			}
			page := b.get(at, 200)
			wants(t, page, "Your review of A-6 is saved.", "Nothing waits for you.", "5 of 5 reviewed", "Back to the submissions")
			lacks(t, page, "Unsent", draft.ID)
			// What was not chosen is asked for, and nothing is lost.
			b.get(record(ids[0]), 200)
			_, page = b.post(record(ids[0])+"/review", url.Values{"then": {"next"}, "comment": {"Thought over"}}, 422)
			wants(t, page, "Score is not chosen yet.", ">Thought over</textarea>")
			lacks(t, body(page), "popover") // on a phone too it stands open
		})
	}
}

func TestAnOrganizerGoesOnToo(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	ids := d.submissions(2, "Tide")
	b := d.as(staff.Organizer)
	wants(t, b.get(d.at("/sessions/"+ids[0]), 200), "Review it yourself")
	wants(t, b.get(d.at("/sessions/"+ids[0]+"?in=submissions&score=waits"), 200), `id="scorecard"`, "0 of 2 reviewed")
	if at := b.saves(d.at("/sessions/"+ids[0]), "4"); !strings.HasPrefix(at, d.at("/sessions/"+ids[1])) {
		t.Errorf("after the first comes %s", at)
	}
}

func TestNoWayOfGoingOnLeadsToAnotherEvent(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	id := d.submissions(1, "Tide")[0]
	theirs := modelstest.Must(d.Elsewhere().CreateSession(t.Context(), models.NewSession{Title: "Theirs", IsAbstract: true}))(t)
	b := d.as(staff.Reviewer)
	for _, query := range []string{"?in=submissions&track=" + theirs.ID, "?in=sessions", "?in=trash", "?in=submissions&score=mine",
		"?in=submissions&speaker=" + store.NewID()} {
		if at := b.saves(d.at("/sessions/"+id)+query, "3"); at != d.at("/reviews") {
			t.Errorf("%s leads to %s", query, at)
		}
	}
}
