package page

import (
	"strings"
	"time"

	"lectern/models/store"
	"lectern/views/components"
)

// Edited is a field of a form that edits a record, in the form's own values: as it was when the form was opened, as it
// was sent, and as it is stored now.
type Edited struct {
	Name, Label       string
	Was, Mine, Theirs string
	Show              func(value string) string // in words; nil shows the value
	Lines             bool                      // of several values, each a line
	Zone              *time.Location            // of a moment; nil for any other field
}

// EditedMoment returns the field of a moment of a record.
func EditedMoment(name, label string, now *store.Time, zone *time.Location) Edited {
	return Edited{Name: name, Label: label, Theirs: ClockText(ClockOf(now, zone)), Zone: zone,
		Show: func(text string) string { return ClockWords(text, zone) }}
}

// read returns what the form sent for the field, or what the field held when the form was opened if was is FirstPrefix.
func (f Edited) read(v *Visit, was string) string {
	switch {
	case f.Zone != nil:
		return v.Clock(was + f.Name)
	case f.Lines:
		return strings.Join(store.Lines(strings.Join(v.Values(was+f.Name), "\n")), "\n")
	}
	return lineFeeds(v.Value(was + f.Name))
}

// lineFeeds ends lines as we store them; browsers send two characters, which older versions stored.
func lineFeeds(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

// Edit is a form that edits a record, last changed at At.
type Edit struct {
	Fields []Edited
	At     store.Time
	Token  *store.Time // the token that was sent; a missing one counts as stale
	shown  components.Edit
}

// Opened returns the form as it is opened, with what the record holds; at is zero for a record that is to be made.
func Opened(at store.Time, fields []Edited) *Edit {
	e := &Edit{Fields: fields, At: at}
	for i, f := range fields {
		if fields[i].Mine = f.Theirs; !at.IsZero() {
			fields[i].Was = f.Theirs
		}
	}
	if !at.IsZero() {
		e.shown.UpdatedAt = at.String()
	}
	return e
}

// Sent reads the form of a record as it was sent.
func (v *Visit) Sent(at store.Time, fields []Edited) *Edit {
	e := &Edit{Fields: fields, At: at, Token: new(store.Time), shown: components.Edit{UpdatedAt: v.Value("updated_at")}}
	*e.Token, _ = store.ParseTime(e.shown.UpdatedAt)
	for i, f := range fields {
		fields[i].Was, fields[i].Mine = f.read(v, components.FirstPrefix), f.read(v, "")
		fields[i].Theirs = lineFeeds(f.Theirs)
	}
	return e
}

// field returns a field, an empty one for a name that the form does not have.
func (e *Edit) field(name string) *Edited {
	for i := range e.Fields {
		if e.Fields[i].Name == name {
			return &e.Fields[i]
		}
	}
	return &Edited{}
}

// Of returns the value of a field.
func (e *Edit) Of(name string) string { return e.field(name).Mine }

// Label returns what the form calls a field.
func (e *Edit) Label(name string) string { return e.field(name).Label }

// Set gives a field another value than was sent.
func (e *Edit) Set(name, value string) { e.field(name).Mine = value }

// Moved returns what was sent for a moment, unset where that is what it was.
func (e *Edit) Moved(name string) (store.Optional[store.Time], error) {
	f := e.field(name)
	return MovedClock(name, f.Mine, f.Was, f.Zone)
}

// PartToken returns the token to save with where the form edits a part of a record: the present one unless that part
// was changed since, whatever happened to the rest.
func (e *Edit) PartToken() *store.Time {
	for _, f := range e.Fields {
		if f.Was != f.Theirs {
			return e.Token
		}
	}
	return &e.At
}

// Shown returns what a page shows of the form.
func (e *Edit) Shown() components.Edit {
	e.shown.Values, e.shown.First = map[string]string{}, nil
	for _, f := range e.Fields {
		e.shown.Values[f.Name] = f.Mine
		e.shown.First = append(e.shown.First, components.Hidden{Name: f.Name, Value: f.Was})
	}
	return e.shown
}

// Settle makes the form ask which values shall stay, at its own address; who says who wrote the others.
func (e *Edit) Settle(address string, c *components.Conflict) {
	c.Action, c.Discard, e.shown.Conflict = address, address, c
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
