package models

import (
	"context"
	"slices"

	"gorm.io/gorm"
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
		Where("event_id = ? AND composed_into = ? AND deleted_at IS NULL", p.event.ID, sessionID).Order("created_at, id").Find(&sources).Error
	return sources, err
}

// loadCompositions fills the composition status of all sessions, in one query
// that is left out where no composition is possible.
func loadCompositions(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	var targets, candidates []string
	for id, s := range sessions {
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

// Compose makes a programme session out of abstracts, or adds them to the
// session into. The session takes the union of the participants, and the
// abstracts' track, format, level and tags where it has none. Composed of
// exactly one abstract, both are linked. It answers NotFound for a row that is
// not live in this event and Invalid for one of the wrong kind or composed
// before. A new session emits session.created.
func (p *Programme) Compose(ctx context.Context, abstractIDs []string, into string) (*Session, error) {
	var target *Session
	err := p.write(ctx, func(tx *Tx) error {
		var err error
		target, err = p.compose(tx, abstractIDs, into)
		if err != nil {
			return err
		}
		if into == "" {
			if err := p.emit(tx, SessionCreated, target.ID, target); err != nil {
				return err
			}
		}
		return p.record(tx, activity{subject: "session", id: target.ID, action: "composed",
			after: map[string]any{"sources": abstractIDs}})
	})
	return target, err
}

func (p *Programme) compose(tx *Tx, abstractIDs []string, into string) (*Session, error) {
	if len(abstractIDs) == 0 {
		return nil, invalid("abstract_ids", "must name at least one abstract")
	}
	sources := make([]*Session, len(abstractIDs))
	for i, id := range abstractIDs {
		source, err := p.live(tx, id)
		switch {
		case err != nil:
			return nil, err
		case !source.IsAbstract:
			return nil, invalid("abstract_ids", "names %s, which is no abstract", source.FriendlyID)
		case slices.Contains(abstractIDs[:i], id):
			return nil, invalid("abstract_ids", "names %s twice", source.FriendlyID)
		case source.ComposedInto != nil:
			return nil, invalid("abstract_ids", "names %s, which is composed into a session already", source.FriendlyID)
		}
		sources[i] = source
	}
	target, err := p.composeTarget(tx, sources, into)
	if err != nil {
		return nil, err
	}
	earlier := target.CompositionStatus.SourceCount
	if err := tx.Model(&Session{}).Where("event_id = ? AND composed_into = ?", p.event.ID, target.ID).
		UpdateColumn("is_linked", false).Error; err != nil {
		return nil, err
	}
	linked := earlier == 0 && len(sources) == 1
	for _, source := range sources {
		if err := tx.Model(&Session{}).Where("id = ?", source.ID).
			UpdateColumns(map[string]any{"composed_into": target.ID, "is_linked": linked}).Error; err != nil {
			return nil, err
		}
	}
	if linked && into != "" {
		// One text from now on: the session's, which is where it is edited.
		source := new(*sources[0])
		source.Title, source.Description = target.Title, target.Description
		if err := p.saveAll(tx, source, sources[0]); err != nil {
			return nil, err
		}
	}
	return p.load(tx.DB, target.ID)
}

// composeTarget returns the session that the sources go into, filled with what
// they bring.
func (p *Programme) composeTarget(tx *Tx, sources []*Session, into string) (*Session, error) {
	if into == "" {
		target := &Session{Title: sources[0].Title, Description: sources[0].Description, Status: Accepted}
		for _, source := range sources {
			target.inherit(source)
		}
		return target, p.insert(tx, target)
	}
	before, err := p.live(tx, into)
	if err != nil {
		return nil, err
	}
	if before.IsAbstract {
		return nil, invalid("into", "is an abstract; abstracts are composed into a programme session")
	}
	target := new(*before)
	target.Tags, target.Participants = slices.Clone(before.Tags), slices.Clone(before.Participants)
	for _, source := range sources {
		target.inherit(source)
	}
	return target, p.saveAll(tx, target, before)
}

// inherit takes over from an abstract what the session has none of.
func (s *Session) inherit(source *Session) {
	take := func(to **string, from *string) {
		if *to == nil {
			*to = from
		}
	}
	take(&s.TrackID, source.TrackID)
	take(&s.FormatID, source.FormatID)
	take(&s.LevelID, source.LevelID)
	for _, tag := range source.Tags {
		if !slices.ContainsFunc(s.Tags, func(t *Tag) bool { return t.ID == tag.ID }) {
			s.Tags = append(s.Tags, tag)
		}
	}
	for _, person := range source.Participants {
		if !slices.ContainsFunc(s.Participants, func(x *Participant) bool { return x.ContactID == person.ContactID }) {
			added := *person
			added.Position = len(s.Participants)
			s.Participants = append(s.Participants, &added)
		}
	}
}

// Detach ends the link of a session with its one abstract: from now on each has
// a text of its own. The composition stays.
func (p *Programme) Detach(ctx context.Context, sessionID string) (*Session, error) {
	var session *Session
	err := p.write(ctx, func(tx *Tx) error {
		if _, err := p.live(tx, sessionID); err != nil {
			return err
		}
		done := tx.Model(&Session{}).Where("event_id = ? AND composed_into = ? AND is_linked", p.event.ID, sessionID).
			UpdateColumn("is_linked", false)
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return invalid("session", "is not linked to an abstract")
		}
		var err error
		if session, err = p.load(tx.DB, sessionID); err != nil {
			return err
		}
		return p.record(tx, activity{subject: "session", id: sessionID, action: "detached"})
	})
	return session, err
}
