package models

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"lectern/models/store"
)

// SessionEdit is a change of a session that is decided once the session is locked, together with what a package on top
// does in the same transaction.
type SessionEdit struct {
	// Draft says that a draft saves itself: the edit emits and records nothing, but raises the token.
	Draft bool
	// Names allows Decide to set metadata.
	Names bool
	// Seat names people for Decide to put on the session. They are found or created, added to the event, and locked
	// before the session.
	Seat []Participation
	// Decide returns the change, given the session and the people of Seat. Its error rolls everything back.
	Decide func(tx *store.Tx, s *Session, seated []*Participant) (SessionChange, error)
}

// EditSession carries out a SessionEdit. It answers as UpdateSession and ChangePeople do, or with the error of Decide,
// and emits as UpdateSession does. It does not write the session if nothing changes.
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
	return store.Make(ctx, p.Write, func(tx *store.Tx) (*Session, error) {
		if e.Names {
			if err := p.ShareMetadata(tx); err != nil {
				return nil, err
			}
		}
		seated, err := p.seat(tx, e.Seat)
		if err != nil {
			return nil, err
		}
		before, err := p.Live(tx, id)
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

// ErrApart answers an update that cannot be made together with others, because it changes more than its session.
var ErrApart = errors.New("an update must be made by itself")

// ApartError says which updates cannot be made together with the others: those that are refused, and those with
// ErrApart.
type ApartError struct {
	At    []int // indexes of these updates, in order
	cause error // the error of the first
}

func (e *ApartError) Error() string { return e.cause.Error() }

// Unwrap returns the error of the first of these updates.
func (e *ApartError) Unwrap() error { return e.cause }

// except notes that update i cannot be made with the others, because of cause. It returns an internal error, which ends
// all.
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

// UpdateSessions makes updates of different sessions as UpdateSession makes each, all or none. It answers ApartError if
// one of them is refused, or changes more than its session: a text that is shared with an abstract, or the decision of
// an abstract, made or taken back. These also change other abstracts and letters, which have their own place in the
// order of locks. Nor does it update an abstract together with the session it is part of.
func (p *Programme) UpdateSessions(ctx context.Context, all []SessionUpdate) ([]*Session, error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	all = slices.Clone(all) // clean changes the copies
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
	return store.Make(ctx, p.Write, func(tx *store.Tx) ([]*Session, error) {
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

// updates locks the live sessions with these ids and returns their changes, to be committed together. Beside an
// ApartError it returns the changes that can be made; the others are empty.
func (p *Programme) updates(
	tx *store.Tx, ids []string, refs MetadataSet, of func(i int, before *Session) (SessionChange, error),
) ([]change, error) {
	found, err := p.LoadAll(p.notDrafts(tx.Lock()).Order(SessionOrder), ids)
	if err != nil {
		return nil, err
	}
	byID := store.ByKey(found, func(s *Session) string { return s.ID })
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

// updated returns the change of a locked session that is updated together with those of these ids.
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

// goesApart reports whether an update cannot be made together with those of the sessions with these ids.
func (s *Session) goesApart(was *Session, ids []string) bool {
	isOfAnother := was.ComposedInto != nil && slices.Contains(ids, *was.ComposedInto) // they are emitted together
	decides := s.IsAbstract && s.Status != was.Status && (s.Status.IsDecision() || was.Status.IsDecision())
	return was.SharesText() || isOfAnother || decides
}

// AddLoaded adds the sessions of a load. It emits and records nothing: a load has one record for all.
func (p *Programme) AddLoaded(tx *store.Tx, sessions ...*Session) error {
	rows := make([]change, len(sessions))
	for i, s := range sessions {
		rows[i].after = s
	}
	return p.commit(tx, loading, rows...)
}

// SaveLoaded is AddLoaded for a session that a load overwrites. The caller holds its lock.
func (p *Programme) SaveLoaded(tx *store.Tx, before, after *Session) error {
	return p.commit(tx, loading, change{before, after})
}
