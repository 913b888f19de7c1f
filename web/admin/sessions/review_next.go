package sessions

import (
	"net/url"

	"lectern/models"
	"lectern/models/staff"
	"lectern/web/admin/lists"
	"lectern/web/admin/reviews"
	"lectern/web/admin/visit"
)

// OnlyReviews tells whether this user reviews here but organizes nothing.
func OnlyReviews(v *visit.Visit) bool { return v.May(staff.Reviewer) && !v.May(staff.Organizer) }

// reviewProgress says how far this user is with their reviews.
func reviewProgress(v *visit.Visit) (string, error) {
	given, err := v.Programme.CountReviewsGiven(v.UserContext(), v.User.ID)
	if err != nil {
		return "", err
	}
	waiting, err := v.Programme.AwaitingReview(v.UserContext(), v.User.ID)
	return reviews.Progress(given, waiting), err
}

// toNextReview leads from a reviewed submission to the next one that waits, in the list that the user came from; after
// the last one to the page of given reviews.
func toNextReview(v *visit.Visit, s *models.Session, said string) error {
	l := ReviewQueue(v)
	if v.Query("in") == "submissions" && v.Query("score") != "mine" { // nothing in a list of given reviews waits
		var err error
		if l, err = lists.Valid(v, lists.Of(v, "submissions")); err != nil {
			return err
		}
	}
	next, err := v.Programme.NextToReview(v.UserContext(), v.User.ID, l.Search(), s)
	if err != nil {
		return err
	}
	if next != nil {
		return v.See(v.At("/sessions/"+next.ID)+l.From(), said)
	}
	if waiting, err := stillWaiting(v); err != nil {
		return err
	} else if waiting > 0 {
		said += " Nothing in that list waits for you any more; " + visit.Counted(waiting, "other submission does.",
			"other submissions do.")
	}
	return v.See(v.At("/reviews"), said)
}

// stillWaiting counts the submissions that wait for this user's review. It reads the event anew, since it was read
// before the review.
func stillWaiting(v *visit.Visit) (int64, error) {
	event, err := v.Store.EventBy(v.UserContext(), v.Event.ID)
	if err != nil {
		return 0, err
	}
	return v.Store.Programme(event, v.By()).AwaitingReview(v.UserContext(), v.User.ID)
}

// ReviewQueue returns the list of submissions that wait for this user's review, in the order of their numbers.
func ReviewQueue(v *visit.Visit) lists.List {
	return lists.From(v, "submissions", url.Values{"score": {"waits"}, "sort": {string(models.ByFriendlyID)},
		"dir": {"asc"}})
}
