package sessions

import (
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/reviews"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/sessions"
	"lectern/views/records"
	"lectern/web/admin/lists"
	rounds "lectern/web/admin/reviews"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// reviewsOf returns what this user may know of a submission's reviews: their own, and all for an organizer. form is a
// review that was refused, or nil. It returns nil for records that are not reviewed.
func reviewsOf(v *visit.Visit, s *models.Session, form *pages.ReviewForm) (*pages.Reviews, error) {
	if !s.IsAbstract || !v.May(staff.Reviewer) {
		return nil, nil
	}
	p := &pages.Reviews{Form: form, Faults: v.Faults}
	if form == nil {
		p.Form = &pages.ReviewForm{}
	}
	onlyBy := v.User.ID
	if v.May(staff.Organizer) {
		onlyBy, p.Score = "", s.Score
	}
	all, err := v.Programme.Reviews(v.UserContext(), s.ID, onlyBy)
	if err != nil {
		return nil, err
	}
	answers, err := v.Rounds().Answers(v.UserContext(), all)
	if err != nil {
		return nil, err
	}
	for i, r := range all {
		if r.UserID == v.User.ID && form == nil {
			p.Form = &pages.ReviewForm{Score: strconv.Itoa(r.Score()), Comment: r.Comment}
		}
		p.Given = p.Given || r.UserID == v.User.ID
		p.All = append(p.All, pages.Review{Who: r.Reviewer, When: page.When(&r.UpdatedAt, v.Event.Location()),
			Score:   r.Score(),
			Answers: CriterionAnswer(answers[i]), Comment: r.Comment})
	}
	if p.Rounds, err = rounds.Of(v, s); err != nil {
		return nil, err
	}
	p.AtHand, p.Closed = isReviewing(v) || form != nil || p.Given, notReviewed(v, s)
	if isReviewing(v) {
		p.Progress, err = reviewProgress(v)
	}
	return p, err
}

// CriterionAnswer returns the answers of a review as its page shows them.
func CriterionAnswer(answers []reviews.Answer) []records.CriterionAnswer {
	return store.Map(answers, func(a reviews.Answer) records.CriterionAnswer {
		return records.CriterionAnswer{Question: a.Question, Answer: a.Text}
	})
}

// isReviewing tells whether this user only reviews, or is an organizer who goes through what waits for their review.
func isReviewing(v *visit.Visit) bool { return OnlyReviews(v) || v.Query("score") == "waits" }

// notReviewed says why this user cannot review a submission, "" if they can.
func notReviewed(v *visit.Visit, s *models.Session) string {
	if s.DeletedAt != nil {
		return "It is in the Trash, so it is not reviewed."
	}
	if err := s.Reviewable(v.User); err != nil {
		return err.Error()
	}
	return ""
}

func giveReview(v *visit.Visit, s *models.Session) error {
	form := &pages.ReviewForm{Score: v.Value("score"), Comment: v.FormValue("comment")}
	score, err := strconv.Atoi(form.Score)
	if err != nil {
		v.Faults = components.Faults{{Field: "score", Message: "is not chosen yet"}}
		return sessionPage(v, http.StatusUnprocessableEntity, s, form)
	}
	opinion := models.Opinion{Score: score, Comment: form.Comment}
	if err := v.Programme.GiveReview(v.UserContext(), v.User, s.ID, opinion); err != nil {
		return v.Again(err, func(status int) error { return sessionPage(v, status, s, form) })
	}
	if v.Value("then") == "next" {
		return toNextReview(v, s, "Your review of "+s.FriendlyID+" is saved.")
	}
	text := "Your review is saved."
	if OnlyReviews(v) {
		waiting, err := stillWaiting(v)
		if err != nil {
			return err
		}
		if waiting == 0 {
			text += " Nothing else waits for it."
		} else {
			text += " " + visit.Counted(waiting, "submission waits", "submissions wait") + " for it still."
		}
	}
	return v.See(v.At("/sessions/"+s.ID)+lists.PlaceQuery(v), text)
}

// takeReviewBackForm asks for confirmation, since the comment would be lost.
func takeReviewBackForm(v *visit.Visit, s *models.Session) error {
	v.Section = v.At("/" + lists.CameFrom(v, s).Kind)
	base, query := v.At("/sessions/"+s.ID), lists.PlaceQuery(v)
	return v.Ask("Take your review back?", layouts.ConfirmPage{
		Text:   "Your score and your comment on “" + s.Title + "” are deleted.",
		Action: base + "/review/take-back" + query, Cancel: base + query, Verb: "Take it back",
	})
}

func takeReviewBack(v *visit.Visit) error {
	id := v.Params("id")
	err := v.Programme.TakeReviewBack(v.UserContext(), v.User, id)
	return v.Done(err, v.At("/sessions/"+id)+lists.PlaceQuery(v), "Your review is taken back.")
}
