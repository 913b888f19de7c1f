package lists

import (
	"slices"

	"lectern/models"
	"lectern/models/staff"
	pages "lectern/views/pages/lists"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// rowSteps returns, by session id, what comes next, and what keeps a session from the public, where columns show that.
func rowSteps(v *visit.Visit, columns []toolbar.Column, rows []*models.Session) (next, gate map[string]pages.RowStep,
	err error) {
	if !shows(columns, "next") && !shows(columns, "public") {
		return nil, nil, nil
	}
	var letters map[string]models.LetterState
	asked := slices.DeleteFunc(slices.Clone(rows), func(s *models.Session) bool {
		return (s.IsAbstract && !s.Status.IsDecision()) || (!s.IsAbstract && s.IsPublic)
	})
	if len(asked) > 0 {
		if letters, err = v.Programme.LetterStates(v.UserContext(), asked); err != nil {
			return nil, nil, err
		}
	}
	next, gate = map[string]pages.RowStep{}, map[string]pages.RowStep{}
	for _, s := range rows {
		state, composed := letters[s.ID]
		if s.IsAbstract {
			next[s.ID] = nextStep(v, s, state)
		}
		if gate[s.ID] = publicStep(s, state, composed); gate[s.ID].Text == "Ready" && awaitsApproval(v, s) {
			gate[s.ID] = pages.RowStep{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Content not approved"}
		}
	}
	return next, gate, nil
}

// nextStep says what a submission waits for.
func nextStep(v *visit.Visit, s *models.Session, letter models.LetterState) pages.RowStep {
	switch s.Status {
	case models.Draft:
		return pages.RowStep{Text: "Not handed in"}
	case models.Pending:
		switch {
		case !v.May(staff.Organizer):
			return pages.RowStep{Text: "Waits for a decision"}
		case s.Reviews == 0:
			return pages.RowStep{Text: "No review yet"}
		}
		return pages.RowStep{Text: "Decide", Yours: true}
	case models.AcceptQueue:
		return pages.RowStep{Text: "Waits to be accepted"}
	case models.DeclineQueue:
		return pages.RowStep{Text: "Waits to be declined"}
	case models.Accepted, models.Declined:
		return afterDecision(v, s, letter)
	}
	return pages.RowStep{}
}

// afterDecision says which letter is not sent yet, or which session the submission became.
func afterDecision(v *visit.Visit, s *models.Session, letter models.LetterState) pages.RowStep {
	letters := map[models.LetterState]string{
		models.LetterDraft: "Letter draft", models.LetterSending: "Letter on its way",
		models.LetterQueued: "Letter on its way", models.LetterUnknown: "Letter unknown",
		models.LetterFailed: "Letter failed",
	}
	if text := letters[letter]; text != "" {
		return pages.RowStep{Text: text, Yours: letter == models.LetterFailed}
	}
	switch target := s.CompositionStatus.Target; {
	case target != nil:
		return pages.RowStep{Text: "In session", Label: target.FriendlyID, URL: v.At("/sessions/" + target.ID)}
	case s.Status == models.Accepted:
		return pages.RowStep{Text: "Into the programme", Yours: v.May(staff.Organizer)}
	case letter == models.LetterSent || letter == models.LetterTold:
		return pages.RowStep{Text: "Letter sent"}
	}
	return pages.RowStep{Text: "No letter yet"}
}

// publicStep says whether a session is public or ready, or why it is held: the publish gate's rule in words.
func publicStep(s *models.Session, letter models.LetterState, composed bool) pages.RowStep {
	switch {
	case s.IsPublic:
		return pages.RowStep{Text: "Public", Icon: "globe", Look: "good"}
	case composed && (letter == models.LetterSent || letter == models.LetterTold):
		return pages.RowStep{Text: "Ready", Icon: "check"}
	case !composed:
		return pages.RowStep{Text: "Held", Icon: "circle-x", Look: "bad", Why: "No letter behind it"}
	case letter == models.LetterFailed:
		return pages.RowStep{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Letter failed"}
	}
	return pages.RowStep{Text: "Held", Icon: "circle-x", Look: "bad", Why: "Letter not sent"}
}
