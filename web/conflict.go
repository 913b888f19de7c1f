package web

import (
	"strings"

	"lectern/models"
	"lectern/views/components"
)

// edited is a field of a form that came too late, in the form's own values: as
// it was when the form was opened, as it was sent, and as it is now.
type edited struct {
	name, label       string
	was, mine, theirs string
	show              func(value string) string // in words; nil shows the value
}

// conflict is the choice between an edit and what somebody else wrote to subject
// meanwhile. A form that may lead here sends each field's first value along as
// "was_" and the field's name.
func (v *visit) conflict(subject string, now models.Time, fields []edited) (*components.Conflict, error) {
	who, err := v.whoChanged(subject)
	if err != nil {
		return nil, err
	}
	c := &components.Conflict{Who: who}
	keep := func(name, value string) { c.Kept = append(c.Kept, components.Fault{Field: name, Message: value}) }
	keep("updated_at", now.String())
	for _, f := range fields {
		keep("was_"+f.name, f.theirs)
		if f.mine == f.theirs || f.was == f.theirs {
			keep(f.name, f.mine)
			continue
		}
		if f.show == nil {
			f.show = func(value string) string { return value }
		}
		c.Clashes = append(c.Clashes, components.Clash{
			Name: f.name, Label: f.label, Mine: f.mine, Theirs: f.theirs, MineShown: f.show(f.mine), TheirsShown: f.show(f.theirs), Untouched: f.mine == f.was,
		})
	}
	return c, nil
}

// whoChanged says who last changed a record, what, and when.
func (v *visit) whoChanged(subject string) (string, error) {
	lines, _, err := v.programme.ActivityLog(v.ctx(), models.ActivityFilter{SubjectID: subject}, models.Page{Number: 1, Size: 1})
	if err != nil || len(lines) == 0 {
		return "Someone else changed this", err
	}
	fields := make([]string, len(lines[0].Changes))
	for i, change := range lines[0].Changes {
		fields[i] = change.Field
	}
	what := "this"
	if n := len(fields); n > 0 {
		what = strings.Join(fields[:n-1], ", ")
		if what != "" {
			what += " and "
		}
		what += fields[n-1]
	}
	return lines[0].Actor + " changed " + what + " " + ago(lines[0].At, v.w.options.Now()), nil
}
