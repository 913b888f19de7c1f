package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/outbox"
	"lectern/models/store"
)

// CompositionStatus tells how a session takes part in a composition.
type CompositionStatus struct {
	Role        string             `json:"role" enum:"standalone,source,target" doc:"source = the abstract, target = the session it was composed into"`
	IsLinked    bool               `json:"is_linked" doc:"Title and description are one text with the other side's"`
	IsReadOnly  bool               `json:"is_read_only" doc:"Title and description are edited on the target"`
	SourceCount int                `json:"source_count"`
	Target      *CompositionTarget `json:"target"`
}

// CompositionTarget is the session an abstract was composed into.
type CompositionTarget struct {
	ID         string `json:"id"`
	FriendlyID string `json:"friendly_id"`
	Title      string `json:"title"`
	IsAbstract bool   `json:"is_abstract"`
}

// Sources returns the live abstracts that a session was composed of, in the
// order they came in: id, friendly id and title alone.
func (p *Programme) Sources(ctx context.Context, sessionID string) ([]*Session, error) {
	var sources []*Session
	err := p.read(ctx).Select("id, friendly_id, title, is_abstract").
		Where("event_id = ? AND composed_into = ? AND deleted_at IS NULL", p.event.ID, sessionID).
		Order("created_at, id").Find(&sources).Error
	return sources, err
}

// loadCompositions fills the composition status of all sessions, in one query
// that is left out where no composition is possible.
func loadCompositions(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	var targets, candidates []string
	for _, id := range slices.Sorted(maps.Keys(sessions)) {
		s := sessions[id]
		s.CompositionStatus = CompositionStatus{Role: "standalone"}
		if s.ComposedInto != nil {
			targets = append(targets, *s.ComposedInto)
		} else if !s.IsAbstract {
			candidates = append(candidates, id)
		}
	}
	if len(targets)+len(candidates) == 0 {
		return nil
	}
	var rows []*Session
	query := db.Select("id, friendly_id, title, is_abstract, composed_into, is_linked")
	switch {
	case len(candidates) == 0:
		query = query.Where("event_id = ? AND id IN ?", eventID, targets)
	case len(targets) == 0:
		query = query.Where("event_id = ? AND composed_into IN ?", eventID, candidates)
	default:
		query = query.Where("event_id = ? AND (id IN ? OR composed_into IN ?)", eventID, targets, candidates)
	}
	if err := query.Find(&rows).Error; err != nil {
		return err
	}
	byID := make(map[string]*Session, len(rows))
	for _, row := range rows {
		byID[row.ID] = row
		if row.ComposedInto == nil {
			continue
		}
		if target := sessions[*row.ComposedInto]; target != nil {
			status := &target.CompositionStatus
			status.Role, status.IsLinked = "target", row.IsLinked
			status.SourceCount++
		}
	}
	for _, s := range sessions {
		if s.ComposedInto == nil {
			continue
		}
		if t := byID[*s.ComposedInto]; t != nil {
			s.CompositionStatus = CompositionStatus{
				Role: "source", IsLinked: s.IsLinked, IsReadOnly: s.IsLinked,
				Target: &CompositionTarget{t.ID, t.FriendlyID, t.Title, t.IsAbstract},
			}
		}
	}
	return nil
}

// Compose makes a programme session out of abstracts, or adds them to the session into. The session takes the
// union of the participants, and the abstracts' track, format, level and tags where it has none. Composed of
// exactly one abstract, both are linked and the text is the session's. It answers NotFound for a row that is
// not live in this event and Invalid for one of the wrong kind or composed before. A new session emits
// session.created; each row whose text, people or labels change emits session.updated.
func (p *Programme) Compose(ctx context.Context, abstractIDs []string, into string) (*Session, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Session, error) {
		before, sources, err := p.composed(tx, abstractIDs, into)
		if err != nil {
			return nil, err
		}
		composing := action{name: "composed", details: map[string]any{"sources": abstractIDs}}
		target := &Session{Status: Accepted, Title: sources[0].Title, Description: sources[0].Description}
		if before == nil {
			composing.emits = outbox.SessionCreated
		} else {
			target = new(*before)
			target.Tags, target.Participants = slices.Clone(before.Tags), slices.Clone(before.Participants)
		}
		status := &target.CompositionStatus
		status.Role, status.SourceCount = "target", status.SourceCount+len(sources)
		status.IsLinked = status.SourceCount == 1
		for _, source := range sources {
			target.inherit(source)
		}
		if before == nil {
			if err := p.commit(tx, composing, change{after: target}); err != nil {
				return nil, err
			}
			return target, p.link(tx, target, sources)
		}
		if err := p.link(tx, target, sources); err != nil {
			return nil, err
		}
		return target, p.commit(tx, composing, change{before, target})
	})
}

