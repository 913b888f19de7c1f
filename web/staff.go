package web

import "lectern/models"

func (w *Web) staffRoutes() []route { return nil }

var roleNames = map[models.StaffRole]string{models.Owner: "Owner", models.Organizer: "Organizer", models.Reviewer: "Reviewer", models.Viewer: "Viewer"}

// roleWords say what somebody may do where; events are those that may be named.
func roleWords(role models.StaffRole, everywhere bool, roles map[string]models.StaffRole, events []*models.Event) []string {
	switch {
	case role == models.Owner:
		return []string{"Owner"}
	case everywhere:
		return []string{roleNames[role] + " at every event"}
	}
	var words []string
	for _, e := range events {
		if role := roles[e.ID]; role != "" {
			words = append(words, roleNames[role]+" at "+e.Name)
		}
	}
	return words
}
