package people

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/people"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

// partField returns a form's control for a person's field. A moment is a page.ClockText in the list's zone.
func (r *roster) partField(f *models.ContactField, value string, faults components.Faults) pages.FormField {
	out := formField(f, value, faults)
	if f.IsMoment {
		out.IsClock, out.Hint = true, "By the clocks of "+r.Zone().String()+"."
		out.Twice, out.Words = page.Twice(value, r.Zone()), page.ClockWords(value, r.Zone())
	}
	return out
}

// formValue returns a person's value of a field as a form holds it.
func (r *roster) formValue(f *models.ContactField, x *models.Person) string {
	if f.IsMoment {
		return page.ClockText(page.ClockOf(f.Moment(f.Value(x)), r.Zone()))
	}
	return f.Value(x)
}

// formField returns a form's control for a field of people.
func formField(f *models.ContactField, value string, faults components.Faults) pages.FormField {
	in := f.Input()
	out := pages.FormField{Control: in.Control, Limit: in.MaxLength, IsHTML: f.Key == "about", Field: components.Field{
		Name: f.Key, Label: f.Label, Hint: f.Help, Value: value, Type: in.Type, Required: in.Required, Fault: faults.Of(f.Key)}}
	switch {
	case f.Key == "email" || f.Type == field.Email: // plain text, so that the server words what is wrong with it
		out.Type, out.InputMode = "text", "email"
	case f.Key == "phone":
		out.Type = "tel"
	case f.Type == field.URL: // plain text, since an address without https:// is accepted too
		out.Type, out.InputMode = "text", "url"
	}
	chosen := strings.Split(value, "\n")
	if !in.Multiple && len(in.Options) > 0 {
		out.Options = []components.Option{{Name: "None", Chosen: value == ""}}
	}
	out.Options = append(out.Options, visit.Choices(in.Options,
		func(o field.Option) (string, string) { return o.Value, o.Label }, chosen...)...)
	for _, old := range chosen { // options that were removed stay, or saving any form would delete them
		if len(f.Options) > 0 && old != "" && !slices.Contains(f.Options, old) {
			out.Options = append(out.Options, components.Option{Value: old, Name: old + " (no longer a choice)", Chosen: true})
		}
	}
	return out
}

// personForm is a form with a part of a person's fields.
type personForm struct {
	part     models.ContactPart
	fields   []*models.ContactField
	was, now map[string]string
	zone     *time.Location // zone of its moments
}

func (r *roster) personForm(part models.ContactPart) personForm {
	f := personForm{part: part, was: map[string]string{}, now: map[string]string{}}
	for _, of := range r.fields {
		if of.Part != part || of.Type == field.File { // files have forms of their own
			continue
		}
		f.fields = append(f.fields, of)
		if f.zone = r.Zone(); of.IsMoment {
			f.now[of.Key], f.was[of.Key] = r.Clock(of.Key), r.Value(components.FirstPrefix+of.Key)
			continue
		}
		f.now[of.Key] = strings.Join(r.Values(of.Key), "\n")
		f.was[of.Key] = strings.Join(r.Values(components.FirstPrefix+of.Key), "\n")
	}
	return f
}

// change returns what differs from when the form was opened, with its token. It answers Invalid for a moment that does
// not exist.
func (f personForm) change(token string) (people.Change, error) {
	c := people.Change{Values: map[string]string{}}
	var faults store.Faults
	for _, of := range f.fields {
		now, was := f.now[of.Key], f.was[of.Key]
		switch {
		case of.IsMoment:
			at, err := page.MovedClock(of.Key, now, was, f.zone)
			if faults.Add(err); at.Value != nil {
				c.Values[of.Key] = at.Value.String()
			} else if at.Set {
				c.Values[of.Key] = ""
			}
		case kept(of, now) != kept(of, was):
			c.Values[of.Key] = now
		}
	}
	if at, err := store.ParseTime(token); err == nil {
		if f.part.OfEvent() {
			c.HereUpdatedAt = &at
		} else {
			c.UpdatedAt = &at
		}
	}
	return c, faults.Err()
}

// kept returns a value as it would be stored, or as typed where it is invalid; choices with a removed option are
// sorted, since their order means nothing.
func kept(f *models.ContactField, text string) string {
	value, err := f.Clean(text)
	switch {
	case err == nil:
		return value
	case f.Type == field.Choices:
		chosen := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
		slices.Sort(chosen)
		return strings.Join(chosen, "\n")
	}
	return text
}

// valuesOf returns a person's values of the fields of a form.
func (r *roster) valuesOf(f personForm, x *models.Person) map[string]string {
	values := map[string]string{}
	for _, of := range f.fields {
		values[of.Key] = r.formValue(of, x)
	}
	return values
}

