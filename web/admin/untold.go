package admin

import (
	"lectern/models"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/admin/visit"
)

// untold is what of a session people have not been told since the agenda was released last: "3 people have not been told
// that it moved". It is "" of nothing, and where it concerns nobody.
func untold(v *visit.Visit, s *models.Session) (string, error) {
	if s.IsAbstract || !v.May(staff.Organizer) {
		return "", nil
	}
	c, err := v.Programme.PendingChange(v.UserContext(), s.ID)
	if err != nil || c == nil {
		return "", err
	}
	people := len(models.Concerned([]models.AgendaChange{*c}))
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

// untoldNow says what was saved that people have not been told, and leads to the release.
func untoldNow(v *visit.Visit, s *models.Session) ([]components.Linked, error) {
	text, err := untold(v, s)
	if err != nil || text == "" {
		return nil, err
	}
	return []components.Linked{{Subject: text, Before: ". ", Label: "Release the change", URL: releaseAt(v)}}, nil
}

// releaseAt is where the agenda is released.
func releaseAt(v *visit.Visit) string { return v.At("/publish/versions") }

// untoldStep is the row of the dashboard about people who have not been told; none where all know.
func untoldStep(v *visit.Visit, d *models.Dashboard) []pages.NextStep {
	if d.Untold == 0 {
		return nil
	}
	return []pages.NextStep{{Count: visit.Number(d.Untold), Action: "Look and release", URL: releaseAt(v),
		Text: map[bool]string{true: "person has", false: "people have"}[d.Untold == 1] +
			" not been told what changed since the agenda was released"}}
}
