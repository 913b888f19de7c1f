package desk

import (
	"net/http"
	"net/url"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/reviews"
	"lectern/web/admin/lists"
	"lectern/web/admin/reviews"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
)

// How many waiting submissions and given reviews are shown: few on the dashboard, many on their own page.
const (
	fewToReview, fewGiven   = 5, 6
	manyToReview, manyGiven = 50, 20
)

func reviewerDashboard(v *visit.Visit, now store.Time) error {
	desk, err := reviewDesk(v, fewToReview, fewGiven)
	if err != nil {
		return err
	}
	return visit.Show(v, http.StatusOK, v.Event.Name, pages.ReviewerDashboard,
		pages.ReviewerDashboardPage{Masthead: masthead(v, now), Desk: desk})
}

// listReviews shows reviewers what waits for them, and organizers everybody's progress.
func listReviews(v *visit.Visit) error {
	mine, err := reviews.MyRounds(v)
	if err != nil {
		return err
	}
	if v.Role == staff.RoundReviewer {
		return reviews.ShowMine(v, mine)
	}
	desk, err := reviewDesk(v, manyToReview, manyGiven)
	if err != nil {
		return err
	}
	p := pages.ReviewsPage{Rounds: mine, Desk: desk, Text: reviews.Progress(desk.Given, desk.Whole-desk.Given)}
	if v.May(staff.Organizer) {
		p.RoundsURL = v.At("/rounds")
		all, err := v.Programme.ReviewProgress(v.UserContext())
		if err != nil {
			return err
		}
		p.Everybody = []pages.ReviewerRow{}
		var given int64
		for _, r := range all {
			given += r.Given
			p.Everybody = append(p.Everybody, pages.ReviewerRow{Name: r.Name, Given: visit.Number(r.Given),
				Waiting: visit.Number(r.Waiting),
				Part:    r.Given, Whole: r.Given + r.Waiting})
		}
		p.Text = visit.Counted(given, "review", "reviews") + " so far"
	}
	if v.User.RoleAt("") == staff.Owner {
		p.MayInvite = visit.StaffPath
	}
	return visit.Show(v, http.StatusOK, "Reviews", pages.ReviewQueue, p)
}

// reviewDesk returns what waits for this user and what they gave, up to these numbers of each.
func reviewDesk(v *visit.Visit, toReview, given int) (d pages.Desk, err error) {
	gave, err := v.Programme.ReviewsGiven(v.UserContext(), v.User.ID, given)
	if err != nil {
		return d, err
	}
	if d.Given = int64(len(gave)); len(gave) == given { // fewer means that these are all
		if d.Given, err = v.Programme.CountReviewsGiven(v.UserContext(), v.User.ID); err != nil {
			return d, err
		}
	}
	queue := sessions.ReviewQueue(v)
	q := queue.Search()
	q.Page = store.Page{Number: 1, Size: toReview}
	rows, found, err := v.Programme.SearchSessions(v.UserContext(), q)
	if err != nil {
		return d, err
	}
	waits := found.TotalResults
	d.Whole, d.SubmissionsURL = d.Given+waits, v.At("/submissions")
	d.GivenCount, d.WaitingCount, d.WholeCount = visit.Number(d.Given), visit.Number(waits), visit.Number(d.Whole)
	d.WaitingText = map[bool]string{true: "submission waits for your review",
		false: "submissions wait for your review"}[waits == 1]
	d.Queue = store.Map(rows, func(s *models.Session) pages.QueuedRow { return queuedRow(v, s, queue) })
	if len(d.Queue) > 0 {
		d.NextURL = d.Queue[0].URL
	}
	if waits > int64(len(rows)) {
		d.More, d.MoreURL = "All "+visit.Number(waits)+" that wait", lists.At(v, queue)
	}
	mine := lists.From(v, "submissions", url.Values{"score": {"mine"}})
	for _, r := range gave {
		d.Lately = append(d.Lately, pages.GivenRow{Label: r.FriendlyID, Title: r.Title, Score: r.Score,
			When: visit.Ago(r.UpdatedAt, v.Options.Now()), URL: v.At("/sessions/"+r.SessionID) + mine.From()})
	}
	if d.Given > int64(len(gave)) {
		d.AllGivenURL = lists.At(v, mine)
	}
	return d, nil
}

func queuedRow(v *visit.Visit, s *models.Session, queue lists.List) pages.QueuedRow {
	row := pages.QueuedRow{Label: s.FriendlyID, Title: s.Title, URL: v.At("/sessions/"+s.ID) + queue.From()}
	var facts []string
	if s.Track != nil {
		facts = append(facts, s.Track.Name)
	}
	if s.Format != nil {
		facts = append(facts, s.Format.Name)
	}
	row.People, row.Facts = visit.Enumerated(visit.Names(s.Participants)), strings.Join(facts, ", ")
	return row
}
