package admin

import (
	"cmp"

	"lectern/models/store"
	"lectern/views/components"
)

// edited is a field of a form that came too late, in the form's own values: as
// it was when the form was opened, as it was sent, and as it is now.
type edited struct {
	name, label       string
	was, mine, theirs string
	show              func(value string) string // in words; nil shows the value
}

// conflict is the choice between an edit and what somebody else wrote to subject meanwhile. A form that may
// lead here sends each field's first value along as "was_" and the field's name.
func (v *visit) conflict(subject string, now store.Time, fields []edited) (*components.Conflict, error) {
	c := &components.Conflict{}
	keep := func(name, value string) { c.Kept = append(c.Kept, components.Hidden{Name: name, Value: value}) }
	keep("updated_at", now.String())
	var changed []string
	for _, f := range fields {
		if f.was != f.theirs {
			changed = append(changed, f.label)
		}
		keep(components.FirstPrefix+f.name, f.theirs)
		if f.mine == f.theirs || f.was == f.theirs {
			keep(f.name, f.mine)
			continue
		}
		if f.show == nil {
			f.show = func(value string) string { return value }
		}
		clash := components.Clash{
			Name: f.name, Label: f.label, Mine: f.mine, Theirs: f.theirs,
			MineShown: f.show(f.mine), TheirsShown: f.show(f.theirs), Untouched: f.mine == f.was,
		}
		if clash.MineShown == clash.TheirsShown { // they differ in what is not shown, such as markup
			clash.MineShown, clash.TheirsShown = f.mine, f.theirs
		}
		c.Clashes = append(c.Clashes, clash)
	}
	var err error
	c.Who, err = v.whoChanged(subject, changed, now)
	return c, err
}

// whoChanged says who last changed a record, which of the form's fields differ
// since, and when: "Li changed Track and Room 2 minutes ago".
func (v *visit) whoChanged(subject string, fields []string, at store.Time) (string, error) {
	who, err := v.tenant().LastChangeBy(v.ctx(), subject)
	if err != nil {
		return "", err
	}
	what := "this"
	if len(fields) > 0 {
		what = enumerated(fields)
	}
	return cmp.Or(who, "Somebody") + " changed " + what + " " + ago(at, v.w.options.Now()), nil
}
