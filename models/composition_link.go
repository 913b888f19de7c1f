package models

import (
	"cmp"
	"context"
	"slices"

	"lectern/models/store"
)

// placedAs reports whether an abstract kept its position in the same session.
func (s *Session) placedAs(before *Session) bool {
	return equal(s.ComposedInto, before.ComposedInto) && s.IsLinked == before.IsLinked && s.PartOrder == before.PartOrder &&
		equal(s.PartMinutes, before.PartMinutes)
}

// link makes abstracts the parts of a session and records it. With several parts none of them is linked any more.
func (p *Programme) link(tx *store.Tx, w *gathered, target *Session) error {
	linked := w.linked()
	var links []change
	for i, s := range w.parts {
		after := new(*s)
		after.ComposedInto, after.IsLinked, after.PartOrder, after.PartMinutes = &target.ID, s == linked, i+1, w.minutes[i]
		links = append(links, change{s, after})
	}
	for _, s := range w.hidden {
		links = append(links, change{s, s.linkedAs(s == linked)})
	}
	for _, s := range w.removed {
		after := s.linkedAs(false)
		after.ComposedInto, after.PartOrder, after.PartMinutes = nil, 0, nil
		after.CompositionStatus = CompositionStatus{Role: "standalone"}
		links = append(links, change{s, after})
	}
	if err := p.commit(tx, updating, links...); err != nil {
		return err
	}
	return p.tellParts(tx, w, target)
}

// linkedAs returns a copy of the abstract, linked or not.
func (s *Session) linkedAs(linked bool) *Session {
	s = new(*s)
	s.IsLinked = linked
	return s
}

// details returns what the activity says of the added abstracts.
func (w *gathered) details() map[string]any {
	return map[string]any{"sources": store.Map(w.added, func(s *Session) string { return s.ID })}
}

// tellParts records the change on each abstract that came or left; on the session it records which abstracts left,
// and changes to the order and minutes of its parts.
func (p *Programme) tellParts(tx *store.Tx, w *gathered, target *Session) error {
	var lines []store.Change
	for _, s := range w.added {
		lines = append(lines, store.Change{Subject: "session", ID: s.ID, Action: "joined",
			After: map[string]any{"composed_into": target.ID}})
	}
	left := []string{}
	for _, s := range w.removed {
		lines = append(lines, store.Change{Subject: "session", ID: s.ID, Action: "left",
			Before: map[string]any{"composed_into": target.ID}})
		left = append(left, s.ID)
	}
	if len(left) > 0 {
		lines = append(lines, store.Change{Subject: "session", ID: target.ID, Action: "parted",
			Before: map[string]any{"sources": left}})
	}
	stayed := func(s *Session) bool { return !slices.Contains(w.removed, s) }
	was, is := []map[string]any{}, []map[string]any{}
	for _, s := range slices.DeleteFunc(slices.Clone(w.was), func(s *Session) bool { return !stayed(s) }) {
		was = append(was, partFact(s, s.PartMinutes))
	}
	changed, before := false, 0 // true if earlier parts changed order or minutes, or new ones have minutes
	for i, s := range w.parts {
		is = append(is, partFact(s, w.minutes[i]))
		if slices.Contains(w.added, s) {
			changed = changed || w.minutes[i] != nil
			continue
		}
		changed = changed || was[before]["id"] != s.ID || !equal(w.minutes[i], s.PartMinutes)
		before++
	}
	if changed {
		lines = append(lines, store.Change{Subject: "session", ID: target.ID, Action: "arranged",
			Before: map[string]any{"parts": was}, After: map[string]any{"parts": is}})
	}
	for _, line := range lines {
		if err := p.Record(tx, line); err != nil {
			return err
		}
	}
	return nil
}

func partFact(s *Session, minutes *int) map[string]any {
	return map[string]any{"id": s.ID, "minutes": store.Fact(minutes)}
}

// Linked returns, locked, the one abstract that shares its text with the session, deleted or not; nil if there is
// none.
func (p *Programme) Linked(tx *store.Tx, sessionID string) (*Session, error) {
	return p.only(tx, sessionID, "is_linked")
}

// only returns, locked, the one abstract of a session that meets the conditions; nil if none or several do.
func (p *Programme) only(tx *store.Tx, sessionID string, conditions ...any) (*Session, error) {
	var ids []string
	query := tx.Model(&Session{}).Where("event_id = ? AND composed_into = ?", p.event.ID, sessionID)
	for _, condition := range conditions {
		query = query.Where(condition)
	}
	err := query.Limit(2).Pluck("id", &ids).Error
	if err != nil || len(ids) != 1 {
		return nil, err
	}
	return p.load(tx.Lock(), ids[0])
}

// Detach ends the link between a session and its one abstract: from now on each has its own text; the composition
// stays. It changes no field, so it emits nothing and moves no token. It answers NotFound for a session that is not
// live and Invalid for one that is not linked.
func (p *Programme) Detach(ctx context.Context, sessionID string) (*Session, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		before, err := p.Live(tx, sessionID)
		if err != nil {
			return nil, err
		}
		source, err := p.Linked(tx, sessionID)
		if err != nil {
			return nil, err
		}
		if source == nil {
			return nil, store.Invalidf("session", "is not linked to an abstract")
		}
		if err := p.commit(tx, updating, change{source, source.linkedAs(false)}); err != nil {
			return nil, err
		}
		session := new(*before)
		session.CompositionStatus.IsLinked = false
		return session, p.commit(tx, detaching, change{before, session})
	})
}

