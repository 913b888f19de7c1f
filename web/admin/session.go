package admin

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func (w *Web) sessionRoutes() []route {
	return []route{
		{"GET", event + "/submissions/new", organizer, func(v *visit) error { return newSessionForm(v, true) }},
		{"POST", event + "/submissions/new", organizer, func(v *visit) error { return newSession(v, true) }},
		{"GET", event + "/sessions/new", organizer, func(v *visit) error { return newSessionForm(v, false) }},
		{"POST", event + "/sessions/new", organizer, func(v *visit) error { return newSession(v, false) }},
		{"GET", event + "/sessions/:id", viewer, showSession},
		{"GET", event + "/sessions/:id/edit", organizer, editSessionForm},
		{"POST", event + "/sessions/:id/edit", organizer, editSession},
		{"POST", event + "/sessions/:id/status", organizer, setStatus},
		{"POST", event + "/sessions/:id/put-back", organizer, putBack},
		{"GET", event + "/sessions/:id/delete", organizer, deleteSessionForm},
		{"POST", event + "/sessions/:id/delete", organizer, deleteSession},
		{"POST", event + "/sessions/:id/restore", organizer, restoreSession},
	}
}

// cameFrom is the list that a record's address says one came from; the list of
// its kind otherwise.
func (v *visit) cameFrom(s *models.Session) listing {
	kind := v.Query("in")
	if listTitles[kind] == "" {
		kind = listOf(s)
	}
	return v.listing(kind)
}

func listOf(s *models.Session) string {
	switch {
	case s.DeletedAt != nil:
		return "trash"
	case s.IsAbstract:
		return "submissions"
	default:
		return "sessions"
	}
}

func statusOptions(chosen string) []components.Option {
	var out []components.Option
	for _, status := range models.Statuses {
		out = append(out, components.Option{Value: string(status), Name: components.StatusName(string(status)), Chosen: string(status) == chosen})
	}
	return out
}

func newSessionForm(v *visit, abstract bool) error {
	status := models.Pending
	if !abstract {
		status = models.Accepted
	}
	return v.sessionEditor(http.StatusOK, nil, abstract, sessionForm{SessionForm: pages.SessionForm{Status: string(status)}}, "", nil)
}

func newSession(v *visit, abstract bool) error {
	f := v.sessionForm(sessionForm{})
	c, faults := f.change(sessionForm{}, v.event.Location())
	if len(faults) > 0 {
		v.faults = faults
		return v.sessionEditor(http.StatusUnprocessableEntity, nil, abstract, f, "", nil)
	}
	var s *models.Session
	err := v.once(func(ctx context.Context) (_ string, err error) {
		if s, err = v.programme.CreateSession(ctx, models.NewSession{Title: f.Title, IsAbstract: abstract, SessionInput: c.SessionInput}); err != nil {
			return "", err
		}
		return v.at("/sessions/" + s.ID), nil
	})
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.sessionEditor(http.StatusUnprocessableEntity, nil, abstract, f, "", nil)
	}
	return v.see(v.at("/sessions/"+s.ID), s.FriendlyID+" is created.")
}

func editSessionForm(v *visit) error {
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	f := formOf(s, v.event.Location())
	return v.sessionEditor(http.StatusOK, s, s.IsAbstract, f, f.encode(), nil)
}

// liveSession is the session of the path; what is in the Trash is not edited.
func (v *visit) liveSession() (*models.Session, error) {
	s, err := v.programme.Session(v.ctx(), v.Params("id"))
	if err == nil && s.DeletedAt != nil {
		err = &models.Error{Kind: models.NotFound, Message: "This was deleted. Restore it from the Trash before you change it."}
	}
	return s, err
}

func editSession(v *visit) error {
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	zone := v.event.Location()
	was, err := decodeForm(v.FormValue("was"))
	if err != nil {
		was = formOf(s, zone)
	}
	f := v.sessionForm(was)
	c, faults := f.change(was, zone)
	if len(faults) > 0 {
		v.faults = faults
		return v.sessionEditor(http.StatusUnprocessableEntity, s, s.IsAbstract, f, v.FormValue("was"), nil)
	}
	if v.value("confirm") == "no" {
		return v.sessionEditor(http.StatusOK, s, s.IsAbstract, f, v.FormValue("was"), nil)
	}
	if c.Status != nil && decides(s, *c.Status) && v.value("confirm") == "" {
		return v.confirmDecision(s, *c.Status, "/edit", true)
	}
	now, err := v.programme.UpdateSession(v.ctx(), s.ID, c)
	if models.KindOf(err) == models.Stale {
		return v.sessionConflict(f, was)
	}
	if err != nil {
		if err := v.refuse(err); err != nil {
			return err
		}
		return v.sessionEditor(http.StatusUnprocessableEntity, s, s.IsAbstract, f, v.FormValue("was"), nil)
	}
	return v.changed(now, s, "Saved.")
}

// sessionConflict shows the form again beside what somebody else saved meanwhile. What
// only one side changed is taken from that side; where both did, the person
// chooses.
func (v *visit) sessionConflict(mine, was sessionForm) error {
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	names, err := v.rowNames()
	if err != nil {
		return err
	}
	zone := v.event.Location()
	theirs, merged := formOf(s, zone), mine
	merged.Token = theirs.Token
	var fields []edited
	for _, field := range sessionFields {
		m, w, t := *field.at(&mine), *field.at(&was), *field.at(&theirs)
		if m == w {
			*field.at(&merged) = t
		}
		fields = append(fields, edited{field.name, field.label, w, m, t, func(value string) string { return field.words(value, names, zone) }})
	}
	merged.untie()
	c, err := v.conflict(s.ID, s.UpdatedAt, fields)
	if err != nil {
		return err
	}
	c.Clashes = slices.DeleteFunc(c.Clashes, func(clash components.Clash) bool { return clash.Untouched })
	return v.sessionEditor(http.StatusConflict, s, s.IsAbstract, merged, theirs.encode(), c)
}

