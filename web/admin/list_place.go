package admin

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/web/admin/visit"
)

// cameFrom is the list that a record's address says one came from; the list of its kind otherwise.
func cameFrom(v *visit.Visit, s *models.Session) sessionList {
	kind := v.Query("in")
	if listTitles[kind] == "" || (kind == "triage" && !v.May(staff.Organizer)) {
		kind = listOf(s)
	}
	return listing(v, kind)
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

// listingQuery is what keeps the place in the list, of a form's address.
func listingQuery(v *visit.Visit) string {
	if kind := v.Query("in"); listTitles[kind] != "" {
		return listing(v, kind).from()
	}
	return ""
}
