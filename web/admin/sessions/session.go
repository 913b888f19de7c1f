package sessions

import (
	"lectern/models"
	"lectern/models/store"
	"lectern/views/layouts"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
)

// Live returns the session of the path, NotFound if it is in the Trash, where nothing is edited.
func Live(v *visit.Visit) (*models.Session, error) {
	s, err := v.Programme.Session(v.UserContext(), v.Params("id"))
	if err == nil && s.DeletedAt != nil {
		return nil, &store.Error{
			Kind: store.NotFound, Message: "This was deleted. Restore it from the Trash before you change it.",
		}
	}
	return s, err
}

// fromList passes the list that the user came from to a handler of another room.
func fromList(handle func(v *visit.Visit, s *models.Session, query string) error) func(*visit.Visit, *models.Session) error {
	return func(v *visit.Visit, s *models.Session) error { return handle(v, s, lists.PlaceQuery(v)) }
}

func deleteSessionForm(v *visit.Visit, s *models.Session) error {
	p := layouts.ConfirmPage{
		Text: s.FriendlyID +
			" leaves every list and the agenda, and who listens to events is told. It waits in the Trash and can be restored.",
		Action: v.At("/sessions/"+s.ID+"/delete") + lists.PlaceQuery(v),
		Cancel: v.At("/sessions/"+s.ID) + lists.PlaceQuery(v),
		Verb:   "Delete " + s.FriendlyID,
	}
	if s.IsPublic {
		p.Points = append(p.Points, "It is public now and will not be any more.")
	}
	return v.Ask("Delete "+s.Title+"?", p)
}

func deleteSession(v *visit.Visit) error {
	s, err := v.Programme.DeleteSession(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	l := lists.CameFrom(v, &models.Session{IsAbstract: s.IsAbstract})
	return v.See(lists.At(v, l), s.FriendlyID+" is in the Trash.")
}

func restoreSession(v *visit.Visit) error {
	s, err := v.Programme.RestoreSession(v.UserContext(), v.Params("id"))
	if err != nil {
		return err
	}
	return changed(v, s, nil, s.FriendlyID+" is back.")
}
