package sessions

import (
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/layouts"
	pages "lectern/views/pages/decisions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// undoDecisionForm asks what a mistaken decision should have been.
func undoDecisionForm(v *visit.Visit, s *models.Session) error { return undoPage(v, http.StatusOK, s) }

func undoPage(v *visit.Visit, status int, s *models.Session) error {
	back := v.At("/sessions/"+s.ID) + lists.PlaceQuery(v)
	if !s.IsAbstract || !s.Status.IsDecision() {
		return v.SeeWarning(back, s.FriendlyID+" stands on no decision, so there is nothing to undo.")
	}
	d, err := v.Programme.DecisionOf(v.UserContext(), s.ID)
	if err != nil {
		return err
	}
	name := strings.ToLower(components.StatusName(string(s.Status)))
	p := pages.UndoDecisionPage{
		ConfirmPage: layouts.ConfirmPage{Action: v.At("/sessions/"+s.ID+"/undo-decision") + lists.PlaceQuery(v), Cancel: back,
			Verb: "Undo the decision", Keeps: true, Text: "“" + s.Title + "” is " + name + ".",
			Hidden: []components.Hidden{{Name: "updated_at", Value: s.UpdatedAt.String()}},
			Points: []string{"The decision keeps its number, and the activity shows that it was undone.",
				"Other services hear that it changed if a webhook is set up for that."}},
		Reason: v.Value("reason"), Ticked: v.Value("everybody") != "",
	}
	told := undoLetters(v, &p, d)
	if status == http.StatusOK {
		p.Ticked = false
	}
	undoChoices(v, &p, s, d, told)
	if s.IsPublic || s.CompositionStatus.Target != nil {
		p.Points = append(p.Points, "Sessions made of it stay as they are, also those that are public.")
	}
	v.Section = v.At("/submissions")
	return visit.Show(v, status, "Undo the decision on "+s.FriendlyID+"?", pages.UndoDecision, p)
}

// undoLetters says what happens to the letters of a decision, and returns how many people have received theirs.
func undoLetters(v *visit.Visit, p *pages.UndoDecisionPage, d *models.StandingDecision) (told int) {
	if d == nil {
		return 0
	}
	if d.ByName != "" {
		p.Text += " Decided by " + d.ByName + ", " + page.When(&d.CreatedAt, v.Event.Location()) + "."
	}
	unsent := d.Letters[models.LetterDraft] + d.Letters[models.LetterQueued] + d.Letters[models.LetterFailed]
	if unsent > 0 {
		p.Points = append(p.Points, visit.Counted(int64(unsent), "letter of it has not gone out and never will.",
			"letters of it have not gone out and never will."))
		p.Everybody = visit.Counted(int64(unsent), "person", "people")
	}
	told = d.Letters[models.LetterSent] + d.Letters[models.LetterTold] + d.Letters[models.LetterSending] + d.Letters[models.LetterUnknown]
	if told > 0 {
		p.Points = append(p.Points, visit.Counted(int64(told), "person was told of it, or may have been.",
			"people were told of it, or may have been."))
	}
	return told
}

// undoChoices adds the statuses that the submission can get instead.
func undoChoices(v *visit.Visit, p *pages.UndoDecisionPage, s *models.Session, d *models.StandingDecision, told int) {
	other, back := models.Accepted, models.Pending
	if s.Status == models.Accepted {
		other = models.Declined
	}
	if d != nil && d.Previous.IsQueue() {
		back = d.Previous
	}
	again := "Nobody was told, so nobody is written to."
	if told > 0 {
		again = "A letter is drafted to " + visit.Counted(int64(told), "person", "people") +
			", which takes the last one back."
	}
	chosen := models.Status(v.Value("status"))
	choices := []pages.UndoChoice{
		{Value: string(back), Name: "Not decided: back to " + strings.ToLower(components.StatusName(string(back))),
			Hint: again},
		{Value: string(other), Name: components.StatusName(string(other)),
			Hint: "That is a decision too: new letters are drafted in place of the last ones, and webhooks hear of it at once."},
	}
	if back != models.Pending {
		choices = slices.Insert(choices, 1, pages.UndoChoice{Value: string(models.Pending),
			Name: "Not decided: back to pending", Hint: again})
	}
	if !slices.ContainsFunc(choices, func(c pages.UndoChoice) bool { return c.Value == string(chosen) }) {
		chosen = back
	}
	for i := range choices {
		choices[i].Chosen = choices[i].Value == string(chosen)
	}
	p.Choices = choices
}

// undoDecision undoes a decision.
func undoDecision(v *visit.Visit, s *models.Session) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	back := v.At("/sessions/"+s.ID) + lists.PlaceQuery(v)
	now, letters, err := v.Programme.UndoDecision(v.UserContext(), s.ID,
		models.Undoing{To: models.Status(v.Value("status")),
			Reason: v.Value("reason"), Everybody: v.Value("everybody") != "", UpdatedAt: &token})
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(back, "Somebody changed this since, so nothing was undone. Look at it as it is now.")
	case store.Invalid:
		return v.Again(err, func(status int) error { return undoPage(v, status, s) })
	}
	if err != nil {
		return err
	}
	text := "The decision is undone. " + statusNow(now.Status)
	if letters > 0 {
		text += " " + visit.Counted(int64(letters), "letter is drafted.", "letters are drafted.")
	}
	return v.See(back, text)
}
