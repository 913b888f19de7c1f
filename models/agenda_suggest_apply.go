package models

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// placeFacts are the fields that a place sets.
var placeFacts = []string{"room_id", "starts_at", "ends_at"}

// Placing is a stored suggestion, with what has changed since.
type Placing struct {
	*Batch
	Rules  PlacingRules
	Places []SuggestedPlace // by their starts and rooms
	Left   []SuggestedPlace // without a place, by their numbers
}

// SuggestedPlace is a session at its suggested place, or as it is if none was found.
type SuggestedPlace struct {
	*Session
	Why string // it found none, or would be left out now; "" of what would be moved
	// Changed reports that the session was changed since; Taken names what has taken its place.
	Changed bool
	Taken   []Conflict
}

// Moves counts the sessions that would be moved now.
func (s *Placing) Moves() (n int) {
	for _, place := range s.Places {
		if !place.Changed && len(place.Taken) == 0 {
			n++
		}
	}
	return n
}

// placingBatch reads a suggestion of this event.
func (p *Programme) placingBatch(db *gorm.DB, id string) (*Batch, error) {
	b, err := p.batch(db, id)
	if err == nil && (b.Change.Operation != BatchPlace || b.Change.Placing == nil) {
		return nil, store.NoSuch("suggestion")
	}
	return b, err
}

// Placing returns a stored suggestion. It answers NotFound for an id of another event, and for a suggestion that was
// discarded or is older than a day.
func (p *Programme) Placing(ctx context.Context, id string) (*Placing, error) {
	b, err := p.placingBatch(p.read(ctx), id)
	if err != nil {
		return nil, err
	}
	s := &Placing{Batch: b, Rules: *b.Change.Placing}
	var items []*batchItem
	if err := p.read(ctx).Where("event_id = ? AND batch_id = ?", p.event.ID, id).Find(&items).Error; err != nil {
		return nil, err
	}
	ids, of := []string{}, map[string]*batchItem{}
	for _, item := range items {
		ids, of[item.SessionID] = append(ids, item.SessionID), item
	}
	sessions, err := p.LoadAll(p.read(ctx), ids)
	if err != nil {
		return nil, err
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	for _, session := range sessions {
		s.add(session, of[session.ID], set)
	}
	slices.SortFunc(s.Left, func(a, b SuggestedPlace) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(s.Places, func(a, b SuggestedPlace) int {
		return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.Room.Order, b.Room.Order), cmp.Compare(a.Number, b.Number))
	})
	return s, p.addTaken(ctx, s)
}

// add puts a session at its suggested place.
func (s *Placing) add(session *Session, item *batchItem, set MetadataSet) {
	change, err := item.After.change()
	if err != nil || !change.StartsAt.Set || change.RoomID.Value == nil || set[*change.RoomID.Value] == nil {
		s.Left = append(s.Left, SuggestedPlace{Session: session, Why: cmp.Or(item.Message, "its room is gone")})
		return
	}
	then := new(*session)
	then.RoomID, then.StartsAt, then.EndsAt = change.RoomID.Value, change.StartsAt.Value, change.EndsAt.Value
	set.embed(then)
	s.Places = append(s.Places, SuggestedPlace{Session: then,
		Changed: session.DeletedAt != nil || item.SeenAt == nil || !item.SeenAt.Equal(session.UpdatedAt.Time)})
}

// addTaken finds the places that were taken since.
func (p *Programme) addTaken(ctx context.Context, s *Placing) error {
	if len(s.Places) == 0 {
		return nil
	}
	var then []*Session
	for _, place := range s.Places {
		if !place.Changed {
			then = append(then, place.Session)
		}
	}
	placed, err := p.placed(ctx)
	if err != nil {
		return err
	}
	all, err := p.conflictsOf(ctx, then, placed)
	if err != nil {
		return err
	}
	conflicts := all.bySession()
	for i := range s.Places {
		s.Places[i].Taken = conflicts[s.Places[i].ID]
	}
	return nil
}

// StartPlaces queues a suggestion as a batch of whoever starts it. RunBatch then moves each session by UpdateSession,
// in its own transaction, which emits session.updated. A session that was changed, or whose place was taken, is left
// alone and kept with the reason. Starting twice changes nothing. It answers NotFound.
func (p *Programme) StartPlaces(ctx context.Context, id string) (*Batch, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Batch, error) {
		b, err := p.placingBatch(tx.Lock(), id)
		if err != nil || !b.Prepared {
			return b, err
		}
		return b, p.startPrepared(tx, b)
	})
}

// DiscardPlaces deletes a suggestion. It answers NotFound, and Invalid for one that was started.
func (p *Programme) DiscardPlaces(ctx context.Context, id string) error {
	return p.write(ctx, func(tx *store.Tx) error {
		b, err := p.placingBatch(tx.Lock(), id)
		if err != nil {
			return err
		}
		if !b.Prepared {
			return store.Invalidf("suggestion", "was applied already")
		}
		return tx.Delete(b).Error
	})
}

// runPlace moves a session to its suggested place.
func runPlace(
	ctx context.Context, p *Programme, tx *store.Tx, _ *BatchChange, item *batchItem,
) (before, after *Session, err error) {
	if err := p.shareMetadata(tx); err != nil { // before the session is held
		return nil, nil, err
	}
	if before, err = p.live(tx, item.SessionID); err != nil {
		return nil, nil, err
	}
	change, err := item.After.change()
	switch {
	case err != nil:
		return nil, nil, err
	case len(item.After) == 0:
		return nil, nil, store.Invalidf("session", "found no place; have places suggested again")
	case item.SeenAt == nil || !item.SeenAt.Equal(before.UpdatedAt.Time):
		return nil, nil, store.Invalidf("session", "was changed after places were suggested, so it stays as it is")
	}
	then := new(*before)
	then.RoomID, then.StartsAt, then.EndsAt = change.RoomID.Value, change.StartsAt.Value, change.EndsAt.Value
	taken, err := p.WouldConflict(ctx, then)
	if err != nil {
		return nil, nil, err
	}
	if len(taken) > 0 {
		return nil, nil, store.Invalidf("session", "stays without a place: %s", tookPlace(taken[0]))
	}
	change.UpdatedAt = item.SeenAt
	after, err = p.UpdateSession(ctx, item.SessionID, change)
	return before, after, err
}

// tookPlace says what has taken a suggested place since.
func tookPlace(c Conflict) string {
	switch c.Need {
	case NeedsRoom:
		return c.Name + " has " + c.With.FriendlyID + " at that time by now"
	case NeedsPerson:
		return c.Name + " is in " + c.With.FriendlyID + " at that time by now"
	case NeedsPlenary:
		if c.Break == nil && c.Of.IsPlenary {
			return c.With.FriendlyID + " is at that time by now"
		}
		return c.Name + " has nothing beside it at that time by now"
	case NeedsPresence:
		return c.Name + " is away at that time by now"
	}
	return c.Name + " is too small by now"
}