// rowNames are the names of the event's metadata rows by id.
func (v *visit) rowNames() (map[string]string, error) {
	names := map[string]string{}
	for _, family := range models.Families {
		for page := 1; ; page++ {
			rows, pagination, err := v.programme.ListMetadata(v.ctx(), family, "", models.Page{Number: page, Size: models.MaxPageSize})
			if err != nil {
				return nil, err
			}
			for _, row := range rows {
				names[row.ID] = row.Name
			}
			if page >= pagination.TotalPages {
				break
			}
		}
	}
	return names, nil
}

// choices are the rows of a family, and none of them.
func (v *visit) choices(family models.Family, chosen ...string) ([]components.Option, error) {
	out, err := v.options(family, chosen...)
	if family != models.Tags {
		out = append([]components.Option{{Name: "None"}}, out...)
	}
	return out, err
}

// options are the rows of a family.
func (v *visit) options(family models.Family, chosen ...string) (out []components.Option, err error) {
	for page := 1; ; page++ {
		rows, pagination, err := v.programme.ListMetadata(v.ctx(), family, "", models.Page{Number: page, Size: models.MaxPageSize})
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			out = append(out, components.Option{Value: row.ID, Name: row.Name, Chosen: slices.Contains(chosen, row.ID)})
		}
		if page >= pagination.TotalPages {
			return out, nil
		}
	}
}

// sessionEditor shows the form; s is nil for a new one.
func (v *visit) sessionEditor(status int, s *models.Session, abstract bool, f sessionForm, was string, c *components.Conflict) error {
	p := pages.SessionFormPage{New: s == nil, Abstract: abstract, Form: f.SessionForm, Was: was, Conflict: c, Statuses: statusOptions(f.Status), Zone: v.event.Timezone}
	kind := "sessions"
	title := "New session"
	if abstract {
		kind, title = "submissions", "New submission"
	}
	p.Action, p.Cancel, p.Verb = v.at("/"+kind+"/new"), v.at("/"+kind), "Create "+strings.TrimSuffix(kind, "s")
	if s != nil {
		query := v.cameFrom(s).from()
		p.Action, p.Cancel, p.Verb = v.at("/sessions/"+s.ID+"/edit")+query, v.at("/sessions/"+s.ID)+query, "Save"
		title = "Edit " + s.Title
	}
	zone := v.event.Location()
	p.StartsTwice, p.EndsTwice = twice(f.Starts, f.StartsWhich, zone), twice(f.Ends, f.EndsWhich, zone)
	v.section = v.at("/" + kind)
	if s != nil && s.CompositionStatus.IsReadOnly {
		composed, err := v.composed(s)
		if err != nil {
			return err
		}
		p.Linked = composed[0]
	}
	if s != nil {
		v.section = v.at("/" + v.cameFrom(s).kind)
	}
	var err error
	for _, choice := range []struct {
		to     *[]components.Option
		family models.Family
		chosen []string
	}{
		{&p.Tracks, models.Tracks, []string{f.Track}}, {&p.Formats, models.Formats, []string{f.Format}}, {&p.Levels, models.Levels, []string{f.Level}},
		{&p.Rooms, models.Rooms, []string{f.Room}}, {&p.Tags, models.Tags, f.Tags},
	} {
		if *choice.to, err = v.choices(choice.family, choice.chosen...); err != nil {
			return err
		}
	}
	if p.Shell, err = v.shell(title); err != nil {
		return err
	}
	return v.render(status, pages.SessionEditor(p))
}

// listingQuery is what keeps the place in the list, of a form's address.
func (v *visit) listingQuery() string {
	if kind := v.Query("in"); listTitles[kind] != "" {
		return v.listing(kind).from()
	}
	return ""
}

func deleteSessionForm(v *visit) error {
	s, err := v.liveSession()
	if err != nil {
		return err
	}
	shell, err := v.shell("Delete " + s.Title + "?")
	if err != nil {
		return err
	}
	p := pages.ConfirmPage{
		Shell: shell, Text: s.FriendlyID + " leaves every list and the agenda, and who listens to events is told. It waits in the Trash and can be restored.",
		Action: v.at("/sessions/"+s.ID+"/delete") + v.listingQuery(), Cancel: v.at("/sessions/"+s.ID) + v.listingQuery(), Verb: "Delete " + s.FriendlyID,
	}
	if s.IsPublic {
		p.Points = append(p.Points, "It is public now and will not be any more.")
	}
	return v.show(pages.Confirm(p))
}

func deleteSession(v *visit) error {
	s, err := v.programme.DeleteSession(v.ctx(), v.Params("id"))
	if err != nil {
		return err
	}
	l := v.cameFrom(&models.Session{IsAbstract: s.IsAbstract})
	return v.see(v.listAt(l), s.FriendlyID+" is in the Trash.")
}

func restoreSession(v *visit) error {
	s, err := v.programme.RestoreSession(v.ctx(), v.Params("id"))
	if err != nil {
		return err
	}
	return v.see(v.at("/sessions/"+s.ID), s.FriendlyID+" is back.")
}
