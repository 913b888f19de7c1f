package models

import (
	"context"

	"lectern/models/store"
)

// CreateSession adds an abstract or a programme session with its people, who become contacts if they are not yet. It
// answers Invalid for a field that breaks its rule, and for people as ChangePeople does. It emits session.created.
func (p *Programme) CreateSession(ctx context.Context, n NewSession) (*Session, error) {
	made, err := p.create(ctx, []NewSession{n}, n.People)
	if err != nil {
		return nil, err
	}
	return made[0], nil
}

// CreateSessions adds sessions as CreateSession adds each, all or none, but without people.
func (p *Programme) CreateSessions(ctx context.Context, all []NewSession) ([]*Session, error) {
	return p.create(ctx, all, nil)
}

// create adds sessions, each with these people.
func (p *Programme) create(ctx context.Context, all []NewSession, people []Participation) ([]*Session, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	inputs, names := make([]*SessionChange, len(all)), false
	for i := range all {
		inputs[i] = all[i].change()
		if err := inputs[i].clean(refs); err != nil {
			return nil, err
		}
		names = names || inputs[i].names()
	}
	return store.Make(ctx, p.Write, func(tx *store.Tx) ([]*Session, error) {
		made, changes := make([]*Session, len(all)), make([]change, len(all))
		for i, c := range inputs {
			made[i] = &Session{IsAbstract: all[i].IsAbstract, Status: Accepted}
			if made[i].IsAbstract {
				made[i].Status = Pending
			}
			if err := c.apply(made[i], refs); err != nil {
				return nil, err
			}
			changes[i].after = made[i]
		}
		if names {
			if err := p.ShareMetadata(tx); err != nil {
				return nil, err
			}
		}
		seated, err := p.seat(tx, people)
		if err != nil {
			return nil, err
		}
		for _, s := range made {
			s.Participants = seatedAs(seated)
		}
		return made, p.commit(tx, creating, changes...)
	})
}

// UpdateSession applies a partial change. It answers Invalid, NotFound (also for a deleted row), Stale when the
// change's token is outdated, and GateHeld; then nothing of the change is applied. A change without a difference writes
// and emits nothing.
//
// It emits session.published when the session becomes public, session.updated for any other change, also of the linked
// abstract, and in addition decision.committed when an abstract becomes accepted or declined.
func (p *Programme) UpdateSession(ctx context.Context, id string, c SessionChange) (*Session, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.clean(refs); err != nil {
		return nil, err
	}
	return p.edit(ctx, id, refs, SessionEdit{Names: c.names(),
		Decide: func(*store.Tx, *Session, []*Participant) (SessionChange, error) { return c, nil }})
}

// apply writes c to s, a copy of before.
func (p *Programme) apply(tx *store.Tx, s, before *Session, c SessionChange, refs MetadataSet) error {
	if c.IsAbstract != nil && *c.IsAbstract != s.IsAbstract {
		return store.Invalidf("is_abstract", "cannot be changed; compose the abstract into a session instead")
	}
	if err := c.apply(s, refs); err != nil {
		return err
	}
	if err := before.allowsText(s); err != nil {
		return err
	}
	if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
		return errStale
	}
	if c.People != nil {
		s.Participants = seatedAs(*c.People)
	}
	if err := p.setContent(tx, s, c.ContentState); err != nil {
		return err
	}
	if c.IsPublic == nil || !*c.IsPublic {
		s.IsPublic = s.IsPublic && c.IsPublic == nil
		return nil
	}
	return p.publish(tx, s, c.PublishOverride)
}

var errStale = store.Outdated(
	"Someone else changed this session since you read it. Read it again, then repeat your change.")

// allowsText answers Invalid for a change to the text of an abstract whose text is edited on its linked session.
func (s *Session) allowsText(after *Session) error {
	if !s.CompositionStatus.IsReadOnly {
		return nil
	}
	target := s.CompositionStatus.Target
	elsewhere := func(field string) error {
		return store.Invalidf(field, "is edited on the linked session %s (%s)", target.FriendlyID, target.ID)
	}
	var f store.Faults
	if s.Title != after.Title {
		f.Add(elsewhere("title"))
	}
	if s.Description != after.Description {
		f.Add(elsewhere("description"))
	}
	return f.Err()
}

// SharesText reports whether the text is shared with one abstract.
func (s *Session) SharesText() bool {
	return s.CompositionStatus.Role == "target" && s.CompositionStatus.IsLinked
}

func (s *Session) sameText(other *Session) bool {
	return s.Title == other.Title && s.Description == other.Description
}

// DeleteSession hides a live session until it is restored. It answers NotFound
// for one that is not live and emits session.deleted.
func (p *Programme) DeleteSession(ctx context.Context, id string) (*Session, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		before, err := p.Live(tx, id)
		if err != nil {
			return nil, err
		}
		s := new(*before)
		s.DeletedAt = &tx.Now
		return s, p.commit(tx, deleting, change{before, s})
	})
}

// RestoreSession brings a deleted session back. It answers NotFound for one
// that was never deleted, and emits nothing.
func (p *Programme) RestoreSession(ctx context.Context, id string) (*Session, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		before, err := p.load(tx.Lock(), id)
		if err != nil {
			return nil, err
		}
		if before.DeletedAt == nil {
			return nil, store.Missing("This session was not deleted, so there is nothing to restore.")
		}
		s := new(*before)
		s.DeletedAt = nil
		return s, p.commit(tx, restoring, change{before, s})
	})
}