// LinkAgain takes a Detach back: the session and its one abstract share the session's text again, and the abstract's
// own text is overwritten. If a token is given, it must be the abstract's. It answers NotFound for a session that is
// not live, Invalid for one that has not exactly one abstract or is linked to it, and Stale. It emits session.updated
// if the abstract's text changes.
func (p *Programme) LinkAgain(ctx context.Context, sessionID string, abstract *store.Time) (*Session, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		before, err := p.Live(tx, sessionID)
		if err != nil {
			return nil, err
		}
		source, err := p.only(tx, sessionID)
		switch {
		case err != nil:
			return nil, err
		case source == nil:
			return nil, store.Invalidf("session", "is not made of exactly one abstract")
		case source.IsLinked:
			return nil, store.Invalidf("session", "is linked to its abstract already")
		case abstract != nil && !abstract.Equal(source.UpdatedAt.Time):
			return nil, errStale
		}
		if err := p.commit(tx, updating, change{source, source.linkedAs(true)}); err != nil {
			return nil, err
		}
		session := new(*before)
		session.CompositionStatus.IsLinked = true
		return session, p.commit(tx, linking, change{before, session})
	})
}

// session returns the session after the change, with what it inherits from the added abstracts.
func (w *gathered) session(c *Composition) (*Session, error) {
	target := &Session{Status: Accepted}
	if w.before != nil {
		target = new(*w.before)
		target.Tags, target.Participants = slices.Clone(w.before.Tags), slices.Clone(w.before.Participants)
	} else if len(w.parts) > 0 {
		target.Title, target.Description = w.parts[0].Title, w.parts[0].Description
	}
	if c.Title != nil {
		target.Title = *c.Title
	}
	if c.Description != nil {
		target.Description = *c.Description
	}
	count := len(w.parts) + len(w.hidden)
	target.CompositionStatus = CompositionStatus{Role: "standalone", SourceCount: count}
	if count > 0 {
		target.CompositionStatus.Role = "target"
	}
	target.CompositionStatus.IsLinked = w.linked() != nil
	tagged := len(target.Tags) > 0
	for _, source := range w.added {
		target.inherit(source)
		if !tagged {
			target.addTags(source.Tags)
		}
	}
	var known []*Participant
	if w.before != nil {
		known = w.before.Participants
	}
	target.Participants = Unite(known, w.added...)
	return target, target.recast(c.Roles)
}

// linked returns the abstract that will share its text with the session: the only one, unless it was detached.
func (w *gathered) linked() *Session {
	all := append(slices.Clone(w.parts), w.hidden...)
	if len(all) != 1 || !all[0].IsLinked && !slices.Contains(w.added, all[0]) {
		return nil
	}
	return all[0]
}

// inherit copies track, format and level from an abstract if the session has none.
func (s *Session) inherit(source *Session) {
	if s.TrackID == nil {
		s.TrackID, s.Track = source.TrackID, source.Track
	}
	if s.FormatID == nil {
		s.FormatID, s.Format = source.FormatID, source.Format
	}
	if s.LevelID == nil {
		s.LevelID, s.Level = source.LevelID, source.Level
	}
}

func (s *Session) addTags(tags []*Tag) {
	for _, tag := range tags {
		if !slices.ContainsFunc(s.Tags, func(t *Tag) bool { return t.ID == tag.ID }) {
			s.Tags = append(s.Tags, tag)
		}
	}
	sortTags(s.Tags)
}

// Unite appends the people of abstracts to those of a session, each once. People on the session keep their role; of
// several roles on abstracts the first of ParticipantRoles counts.
func Unite(on []*Participant, abstracts ...*Session) []*Participant {
	people := slices.Clone(on)
	for _, source := range abstracts {
		for _, person := range source.Participants {
			at := slices.IndexFunc(people, func(x *Participant) bool { return x.ContactID == person.ContactID })
			if at < 0 {
				added := *person
				added.Position = len(people)
				people = append(people, &added)
			} else if at >= len(on) {
				people[at].Role = StrongerRole(people[at].Role, person.Role)
			}
		}
	}
	return people
}

// recast sets the roles of people, by contact. It answers Invalid for an unknown role and for too many people or
// tags.
func (s *Session) recast(roles map[string]Role) error {
	for i, x := range s.Participants {
		role := cmp.Or(roles[x.ContactID], x.Role)
		if !slices.Contains(ParticipantRoles, role) {
			return store.Invalidf(fieldOf(i, "role"), "must be speaker, moderator or chairperson")
		}
		if role != x.Role {
			s.Participants[i] = new(*x)
			s.Participants[i].Role = role
		}
		s.Participants[i].SessionID = s.ID
	}
	switch {
	case len(s.Participants) > MaxParticipants:
		return store.Invalidf("participants", "has %d people; at most %d are allowed", len(s.Participants), MaxParticipants)
	case len(s.Tags) > store.MaxTags:
		return store.Invalidf("tag_ids", "has %d items; at most %d are allowed", len(s.Tags), store.MaxTags)
	}
	return nil
}
