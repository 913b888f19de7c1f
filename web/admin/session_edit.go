package admin

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
	"lectern/web/page"
)

func newSessionForm(v *visit, abstract bool) error {
	status := models.Pending
	if !abstract {
		status = models.Accepted
	}
	return v.sessionEditor(http.StatusOK, nil, abstract, sessionForm{values: map[string]string{"status": string(status)}},
		sessionForm{}, nil)
}

func newSession(v *visit, abstract bool) error {
	f := v.sessionForm(sessionForm{})
	f.people = v.peopleForm()
	again := func(status int) error { return v.sessionEditor(status, nil, abstract, f, sessionForm{}, nil) }
	if f.people.changesPeople() {
		status, err := v.withPeople(&f.people)
		if err != nil {
			return err
		}
		return again(status)
	}
	c, faults := f.change(sessionForm{}, v.event.Location())
	if len(faults) > 0 {
		v.Faults = faults
		return again(http.StatusUnprocessableEntity)
	}
	n := models.NewSession{Title: f.values["title"], IsAbstract: abstract, SessionInput: c.SessionInput,
		People: participations(f.people.all())}
	var s *models.Session
	err := v.Once(func(ctx context.Context) (_ string, err error) {
		if s, err = v.programme.CreateSession(ctx, n); err != nil {
			return "", err
		}
		return v.at("/sessions/" + s.ID), nil
	})
	if store.KindOf(err) == store.Invalid {
		v.Faults = peopleFaults(err)
		return again(http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return v.changed(s, nil, s.FriendlyID+" is created.")
}

func editSessionForm(v *visit, s *models.Session) error {
	rest, _, err := v.besideForm(s)
	if err != nil {
		return err
	}
	f := formOf(rest, v.event.Location())
	return v.sessionEditor(http.StatusOK, s, s.IsAbstract, f, f, nil)
}

func editSession(v *visit, s *models.Session) error {
	rest, asked, err := v.besideForm(s)
	if err != nil {
		return err
	}
	was := v.firstForm(rest)
	f := v.sessionForm(was)
	again := func(status int) error { return v.sessionEditor(status, s, s.IsAbstract, f, was, nil) }
	c, faults := f.change(was, v.event.Location())
	if len(faults) > 0 {
		v.Faults = faults
		return again(http.StatusUnprocessableEntity)
	}
	if v.Value("confirm") == "no" {
		return again(http.StatusOK)
	}
	if c.CustomFields != nil {
		c.CustomFields = new(append(asked, *c.CustomFields...))
	}
	if c.Status != nil && decides(s, *c.Status) && v.Value("confirm") == "" {
		return v.confirmDecision(s, *c.Status, "/edit", true)
	}
	now, err := v.programme.UpdateSession(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return v.sessionConflict(f, was)
	}
	if err != nil {
		return v.Again(err, again)
	}
	also, err := v.alsoChanged(now, s)
	if err != nil {
		return err
	}
	return v.changed(now, s, "Saved."+also)
}

// sessionConflict shows the form again beside what somebody else saved meanwhile. What only one side changed is
// taken from that side; where both did, the person chooses.
func (v *visit) sessionConflict(mine, was sessionForm) error {
	s, err := liveSession(v)
	if err != nil {
		return err
	}
	names, err := v.rowNames()
	if err != nil {
		return err
	}
	rest, _, err := v.besideForm(s)
	if err != nil {
		return err
	}
	zone := v.event.Location()
	theirs := formOf(rest, zone)
	merged := sessionForm{values: maps.Clone(mine.values), token: theirs.token}
	var fields []page.Edited
	for _, field := range editedFields() {
		e := page.Edited{Name: field.Name, Label: field.Label}
		e.Was, e.Mine, e.Theirs = was.values[e.Name], mine.values[e.Name], theirs.values[e.Name]
		e.Show = func(text string) string { return textWords(field, text, names, zone) }
		if e.Mine == e.Was {
			merged.values[e.Name] = e.Theirs
		}
		fields = append(fields, e)
	}
	c, err := v.conflict(s.ID, s.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Clashes = slices.DeleteFunc(c.Clashes, func(clash components.Clash) bool { return clash.Untouched })
	return v.sessionEditor(http.StatusConflict, s, s.IsAbstract, merged, theirs, c)
}

// sessionEditor shows the form; s is nil for a new one.
func (v *visit) sessionEditor(
	status int, s *models.Session, abstract bool, f, was sessionForm, c *components.Conflict,
) error {
	p := pages.SessionFormPage{New: s == nil, Abstract: abstract, Form: f.page(), Conflict: c, Zone: v.event.Timezone}
	kind := "sessions"
	title := "New session"
	if abstract {
		kind, title = "submissions", "New submission"
	}
	v.section = v.at("/" + kind)
	p.Action, p.Cancel, p.Verb = v.at("/"+kind+"/new"), v.at("/"+kind), "Create "+strings.TrimSuffix(kind, "s")
	if s != nil {
		from := v.cameFrom(s)
		p.First = was.first()
		v.section, title = v.at("/"+from.kind), "Edit "+s.Title
		p.Action, p.Cancel, p.Verb = v.at("/sessions/"+s.ID+"/edit")+from.from(), v.at("/sessions/"+s.ID)+from.from(), "Save"
	}
	if s == nil {
		var err error
		if p.People, err = v.editedPeople(f.people, kind); err != nil {
			return err
		}
	}
	if err := v.linkedTexts(&p, s); err != nil {
		return err
	}
	if form, err := v.asking(); err != nil {
		return err
	} else if form != nil && abstract {
		p.FormURL = v.newAt("proposals")
		if s != nil {
			p.FormURL = v.answersAt(s.ID)
		}
	}
	if err := v.fillEditor(&p, f); err != nil {
		return err
	}
	return show(v, status, title, pages.SessionEditor, p)
}

// linkedTexts tells the editor of s, nil for a new one, whose text its own is too.
func (v *visit) linkedTexts(p *pages.SessionFormPage, s *models.Session) (err error) {
	if s == nil {
		return nil
	}
	if p.Shared, err = v.sharesText(s); err != nil || !s.CompositionStatus.IsReadOnly {
		return err
	}
	composed, err := v.composed(s)
	if err == nil {
		p.Linked = composed[0]
	}
	return err
}

// fillEditor puts what can be chosen on the page.
func (v *visit) fillEditor(p *pages.SessionFormPage, f sessionForm) error {
	zone := v.event.Location()
	p.StartsTwice, p.EndsTwice = page.Twice(f.values["starts_at"], zone), page.Twice(f.values["ends_at"], zone)
	p.Options = map[string][]components.Option{"status": statusOptions(f.values["status"])}
	p.Labels = map[string]string{}
	for _, a := range p.Form.Answers {
		if label := v.sight().Label(a.Key); label != a.Key {
			p.Labels[a.Key] = label
		}
	}
	for _, field := range editedFields() {
		if field.Family == "" {
			continue
		}
		options, err := v.familyOptions(field.Family, strings.Fields(f.values[field.Name])...)
		if err != nil {
			return err
		}
		if field.Kind == models.RowField {
			options = append([]components.Option{{Name: "None"}}, options...)
		}
		p.Options[field.Name] = options
	}
	return nil
}

// rowNames are the names of the event's metadata rows by id.
func (v *visit) rowNames() (map[string]string, error) {
	names := map[string]string{}
	for _, family := range models.Families {
		rows, err := v.programme.Family(v.UserContext(), family)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}

// familyOptions are the rows of a family.
func (v *visit) familyOptions(family models.Family, chosen ...string) ([]components.Option, error) {
	rows, err := v.programme.Family(v.UserContext(), family)
	return choices(rows, func(m *models.Metadata) (string, string) { return m.ID, m.Name }, chosen...), err
}

// choices are a list as options, each by its value and its name.
func choices[T any](list []T, of func(T) (value, name string), chosen ...string) (out []components.Option) {
	for _, item := range list {
		value, name := of(item)
		out = append(out, components.Option{Value: value, Name: name, Chosen: slices.Contains(chosen, value)})
	}
	return out
}
