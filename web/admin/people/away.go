package people

import (
	"slices"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/page"
)

// awayField asks when a person is away, by the parts of the event's days and of other days with stored absences.
func (r *roster) awayField(f *models.ContactField, x *models.Person) pages.FormField {
	out, kept := formField(f, f.Value(x), nil), models.Absences(f.Value(x))
	out.Hint = "Tick the times at which they cannot come to the event, in " + r.Event.Location().String() + "."
	days := r.Event.Dates()
	for _, a := range kept {
		if !slices.Contains(days, a.Day) {
			days = append(days, a.Day)
		}
	}
	slices.Sort(days)
	days = slices.Compact(days)
	for _, day := range days {
		row := pages.DayOfParts{Name: page.Date(day).Format("Mon 2 Jan")}
		for _, part := range models.DayParts {
			part.Day = day
			row.Parts = append(row.Parts, components.Option{Value: part.String(), Name: row.Name + ", " + partName(part),
				Chosen: slices.Contains(kept, part)})
		}
		out.Days = append(out.Days, row)
	}
	out.DayParts = store.Map(models.DayParts, partName)
	for _, a := range kept {
		if part := (models.Absence{From: a.From, Until: a.Until}); !slices.Contains(models.DayParts, part) {
			out.Options = append(out.Options, components.Option{Value: a.String(), Chosen: true,
				Name: page.Date(a.Day).Format("Mon 2 Jan") + ", " + partName(a)})
		}
	}
	return out
}

// partName words the time of an absence within its day.
func partName(a models.Absence) string {
	switch {
	case a.From == "00:00" && a.Until == "24:00":
		return "all day"
	case a.From == "00:00":
		return "until " + a.Until
	case a.Until == "24:00":
		return "from " + a.From
	}
	return a.From + " to " + a.Until
}
