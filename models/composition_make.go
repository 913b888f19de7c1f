package models

import (
	"context"
	"slices"
	"strconv"

	"lectern/models/outbox"
	"lectern/models/store"
)

// MaxParts and MaxPartMinutes limit the abstracts of a composition and the minutes of each.
const (
	MaxParts       = 50
	MaxPartMinutes = 24 * 60
)

// Part is an abstract as a part of the session it is composed into.
type Part struct {
	AbstractID string
	Minutes    *int        // of the session's time, 1 to MaxPartMinutes; nil leaves it open
	UpdatedAt  *store.Time // the abstract's token as it was read; nil takes it as it is
}

// Composition says what a session is to be composed of.
type Composition struct {
	Into      string      // the session's id; "" makes a new session
	UpdatedAt *store.Time // its token as it was read; nil forces the write
	Was       []Part      // its parts as they were read; compared if there is a token
	Parts     []Part      // all its parts from now on, in this order, at most MaxParts

	Title, Description *string         // nil: the session's own; for a new one, the first abstract's
	Roles              map[string]Role // by contact, replacing the roles of the abstracts' people

	adds     bool // the parts come after the present ones, and none leaves
	accepted bool // an abstract that is not accepted, or in a session already, is refused
}

// Compose adds abstracts after the present parts of a session, as ComposeParts does, without checking tokens.
func (p *Programme) Compose(ctx context.Context, abstractIDs []string, into string) (*Session, error) {
	c := Composition{Into: into, adds: true}
	for _, id := range abstractIDs {
		c.Parts = append(c.Parts, Part{AbstractID: id})
	}
	if len(c.Parts) == 0 {
		return nil, store.Invalidf("abstract_ids", "must name at least one abstract")
	}
	return p.ComposeParts(ctx, c)
}

// ComposeParts makes a programme session out of abstracts, or sets what an existing one is composed of. From each
// added abstract the session takes the people, each once, and the track, format, level and tags that it lacks itself.
// When an abstract leaves, both sides keep what they have. A session that comes to have exactly one abstract is
// linked to it: they share the session's text.
//
// It answers NotFound for a row that is not live in this event; Invalid for one of the wrong kind, composed before, or
// a draft, declined or withdrawn, for a text, role or minutes that break a rule, and for too many parts or people;
// Stale when a token is outdated or the session has other parts than were read. A new session emits session.created;
// each row whose text, people or labels change emits session.updated.
func (p *Programme) ComposeParts(ctx context.Context, c Composition) (*Session, error) {
	if err := c.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		w, err := p.gather(tx, &c)
		if err != nil {
			return nil, err
		}
		target, err := w.session(&c)
		if err != nil {
			return nil, err
		}
		if w.before == nil {
			err = p.commit(tx, action{name: "composed", emits: outbox.SessionCreated, details: w.details()},
				change{after: target})
		}
		if err == nil {
			err = p.link(tx, w, target)
		}
		switch {
		case err != nil:
			return nil, err
		case w.before == nil: // it came into being before it had the abstract whose text is its own
			return target, p.carryText(tx, updating, change{new(Session), target})
		}
		why := updating
		if len(w.added) > 0 {
			why = action{name: "composed", details: w.details()}
		}
		return target, p.commit(tx, why, change{w.before, target})
	})
}

// clean cleans the texts and checks the rules that need no rows.
func (c *Composition) clean() error {
	var f store.Faults
	cleanTexts(&f, &c.Title, &c.Description)
	if len(c.Parts) > MaxParts {
		f.Add(store.Invalidf("parts", "has %d abstracts; at most %d are allowed", len(c.Parts), MaxParts))
	}
	if len(c.Parts) == 0 && c.Into == "" {
		f.Add(store.Invalidf("parts", "must have at least one abstract"))
	}
	for i, part := range c.Parts {
		if part.Minutes != nil && (*part.Minutes < 1 || *part.Minutes > MaxPartMinutes) {
			f.Add(store.Invalidf("parts["+strconv.Itoa(i)+"].minutes", "must be between 1 and %d", MaxPartMinutes))
		}
	}
	return f.Err()
}

// gathered is a composition with all its rows, locked.
type gathered struct {
	before  *Session   // the session as it was; nil for a new one
	was     []*Session // its live parts as they were, in order
	hidden  []*Session // the parts in the Trash, which stay
	parts   []*Session // the abstracts as they were, in their new order
	minutes []*int     // of the parts
	added   []*Session
	removed []*Session
}

// gather locks and checks the session, then the abstracts.
func (p *Programme) gather(tx *store.Tx, c *Composition) (*gathered, error) {
	byID, order, err := p.holdComposed(tx, c)
	if err != nil {
		return nil, err
	}
	w := &gathered{}
	if c.Into != "" {
		if w.before, err = p.Live(tx, c.Into); err != nil {
			return nil, err
		}
		if w.before.IsAbstract {
			return nil, store.Invalidf("into", "is an abstract; abstracts are composed into a programme session")
		}
	}
	for _, id := range order {
		if s := byID[id]; s.ComposedInto != nil && *s.ComposedInto == c.Into {
			list := map[bool]*[]*Session{true: &w.hidden, false: &w.was}[s.DeletedAt != nil]
			*list = append(*list, s)
		}
	}
	if err := w.unchanged(c); err != nil {
		return nil, err
	}
	return w, w.take(c, byID)
}

