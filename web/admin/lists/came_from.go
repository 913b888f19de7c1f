package lists

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/web/admin/visit"
)

// CameFrom returns the list that the user came from to a record, as its address says; else the list of the record's
// kind.
func CameFrom(v *visit.Visit, s *models.Session) List {
	kind := v.Query("in")
	if Titles[kind] == "" || (kind == "triage" && !v.May(staff.Organizer)) {
		kind = KindOf(s)
	}
	return Of(v, kind)
}

// KindOf returns the kind of list that a session stands in.
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

// PlaceQuery returns the query that keeps the user's place in a list, for the address of a form.
func PlaceQuery(v *visit.Visit) string {
	if kind := v.Query("in"); Titles[kind] != "" {
		return Of(v, kind).From()
	}
	return ""
}
