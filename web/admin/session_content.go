package admin

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

// contentVerbs lead to each content state.
var contentVerbs = []struct {
	to   models.ContentState
	verb string
}{
	{models.ContentApproved, "Approve content"}, {models.ContentInReview, "Send to review"},
	{models.ContentDraft, "Back to draft"},
}

// content is what a record says of its content state; nil where there is none.
func (v *visit) content(s *models.Session) *pages.Content {
	if s.IsAbstract || !v.event.AsksApproval {
		return nil
	}
	c := &pages.Content{State: string(s.ContentState), Token: s.UpdatedAt.String()}
	if s.DeletedAt != nil || !v.may(staff.Organizer) {
		return c
	}
	c.Action = v.at("/sessions/"+s.ID+"/content") + v.listingQuery()
	for _, choice := range contentVerbs {
		if choice.to != s.ContentState {
			c.Choices = append(c.Choices, components.Option{Value: string(choice.to), Name: choice.verb})
		}
	}
	return c
}

// setContent changes the content state of a record as it was looked at: what became of it since is to be seen first.
func setContent(v *visit, s *models.Session) error {
	token, err := store.ParseTime(v.Value("updated_at"))
	if err != nil {
		return page.OldForm
	}
	to := models.ContentState(v.Value("content_state"))
	address := v.at("/sessions/" + s.ID)
	now, err := s, store.Outdated("")
	if v.FirstValue("content_state") == string(s.ContentState) { // which moves no token
		now, err = v.programme.UpdateSession(v.UserContext(), s.ID, models.SessionChange{ContentState: &to, UpdatedAt: &token})
	}
	switch store.KindOf(err) {
	case store.Stale:
		v.KeepNotice("warn", "This was changed since you opened it, so its content state stayed. Look again, then decide.")
		return v.See(address+v.listingQuery(), "")
	case store.Invalid:
		v.KeepNotice("bad", components.Sentence(components.Fault{Message: err.Error()}))
		return v.See(address+v.listingQuery(), "")
	}
	if err != nil {
		return err
	}
	text := "The content is " + contentWords[now.ContentState] + " now."
	if now.ContentState == s.ContentState {
		return v.See(address+v.listingQuery(), text)
	}
	return v.SeeUndo(address+v.listingQuery(), text, address+"/content"+v.listingQuery(),
		components.Hidden{Name: "content_state", Value: string(s.ContentState)},
		components.Hidden{Name: components.FirstPrefix + "content_state", Value: string(now.ContentState)},
		components.Hidden{Name: "updated_at", Value: now.UpdatedAt.String()})
}

var contentWords = map[models.ContentState]string{
	models.ContentDraft: "a draft", models.ContentInReview: "in review", models.ContentApproved: "approved",
}

// hasContent tells whether the records of a list have a content state.
func (v *visit) hasContent(kind string) bool { return kind == "sessions" && v.event.AsksApproval }

// awaitsApproval tells whether a session is held until its content is approved.
func (v *visit) awaitsApproval(s *models.Session) bool {
	return v.event.AsksApproval && !s.IsAbstract && s.ContentState != models.ContentApproved
}

// contentOptions are the content states of a list whose records have one.
func contentOptions(v *visit, kind string) (options []components.Option, err error) {
	if !v.hasContent(kind) {
		return nil, nil
	}
	for _, state := range models.ContentStates {
		options = append(options, components.Option{Value: string(state), Name: components.StatusName(string(state))})
	}
	return options, nil
}

func narrowContent(f *models.SessionFilter, _ sessionList, values []string) {
	for _, value := range values {
		f.ContentStates = append(f.ContentStates, models.ContentState(value))
	}
}
