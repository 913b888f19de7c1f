package models

import (
	"context"

	"lectern/models/store"
)

// SessionEdit is a change of a session that is decided once the session is locked, together with what a room on top
// does in the same transaction.
type SessionEdit struct {
	// Draft marks a draft that saves itself: it emits and records nothing; its token moves.
	Draft bool
	// Names allows Decide to set metadata.
	Names bool
	// Seat are people for Decide to put on the session. They are found or created, are put at the event, and are
	// locked before the session.
	Seat []Participation
	// Decide returns the change, given the session and the people of Seat. Its error rolls all back.
	Decide func(tx *store.Tx, s *Session, seated []*Participant) (SessionChange, error)
}

// EditSession makes a SessionEdit. It answers as UpdateSession and ChangePeople do, or with the error of Decide, and
// emits as UpdateSession does. It does not write the session if nothing changes.
func (p *Programme) EditSession(ctx context.Context, id string, e SessionEdit) (*Session, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	decide := e.Decide
	e.Decide = func(tx *store.Tx, s *Session, seated []*Participant) (SessionChange, error) {
		c, err := decide(tx, s, seated)
		if err != nil {
			return c, err
		}
		return c, c.clean(refs)
	}
	return p.edit(ctx, id, refs, e)
}

// edit is EditSession for clean input.
func (p *Programme) edit(ctx context.Context, id string, refs MetadataSet, e SessionEdit) (*Session, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Session, error) {
		if e.Names {
			if err := p.ShareMetadata(tx); err != nil {
				return nil, err
			}
		}
		seated, err := p.seat(tx, e.Seat)
		if err != nil {
			return nil, err
		}
		before, err := p.live(tx, id)
		if err != nil {
			return nil, err
		}
		c, err := e.Decide(tx, new(*before), seated)
		if err != nil {
			return nil, err
		}
		s, action := new(*before), updating
		if e.Draft {
			action = drafting
		}
		if err := p.apply(tx, s, before, c, refs); err != nil {
			return nil, err
		}
		return s, p.commit(tx, action, change{before, s})
	})
}

// AddLoaded adds sessions that a load brings. It emits nothing and keeps no line: a load has one for all.
func (p *Programme) AddLoaded(tx *store.Tx, sessions ...*Session) error {
	rows := make([]change, len(sessions))
	for i, s := range sessions {
		rows[i].after = s
	}
	return p.commit(tx, loading, rows...)
}

// SaveLoaded is AddLoaded of a session that a load writes over. The caller holds its lock.
func (p *Programme) SaveLoaded(tx *store.Tx, before, after *Session) error {
	return p.commit(tx, loading, change{before, after})
}
