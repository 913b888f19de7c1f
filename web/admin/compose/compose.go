package compose

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/compose"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
	"lectern/web/page"
)

// composing is a page that composes: its form, and the records that the form names.
type composing struct {
	*visit.Visit
	form   composeForm
	into   *models.Session            // nil for a new session
	theirs []*models.Session          // its present parts
	rows   map[string]*models.Session // the abstracts of all parts, by id
	left   []pages.LeftOut            // what could not be added to the form
	became map[string]string          // what changed about a part since the form was opened, by its id
	who    string                     // who changed the session, of a conflict: "Li changed S-3"
	loses  []sessions.LostMarkup      // what the typed description loses on save
}

// composePage shows the page with the submissions and the session of the address.
func composePage(v *visit.Visit) error {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString())) // a malformed query counts as far as it can be read
	c := &composing{Visit: v}
	if err := c.load(); err != nil {
		return err
	}
	if err := c.choose(query.Get("into")); err != nil {
		return err
	}
	if err := c.gather(query["id"]...); err != nil {
		return err
	}
	return c.show(http.StatusOK)
}

// compose composes, or shows the form again with what a button changed.
func compose(v *visit.Visit) error {
	c := &composing{Visit: v, form: sentComposition(v)}
	if err := c.load(); err != nil {
		return err
	}
	switch do := c.form.do; do {
	case "compose":
		return c.save()
	case "add":
		if err := c.gather(c.form.which); err != nil {
			return err
		}
	case "into":
		if err := c.choose(c.form.which); err != nil {
			return err
		}
	default:
		c.form.move()
	}
	return c.show(http.StatusOK)
}

// choose sets the session to compose into, "" for a new one. The parts of the session before leave the form.
func (c *composing) choose(id string) error {
	f := &c.form
	f.parts = slices.DeleteFunc(f.parts, func(p composedPart) bool { return indexOfPart(f.was, p.ID) >= 0 })
	f.into, f.token, f.was, f.findInto = "", "", nil, ""
	f.title.from, f.description.from = "", ""
	c.into, c.theirs = nil, nil
	if id == "" {
		return c.load()
	}
	f.into = id
	if err := c.load(); err != nil || f.into == "" {
		return err
	}
	f.token = c.into.UpdatedAt.String()
	f.was = store.Map(c.theirs, partOf)
	parts := slices.Clone(f.was)
	for _, p := range f.parts {
		if indexOfPart(parts, p.ID) < 0 {
			parts = append(parts, p)
		}
	}
	f.parts = parts
	return c.load()
}

// gather adds submissions to the form, and reports those that cannot be composed.
func (c *composing) gather(ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := c.Programme.SessionsOf(c.UserContext(), slices.DeleteFunc(slices.Clone(ids),
		func(id string) bool { return !store.IsID(id) }))
	if err != nil {
		return err
	}
	if missing := len(ids) - len(rows); missing > 0 {
		c.leave(visit.Counted(int64(missing), "record is", "records are") + " not there any more.")
	}
	for _, s := range rows {
		c.rows[s.ID] = s
		switch problem := c.problem(s); {
		case c.form.has(s.ID):
		case problem != "":
			c.leave(s.FriendlyID + " “" + visit.Cut(s.Title) + "” " + problem + ".")
			if t := s.CompositionStatus.Target; t != nil && t.InTrash {
				left := &c.left[len(c.left)-1]
				left.Way, left.URL = "Look at "+t.FriendlyID+" and restore it", c.At("/sessions/"+t.ID)
			}
		case len(c.form.parts) == models.MaxParts:
			c.leave(s.FriendlyID + " does not fit any more: a session has at most " + strconv.Itoa(models.MaxParts) + " parts.")
		default:
			c.form.parts = append(c.form.parts, newPart(s))
		}
	}
	return c.load()
}

// leave reports what was not added to the form, and why.
func (c *composing) leave(text string) { c.left = append(c.left, pages.LeftOut{Text: text}) }

