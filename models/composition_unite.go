package models

import (
	"cmp"
	"slices"

	"lectern/models/store"
)

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
