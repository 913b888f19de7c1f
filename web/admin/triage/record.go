package triage

import (
	"slices"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/reviews"
	"lectern/models/store"
	pages "lectern/views/pages/triage"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// triageHistory and triageNotes are how many lines of a submission's history, and of notes on its people, are shown.
const triageHistory, triageNotes = 3, 5

// record fills in what to read about a submission: its reviews, the notes on its people, and its latest activity.
func (v *sorting) record(r *pages.Record, s *models.Session, outcomes []*reviews.Outcome) error {
	r.Session, r.With, r.Token = s, v.PersonAt(""), s.UpdatedAt.String()
	r.URL, r.Action = v.At("/sessions/"+s.ID)+v.l.From(), triagePath(v.Visit, v.l, s.ID)
	r.Activity = v.At("/activity?record=" + s.ID)
	r.Moves = triageMoves(s)
	if s.Status != models.Pending {
		r.Stands = triageStands(s.Status)
	}
	reviews, err := v.Programme.Reviews(v.UserContext(), s.ID, "")
	if err != nil {
		return err
	}
	answers, err := v.Visit.Rounds().Answers(v.UserContext(), reviews)
	if err != nil {
		return err
	}
	r.Rounds, r.Reviews = triageReviews(v.rounds, outcomes, reviews)
	for i := range r.Reviews {
		r.Reviews[i].Answers = sessions.CriterionAnswer(answers[i])
	}
	notes, err := v.Programme.PeopleNotes(v.UserContext(), s.ID, triageNotes)
	if err != nil {
		return err
	}
	for _, n := range notes {
		r.Notes = append(r.Notes, pages.Note{Of: s.NameOf(n.ContactID), Who: n.AuthorName, Text: n.Text,
			When: page.When(&n.CreatedAt, v.Event.Location())})
	}
	history, _, err := desk.Of(v.Programme).ActivityLog(v.UserContext(), desk.ActivityFilter{Subject: "session",
		SubjectID: s.ID},
		store.Page{Number: 1, Size: triageHistory})
	r.History = sessions.Happenings(v.Visit, history)
	return err
}

// triageReviews returns each round's result, and what reviewers wrote. The round is named where there are several.
func triageReviews(rounds []*models.ReviewRound, outcomes []*reviews.Outcome, reviews []*models.Review) (
	results []pages.Round, said []pages.Review) {
	name := func(id string) string {
		i := slices.IndexFunc(rounds, func(r *models.ReviewRound) bool { return r.ID == id })
		if i < 0 {
			return ""
		}
		return rounds[i].Name
	}
	for _, o := range outcomes {
		result := pages.Round{Name: name(o.RoundID), Score: scoreOf(o),
			Aside: visit.SomeOf(o.Aside, "stepped aside", "stepped aside")}
		results = append(results, result)
	}
	for _, r := range reviews {
		one := pages.Review{Who: r.Reviewer, Points: r.Points.String(), Comment: r.Comment}
		if len(outcomes) > 1 {
			one.Round = name(r.RoundID)
		}
		said = append(said, one)
	}
	return results, said
}

// triageStands says what a submission's status means.
func triageStands(status models.Status) string {
	switch status {
	case models.AcceptQueue, models.DeclineQueue:
		return "Its speakers see “Pending” until that is committed."
	case models.Accepted, models.Declined:
		return "It is decided. Its status is changed on its page."
	case models.Draft:
		return "It is not handed in yet."
	}
	return "Its speakers took it back."
}

// triageMoves returns the moves that keys make. The key of the present status leads to the next submission.
func triageMoves(s *models.Session) []pages.Move {
	if !s.IsUndecided() {
		return nil
	}
	moves := []pages.Move{
		{Name: "Accept queue", Key: "a", Look: "to-accept", Icon: "clock", Status: models.AcceptQueue},
		{Name: "Decline queue", Key: "d", Look: "to-decline", Icon: "clock", Status: models.DeclineQueue},
		{Name: "Back to pending", Key: "p", Status: models.Pending},
	}
	for i := range moves {
		if moves[i].Status != s.Status {
			continue
		}
		moves[i].Name, moves[i].Look, moves[i].Icon = "Leave it there", "", ""
		if s.Status == models.Pending {
			moves[i].Name = "Leave pending"
		}
	}
	return moves
}
