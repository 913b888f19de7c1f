package sessions

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/sessions"
	"lectern/web/admin/lists"
	"lectern/web/admin/visit"
	"lectern/web/page"
)

func newSessionForm(v *visit.Visit, abstract bool) error {
	status := models.Pending
	if !abstract {
		status = models.Accepted
	}
	return sessionEditor(v, http.StatusOK, nil, abstract, sessionForm{values: map[string]string{"status": string(status)}},
		sessionForm{}, nil)
}

func newSession(v *visit.Visit, abstract bool) error {
	f := sentSession(v, sessionForm{})
	f.people = sentPeople(v)
	again := func(status int) error { return sessionEditor(v, status, nil, abstract, f, sessionForm{}, nil) }
	if f.people.changesPeople() {
		status, err := withPeople(v, &f.people)
		if err != nil {
			return err
		}
		return again(status)
	}
	c, faults := f.change(sessionForm{}, v.Event.Location())
	if len(faults) > 0 {
		v.Faults = faults
		return again(http.StatusUnprocessableEntity)
	}
	n := models.NewSession{Title: f.values["title"], IsAbstract: abstract, SessionInput: c.SessionInput,
		People: participations(f.people.all())}
	s, err := visit.Made(v, func(ctx context.Context) (*models.Session, error) { return v.Programme.CreateSession(ctx, n) },
		func(s *models.Session) string { return v.At("/sessions/" + s.ID) })
	if store.KindOf(err) == store.Invalid {
		v.Faults = peopleFaults(err)
		return again(http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	return changed(v, s, nil, s.FriendlyID+" is created.")
}

func editSessionForm(v *visit.Visit, s *models.Session) error {
	rest, _, err := besideForm(v, s)
	if err != nil {
		return err
	}
	f := formOf(rest, v.Event.Location())
	return sessionEditor(v, http.StatusOK, s, s.IsAbstract, f, f, nil)
}

func editSession(v *visit.Visit, s *models.Session) error {
	rest, asked, err := besideForm(v, s)
	if err != nil {
		return err
	}
	was := firstForm(v, rest)
	f := sentSession(v, was)
	again := func(status int) error { return sessionEditor(v, status, s, s.IsAbstract, f, was, nil) }
	c, faults := f.change(was, v.Event.Location())
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
		return confirmDecision(v, s, *c.Status, "/edit", true)
	}
	now, err := v.Programme.UpdateSession(v.UserContext(), s.ID, c)
	if store.KindOf(err) == store.Stale {
		return sessionConflict(v, f, was)
	}
	if err != nil {
		return v.Again(err, again)
	}
	also, err := alsoChanged(v, now, s)
	if err != nil {
		return err
	}
	return changed(v, now, s, "Saved."+also)
}

// sessionConflict shows the form again beside what somebody else saved meanwhile. A field that only one side changed
// keeps that change; where both did, the user chooses.
func sessionConflict(v *visit.Visit, mine, was sessionForm) error {
	s, err := Live(v)
	if err != nil {
		return err
	}
	names, err := v.RowNames()
	if err != nil {
		return err
	}
	rest, _, err := besideForm(v, s)
	if err != nil {
		return err
	}
	zone := v.Event.Location()
	theirs := formOf(rest, zone)
	merged := sessionForm{values: maps.Clone(mine.values), token: theirs.token}
	var fields []page.Edited
	for _, field := range lists.EditedFields() {
		e := page.Edited{Name: field.Name, Label: field.Label}
		e.Was, e.Mine, e.Theirs = was.values[e.Name], mine.values[e.Name], theirs.values[e.Name]
		e.Show = func(text string) string { return lists.TextWords(field, text, names, zone) }
		if e.Mine == e.Was {
			merged.values[e.Name] = e.Theirs
		}
		fields = append(fields, e)
	}
	c, err := v.Conflict(s.ID, s.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Clashes = slices.DeleteFunc(c.Clashes, func(clash components.Clash) bool { return clash.Untouched })
	return sessionEditor(v, http.StatusConflict, s, s.IsAbstract, merged, theirs, c)
}

// sessionEditor shows the form; s is nil for a new record.
func sessionEditor(v *visit.Visit,
	status int, s *models.Session, abstract bool, f, was sessionForm, c *components.Conflict,
) error {
	p := pages.FormPage{New: s == nil, Abstract: abstract, Form: f.page(), Conflict: c, Zone: v.Event.Timezone}
	kind := "sessions"
	title := "New session"
	if abstract {
		kind, title = "submissions", "New submission"
	}
	v.Section = v.At("/" + kind)
	p.Action, p.Cancel, p.Verb = v.At("/"+kind+"/new"), v.At("/"+kind), "Create "+strings.TrimSuffix(kind, "s")
	if s != nil {
		from := lists.CameFrom(v, s)
		p.First = was.first()
		v.Section, title = v.At("/"+from.Kind), "Edit "+s.Title
		p.Action, p.Cancel, p.Verb = v.At("/sessions/"+s.ID+"/edit")+from.From(), v.At("/sessions/"+s.ID)+from.From(), "Save"
	}
	if s == nil {
		var err error
		if p.People, err = editedPeople(v, f.people, kind); err != nil {
			return err
		}
	}
	if err := linkedTexts(v, &p, s); err != nil {
		return err
	}
	if form, err := Asking(v); err != nil {
		return err
	} else if form != nil && abstract {
		p.FormURL = newAt(v, "proposals")
		if s != nil {
			p.FormURL = answersAt(v, s.ID)
		}
	}
	if err := fillEditor(v, &p, f); err != nil {
		return err
	}
	return visit.Show(v, status, title, pages.Editor, p)
}

// linkedTexts tells the editor which submission shares its text with s, or on which session the text of s is edited; s
// is nil for a new record.
func linkedTexts(v *visit.Visit, p *pages.FormPage, s *models.Session) (err error) {
	if s == nil {
		return nil
	}
	if p.Shared, err = sharesText(v, s); err != nil || !s.CompositionStatus.IsReadOnly {
		return err
	}
	composed, err := composed(v, s)
	if err == nil {
		p.Linked = composed[0]
	}
	return err
}

// fillEditor adds the options to the page.
func fillEditor(v *visit.Visit, p *pages.FormPage, f sessionForm) error {
	zone := v.Event.Location()
	p.StartsTwice, p.EndsTwice = page.Twice(f.values["starts_at"], zone), page.Twice(f.values["ends_at"], zone)
	p.Options = map[string][]components.Option{"status": lists.StatusOptions(f.values["status"])}
	p.Labels = map[string]string{}
	for _, a := range p.Form.Answers {
		if label := v.Sight().Label(a.Key); label != a.Key {
			p.Labels[a.Key] = label
		}
	}
	for _, field := range lists.EditedFields() {
		if field.Family == "" {
			continue
		}
		options, err := v.FamilyOptions(field.Family, strings.Fields(f.values[field.Name])...)
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
