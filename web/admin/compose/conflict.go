package compose

import (
	"cmp"
	"net/http"
	"slices"

	"lectern/models/store"
)

// conflict shows the form as it was sent with what changed about its records meanwhile: parts that were changed, or
// cannot be composed any more, say so, and others' changes of the session's parts are taken over. The form then carries
// the present tokens.
func (c *composing) conflict() error {
	if err := c.reload(); err != nil {
		return err
	}
	c.became = map[string]string{}
	for i, part := range c.form.parts {
		s := c.rows[part.ID]
		if s == nil || c.problem(s) == "" && part.Token == s.UpdatedAt.String() {
			continue // unchanged, or gone, which the page shows
		}
		who, err := c.WhoChanged(s.ID, nil, s.UpdatedAt)
		if target := s.CompositionStatus.Target; err == nil && target != nil && target.ID != c.form.into {
			who, err = c.somebody(s.ID)
			who += " composed it into " + target.FriendlyID + " meanwhile"
		}
		if err != nil {
			return err
		}
		c.became[s.ID] = who + "."
		c.form.parts[i].Token = s.UpdatedAt.String()
	}
	if err := c.takeTheirs(); err != nil {
		return err
	}
	return c.show(http.StatusConflict)
}

// somebody returns the name of the person who last changed a record.
func (c *composing) somebody(id string) (string, error) {
	who, err := c.Tenant().LastChangeBy(c.UserContext(), id)
	return cmp.Or(who, "Somebody"), err
}

// takeTheirs adds to the form the parts that others put into the session, marks those that they took out, and sets its
// present token.
func (c *composing) takeTheirs() error {
	f := &c.form
	if c.into == nil {
		return nil
	}
	now := store.Map(c.theirs, partOf)
	same := func(a, b composedPart) bool { return a.ID == b.ID && a.Minutes == b.Minutes }
	if f.token == c.into.UpdatedAt.String() && slices.EqualFunc(f.was, now, same) {
		return nil
	}
	who, err := c.somebody(c.into.ID)
	if err != nil {
		return err
	}
	c.who = who + " changed " + c.into.FriendlyID
	for _, s := range c.theirs {
		if indexOfPart(f.was, s.ID) < 0 && !f.has(s.ID) {
			f.parts = append(f.parts, partOf(s))
			c.became[s.ID] = "It was put into " + c.into.FriendlyID + " meanwhile."
		}
	}
	for _, p := range f.was {
		if indexOfPart(now, p.ID) < 0 && f.has(p.ID) {
			c.became[p.ID] = "It was taken out of " + c.into.FriendlyID + " meanwhile; saving puts it back."
		}
	}
	f.token, f.was = c.into.UpdatedAt.String(), now
	return c.load()
}

// reload reads the records of the form again.
func (c *composing) reload() error {
	c.into, c.theirs, c.rows = nil, nil, nil
	return c.load()
}

// blocked tells whether a part cannot be composed as it is now.
func (c *composing) blocked() bool {
	return slices.ContainsFunc(c.form.parts, func(p composedPart) bool {
		s := c.rows[p.ID]
		return s == nil || c.problem(s) != ""
	})
}
