package admin

import (
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/pages"
)

// steps are what comes next for each row, and what holds it from the public, when the columns show it.
func (v *visit) steps(columns []pages.Column, rows []*models.Session) (next, gate map[string]pages.Step, err error) {
	if !shows(columns, "next") && !shows(columns, "public") {
		return nil, nil, nil
	}
	var letters map[string]models.LetterState
	asked := slices.DeleteFunc(slices.Clone(rows), func(s *models.Session) bool {
		return (s.IsAbstract && !s.Status.IsDecision()) || (!s.IsAbstract && s.IsPublic)
	})
	if len(asked) > 0 {
		if letters, err = v.programme.LetterStates(v.ctx(), asked); err != nil {
			return nil, nil, err
		}
	}
	next, gate = map[string]pages.Step{}, map[string]pages.Step{}
	for _, s := range rows {
		state, composed := letters[s.ID]
		if s.IsAbstract {
			next[s.ID] = v.nextStep(s, state)
		}
		gate[s.ID] = publicStep(s, state, composed)
	}
	return next, gate, nil
}

// nextStep is what a submission waits for, as far as the facts say.
func (v *visit) nextStep(s *models.Session, letter models.LetterState) pages.Step {
	switch s.Status {
	case models.Draft:
		return pages.Step{Text: "Not handed in"}
	case models.Pending:
		switch {
		case !v.may(staff.Organizer):
			return pages.Step{Text: "Waits for a decision"}
		case s.Reviews == 0:
			return pages.Step{Text: "No review yet"}
		}
		return pages.Step{Text: "Decide", Yours: true}
	case models.AcceptQueue, models.DeclineQueue:
		return pages.Step{Text: "Waits for commit"}
	case models.Accepted, models.Declined:
		return v.afterDecision(s, letter)
	}
	return pages.Step{}
}

// afterDecision is the letter that is not out yet, or the session it has become.
func (v *visit) afterDecision(s *models.Session, letter models.LetterState) pages.Step {
	letters := map[models.LetterState]string{
		models.LetterDraft: "Letter draft", models.LetterSending: "Letter on its way", models.LetterFailed: "Letter failed",
	}
	if text := letters[letter]; text != "" {
		return pages.Step{Text: text, Yours: letter == models.LetterFailed}
	}
	switch target := s.CompositionStatus.Target; {
	case target != nil:
		return pages.Step{Text: "In session", Label: target.FriendlyID, URL: v.at("/sessions/" + target.ID)}
	case s.Status == models.Accepted:
		return pages.Step{Text: "Into the programme", Yours: v.may(staff.Organizer)}
	case letter == models.LetterSent:
		return pages.Step{Text: "Letter sent"}
	}
	return pages.Step{Text: "No letter yet"}
}

// publicStep is whether a session is public, can be made so, or why it is held: the gate's rule in words.
func publicStep(s *models.Session, letter models.LetterState, composed bool) pages.Step {
	switch {
	case s.IsPublic:
		return pages.Step{Text: "Public", Icon: "globe", Look: "good"}
	case composed && letter == models.LetterSent:
		return pages.Step{Text: "Ready", Icon: "check"}
	case !composed:
		return pages.Step{Text: "Held", Icon: "circle-x", Look: "bad", Why: "No letter behind it"}
	case letter == models.LetterFailed:
		return pages.Step{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Letter failed"}
	}
	return pages.Step{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Letter not sent"}
}