// load reads the records that the form names and that are not read yet.
func (c *composing) load() error {
	if err := c.loadInto(); err != nil {
		return err
	}
	if c.rows == nil {
		c.rows = map[string]*models.Session{}
	}
	for _, s := range c.theirs {
		c.rows[s.ID] = s
	}
	var ids []string
	for _, part := range c.form.parts {
		if store.IsID(part.ID) && c.rows[part.ID] == nil {
			ids = append(ids, part.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	rows, err := c.Programme.SessionsOf(c.UserContext(), ids)
	for _, s := range rows {
		c.rows[s.ID] = s
	}
	return err
}

// loadInto reads the session and its parts, unless they are read. A session that is gone leaves the form, which reports
// it.
func (c *composing) loadInto() (err error) {
	if c.form.into == "" || c.into != nil {
		return nil
	}
	c.into, err = c.Programme.Session(c.UserContext(), c.form.into)
	if store.KindOf(err) == store.NotFound || err == nil && (c.into.DeletedAt != nil || c.into.IsAbstract) {
		c.leave("The session that you chose is not there any more. Choose another one, or make a new one.")
		c.into, c.form.into, c.form.token, c.form.was = nil, "", "", nil
		return nil
	}
	if err == nil {
		c.theirs, err = c.Programme.Sources(c.UserContext(), c.into.ID)
	}
	return err
}

// problem says why a record cannot be a part: "is withdrawn"; "" where it can.
func (c *composing) problem(s *models.Session) string {
	switch target := s.CompositionStatus.Target; {
	case !s.IsAbstract:
		return "is a programme session, not a submission"
	case target != nil && target.ID == c.form.into && c.form.into != "":
		return ""
	case target != nil && target.InTrash:
		return "is in the session " + target.FriendlyID + ", which is in the Trash"
	case target != nil:
		return "is in the session " + target.FriendlyID + " already"
	case s.DeletedAt != nil:
		return "is in the Trash"
	case s.Status == models.Draft:
		return "is a draft that was not handed in"
	case s.Status == models.Declined || s.Status == models.Withdrawn:
		return "is " + string(s.Status)
	}
	return ""
}

// save composes, once however often the form is sent, and leads to the session.
func (c *composing) save() error {
	c.form.settle()
	composition, faults := c.form.composition(c.rows)
	if c.form.description.from == fromTyped {
		c.loses = sessions.LosesMarkup(c.form.description.typed)
	}
	switch {
	case len(faults) > 0:
		c.Faults = faults
		return c.show(http.StatusUnprocessableEntity)
	case c.chosenChanged():
		return c.conflict()
	case len(c.loses) > 0 && !sessions.KnowsLoss(c.Visit, c.form.description.typed):
		return c.show(http.StatusOK)
	}
	was := c.into
	s, err := visit.Made(c.Visit, func(ctx context.Context) (*models.Session, error) {
		return c.Programme.ComposeParts(ctx, composition)
	}, func(s *models.Session) string { return c.At("/sessions/" + s.ID) })
	switch store.KindOf(err) {
	case store.Stale, store.NotFound:
		return c.conflict()
	case store.Invalid:
		if err := c.reload(); err != nil {
			return err
		}
		if c.blocked() {
			return c.conflict()
		}
		c.Faults = composeFaults(err)
		return c.show(http.StatusUnprocessableEntity)
	}
	if err != nil {
		return err
	}
	collides, err := warn.Collides(c.Visit, s, was)
	if err != nil {
		return err
	}
	c.KeepWarnings(c.madeOf(s), collides)
	return c.Lead(c.At("/sessions/" + s.ID))
}

// chosenChanged tells whether a part whose text was chosen changed since the user saw it.
func (c *composing) chosenChanged() bool {
	return slices.ContainsFunc(c.form.parts, func(p composedPart) bool {
		s := c.rows[p.ID]
		return s != nil && (p.ID == c.form.title.from || p.ID == c.form.description.from) && p.Token != "" &&
			p.Token != s.UpdatedAt.String()
	})
}

// madeOf says what a session is made of now.
func (c *composing) madeOf(s *models.Session) string {
	var labels []string
	for _, part := range c.form.parts {
		if row := c.rows[part.ID]; row != nil {
			labels = append(labels, row.FriendlyID)
		}
	}
	if len(labels) == 0 {
		return s.FriendlyID + " is made of no submission any more."
	}
	if len(labels) > 4 {
		labels = []string{visit.Counted(int64(len(labels)), "submission", "submissions")}
	}
	text := s.FriendlyID + " is made of " + visit.Enumerated(labels) + "."
	if len(c.loses) > 0 {
		text += " Its description was saved without " + sessions.LossInWords(c.loses) + "."
	}
	return text
}

// composeFaults renames faults to the fields of the page.
func composeFaults(err error) components.Faults {
	faults := page.FaultsOf(err)
	for i, f := range faults {
		switch {
		case f.Field == "participants" || f.Field == "tag_ids" || f.Field == "abstract_ids" || f.Field == "parts":
			faults[i] = components.Fault{Message: "The session " + f.Message}
		case strings.HasPrefix(f.Field, "participants["):
			faults[i] = components.Fault{Message: "A role " + f.Message}
		}
	}
	return faults
}
