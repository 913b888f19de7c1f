package warn

import (
	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/web/admin/visit"
)

// Untold says what people have not been told about a session since the last release of the agenda: "3 people have not
// been told that it moved". It is "" where nothing changed, or nobody is concerned.
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

// UntoldNow returns Untold with a link to the release, nil where it is "".
func UntoldNow(v *visit.Visit, s *models.Session) ([]components.Linked, error) {
	text, err := Untold(v, s)
	if err != nil || text == "" {
		return nil, err
	}
	return []components.Linked{{Subject: text, Before: ". ", Label: "Release the change", URL: ReleaseAt(v)}}, nil
}

// ReleaseAt returns the address at which the agenda is released.
func ReleaseAt(v *visit.Visit) string { return v.At("/publish/versions") }
