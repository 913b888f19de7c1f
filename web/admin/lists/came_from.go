package lists

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/web/admin/visit"
)

// CameFrom is the list that a record's address says one came from; the list of its kind otherwise.
func CameFrom(v *visit.Visit, s *models.Session) List {
	kind := v.Query("in")
	if Titles[kind] == "" || (kind == "triage" && !v.May(staff.Organizer)) {
		kind = KindOf(s)
	}
	return Of(v, kind)
}

// KindOf is the list that a session stands in.
func KindOf(s *models.Session) string {
	switch {
	case s.DeletedAt != nil:
		return "trash"
	case s.IsAbstract:
		return "submissions"
	default:
		return "sessions"
	}
}

// PlaceQuery is what keeps the place in the list, of a form's address.
func PlaceQuery(v *visit.Visit) string {
	if kind := v.Query("in"); Titles[kind] != "" {
		return Of(v, kind).From()
	}
	return ""
}
