package compose

import (
	"slices"
	"strconv"

	"lectern/models"
	"lectern/models/outbox"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/compose"
	"lectern/web/admin/visit"
	"lectern/web/admin/warn"
)

// effects fills in what composing would do, in numbers and in sentences.
func (c *composing) effects(p *pages.Page, people []*models.Participant) error {
	parts, added := int64(len(c.form.parts)), int64(len(c.added()))
	count := func(n int64, one, many string) {
		p.Numbers = append(p.Numbers, pages.Effect{Number: visit.Number(n), Text: map[bool]string{true: one,
			false: many}[n == 1]})
	}
	count(parts, "part", "parts")
	if minutes, open := c.minutes(); minutes > 0 {
		count(int64(minutes), "minute in all", "minutes in all")
		p.Says = append(p.Says, c.fits(minutes, open)...)
	}
	count(int64(len(people)), "person on it", "people on it")
	if c.into == nil {
		p.Numbers = append(p.Numbers, pages.Effect{Number: "1", Text: "new session", Event: string(outbox.SessionCreated)})
		if p.Verb = "Compose into session"; parts > 0 {
			p.Verb = "Compose " + visit.Counted(parts, "submission", "submissions")
		}
	} else {
		p.Verb = "Save the parts of " + c.into.FriendlyID
		if added > 0 {
			p.Verb = "Compose " + visit.Counted(added, "submission", "submissions") + " into " + c.into.FriendlyID
		}
		if left := c.leaving(); len(left) > 0 {
			p.Says = append(p.Says, visit.Enumerated(left)+map[bool]string{true: " leaves", false: " leave"}[len(left) == 1]+
				" the session. Its people and text stay as they are.")
		}
	}
	p.Says = append(p.Says, c.link()...)
	held, err := c.held()
	if err != nil {
		return err
	}
	p.Says = append(p.Says, held...)
	if c.into != nil {
		p.Collides, err = c.wouldCollide(people)
	}
	return err
}

// wouldCollide returns the conflicts that the session would have with these people.
func (c *composing) wouldCollide(people []*models.Participant) ([]components.Linked, error) {
	then := new(*c.into)
	then.Participants = people
	conflicts, err := c.Programme.WouldConflict(c.UserContext(), then)
	return warn.Conflicts(c.Visit, conflicts), err
}

// minutes returns the minutes of all parts, and how many parts have none.
func (c *composing) minutes() (sum, open int) {
	for _, part := range c.form.parts {
		n := minutesOf(part.Minutes)
		if sum += n; n == 0 {
			open++
		}
	}
	return sum, open
}

// fits says whether the parts are longer or shorter than the time that the session is placed for.
func (c *composing) fits(minutes, open int) []string {
	if c.into == nil || c.into.StartsAt == nil || c.into.EndsAt == nil {
		return nil
	}
	long := int(c.into.EndsAt.Sub(c.into.StartsAt.Time).Minutes())
	switch {
	case minutes > long:
		return []string{"The parts take " + strconv.Itoa(minutes-long) + " min more than the " + strconv.Itoa(long) +
			" min that " + c.into.FriendlyID + " is placed for."}
	case open == 0 && minutes < long:
		return []string{strconv.Itoa(long-minutes) + " of the " + strconv.Itoa(long) + " min of " + c.into.FriendlyID + " are left."}
	}
	return nil
}

// leaving returns the parts that the form takes out of the session.
func (c *composing) leaving() (labels []string) {
	for _, s := range c.theirs {
		if !c.form.has(s.ID) {
			labels = append(labels, s.FriendlyID)
		}
	}
	return labels
}

// link says what becomes of the texts.
func (c *composing) link() []string {
	added, parts := c.added(), c.form.parts
	switch {
	case len(parts) == 1 && len(added) == 1 && (c.into == nil || len(c.theirs) == len(c.leaving())):
		label := added[0].FriendlyID
		return []string{"Title and description are one text with " + label + " from then on; " + label + " takes what you choose here."}
	case len(added) > 0 && c.into != nil && c.into.CompositionStatus.IsLinked:
		return []string{c.theirs[0].FriendlyID + " keeps the text it has now: it is not one with the session's any more."}
	case len(parts) > 1 && len(added) > 0:
		return []string{"Each submission keeps its own text."}
	}
	return nil
}

// held says which parts keep the session from being published.
func (c *composing) held() (says []string, err error) {
	var undecided []string
	var rows []*models.Session
	for _, part := range c.form.parts {
		s := c.rows[part.ID]
		switch {
		case s == nil:
		case s.Status != models.Accepted:
			undecided = append(undecided, s.FriendlyID)
		default:
			rows = append(rows, s)
		}
	}
	if len(undecided) > 0 {
		says = append(says, "Held back from the public until "+visit.Enumerated(undecided)+
			map[bool]string{true: " is", false: " are"}[len(undecided) == 1]+" accepted and told.")
	}
	if len(rows) == 0 {
		return says, nil
	}
	states, err := c.Programme.LetterStates(c.UserContext(), rows)
	untold := slices.DeleteFunc(rows, func(s *models.Session) bool {
		return states[s.ID] == models.LetterSent || states[s.ID] == models.LetterTold
	})
	if len(untold) > 0 {
		says = append(says, "Held back from the public until the "+
			map[bool]string{true: "letter", false: "letters"}[len(untold) == 1]+" of "+visit.Enumerated(labelsOf(untold))+
			map[bool]string{true: " is sent.", false: " are sent."}[len(untold) == 1])
	}
	return says, err
}

func labelsOf(rows []*models.Session) []string {
	return store.Map(rows, func(s *models.Session) string { return s.FriendlyID })
}
