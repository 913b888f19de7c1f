package triage

import (
	"slices"

	"lectern/models"
	"lectern/models/desk"
	"lectern/models/review"
	"lectern/models/store"
	pages "lectern/views/pages/triage"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// How much of a submission's history, and of the notes on its people, triage shows.
const triageHistory, triageNotes = 3, 5

// record fills in what is read of a submission: what was thought of it, what is noted of its people, and what
// happened to it lately.
func (v *sorting) record(r *pages.Record, s *models.Session, outcomes []*review.Outcome) error {
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
		r.Reviews[i].Answers = sessions.SaidTo(answers[i])
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

// triageReviews are what each round came to, and what its reviewers said. Its round is named where there are several.
func triageReviews(rounds []*models.ReviewRound, outcomes []*review.Outcome, reviews []*models.Review) (
	results []pages.Round, said []pages.Review) {
	name := func(id string) string {
		i := slices.IndexFunc(rounds, func(r *models.ReviewRound) bool { return r.ID == id })
		if i < 0 {
			return ""
		}
		return rounds[i].Name
	}
	for _, o := range outcomes {
		result := pages.Round{Name: name(o.RoundID), Score: scoreOf(o)}
		if o.Aside > 0 {
			result.Aside = visit.Counted(o.Aside, "stepped aside", "stepped aside")
		}
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

// triageStands says what it means that a submission has a status.
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

// triageMoves are what the keys do with a submission. The key of what it is already leads to the next one.
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
