package triage_test

import (
	"strings"
	"testing"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/modelstest"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/web/admin/admintest"
)

// TestDraftsAreNowhereAmongWhatWasSubmitted has one that was only begun, and one that was submitted, reviewed and
// assigned before it became a draft again.
func TestDraftsAreNowhereAmongWhatWasSubmitted(t *testing.T) {
	admintest.EachDialect(t, func(t *testing.T, dialect string) {
		d := openTriage(t, dialect)
		ctx, p := t.Context(), d.Programme()
		rounds, again := reviews.Of(p), d.papers[0]
		round := modelstest.Must(rounds.Create(ctx, reviews.Settings{Name: "First"}))(t)
		nora := d.Fixture.Hire(t, "nora", staff.Reviewer)
		modelstest.Fine(t, rounds.AddReviewers(ctx, round.ID, []string{nora.ID}))
		for _, s := range d.papers[:2] {
			modelstest.Fine(t, rounds.AssignTo(ctx, round.ID, s.ID, []string{nora.ID}))
			modelstest.Fine(t,
				rounds.Give(ctx, nora, round.ID, s.ID, reviews.Verdict{State: models.Abstained, Comment: "Said in the round"}))
			d.Speaker(t, d.Event, s.ID, models.NewContact{FirstName: "Author", LastName: "of " + s.Title})
		}
		d.Session(models.NewSession{Title: "Flotsam", IsAbstract: true, SessionInput: models.SessionInput{
			Status: new(models.Draft), TrackID: store.Some(d.track)}})
		modelstest.SetStatus(t, p, again.ID, models.Draft)

		reader := d.SignedIn("nora@example.org")
		for b, paths := range map[*admintest.Browser][]string{
			d.olga: {"/submissions", "/submissions.csv", "/triage", "/triage?status=accept_queue", "/decisions", "/speakers",
				"/rounds", "/rounds/" + round.ID, "/rounds/" + round.ID + "/results", "/rounds/" + round.ID + "/results.csv",
				"/rounds/" + round.ID + "/submissions", "/rounds/" + d.Event.ID + "/results"},
			reader: {"/reviews", "/reviews/" + round.ID},
		} {
			for _, path := range paths {
				page := b.Get(d.At(path), 200)
				admintest.Lacks(t, page, "Tides", "Flotsam")
				if path == "/speakers" {
					admintest.Wants(t, page, "Author of Nets")
				}
			}
		}
		reader.Get(d.At("/reviews/"+round.ID+"/"+again.ID), 404)
		admintest.Wants(t, d.olga.Get(d.At("/triage"), 200), "0 of 3 sorted", "Nets", "Ropes", "Knots")
		admintest.Wants(t, reader.Get(d.At("/reviews/"+round.ID), 200), "Nets")
		admintest.Wants(t, d.olga.Get(d.At("/rounds/"+round.ID+"/results"), 200), "Nets")
		admintest.Wants(t, d.olga.Get(d.At("/submissions?status=draft"), 200), "Tides", "Flotsam")
		admintest.Lacks(t, d.olga.Page, "of 3")
		admintest.Wants(t, d.olga.Get(d.At("/submissions?status=pending"), 200), "of 3")
		d.wantNumbers(3)
	})
}

// wantNumbers looks at how many submissions the dashboard counts in all its parts, and at who speaks.
func (d *sortingDesk) wantNumbers(submitted int64) {
	d.T.Helper()
	p, ctx := d.Programme(), d.T.Context()
	board := modelstest.Must(desk.Of(p).Dashboard(ctx, p.Now()))(d.T)
	created := int64(0)
	for _, span := range board.Created {
		created += span.Count
	}
	ofTrack := board.Tracks[0]
	if board.AbstractsTotal != submitted || created != submitted || ofTrack.Abstracts != 1 ||
		board.Abstracts[models.Draft] != 2 {
		d.T.Errorf("%d submissions, %d created, %d of the track, %d drafts", board.AbstractsTotal, created, ofTrack.Abstracts,
			board.Abstracts[models.Draft])
	}
	modelstest.Want(d.T, "without people", board.Needs[models.Waiting{Need: models.NeedsPeople, IsAbstract: true}], 2)
	for need, titles := range board.Titles {
		if all := strings.Join(titles, " "); strings.Contains(all, "Tides") || strings.Contains(all, "Flotsam") {
			d.T.Errorf("%v names %s", need, all)
		}
	}
	modelstest.Want(d.T, "speakers", modelstest.Must(p.SpeakerCount(ctx))(d.T), 1)
	intake := modelstest.Must(p.Intake(ctx))(d.T)
	if taken := intake.Tracks[0].Taken(); taken != 0 || intake.Statuses[models.Pending] != submitted {
		d.T.Errorf("%d taken, %v", taken, intake.Statuses)
	}
}
