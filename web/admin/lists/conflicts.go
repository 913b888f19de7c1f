package lists

import (
	"cmp"
	"slices"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/views/components"
	pages "lectern/views/pages/lists"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// conflicts returns the conflicts of a list's rows by session id: in short where a column shows them, or in full, those
// of one kind, where the list is filtered by that.
func conflicts(v *visit.Visit, columns []toolbar.Column, need models.Need, rows []*models.Session) (
	short map[string]pages.RowStep, full map[string][]components.Linked, err error) {
	narrowed := slices.Contains(conflictNeeds, need)
	if !narrowed && !shows(columns, "conflicts") {
		return nil, nil, nil
	}
	conflicts, err := agenda.Of(v.Programme).ConflictsOf(v.UserContext(), rows...)
	if err != nil {
		return nil, nil, err
	}
	short, full = map[string]pages.RowStep{}, map[string][]components.Linked{}
	for _, s := range rows {
		for i, c := range conflicts[s.ID] {
			switch {
			case c.Need == need:
				full[s.ID] = append(full[s.ID], warn.Conflict(v, c))
			case i == 0 && !narrowed:
				short[s.ID] = namesConflict(v, c)
			}
		}
	}
	return short, full, nil
}

// conflictNeeds are the needs that are conflicts.
var conflictNeeds = []models.Need{models.NeedsRoom, models.NeedsPerson, models.NeedsPresence, models.NeedsSeats,
	models.NeedsPlenary}

// namesConflict names a conflict in a row and links to where it is resolved: "Li Na is in two places".
func namesConflict(v *visit.Visit, c models.Conflict) pages.RowStep {
	switch c.Need {
	case models.NeedsPresence:
		return pages.RowStep{Label: c.Name + warn.Away(c, v.Event.Location()),
			URL: cmp.Or(v.PersonAt(c.ID), v.At("/sessions/"+c.Of.ID))}
	case models.NeedsSeats:
		return pages.RowStep{Label: c.Name + " holds " + visit.Number(int64(c.Seats)), URL: v.At("/sessions/" + c.Of.ID)}
	}
	if c.Need == models.NeedsPlenary {
		return pages.RowStep{Label: warn.OnCard(c, v.Event.Location()), URL: v.At("/sessions/" + c.Of.ID)}
	}
	text := " is taken twice"
	if c.Need == models.NeedsPerson {
		text = " is in two places"
	}
	return pages.RowStep{Label: c.Name + text, URL: v.At("/sessions/" + c.With.ID)}
}
