package admin

import (
	"net/http"
	"strconv"

	"lectern/models"
	"lectern/models/review"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// reviews are what this person may know of the reviews of a submission: their own, and for an organizer all of
// them. form is one that was refused, or nil. What is not reviewed has none.
func (v *visit) reviews(s *models.Session, form *pages.ReviewForm) (*pages.Reviews, error) {
	if !s.IsAbstract || !v.may(staff.Reviewer) {
		return nil, nil
	}
	p := &pages.Reviews{Form: form, Faults: v.Faults}
	if form == nil {
		p.Form = &pages.ReviewForm{}
	}
	onlyBy := v.user.ID
	if v.may(staff.Organizer) {
		onlyBy, p.Score = "", s.Score
	}
	all, err := v.programme.Reviews(v.UserContext(), s.ID, onlyBy)
	if err != nil {
		return nil, err
	}
	answers, err := v.rounds().Answers(v.UserContext(), all)
	if err != nil {
		return nil, err
	}
	for i, r := range all {
		if r.UserID == v.user.ID && form == nil {
			p.Form = &pages.ReviewForm{Score: strconv.Itoa(r.Score()), Comment: r.Comment}
		}
		p.Given = p.Given || r.UserID == v.user.ID
		p.All = append(p.All, pages.Review{Who: r.Reviewer, When: page.When(&r.UpdatedAt, v.event.Location()), Score: r.Score(),
			Answers: saidTo(answers[i]), Comment: r.Comment})
	}
	if p.Rounds, err = v.roundsOf(s); err != nil {
		return nil, err
	}
	p.AtHand, p.Closed = v.isReviewing() || form != nil || p.Given, v.notReviewed(s)
	if v.isReviewing() {
		p.Progress, err = v.reviewProgress()
	}
	return p, err
}

// saidTo are the answers of a review as its page shows them.
func saidTo(answers []review.Answer) (said []pages.SaidTo) {
	for _, a := range answers {
		said = append(said, pages.SaidTo{Question: a.Question, Answer: a.Text})
	}
	return said
}

// isReviewing tells of who reviews here, or organizes and goes through what waits for their review.
func (v *visit) isReviewing() bool { return v.onlyReviews() || v.Query("score") == "waits" }

// notReviewed is why who looks cannot review a submission, "" when they can.
func (v *visit) notReviewed(s *models.Session) string {
	if s.DeletedAt != nil {
		return "It is in the Trash, so it is not reviewed."
	}
	if err := s.Reviewable(v.user); err != nil {
		return err.Error()
	}
	return ""
}

func giveReview(v *visit, s *models.Session) error {
	form := &pages.ReviewForm{Score: v.Value("score"), Comment: v.FormValue("comment")}
	score, err := strconv.Atoi(form.Score)
	if err != nil {
		v.Faults = components.Faults{{Field: "score", Message: "is not chosen yet"}}
		return v.sessionPage(http.StatusUnprocessableEntity, s, form)
	}
	opinion := models.Opinion{Score: score, Comment: form.Comment}
	if err := v.programme.GiveReview(v.UserContext(), v.user, s.ID, opinion); err != nil {
		return v.Again(err, func(status int) error { return v.sessionPage(status, s, form) })
	}
	if v.Value("then") == "next" {
		return v.toNextReview(s, "Your review of "+s.FriendlyID+" is saved.")
	}
	text := "Your review is saved."
	if v.onlyReviews() {
		waiting, err := v.stillWaiting()
		if err != nil {
			return err
		}
		if waiting == 0 {
			text += " Nothing else waits for it."
		} else {
			text += " " + counted(waiting, "submission waits", "submissions wait") + " for it still."
		}
	}
	return v.See(v.at("/sessions/"+s.ID)+v.listingQuery(), text)
}

// takeReviewBackForm asks first: a long comment is soon deleted and slowly written.
func takeReviewBackForm(v *visit, s *models.Session) error {
	v.section = v.at("/" + v.cameFrom(s).kind)
	base, query := v.at("/sessions/"+s.ID), v.listingQuery()
	return v.ask("Take your review back?", pages.ConfirmPage{
		Text:   "Your score and your comment on “" + s.Title + "” are deleted.",
		Action: base + "/review/take-back" + query, Cancel: base + query, Verb: "Take it back",
	})
}

func takeReviewBack(v *visit) error {
	id := v.Params("id")
	err := v.programme.TakeReviewBack(v.UserContext(), v.user, id)
	return v.Done(err, v.at("/sessions/"+id)+v.listingQuery(), "Your review is taken back.")
}
