package page

import "lectern/views/components"

// Edited is a field of a form that came too late, in the form's own values: as it was when the form was opened, as it
// was sent, and as it is now.
type Edited struct {
	Name, Label       string
	Was, Mine, Theirs string
	Show              func(value string) string // in words; nil shows the value
}

// Settle is the choice between an edit and what was written meanwhile; token is that of the record now. A form that may
// lead here sends each field's first value along as "was_" and the field's name. Changed are the labels of what differs
// since the form was opened.
func Settle(token string, fields []Edited) (c *components.Conflict, changed []string) {
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
		if clash.MineShown == clash.TheirsShown { // they differ in what is not shown, such as markup
			clash.MineShown, clash.TheirsShown = f.Mine, f.Theirs
		}
		c.Clashes = append(c.Clashes, clash)
	}
	return c, changed
}
