package admin

import (
	"net/http"
	"net/url"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
)

// onlyReviews tells of who reviews here and organizes nothing.
func (v *visit) onlyReviews() bool { return v.may(staff.Reviewer) && !v.may(staff.Organizer) }

// reviewQueue is the list of what waits for the review of who looks, in the order in which it came in.
func (v *visit) reviewQueue() sessionList {
	return v.listingOf("submissions", url.Values{"score": {"waits"}, "sort": {string(models.ByFriendlyID)}, "dir": {"asc"}})
}

// How many submissions that wait, and reviews that were given, are shown on the dashboard and on a page of their own.
const (
	fewToReview, fewGiven   = 5, 6
	manyToReview, manyGiven = 50, 20
)

func (v *visit) reviewerDashboard(now store.Time) error {
	desk, err := v.reviewDesk(fewToReview, fewGiven)
	if err != nil {
		return err
	}
	return show(v, http.StatusOK, v.event.Name, pages.ReviewerDashboard,
		pages.ReviewerDashboardPage{Masthead: v.masthead(now), Desk: desk})
}

// listReviews shows who may review what waits for them, and who organizes how far everybody is.
func listReviews(v *visit) error {
	mine, err := v.myRounds()
	if err != nil {
		return err
	}
	if v.role == staff.RoundReviewer {
		return v.myRoundsPage(mine)
	}
	desk, err := v.reviewDesk(manyToReview, manyGiven)
	if err != nil {
		return err
	}
	p := pages.ReviewsPage{Rounds: mine, Desk: desk, Text: progress(desk.Given, desk.Whole-desk.Given)}
	if v.may(staff.Organizer) {
		p.RoundsURL = v.at("/rounds")
		all, err := v.programme.ReviewProgress(v.UserContext())
		if err != nil {
			return err
		}
		p.Everybody = []pages.ReviewerRow{}
		var given int64
		for _, r := range all {
			given += r.Given
			p.Everybody = append(p.Everybody, pages.ReviewerRow{Name: r.Name, Given: number(r.Given), Waiting: number(r.Waiting),
				Part: r.Given, Whole: r.Given + r.Waiting})
		}
		p.Text = counted(given, "review", "reviews") + " so far"
	}
	if v.user.RoleAt("") == staff.Owner {
		p.MayInvite = staffPath
	}
	return show(v, http.StatusOK, "Reviews", pages.ReviewQueue, p)
}

// reviewDesk is what waits for who looks, and what they gave: some of both.
func (v *visit) reviewDesk(toReview, given int) (d pages.ReviewDesk, err error) {
	reviews, err := v.programme.ReviewsGiven(v.UserContext(), v.user.ID, given)
	if err != nil {
		return d, err
	}
	if d.Given = int64(len(reviews)); len(reviews) == given { // or they are all
		if d.Given, err = v.programme.CountReviewsGiven(v.UserContext(), v.user.ID); err != nil {
			return d, err
		}
	}
	queue := v.reviewQueue()
	q := queue.search()
	q.Page = store.Page{Number: 1, Size: toReview}
	rows, found, err := v.programme.SearchSessions(v.UserContext(), q)
	if err != nil {
		return d, err
	}
	waits := found.TotalResults
	d.Whole, d.SubmissionsURL = d.Given+waits, v.at("/submissions")
	d.GivenCount, d.WaitingCount, d.WholeCount = number(d.Given), number(waits), number(d.Whole)
	d.WaitingText = map[bool]string{true: "submission waits for your review",
		false: "submissions wait for your review"}[waits == 1]
	for _, s := range rows {
		d.Queue = append(d.Queue, v.queuedRow(s, queue))
	}
	if len(d.Queue) > 0 {
		d.NextURL = d.Queue[0].URL
	}
	if waits > int64(len(rows)) {
		d.More, d.MoreURL = "All "+number(waits)+" that wait", v.listAt(queue)
	}
	mine := v.listingOf("submissions", url.Values{"score": {"mine"}})
	for _, r := range reviews {
		d.Lately = append(d.Lately, pages.GivenRow{Label: r.FriendlyID, Title: r.Title, Score: r.Score,
			When: ago(r.UpdatedAt, v.options.Now()), URL: v.at("/sessions/"+r.SessionID) + mine.from()})
	}
	if d.Given > int64(len(reviews)) {
		d.AllGiven, d.AllGivenURL = "All that you reviewed", v.listAt(mine)
	}
	return d, nil
}

func (v *visit) queuedRow(s *models.Session, queue sessionList) pages.QueuedRow {
	row := pages.QueuedRow{Label: s.FriendlyID, Title: s.Title, URL: v.at("/sessions/"+s.ID) + queue.from()}
	var people, facts []string
	for _, person := range s.Participants {
		people = append(people, person.FullName)
	}
	if s.Track != nil {
		facts = append(facts, s.Track.Name)
	}
	if s.Format != nil {
		facts = append(facts, s.Format.Name)
	}
	row.People, row.Facts = enumerated(people), strings.Join(facts, ", ")
	return row
}

func progress(given, waiting int64) string {
	if given+waiting == 0 {
		return "Nothing to review yet"
	}
	return number(given) + " of " + number(given+waiting) + " reviewed"
}

// reviewProgress says how far who looks is with their reviews.
func (v *visit) reviewProgress() (string, error) {
	given, err := v.programme.CountReviewsGiven(v.UserContext(), v.user.ID)
	if err != nil {
		return "", err
	}
	waiting, err := v.programme.AwaitingReview(v.UserContext(), v.user.ID)
	return progress(given, waiting), err
}

// toNextReview goes on from a submission that was reviewed to the next one that waits, in the list that one came
// from; behind the last one to the page of what was reviewed.
func (v *visit) toNextReview(s *models.Session, said string) error {
	l := v.reviewQueue()
	if v.Query("in") == "submissions" && v.Query("score") != "mine" { // nothing of what one gave waits
		var err error
		if l, err = v.validListing(v.listing("submissions")); err != nil {
			return err
		}
	}
	next, err := v.programme.NextToReview(v.UserContext(), v.user.ID, l.search(), s)
	if err != nil {
		return err
	}
	if next != nil {
		return v.See(v.at("/sessions/"+next.ID)+l.from(), said)
	}
	if waiting, err := v.stillWaiting(); err != nil {
		return err
	} else if waiting > 0 {
		said += " Nothing in that list waits for you any more; " + counted(waiting, "other submission does.",
			"other submissions do.")
	}
	return v.See(v.at("/reviews"), said)
}

// stillWaiting is how many submissions wait for who just reviewed one: counted anew, since the event was read before.
func (v *visit) stillWaiting() (int64, error) {
	event, err := v.store.EventBy(v.UserContext(), v.event.ID)
	if err != nil {
		return 0, err
	}
	return v.store.Programme(event, v.by()).AwaitingReview(v.UserContext(), v.user.ID)
}
