package reviews

import (
	"net/http"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/reviews"
	"lectern/views/pages/sessions"
	"lectern/web/admin/visit"
)

// coverShown is how many submissions a page shows.
const coverShown = 50

// listCover shows a round's submissions, those with the fewest reviewers first, each to be assigned by hand.
func listCover(v *visit.Visit, r *reviews.Round) error {
	if r.GivesAll {
		return store.NoSuch("assignment in this round")
	}
	l := v.PlainListing("q", "page")
	text, sheet := l.Query.Get("q"), store.Page{Number: l.Page(), Size: coverShown}
	rows, found, err := v.Rounds().Cover(v.UserContext(), r.ID, text, sheet)
	if err != nil {
		return err
	}
	base := v.At("/rounds/" + r.ID)
	p := pages.CoverPage{Base: base, Round: r.Name, Text: text}
	for _, s := range rows {
		row := pages.CoverRow{Label: s.FriendlyID, Title: s.Title, URL: base + "/submissions/" + s.SessionID,
			Status: string(s.Status), Reviewers: hasReviewers(s.Assigned),
			Aside: visit.SomeOf(s.Aside, "set aside", "set aside")}
		p.Rows = append(p.Rows, row)
	}
	p.Pages = visit.PagesOf(base+"/submissions", l, found, "submissions")
	return visit.Show(v, http.StatusOK, "Assign one by one", pages.Cover, p)
}

func hasReviewers(n int64) string {
	if n == 0 {
		return "No reviewer yet"
	}
	return visit.Counted(n, "reviewer", "reviewers")
}

// Of returns the rounds in which an organizer may assign a submission.
func Of(v *visit.Visit, s *models.Session) (rows []sessions.SeatedRow, err error) {
	if !v.May(staff.Organizer) || s.DeletedAt != nil || s.Status == models.Draft || s.Status == models.Withdrawn {
		return nil, nil
	}
	seats, err := v.Rounds().Seats(v.UserContext(), s.ID)
	for _, seat := range seats {
		rows = append(rows, sessions.SeatedRow{Name: seat.Name, Text: hasReviewers(seat.Assigned),
			URL: v.At("/rounds/" + seat.RoundID + "/submissions/" + s.ID + "?from=record")})
	}
	return rows, err
}
