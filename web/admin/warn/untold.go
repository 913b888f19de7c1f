package warn

import (
	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// Untold is what of a session people have not been told since the agenda was released last: "3 people have not been
// told that it moved". It is "" of nothing, and where it concerns nobody.
func Untold(v *visit.Visit, s *models.Session) (string, error) {
	if s.IsAbstract || !v.May(staff.Organizer) {
		return "", nil
	}
	c, err := agenda.Of(v.Programme).PendingChange(v.UserContext(), s.ID)
	if err != nil || c == nil {
		return "", err
	}
	people := len(agenda.Concerned([]agenda.Change{*c}))
	if people == 0 {
		return "", nil
	}
	what := "its new title"
	switch {
	case c.IsCancelled():
		what = "that it left the agenda"
	case c.IsMoved():
		what = "that it moved"
	case c.IsNew():
		what = "that it is on the agenda"
	}
	return visit.Counted(int64(people), "person has", "people have") + " not been told " + what, nil
}

// UntoldNow says what was saved that people have not been told, and leads to the release.
func UntoldNow(v *visit.Visit, s *models.Session) ([]components.Linked, error) {
	text, err := Untold(v, s)
	if err != nil || text == "" {
		return nil, err
	}
	return []components.Linked{{Subject: text, Before: ". ", Label: "Release the change", URL: ReleaseAt(v)}}, nil
}

// ReleaseAt is where the agenda is released.
func ReleaseAt(v *visit.Visit) string { return v.At("/publish/versions") }
