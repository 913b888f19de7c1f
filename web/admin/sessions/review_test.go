package sessions_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

func TestReviewersScoreAndOrganizersSeeWhatAllThink(t *testing.T) {
	admintest.Each(t, func(t *testing.T, d *admintest.Desk) {
		ids := d.Submissions(3, "Tide") // Tide 1 to 3
		grace, li := d.Hire("Grace", staff.Reviewer, true, nil), d.Hire("Li", staff.Reviewer, true, nil)
		give := func(b *admintest.Browser, id, score, comment string) string {
			t.Helper()
			page := d.At("/sessions/" + id)
			form := admintest.Fill(admintest.Fields(b.Get(page+"?in=submissions&score=waits", 200)), "score", score,
				"comment", comment)
			return b.Follow(b.Post(page+"/review?in=submissions&score=waits", form, 303))
		}
		graces, lis, organizers, viewers := d.SignedIn(grace.Email), d.SignedIn(li.Email), d.As(staff.Organizer), d.As(staff.Viewer)

		admintest.Wants(t, graces.Get(d.At(""), 200), ">3<", "submissions wait for your review", "score=waits",
			"0</b> of 3 reviewed")
		admintest.Lacks(t, organizers.Get(d.At(""), 200), "for your review")
		admintest.Lacks(t, viewers.Get(d.At(""), 200), "for your review")
		admintest.Wants(t, graces.Get(d.At("/submissions?score=waits"), 200), "Tide 1", "Tide 2", "Tide 3")
		page := give(graces, ids[0], "5", "<script>alert(1)</script> & שלום 🌊")
		admintest.Wants(t, page, "Your review is saved. 2 submissions wait for it still.", `value="5" required checked`,
			"&lt;script&gt;alert(1)&lt;/script&gt; &amp; שלום 🌊</textarea>", "Take back")
		give(lis, ids[0], "4", "")
		give(lis, ids[1], "2", "Seen before")
		admintest.Wants(t, graces.Get(d.At("/submissions?score=waits"), 200), "Tide 2", "Tide 3")
		admintest.Wants(t, graces.Get(d.At(""), 200), ">2<", "submissions wait for your review", "1</b> of 3 reviewed")
		admintest.Lacks(t, graces.Get(d.At("/submissions?score=waits"), 200), "Tide 1")
		admintest.Lacks(t, graces.Get(d.At("/submissions?score=mine"), 200), "Tide 2", "Tide 3")
		admintest.Wants(t, lis.Get(d.At("/submissions?score=mine"), 200), "Tide 1", "Tide 2")

		admintest.Wants(t, graces.Get(d.At("/submissions"), 200), ">Your score<", `data-label="Your score" class="num">5`)
		admintest.Wants(t, graces.Get(d.At("/submissions.csv"), 200), ",Your score,", ",5,")
		admintest.Lacks(t, lis.Get(d.At("/submissions"), 200), `data-label="Your score" class="num">5`)
		admintest.Lacks(t, viewers.Get(d.At("/submissions"), 200), ">Your score<")
		admintest.Lacks(t, organizers.Get(d.At("/submissions"), 200), ">Your score</th>")
		admintest.Wants(t, organizers.Get(d.At("/submissions?columns=mine"), 200), ">Your score</th>")

		// Who gives scores does not see the others', on no way.
		for _, b := range []*admintest.Browser{graces, viewers} {
			for _, path := range []string{"/submissions", "/submissions.csv", "/sessions/" + ids[0], "/sessions/" + ids[1],
				"/activity", ""} {
				admintest.Lacks(t, admintest.Body(b.Get(d.At(path), 200)), "4.50", "2.00", "Seen before", "Not reviewed",
					">Reviews")
			}
			for _, query := range []string{"score=4-and-more", "score=none", "sort=score", "columns=score"} {
				b.DropsOf(d.At("/submissions?status=pending"), query)
				b.DropsOf(d.At("/submissions.csv?status=pending"), query)
			}
			location, _ := b.Post(d.At("/submissions/columns"), url.Values{"columns": {"status", "score"}}, 303)
			admintest.Lacks(t, b.Get(location, 200), "4.50")
		}
		admintest.Lacks(t, viewers.Get(d.At("/sessions/"+ids[0]), 200), "Your review")
		viewers.DropsOf(d.At("/submissions?status=pending"), "score=waits")
		viewers.Get(d.At("/submissions"), 200)
		admintest.Wants(t, viewers.Answer(d.At("/sessions/"+ids[0]+"/review"), url.Values{"score": {"1"}}, 403), "reviewer")

		admintest.Wants(t, organizers.Get(d.At("/sessions/"+ids[0]), 200), "4.50, the mean of 2", "Grace", "Li",
			"&lt;script&gt;alert(1)")
		admintest.Wants(t, organizers.Get(d.At("/submissions?sort=score&dir=desc"), 200), ">4.50 <svg", "2 reviews: 4, 5",
			">2.00 <svg", "1 review: 2")
		for query, want := range map[string]string{
			"score=4.5-and-more": "Tide 1", "score=below-3": "Tide 2", "score=none": "Tide 3",
			"score=2-and-more&sort=score&dir=asc": "Tide 2 Tide 1", "sort=score&dir=desc": "Tide 1 Tide 2 Tide 3",
		} {
			page := organizers.Get(d.At("/submissions?"+query), 200)
			var got []string
			for _, m := range regexp.MustCompile(`class="title" href="[^"]+"[^>]*>([^<]+)<`).FindAllStringSubmatch(page, -1) {
				got = append(got, m[1])
			}
			modelstest.Want(t, query+" shows", strings.Join(got, " "), want)
		}
		admintest.Wants(t, organizers.Get(d.At("/submissions.csv?sort=score&dir=desc"), 200), ",Score,", ",4.50,", ",2.00,")

		// A view by score is the organizers', even when it is shared with all.
		for name, query := range map[string]string{"Best": "score=4-and-more", "Ranked": "sort=score&dir=desc",
			"Wide": "columns=status,score", "Pending": "status=pending"} {
			organizers.Get(d.At("/submissions?"+query), 200)
			organizers.Post(d.At("/submissions/views"), url.Values{"name": {name}, "query": {query}, "shared": {"yes"}}, 303)
		}
		admintest.Wants(t, organizers.Get(d.At("/submissions"), 200), "Best", "Ranked", "Wide", ">Pending")
		for _, b := range []*admintest.Browser{graces, viewers} {
			admintest.Wants(t, b.Get(d.At("/submissions"), 200), "/submissions?status=pending")
			admintest.Lacks(t, b.Text, "Best", "Ranked", "Wide")
		}

		// All that match a score are those alone.
		organizers.Get(d.At("/submissions?score=4-and-more"), 200)
		organizers.Post(d.At("/submissions/bulk"), url.Values{"query": {"score=4-and-more"}, "scope": {"all"},
			"do": {"accept_queue"}}, 303)
		d.Work()
		for i, id := range ids {
			modelstest.Want(t, fmt.Sprint("submission ", i+1, " is"), d.Read(id).Status == models.AcceptQueue, i == 0)
		}

		// Taken back, it counts no more.
		admintest.Wants(t, lis.Get(d.At("/sessions/"+ids[0]+"/review/take-back"), 200), "Take your review back?", "Tide 1")
		location, _ := lis.Post(d.At("/sessions/"+ids[0]+"/review/take-back"), nil, 303)
		admintest.Wants(t, lis.Get(location, 200), "Your review is taken back.", "Your review")
		lis.Post(d.At("/sessions/"+ids[0]+"/review/take-back"), nil, 404)
		admintest.Wants(t, organizers.Get(d.At("/sessions/"+ids[0]), 200), "5.00, the mean of 1")
	})
}