// personEditor shows the form of a part of a person; x is nil for a new one.
func (r *roster) personEditor(status int, x *models.Person, f personForm, c *components.Conflict) error {
	p := pages.PersonFormPage{Conflict: c, Action: r.base + "/new" + r.l.With("page", ""), Cancel: r.at(r.l),
		Verb:    "Add person",
		OfEvent: r.Event != nil}
	title := map[bool]string{true: "Add a person", false: "New contact"}[r.Event != nil]
	if x != nil {
		at := r.base + "/" + x.ID
		p.Cancel, p.Verb, p.RowToken = at+r.l.With("page", ""), "Save", x.UpdatedAt.String()
		p.Action, title = at+"/edit"+r.l.With("page", ""), "Edit "+x.FullName
		if f.part.OfEvent() {
			p.Action = at + "/" + string(f.part) + r.l.With("page", "")
			if x.Here != nil {
				p.RowToken = x.Here.UpdatedAt.String()
			}
		}
	}
	for _, of := range f.fields {
		r.Faults.Call(of.Key, of.Label)
		p.Fields = append(p.Fields, r.partField(of, f.now[of.Key], r.Faults))
		p.First = append(p.First, components.Hidden{Name: of.Key, Value: f.was[of.Key]})
	}
	if strings.TrimSpace(f.now["first_name"]+f.now["last_name"]) == "" { // either name will do
		r.Faults.Call("first_name", "First or last name")
	}
	return visit.Show(r.Visit, status, title, pages.PersonForm, p)
}

func newPersonForm(v *visit.Visit, r *roster) error {
	return r.personEditor(http.StatusOK, nil, r.personForm(models.Profile), nil)
}

// newPerson makes a contact; at an event it adds the known contact where the address is known.
func newPerson(v *visit.Visit, r *roster) error {
	f := r.personForm(models.Profile)
	var x *models.Person
	known := false
	c, _ := f.change("") // a profile has no moments
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		if v.Event != nil {
			x, known, err = people.Of(v.Programme).AddPerson(ctx, c)
		} else {
			x, known, err = people.In(r.directory).Add(ctx, c)
		}
		if err != nil {
			return "", err
		}
		return r.base + "/" + x.ID, nil
	})
	if err != nil {
		return v.Again(err, func(status int) error { return r.personEditor(status, nil, f, nil) })
	}
	text := visit.Cut(x.FullName) + " is added."
	if known {
		text = strings.TrimSpace(f.now["email"]) + " belongs to " + visit.Cut(x.FullName)
		if v.Event != nil {
			text += ", who is at this event now"
		}
		text += ". Nothing of theirs was changed."
	}
	return v.See(r.base+"/"+x.ID, text)
}

func editPersonForm(v *visit.Visit, r *roster) error {
	x := r.person
	why, err := r.shared(x)
	if err != nil {
		return err
	}
	if why != "" {
		v.KeepNotice("warn", why)
		return v.SeeInstead(r.base + "/" + x.ID)
	}
	f := r.personForm(models.Profile)
	f.now = r.valuesOf(f, x)
	f.was = f.now
	return r.personEditor(http.StatusOK, x, f, nil)
}

// personOf returns the list that the address describes, with the person that it names.
func personOf(v *visit.Visit) (*roster, error) {
	r, err := rosterHere(v)
	if err != nil {
		return nil, err
	}
	r.person, err = r.directory.Person(v.UserContext(), v.Params("contact"))
	return r, err
}

// saves returns a handler that saves a part of a person's fields.
func saves(part models.ContactPart) visit.Handler {
	return visit.Found(personOf, func(v *visit.Visit, r *roster) error { return editPerson(v, r, part) })
}

func editPerson(v *visit.Visit, r *roster, part models.ContactPart) error {
	before := r.person
	f := r.personForm(part)
	c, err := f.change(v.Value("updated_at"))
	if err != nil {
		return v.Again(err, func(status int) error { return r.personEditor(status, before, f, nil) })
	}
	now, err := people.In(r.directory).Update(v.UserContext(), before.ID, c)
	if store.KindOf(err) == store.Stale {
		return r.personConflict(f)
	}
	if err != nil {
		return v.Again(err, func(status int) error { return r.personEditor(status, before, f, nil) })
	}
	here := r.base + "/" + now.ID + r.l.With("page", "")
	if part != models.Workflow {
		return v.See(here, "Saved.")
	}
	return seeStatus(v, here, visit.Cut(now.FullName)+": "+statusName(now.Here.WorkflowStatus)+".",
		people.StatusMove{ContactID: now.ID, From: before.Here.WorkflowStatus, To: now.Here.WorkflowStatus})
}
