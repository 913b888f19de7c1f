package models

import (
	"context"

	"lectern/models/store"
)

// SessionEdit is one change of a session, by what it is once it is held, together with what a package on top of the
// programme does in the same transaction.
type SessionEdit struct {
	// Draft is the change of a draft that saves itself: nothing is emitted and no line kept. Its token moves.
	Draft bool
	// Names tells that rows of the event's metadata may be put on the session.
	Names bool
	// Seat are people for Decide to put on the session: they are found or made, are at the event from then on, and are
	// held before the session is.
	Seat []Participation
	// Decide says what becomes of the session, given those who were asked for in Seat. Its error takes all back.
	Decide func(tx *store.Tx, s *Session, seated []*Participant) (SessionChange, error)
}

// EditSession changes a session by what becomes of it once it is held. It answers as UpdateSession and ChangePeople
// do, with any error of Decide, and emits as UpdateSession does. A change that changes nothing writes nothing of the
// session.
func (p *Programme) EditSession(ctx context.Context, id string, e SessionEdit) (*Session, error) {
	refs, err := p.metadata(ctx)
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

// edit is EditSession for changes that are clean.
func (p *Programme) edit(ctx context.Context, id string, refs metadataSet, e SessionEdit) (*Session, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Session, error) {
		if e.Names {
			if err := p.shareMetadata(tx); err != nil {
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
