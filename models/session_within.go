package models

import (
	"cmp"
	"context"
	"errors"
	"slices"

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

// SessionUpdate is a change of the session with this id.
type SessionUpdate struct {
	ID string
	SessionChange
}

// ErrApart is of an update that is not made together with others, because it changes more than its session.
var ErrApart = errors.New("an update must be made by itself")

// ApartError tells which updates are not made together with the others: those that are refused, and ErrApart.
type ApartError struct {
	At    []int // in their order
	cause error // of the first
}

func (e *ApartError) Error() string { return e.cause.Error() }

// Unwrap is what is the matter with the first of them.
func (e *ApartError) Unwrap() error { return e.cause }

// except keeps that an update is not made with the others. It returns a fault of ours, which ends all.
func (e *ApartError) except(i int, cause error) error {
	if cause == nil {
		return nil
	}
	if !errors.Is(cause, ErrApart) && (store.Ours(cause) != nil || !isSettled(cause)) {
		return cause
	}
	e.At, e.cause = append(e.At, i), cmp.Or(e.cause, cause)
	return nil
}

// UpdateSessions makes updates of different sessions as UpdateSession does each, all or none. It answers ApartError
// where one of them is refused, or changes more than its session: a text that is shared with an abstract, and a decision
// of an abstract, also one that is taken back. What follows from these, other abstracts and letters, has its own place
// in the order of locks. Nor does it update an abstract with the session it is part of.
func (p *Programme) UpdateSessions(ctx context.Context, all []SessionUpdate) ([]*Session, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all) // which are cleaned
	ids, names, apart := make([]string, len(all)), false, ApartError{}
	for i := range all {
		if ids[i] = all[i].ID; !store.IsID(ids[i]) {
			err = store.NoSuch("session")
		} else {
			err = all[i].clean(refs)
		}
		if err = apart.except(i, err); err != nil {
			return nil, err
		}
		names = names || all[i].names()
	}
	if apart.cause != nil {
		return nil, &apart
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) ([]*Session, error) {
		if names {
			if err := p.ShareMetadata(tx); err != nil {
				return nil, err
			}
		}
		of := func(i int, _ *Session) (SessionChange, error) { return all[i].SessionChange, nil }
		changes, err := p.updates(tx, ids, refs, of)
		if err != nil {
			return nil, err
		}
		sessions := store.Map(changes, func(c change) *Session { return c.after })
		return sessions, p.commit(tx, updating, changes...)
	})
}

// updates are changes of live sessions with these ids, which are held from now on, to be committed together. Beside an
// ApartError it answers those that are not apart; the others are empty.
func (p *Programme) updates(
	tx *store.Tx, ids []string, refs MetadataSet, of func(i int, before *Session) (SessionChange, error),
) ([]change, error) {
	found, err := p.LoadAll(p.notDrafts(tx.Lock()).Order(SessionOrder), ids)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*Session, len(found))
	for _, s := range found {
		byID[s.ID] = s
	}
	changes, apart := make([]change, len(ids)), ApartError{}
	for i, id := range ids {
		before, err := byID[id], store.NoSuch("session")
		if before != nil && before.DeletedAt == nil {
			var c SessionChange
			if c, err = of(i, before); err == nil {
				changes[i], err = p.updated(tx, ids, before, c, refs)
			}
		}
		if err := apart.except(i, err); err != nil {
			return nil, err
		}
	}
	if apart.cause != nil {
		return changes, &apart
	}
	return changes, nil
}

// updated is a change of a session that is held together with those of these ids.
func (p *Programme) updated(
	tx *store.Tx, ids []string, before *Session, c SessionChange, refs MetadataSet,
) (change, error) {
	s := new(*before)
	if err := p.apply(tx, s, before, c, refs); err != nil {
		return change{}, err
	}
	if s.goesApart(before, ids) {
		return change{}, ErrApart
	}
	return change{before, s}, nil
}

// goesApart tells whether an update is not made together with those of the sessions with these ids.
func (s *Session) goesApart(was *Session, ids []string) bool {
	isOfAnother := was.ComposedInto != nil && slices.Contains(ids, *was.ComposedInto) // which it is told with
	decides := s.IsAbstract && s.Status != was.Status && (s.Status.IsDecision() || was.Status.IsDecision())
	return was.SharesText() || isOfAnother || decides
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
