package compose

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/store"
	pages "lectern/views/pages/compose"
	"lectern/views/records"
	"lectern/web/admin/sessions"
	"lectern/web/admin/visit"
)

// show shows the page as it stands.
func (c *composing) show(status int) error {
	c.form.settle()
	c.Section = c.At("/submissions")
	f := &c.form
	was, _ := json.Marshal(f.was)
	p := pages.Page{
		Action: c.At("/compose"), Cancel: c.At("/submissions"), Was: string(was), Into: f.into, Token: f.token,
		Left: c.left, Who: c.who, Typed: pages.TypedText{Title: f.title.typed, Description: f.description.typed},
		Removed: sessions.RemovedOnSave(f.description.typed, c.loses),
	}
	title := "Compose into session"
	if c.into != nil {
		title = "Parts of " + c.into.FriendlyID
		c.Section, p.Cancel = c.At("/sessions"), c.At("/sessions/"+c.into.ID)
		p.Target = records.Record{Label: c.into.FriendlyID, Name: c.into.Title, URL: p.Cancel}
		p.TargetWhen = sessions.WhenIs(c.Visit, c.into)
	}
	for i := range f.parts {
		p.Parts = append(p.Parts, c.part(i))
	}
	p.Titles, p.Texts = c.choices(f.title.from, func(s *models.Session) string { return s.Title }), c.texts()
	people := c.united()
	p.People = c.people(people)
	p.Same = sameNames(people)
	if err := c.effects(&p, people); err != nil {
		return err
	}
	if err := c.searches(&p); err != nil {
		return err
	}
	return visit.Show(c.Visit, status, title, pages.Compose, p)
}

// part returns the row of the part at an index.
func (c *composing) part(at int) pages.Part {
	f := c.form.parts[at]
	p := pages.Part{ID: f.ID, Token: f.Token, Minutes: f.Minutes, Became: c.became[f.ID],
		Stays: indexOfPart(c.form.was, f.ID) >= 0, Wrong: f.Minutes != "" && minutesOf(f.Minutes) == 0}
	s := c.rows[f.ID]
	if s == nil {
		p.Title, p.Problem = "A record that is gone", "It is not there any more. Take it out to go on."
		return p
	}
	p.Title, p.Label, p.Status, p.URL = s.Title, s.FriendlyID, string(s.Status), c.At("/sessions/"+s.ID)
	p.By = sessions.NamesOn(s)
	if problem := c.problem(s); problem != "" {
		p.Problem = s.FriendlyID + " " + problem + ". Take it out to go on."
	}
	return p
}

// texts returns the choices of its description.
func (c *composing) texts() []pages.TextChoice {
	choices := c.choices(c.form.description.from, func(s *models.Session) string {
		return visit.Beginning(store.PlainText(s.Description), 240)
	})
	if len(c.form.parts) > 1 {
		choices = append(choices, pages.TextChoice{Value: fromAll, Label: "All of them",
			Chosen: c.form.description.from == fromAll,
			Text:   "One after the other, each under its title"})
	}
	return choices
}

// choices returns the texts of the session and of its parts.
func (c *composing) choices(from string, text func(*models.Session) string) (choices []pages.TextChoice) {
	if c.into != nil {
		choices = append(choices, pages.TextChoice{Value: fromSession, Label: c.into.FriendlyID + " keeps its own",
			Text: text(c.into), Chosen: from == fromSession})
	}
	for _, part := range c.form.parts {
		if s := c.rows[part.ID]; s != nil {
			choices = append(choices, pages.TextChoice{Value: s.ID, Label: s.FriendlyID, Text: text(s), Chosen: from == s.ID})
		}
	}
	return choices
}

// added returns the abstracts that are new to the session.
func (c *composing) added() (added []*models.Session) {
	for _, part := range c.form.parts {
		if s := c.rows[part.ID]; s != nil && indexOfPart(c.form.was, part.ID) < 0 {
			added = append(added, s)
		}
	}
	return added
}

// united returns the people that the session would have, with the roles of the form.
func (c *composing) united() []*models.Participant {
	var on []*models.Participant
	if c.into != nil {
		on = c.into.Participants
	}
	people := models.Unite(on, c.added()...)
	for i, x := range people {
		if role := c.form.roles[x.ContactID]; slices.Contains(models.ParticipantRoles, role) {
			people[i] = new(*x)
			people[i].Role = role
		}
	}
	return people
}

// people returns the rows of these people, each with the records that they come from.
func (c *composing) people(united []*models.Participant) (rows []pages.Person) {
	for _, x := range united {
		row := pages.Person{ID: x.ContactID, Name: x.FullName, Company: x.CompanyName,
			URL: c.At("/speakers/" + x.ContactID), Roles: visit.Choices(models.ParticipantRoles, visit.Named, string(x.Role))}
		var from []string
		if c.into != nil && sessions.PlaceOn(c.into, x.ContactID) >= 0 {
			from = append(from, c.into.FriendlyID)
		}
		for _, s := range c.added() {
			if sessions.PlaceOn(s, x.ContactID) >= 0 {
				from = append(from, s.FriendlyID)
			}
		}
		row.From = strings.Join(from, ", ")
		rows = append(rows, row)
	}
	return rows
}

// sameNames returns names that two of the people share: perhaps one person who is in the directory twice.
func sameNames(people []*models.Participant) (names []string) {
	for i, x := range people {
		same := func(y *models.Participant) bool { return store.Fold(y.FullName) == store.Fold(x.FullName) }
		if slices.ContainsFunc(people[:i], same) && !slices.Contains(names, x.FullName) {
			names = append(names, x.FullName)
		}
	}
	return names
}

// foundParts is how many submissions, and how many sessions, a search shows.
const foundParts = 8

// searches fills in the submissions that could be parts (those that wait for a session, if no text was typed) and the
// sessions that match what was typed.
func (c *composing) searches(p *pages.Page) error {
	q := models.SessionSearch{Filter: models.SessionFilter{IsAbstract: new(true), Text: c.form.find}, Sort: models.ByTitle,
		Ascending: true, Page: store.Page{Number: 1, Size: foundParts + models.MaxParts}}
	p.Find, p.FindInto = c.form.find, c.form.findInto
	if q.Filter.Text == "" {
		q.Filter.Needs = models.NeedsSession
	}
	rows, err := c.matching(q)
	if err != nil {
		return err
	}
	for _, s := range rows {
		if !c.form.has(s.ID) && len(p.Found) < foundParts {
			p.Found = append(p.Found, pages.FoundPart{ID: s.ID, Label: s.FriendlyID, Title: s.Title, By: sessions.NamesOn(s),
				Problem: c.problem(s)})
		}
	}
	if c.form.findInto == "" {
		return nil
	}
	q.Filter, q.Page.Size = models.SessionFilter{IsAbstract: new(false), Text: c.form.findInto}, foundParts
	if rows, err = c.matching(q); err != nil {
		return err
	}
	for _, s := range rows {
		p.FoundInto = append(p.FoundInto, pages.FoundPart{ID: s.ID, Label: s.FriendlyID, Title: s.Title,
			By: sessions.WhenIs(c.Visit, s)})
	}
	return nil
}

// matching returns the records that a search finds; none for a text that is too long.
func (c *composing) matching(q models.SessionSearch) ([]*models.Session, error) {
	if utf8.RuneCountInString(q.Filter.Text) > store.MaxSearchText {
		return nil, nil
	}
	rows, _, err := c.Programme.SearchSessions(c.UserContext(), q)
	if store.KindOf(err) == store.Invalid {
		return nil, nil
	}
	return rows, err
}
