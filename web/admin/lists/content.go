package lists

import (
	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// hasContent tells whether the records of a list have a content state.
func hasContent(v *visit.Visit, kind string) bool { return kind == "sessions" && v.Event.AsksApproval }

// awaitsApproval tells whether a session is held until its content is approved.
func awaitsApproval(v *visit.Visit, s *models.Session) bool {
	return v.Event.AsksApproval && !s.IsAbstract && s.ContentState != models.ContentApproved
}

// contentOptions returns the content states as options, none for lists without them.
func contentOptions(v *visit.Visit, kind string) ([]components.Option, error) {
	if !hasContent(v, kind) {
		return nil, nil
	}
	return visit.Choices(models.ContentStates, visit.Named), nil
}

func narrowContent(f *models.SessionFilter, _ List, values []string) {
	f.ContentStates = store.Map(values, func(value string) models.ContentState { return models.ContentState(value) })
}
