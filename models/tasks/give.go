package tasks

import (
	"context"
	"database/sql"
	"slices"

	"lectern/models/store"
)

var (
	errNotHere = &store.Error{Kind: store.Invalid,
		Message: "Nobody would have it: whom you chose is on no session that is accepted or waits for a decision."}
	errOfOther = &store.Error{Kind: store.Invalid,
		Message: "This is a task of each session. Give it to a session of theirs."}
)

// Give gives a task to a session or a person, whatever its filters say; they have it as long as they are at the event.
// A task of speakers given to a session goes to the people who are on it now, and a task of sessions also to the
// sources that a session is made of. It returns how many owners got it. It answers NotFound, and Invalid for an owner
// without an accepted or pending session, and for a person if sessions have the task.
func (t *Tasks) Give(ctx context.Context, taskID, ownerID string) (n int, err error) {
	task, err := t.Task(ctx, taskID)
	if err != nil {
		return 0, err
	}
	if !store.IsID(ownerID) {
		return 0, errNotHere
	}
	return n, t.p.Write(ctx, func(tx *store.Tx) error {
		owners, err := task.receivers(tx, ownerID)
		if err != nil {
			return err
		}
		for _, id := range owners {
			if err := t.give(tx, task, id); err != nil {
				return err
			}
		}
		n = len(owners)
		return nil
	})
}

// receivers returns the owners that get a task given to a session or a person, in the order in which they are locked.
func (t *Task) receivers(tx *store.Tx, ownerID string) (owners []string, err error) {
	all, err := seatsOf(tx.DB, seatSearch{eventID: t.EventID, condition: ofOne, values: []any{sql.Named("id", ownerID)}})
	if err != nil {
		return nil, err
	}
	for _, at := range all.seats {
		isOne := at.session.ID == ownerID || at.session.ComposedInto != nil && *at.session.ComposedInto == ownerID
		switch {
		case t.AskedOf == OfSpeaker && (at.person.ID == ownerID || at.session.ID == ownerID),
			t.AskedOf == OfSession && isOne && !at.session.standsFor:
			owners = append(owners, t.ownerOf(at).ID)
		}
	}
	if len(owners) == 0 && len(all.seats) > 0 {
		return nil, errOfOther
	}
	if len(owners) == 0 {
		return nil, errNotHere
	}
	slices.Sort(owners)
	return slices.Compact(owners), nil
}

// ofOne is the SQL condition of the seats of one session, with its sources, or of one person.
const ofOne = " AND (s.id = @id OR s.composed_into = @id OR x.contact_id = @id)"

// give marks a task as given to an owner.
func (a actor) give(tx *store.Tx, task *Task, ownerID string) error {
	if err := a.holdOwner(tx, task.untouched(&ownerID)); err != nil {
		return err
	}
	d, err := task.kept(tx.DB, ownerID)
	if err != nil {
		return err
	}
	before := *d
	d.IsGiven = true
	return a.keep(tx, &before, d)
}

// TakeBack undoes Give for one owner. An owner who matches the filters still has the task, and what was handed in
// stays. It answers NotFound.
func (t *Tasks) TakeBack(ctx context.Context, taskID, ownerID string) error {
	return t.change(ctx, taskID, ownerID, func(_ *store.Tx, d *Deliverable) error {
		d.IsGiven = false
		return nil
	})
}

// BoardOf returns the board of one task.
func (t *Tasks) BoardOf(ctx context.Context, task *Task) (*Board, error) {
	return t.boardOf(ctx, []*Task{task}, Wanted{})
}

// IsPartOf reports whether a deliverable belongs to a source of a session.
func (b *Board) IsPartOf(d *Deliverable, sessionID string) bool {
	if d.SessionID == nil {
		return false
	}
	into := b.Sessions[*d.SessionID].ComposedInto
	return into != nil && *into == sessionID
}

// Given returns the deliverables of a board that staff gave, in its order.
func (b *Board) Given() []*Deliverable {
	return slices.DeleteFunc(slices.Clone(b.All), func(d *Deliverable) bool { return !d.IsGiven })
}
