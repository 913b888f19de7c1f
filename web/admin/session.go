package admin

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// cameFrom is the list that a record's address says one came from; the list of its kind otherwise.
func (v *visit) cameFrom(s *models.Session) sessionList {
	kind := v.Query("in")
	if listTitles[kind] == "" || (kind == "triage" && !v.may(staff.Organizer)) {
		kind = listOf(s)
	}
	return v.listing(kind)
}

func listOf(s *models.Session) string {
	switch {
	case s.DeletedAt != nil:
		return "trash"
	case s.IsAbstract:
		return "submissions"
	default:
		return "sessions"
	}
}

func statusOptions(chosen string) []components.Option {
	return choices(models.Statuses, func(s models.Status) (string, string) {
		return string(s), components.StatusName(string(s))
	}, chosen)
}

// liveSession is the session of the path; what is in the Trash is not edited.
func liveSession(v *visit) (*models.Session, error) {
	s, err := v.programme.Session(v.UserContext(), v.Params("id"))
	if err == nil && s.DeletedAt != nil {
		return nil, &store.Error{
			Kind: store.NotFound, Message: "This was deleted. Restore it from the Trash before you change it.",
		}
	}
	return s, err
}

// listingQuery is what keeps the place in the list, of a form's address.
func (v *visit) listingQuery() string {
	if kind := v.Query("in"); listTitles[kind] != "" {
		return v.listing(kind).from()
	}
	return ""
}

func deleteSessionForm(v *visit, s *models.Session) error {
	p := pages.ConfirmPage{
		Text: s.FriendlyID +
			" leaves every list and the agenda, and who listens to events is told. It waits in the Trash and can be restored.",
		Action: v.at("/sessions/"+s.ID+"/delete") + v.listingQuery(), Cancel: v.at("/sessions/"+s.ID) + v.listingQuery(),
		Verb: "Delete " + s.FriendlyID,
	}
	if s.IsPublic {
		p.Points = append(p.Points, "It is public now and will not be any more.")
	}
	return v.ask("Delete "+s.Title+"?", p)
}

func deleteSession(v *visit) error {
	s, err := v.programme.DeleteSession(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	l := v.cameFrom(&models.Session{IsAbstract: s.IsAbstract})
	return v.See(v.listAt(l), s.FriendlyID+" is in the Trash.")
}

func restoreSession(v *visit) error {
	s, err := v.programme.RestoreSession(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	return v.changed(s, nil, s.FriendlyID+" is back.")
}