// composed returns what is composed, held until the operation ends: the session
// into, nil when that is to be made, and the abstracts.
func (p *Programme) composed(tx *store.Tx, abstractIDs []string, into string) (
	target *Session, sources []*Session, err error) {
	if len(abstractIDs) == 0 {
		return nil, nil, store.Invalidf("abstract_ids", "must name at least one abstract")
	}
	if err := p.holdComposed(tx, abstractIDs, into); err != nil {
		return nil, nil, err
	}
	for i, id := range abstractIDs {
		source, err := p.live(tx, id)
		switch {
		case err != nil:
			return nil, nil, err
		case !source.IsAbstract:
			return nil, nil, store.Invalidf("abstract_ids", "names %s, which is no abstract", source.FriendlyID)
		case slices.Contains(abstractIDs[:i], id):
			return nil, nil, store.Invalidf("abstract_ids", "names %s twice", source.FriendlyID)
		case source.ComposedInto != nil:
			return nil, nil, store.Invalidf("abstract_ids", "names %s, which is composed into a session already",
				source.FriendlyID)
		}
		sources = append(sources, source)
	}
	if into == "" {
		return nil, sources, nil
	}
	target, err = p.live(tx, into)
	if err == nil && target.IsAbstract {
		err = store.Invalidf("into", "is an abstract; abstracts are composed into a programme session")
	}
	return target, sources, err
}

// holdComposed holds the session before the abstracts, those it is composed of already among them.
func (p *Programme) holdComposed(tx *store.Tx, abstractIDs []string, into string) error {
	for _, id := range abstractIDs {
		if !store.IsID(id) {
			return store.NoSuch("session")
		}
	}
	if err := p.shareMetadata(tx); err != nil {
		return err
	}
	if into == "" {
		return p.holdSessions(tx, "is_abstract AND id IN ?", abstractIDs)
	}
	if !store.IsID(into) {
		return store.NoSuch("session")
	}
	if err := p.holdSessions(tx, "NOT is_abstract AND id = ?", into); err != nil {
		return err
	}
	return p.holdSessions(tx, "is_abstract AND (id IN ? OR composed_into = ?)", abstractIDs, into)
}

// link makes abstracts the sources of a session. Composed of several, none of them is linked any more.
func (p *Programme) link(tx *store.Tx, target *Session, sources []*Session) error {
	var links []change
	earlier, err := p.linked(tx, target.ID)
	if err != nil {
		return err
	}
	if earlier != nil {
		links = append(links, change{earlier, earlier.linkedTo(target.ID, false)})
	}
	for _, source := range sources {
		links = append(links, change{source, source.linkedTo(target.ID, target.CompositionStatus.IsLinked)})
	}
	return p.commit(tx, updating, links...)
}

// linkedTo is the abstract as one of the sources of a session.
func (s *Session) linkedTo(target string, linked bool) *Session {
	s = new(*s)
	s.ComposedInto, s.IsLinked = &target, linked
	return s
}

// linked is the one abstract whose text is the session's, deleted or not, held until the operation ends; nil
// when there is none.
func (p *Programme) linked(tx *store.Tx, sessionID string) (*Session, error) {
	var ids []string
	err := tx.Model(&Session{}).Where("event_id = ? AND composed_into = ? AND is_linked", p.event.ID, sessionID).
		Pluck("id", &ids).Error
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return p.load(tx.Lock(), ids[0])
}

// inherit takes over from an abstract what the session has none of.
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
	for _, tag := range source.Tags {
		if !slices.ContainsFunc(s.Tags, func(t *Tag) bool { return t.ID == tag.ID }) {
			s.Tags = append(s.Tags, tag)
		}
	}
	sortTags(s.Tags)
	for _, person := range source.Participants {
		if !slices.ContainsFunc(s.Participants, func(x *Participant) bool { return x.ContactID == person.ContactID }) {
			added := *person
			added.SessionID, added.Position = s.ID, len(s.Participants)
			s.Participants = append(s.Participants, &added)
		}
	}
}

// Detach ends the link of a session with its one abstract: from now on each has a text of its own. The
// composition stays. It changes no text, people or labels, so it emits nothing and moves no token.
func (p *Programme) Detach(ctx context.Context, sessionID string) (*Session, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Session, error) {
		before, err := p.live(tx, sessionID)
		if err != nil {
			return nil, err
		}
		source, err := p.linked(tx, sessionID)
		if err != nil {
			return nil, err
		}
		if source == nil {
			return nil, store.Invalidf("session", "is not linked to an abstract")
		}
		if err := p.commit(tx, updating, change{source, source.linkedTo(sessionID, false)}); err != nil {
			return nil, err
		}
		session := new(*before)
		session.CompositionStatus.IsLinked = false
		return session, p.commit(tx, detaching, change{before, session})
	})
}
