package lists

import (
	"lectern/models"
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
func contentOptions(v *visit.Visit, kind string) (options []components.Option, err error) {
	if !hasContent(v, kind) {
		return nil, nil
	}
	for _, state := range models.ContentStates {
		options = append(options, components.Option{Value: string(state), Name: components.StatusName(string(state))})
	}
	return options, nil
}

func narrowContent(f *models.SessionFilter, _ List, values []string) {
	for _, value := range values {
		f.ContentStates = append(f.ContentStates, models.ContentState(value))
	}
}
