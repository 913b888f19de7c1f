package admin

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/models/store"
)

// TestDraftsAreNowhereAmongWhatWasSubmitted has one that was only begun, and one that was submitted, reviewed and
// assigned before it became a draft again.
func TestDraftsAreNowhereAmongWhatWasSubmitted(t *testing.T) {
	eachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		ctx, p := t.Context(), d.Programme()
		rounds, again := review.Of(p), d.papers[0]
		round := modelstest.Must(rounds.Create(ctx, review.Settings{Name: "First"}))(t)
		nora := modelstest.Must(d.Staff.CreateUser(ctx, staff.NewUser{Email: "nora@example.org", Name: "Nora",
			Role: staff.Reviewer, Password: password}))(t)
		modelstest.Fine(t, rounds.AddReviewers(ctx, round.ID, []string{nora.ID}))
		for _, s := range d.papers[:2] {
			modelstest.Fine(t, rounds.AssignTo(ctx, round.ID, s.ID, []string{nora.ID}))
			modelstest.Fine(t, rounds.Give(ctx, nora, round.ID, s.ID, review.Verdict{State: models.Abstained, Comment: "Said in the round"}))
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Author", LastName: "of " + s.Title})
		}
		d.session(models.NewSession{Title: "Flotsam", IsAbstract: true, SessionInput: models.SessionInput{
			Status: new(models.Draft), TrackID: store.Some(d.track)}})
		modelstest.Must(p.UpdateSession(ctx, again.ID, models.SessionChange{SessionInput: models.SessionInput{
			Status: new(models.Draft)}}))(t)

		reader := d.browser()
		reader.signIn("nora@example.org")
		for b, paths := range map[*browser][]string{
			d.olga: {"/submissions", "/submissions.csv", "/triage", "/triage?status=accept_queue",
				"/decisions", "/speakers", "/rounds", "/rounds/" + round.ID,
				"/rounds/" + round.ID + "/results", "/rounds/" + round.ID + "/results.csv",
				"/rounds/" + round.ID + "/submissions", "/rounds/" + d.Event.ID + "/results"},
			reader: {"/reviews", "/reviews/" + round.ID},
		} {
			for _, path := range paths {
				page := b.get(d.at(path), 200)
				lacks(t, page, "Tides", "Flotsam")
				if path == "/speakers" {
					wants(t, page, "Author of Nets")
				}
			}
		}
		reader.get(d.at("/reviews/"+round.ID+"/"+again.ID), 404)
		wants(t, d.olga.get(d.at("/triage"), 200), "0 of 3 sorted", "Nets", "Ropes", "Knots")
		wants(t, reader.get(d.at("/reviews/"+round.ID), 200), "Nets")
		wants(t, d.olga.get(d.at("/rounds/"+round.ID+"/results"), 200), "Nets")
		wants(t, d.olga.get(d.at("/submissions?status=draft"), 200), "Tides", "Flotsam")
		lacks(t, d.olga.page, "of 3")
		wants(t, d.olga.get(d.at("/submissions?status=pending"), 200), "of 3")
		d.wantNumbers(3)
	})
}

// wantNumbers looks at how many submissions the dashboard counts in all its parts, and at who speaks.
func (d *sortingDesk) wantNumbers(submitted int64) {
	d.t.Helper()
	p, ctx := d.Programme(), d.t.Context()
	board := modelstest.Must(p.Dashboard(ctx, p.Now()))(d.t)
	created := int64(0)
	for _, span := range board.Created {
		created += span.Count
	}
	ofTrack := board.Tracks[0]
	if board.AbstractsTotal != submitted || created != submitted || ofTrack.Abstracts != 1 ||
		board.Abstracts[models.Draft] != 2 {
		d.t.Errorf("%d submissions, %d created, %d of the track, %d drafts", board.AbstractsTotal, created, ofTrack.Abstracts,
			board.Abstracts[models.Draft])
	}
	if alone := board.Needs[models.Waiting{Need: models.NeedsPeople, IsAbstract: true}]; alone != 2 {
		d.t.Errorf("%d submissions lack people", alone)
	}
	for need, titles := range board.Titles {
		if all := strings.Join(titles, " "); strings.Contains(all, "Tides") || strings.Contains(all, "Flotsam") {
			d.t.Errorf("%v names %s", need, all)
		}
	}
	if n := modelstest.Must(p.SpeakerCount(ctx))(d.t); n != 1 {
		d.t.Errorf("%d people speak", n)
	}
	intake := modelstest.Must(p.Intake(ctx))(d.t)
	if taken := intake.Tracks[0].Taken(); taken != 0 || intake.Statuses[models.Pending] != submitted {
		d.t.Errorf("%d taken, %v", taken, intake.Statuses)
	}
}
