package admin

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/staff"
)

func TestReviewersScoreAndOrganizersSeeWhatAllThink(t *testing.T) {
	t.Parallel()
	for _, dialect := range modelstest.Dialects {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			d := openOn(t, dialect, Options{})
			ids := d.submissions(3, "Tide") // Tide 1 to 3
			grace, li := d.hire("Grace", staff.Reviewer, true, nil), d.hire("Li", staff.Reviewer, true, nil)
			as := func(c *caller) *browser { b := d.browser(); b.signIn(c.email); return b }
			give := func(b *browser, id, score, comment string) string {
				t.Helper()
				page := d.at("/sessions/" + id)
				form := fields(b.get(page+"?in=submissions&score=waits", 200))
				form.Set("score", score)
				form.Set("comment", comment)
				location, _ := b.post(page+"/review?in=submissions&score=waits", form, 303)
				return b.get(location, 200)
			}
			graces, lis, organizers, viewers := as(grace), as(li), d.as(staff.Organizer), d.as(staff.Viewer)

			wants(t, graces.get(d.at(""), 200), ">3<", "submissions wait for your review", "score=waits", "0</b> of 3 reviewed")
			lacks(t, organizers.get(d.at(""), 200), "for your review")
			lacks(t, viewers.get(d.at(""), 200), "for your review")
			wants(t, graces.get(d.at("/submissions?score=waits"), 200), "Tide 1", "Tide 2", "Tide 3")
			page := give(graces, ids[0], "5", "<script>alert(1)</script> & שלום 🌊")
			wants(t, page, "Your review is saved. 2 submissions wait for it still.", `value="5" required checked`,
				"&lt;script&gt;alert(1)&lt;/script&gt; &amp; שלום 🌊</textarea>", "Take back")
			give(lis, ids[0], "4", "")
			give(lis, ids[1], "2", "Seen before")
			wants(t, graces.get(d.at("/submissions?score=waits"), 200), "Tide 2", "Tide 3")
			wants(t, graces.get(d.at(""), 200), ">2<", "submissions wait for your review", "1</b> of 3 reviewed")
			lacks(t, graces.get(d.at("/submissions?score=waits"), 200), "Tide 1")
			lacks(t, graces.get(d.at("/submissions?score=mine"), 200), "Tide 2", "Tide 3")
			wants(t, lis.get(d.at("/submissions?score=mine"), 200), "Tide 1", "Tide 2")

			wants(t, graces.get(d.at("/submissions"), 200), ">Your score<", `data-label="Your score" class="num">5`)
			wants(t, graces.get(d.at("/submissions.csv"), 200), ",Your score,", ",5,")
			lacks(t, lis.get(d.at("/submissions"), 200), `data-label="Your score" class="num">5`)
			lacks(t, viewers.get(d.at("/submissions"), 200), ">Your score<")
			lacks(t, organizers.get(d.at("/submissions"), 200), ">Your score</th>")
			wants(t, organizers.get(d.at("/submissions?columns=mine"), 200), ">Your score</th>")

			// Who gives scores does not see the others', on no way.
			for _, b := range []*browser{graces, viewers} {
				for _, path := range []string{"/submissions", "/submissions.csv", "/sessions/" + ids[0], "/sessions/" + ids[1],
					"/activity", ""} {
					lacks(t, body(b.get(d.at(path), 200)), "4.50", "2.00", "Seen before", "Not reviewed", ">Reviews")
				}
				for _, query := range []string{"score=4-and-more", "score=none", "sort=score", "columns=score"} {
					b.dropsOf(d.at("/submissions?status=pending"), query)
					b.dropsOf(d.at("/submissions.csv?status=pending"), query)
				}
				location, _ := b.post(d.at("/submissions/columns"), url.Values{"columns": {"status", "score"}}, 303)
				lacks(t, b.get(location, 200), "4.50")
			}
			lacks(t, viewers.get(d.at("/sessions/"+ids[0]), 200), "Your review")
			viewers.dropsOf(d.at("/submissions?status=pending"), "score=waits")
			viewers.get(d.at("/submissions"), 200)
			_, page = viewers.post(d.at("/sessions/"+ids[0]+"/review"), url.Values{"score": {"1"}}, 403)
			wants(t, page, "reviewer")

			wants(t, organizers.get(d.at("/sessions/"+ids[0]), 200), "4.50, the mean of 2", "Grace", "Li",
				"&lt;script&gt;alert(1)")
			wants(t, organizers.get(d.at("/submissions?sort=score&dir=desc"), 200), ">4.50 <svg", "2 reviews: 4, 5",
				">2.00 <svg", "1 review: 2")
			for query, want := range map[string]string{
				"score=4.5-and-more": "Tide 1", "score=below-3": "Tide 2", "score=none": "Tide 3",
				"score=2-and-more&sort=score&dir=asc": "Tide 2 Tide 1", "sort=score&dir=desc": "Tide 1 Tide 2 Tide 3",
			} {
				page := organizers.get(d.at("/submissions?"+query), 200)
				var got []string
				for _, m := range regexp.MustCompile(`class="title" href="[^"]+"[^>]*>([^<]+)<`).FindAllStringSubmatch(page, -1) {
					got = append(got, m[1])
				}
				if strings.Join(got, " ") != want {
					t.Errorf("%s shows %q, want %s", query, got, want)
				}
			}
			csv := organizers.get(d.at("/submissions.csv?sort=score&dir=desc"), 200)
			wants(t, csv, ",Score,", ",4.50,", ",2.00,")

			// A view by score is the organizers', even when it is shared with all.
			for name, query := range map[string]string{"Best": "score=4-and-more", "Ranked": "sort=score&dir=desc",
				"Wide": "columns=status,score", "Pending": "status=pending"} {
				organizers.get(d.at("/submissions?"+query), 200)
				organizers.post(d.at("/submissions/views"), url.Values{"name": {name}, "query": {query}, "shared": {"yes"}}, 303)
			}
			wants(t, organizers.get(d.at("/submissions"), 200), "Best", "Ranked", "Wide", ">Pending")
			for _, b := range []*browser{graces, viewers} {
				page := b.get(d.at("/submissions"), 200)
				wants(t, page, "/submissions?status=pending")
				lacks(t, page, "Best", "Ranked", "Wide")
			}

			// All that match a score are those alone.
			organizers.get(d.at("/submissions?score=4-and-more"), 200)
			organizers.post(d.at("/submissions/bulk"), url.Values{"query": {"score=4-and-more"}, "scope": {"all"},
				"do": {"accept_queue"}}, 303)
			d.work()
			for i, id := range ids {
				if s := modelstest.Must(d.Programme().Session(t.Context(), id))(t); (s.Status == models.AcceptQueue) != (i == 0) {
					t.Errorf("submission %d is %s", i+1, s.Status)
				}
			}

			// Taken back, it counts no more.
			wants(t, lis.get(d.at("/sessions/"+ids[0]+"/review/take-back"), 200), "Take your review back?", "Tide 1")
			location, _ := lis.post(d.at("/sessions/"+ids[0]+"/review/take-back"), nil, 303)
			wants(t, lis.get(location, 200), "Your review is taken back.", "Your review")
			lis.post(d.at("/sessions/"+ids[0]+"/review/take-back"), nil, 404)
			wants(t, organizers.get(d.at("/sessions/"+ids[0]), 200), "5.00, the mean of 1")
		})
	}
}

func TestARefusedReviewKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	id := d.submissions(1, "Tide")[0]
	b := d.as(staff.Reviewer)
	path := d.at("/sessions/" + id)
	b.get(path, 200)
	_, page := b.post(path+"/review", url.Values{"comment": {"Long thought over"}}, 422)
	wants(t, page, `href="#score"`, "Score is not chosen yet.", ">Long thought over</textarea>")
	for _, score := range []string{"0", "6", "-1"} {
		_, page = b.post(path+"/review", url.Values{"score": {score}, "comment": {"c"}}, 422)
		wants(t, page, "Score must be from 1 to 5.")
	}
	long := strings.Repeat("é", models.MaxReviewComment+1)
	_, page = b.post(path+"/review", url.Values{"score": {"3"}, "comment": {long}}, 422)
	wants(t, page, `href="#comment"`, "10001 characters long; at most 10000", long, `value="3" required checked`)

	// What cannot be reviewed says why, and says so again when it is tried.
	for _, x := range []struct {
		status models.Status
		why    string
	}{{models.Draft, "still a draft"}, {models.Withdrawn, "withdrawn"}} {
		modelstest.Must(d.Programme().UpdateSession(t.Context(), id,
			models.SessionChange{SessionInput: models.SessionInput{Status: &x.status}}))(t)
		who := b
		if x.status == models.Draft { // which who only reviews does not see
			b.get(path, 404)
			who = d.as(staff.Organizer)
		}
		page = who.get(path, 200)
		wants(t, page, x.why)
		lacks(t, page, "Save and next")
		_, page = who.post(path+"/review", url.Values{"score": {"3"}, "comment": {"Typed in vain?"}}, 422)
		wants(t, page, x.why, "Typed in vain?")
	}
	session := d.session(models.NewSession{Title: "Opening"})
	lacks(t, b.get(d.at("/sessions/"+session.ID), 200), "Your review")
	_, page = b.post(d.at("/sessions/"+session.ID+"/review"), url.Values{"score": {"3"}}, 422)
	wants(t, page, "Only submissions are reviewed.")
	modelstest.Must(d.Programme().DeleteSession(t.Context(), id))(t)
	lacks(t, b.get(path, 200), "Save and next")
	b.post(path+"/review", url.Values{"score": {"3"}}, 404)
	theirs := modelstest.Must(d.Elsewhere().CreateSession(t.Context(),
		models.NewSession{Title: "Secret", IsAbstract: true}))(t)
	b.get(path, 200)
	_, page = b.post(d.at("/sessions/"+theirs.ID+"/review"), url.Values{"score": {"3"}}, 404)
	lacks(t, page, "Secret")
}

func TestNothingLeftToReviewIsDone(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	wants(t, d.as(staff.Reviewer).get(d.at("/submissions?score=waits"), 200), "All done",
		"No submission waits for your review.")
}