// unchanged answers Stale if the session or its parts changed since they were read.
func (w *gathered) unchanged(c *Composition) error {
	if w.before == nil || c.UpdatedAt == nil {
		return nil
	}
	if !c.UpdatedAt.Equal(w.before.UpdatedAt.Time) || !slices.EqualFunc(c.Was, w.was, func(part Part, s *Session) bool {
		return part.AbstractID == s.ID && equal(part.Minutes, s.PartMinutes)
	}) {
		return errStale
	}
	return nil
}

// take fills in the parts of w and sorts out which of them come and which leave.
func (w *gathered) take(c *Composition, byID map[string]*Session) error {
	if c.adds {
		for _, s := range w.was {
			w.parts, w.minutes = append(w.parts, s), append(w.minutes, s.PartMinutes)
		}
	}
	for i, part := range c.Parts {
		s := byID[part.AbstractID]
		if s == nil || s.DeletedAt != nil {
			return store.NoSuch("session")
		}
		isPart := slices.Contains(w.was, s)
		if err := s.composable(c, isPart && !c.adds); err != nil {
			return err
		}
		if slices.ContainsFunc(c.Parts[:i], func(x Part) bool { return x.AbstractID == s.ID }) {
			return store.Invalidf("abstract_ids", "names %s twice", s.FriendlyID)
		}
		if !isPart {
			if part.UpdatedAt != nil && !part.UpdatedAt.Equal(s.UpdatedAt.Time) {
				return errStale
			}
			w.added = append(w.added, s)
		}
		w.parts, w.minutes = append(w.parts, s), append(w.minutes, part.Minutes)
	}
	for _, s := range w.was {
		if !slices.Contains(w.parts, s) {
			w.removed = append(w.removed, s)
		}
	}
	if len(w.parts) > MaxParts {
		return store.Invalidf("parts", "has %d abstracts; at most %d are allowed", len(w.parts), MaxParts)
	}
	return nil
}

// unfit are the statuses in which an abstract cannot be composed: it was not submitted, or will not take place.
var unfit = append([]Status{Draft}, Placeless...)

// composable answers Invalid for an abstract that cannot be a part. One that is a part already may stay.
func (s *Session) composable(c *Composition, isPart bool) error {
	switch {
	case !s.IsAbstract:
		return store.Invalidf("abstract_ids", "names %s, which is no abstract", s.FriendlyID)
	case isPart:
		return nil
	case c.accepted && s.ComposedInto != nil:
		return store.Invalidf("submission", "is in a session already")
	case c.accepted && s.Status != Accepted:
		return store.Invalidf("submission", "is not accepted, so it stays in no session")
	case s.ComposedInto != nil:
		return store.Invalidf("abstract_ids", "names %s, which is composed into a session already", s.FriendlyID)
	case slices.Contains(unfit, s.Status):
		return store.Invalidf("abstract_ids", "names %s, whose status is %s", s.FriendlyID, s.Status)
	}
	return nil
}

// holdComposed locks everything that a composition may change, in the order of locks: metadata, people, the session,
// then the abstracts, including its present parts. It returns the abstracts by id, and their ids in order.
func (p *Programme) holdComposed(tx *store.Tx, c *Composition) (byID map[string]*Session, order []string, err error) {
	named := store.Map(c.Parts, func(part Part) string { return part.AbstractID })
	if slices.ContainsFunc(append(slices.Clone(named), c.Into), func(id string) bool { return id != "" && !store.IsID(id) }) ||
		slices.Contains(named, "") {
		return nil, nil, store.NoSuch("session")
	}
	if err := p.ShareMetadata(tx); err != nil {
		return nil, nil, err
	}
	var people []string
	if err := KeyShare(tx).Model(&Contact{}).Where("organization_id = ?", p.event.OrganizationID).
		Where("id IN (SELECT contact_id FROM participants WHERE event_id = ? AND session_id IN ?)", p.event.ID, named).
		Order("id").Pluck("id", &people).Error; err != nil {
		return nil, nil, err
	}
	if c.Into != "" {
		if err := p.HoldSessions(tx, "NOT is_abstract AND id = ?", c.Into); err != nil {
			return nil, nil, err
		}
	}
	const theirs = "is_abstract AND (id IN ? OR composed_into = ?)"
	if err := p.HoldSessions(tx, theirs, named, c.Into); err != nil {
		return nil, nil, err
	}
	err = tx.Model(&Session{}).Where("event_id = ?", p.event.ID).Where("id IN ? OR composed_into = ?", named, c.Into).
		Order(partOrder).Pluck("id", &order).Error
	if err != nil {
		return nil, nil, err
	}
	rows, err := p.LoadAll(tx.DB, order)
	return store.ByKey(rows, func(s *Session) string { return s.ID }), order, err
}

func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
