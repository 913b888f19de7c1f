package sessions

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// contentVerbs name the steps to each content state.
var contentVerbs = []struct {
	to   models.ContentState
	verb string
}{
	{models.ContentApproved, "Approve content"}, {models.ContentInReview, "Send to review"},
	{models.ContentDraft, "Back to draft"},
}

// content returns what a record's page shows of its content state; nil where it has none.
func content(v *visit.Visit, s *models.Session) *pages.Content {
	if s.IsAbstract || !v.Event.AsksApproval {
		return nil
	}
	c := &pages.Content{State: string(s.ContentState), Token: s.UpdatedAt.String()}
	if s.DeletedAt != nil || !v.May(staff.Organizer) {
		return c
	}
	c.Action = v.At("/sessions/"+s.ID+"/content") + lists.PlaceQuery(v)
	for _, choice := range contentVerbs {
		if choice.to != s.ContentState {
			c.Choices = append(c.Choices, components.Option{Value: string(choice.to), Name: choice.verb})
		}
	}
	return c
}

// setContent changes a record's content state, unless the record was changed since the user saw it.
func setContent(v *visit.Visit, s *models.Session) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	to := models.ContentState(v.Value("content_state"))
	address := v.At("/sessions/" + s.ID)
	now, err := s, store.Outdated("")
	if v.FirstValue("content_state") == string(s.ContentState) { // a change of the content state does not change the token
		now, err = v.Programme.UpdateSession(v.UserContext(), s.ID, models.SessionChange{ContentState: &to,
			UpdatedAt: &token})
	}
	switch store.KindOf(err) {
	case store.Stale:
		return v.SeeWarning(address+lists.PlaceQuery(v),
			"This was changed since you opened it, so its content state stayed. Look again, then decide.")
	case store.Invalid:
		return v.SeeRefusal(address+lists.PlaceQuery(v), components.Sentence(components.Fault{Message: err.Error()}))
	}
	if err != nil {
		return err
	}
	text := "The content is " + contentWords[now.ContentState] + " now."
	if now.ContentState == s.ContentState {
		return v.See(address+lists.PlaceQuery(v), text)
	}
	return v.SeeUndo(address+lists.PlaceQuery(v), text, address+"/content"+lists.PlaceQuery(v),
		components.Hidden{Name: "content_state", Value: string(s.ContentState)},
		components.Hidden{Name: components.FirstPrefix + "content_state", Value: string(now.ContentState)},
		components.Hidden{Name: "updated_at", Value: now.UpdatedAt.String()})
}

var contentWords = map[models.ContentState]string{
	models.ContentDraft: "a draft", models.ContentInReview: "in review", models.ContentApproved: "approved",
}