func TestARefusedReviewKeepsWhatWasTyped(t *testing.T) {
	d := admintest.Open(t)
	id := d.Submissions(1, "Tide")[0]
	b := d.As(staff.Reviewer)
	path := d.At("/sessions/" + id)
	_, page := b.On(path).Post(path+"/review", url.Values{"comment": {"Long thought over"}}, 422)
	admintest.Wants(t, page, `href="#score"`, "Score is not chosen yet.", ">Long thought over</textarea>")
	for _, score := range []string{"0", "6", "-1"} {
		_, page = b.Post(path+"/review", url.Values{"score": {score}, "comment": {"c"}}, 422)
		admintest.Wants(t, page, "Score must be from 1 to 5.")
	}
	long := strings.Repeat("é", models.MaxReviewComment+1)
	_, page = b.Post(path+"/review", url.Values{"score": {"3"}, "comment": {long}}, 422)
	admintest.Wants(t, page, `href="#comment"`, "10001 characters long; at most 10000", long, `value="3" required checked`)

	// What cannot be reviewed says why, and says so again when it is tried.
	for _, x := range []struct {
		status models.Status
		why    string
	}{{models.Draft, "still a draft"}, {models.Withdrawn, "withdrawn"}} {
		modelstest.SetStatus(t, d.Programme(), id, x.status)
		who := b
		if x.status == models.Draft { // which who only reviews does not see
			b.Get(path, 404)
			who = d.As(staff.Organizer)
		}
		page = who.Get(path, 200)
		admintest.Wants(t, page, x.why)
		admintest.Lacks(t, page, "Save and next")
		_, page = who.Post(path+"/review", url.Values{"score": {"3"}, "comment": {"Typed in vain?"}}, 422)
		admintest.Wants(t, page, x.why, "Typed in vain?")
	}
	session := d.Session(models.NewSession{Title: "Opening"})
	admintest.Lacks(t, b.Get(d.At("/sessions/"+session.ID), 200), "Your review")
	_, page = b.Post(d.At("/sessions/"+session.ID+"/review"), url.Values{"score": {"3"}}, 422)
	admintest.Wants(t, page, "Only submissions are reviewed.")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), id))(t)
	admintest.Lacks(t, b.Get(path, 200), "Save and next")
	b.Post(path+"/review", url.Values{"score": {"3"}}, 404)
}

func TestNothingLeftToReviewIsDone(t *testing.T) {
	d := admintest.Open(t)
	admintest.Wants(t, d.As(staff.Reviewer).Get(d.At("/submissions?score=waits"), 200), "All done",
		"No submission waits for your review.")
}

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
		admintest.Wants(t, b.Get(at, 200), "Your review of A-6 is saved.", "Nothing waits for you.", "5 of 5 reviewed",
			"Back to the submissions")
		admintest.Lacks(t, b.Text, "Unsent", draft.ID)
		// What was not chosen is asked for, and nothing is lost.
		b.Get(record(ids[0]), 200)
		_, page := b.Post(record(ids[0])+"/review", url.Values{"then": {"next"}, "comment": {"Thought over"}}, 422)
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
