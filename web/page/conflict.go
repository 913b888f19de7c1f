package page

import "lectern/views/components"

// Edited is one field of a form that was sent with a stale token, in the form's own values: as it was when the form
// was opened, as it was sent, and as it is stored now.
type Edited struct {
	Name, Label       string
	Was, Mine, Theirs string
	Show              func(value string) string // in words; nil shows the value
}

// Clashes builds the choice between a stale edit and what others wrote meanwhile; token is the record's present one.
// A form that may lead here sends each field's first value along, as "was_" and the field's name. changed holds the
// labels of the fields that differ from when the form was opened.
func Clashes(token string, fields []Edited) (c *components.Conflict, changed []string) {
	c = &components.Conflict{}
	keep := func(name, value string) { c.Kept = append(c.Kept, components.Hidden{Name: name, Value: value}) }
	keep("updated_at", token)
	for _, f := range fields {
		if f.Was != f.Theirs {
			changed = append(changed, f.Label)
		}
		keep(components.FirstPrefix+f.Name, f.Theirs)
		if f.Mine == f.Theirs || f.Was == f.Theirs {
			keep(f.Name, f.Mine)
			continue
		}
		if f.Show == nil {
			f.Show = func(value string) string { return value }
		}
		clash := components.Clash{
			Name: f.Name, Label: f.Label, Mine: f.Mine, Theirs: f.Theirs,
			MineShown: f.Show(f.Mine), TheirsShown: f.Show(f.Theirs), Untouched: f.Mine == f.Was,
		}
		if clash.MineShown == clash.TheirsShown { // only what is not shown differs, such as markup
			clash.MineShown, clash.TheirsShown = f.Mine, f.Theirs
		}
		c.Clashes = append(c.Clashes, clash)
	}
	return c, changed
}
