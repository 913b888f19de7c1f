package agenda

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Placing is a stored suggestion, with what has changed since.
type Placing struct {
	*models.Batch
	Rules  models.PlacingRules
	Places []SuggestedPlace // by start and room
	Left   []SuggestedPlace // sessions without a place, by number
}

// SuggestedPlace is a session at its suggested place, or as it is if none was found.
type SuggestedPlace struct {
	*models.Session
	Why string // why it has no place, or would be left out now; "" if it would be moved
	// Changed reports that the session was changed since; Taken names what has taken its place.
	Changed bool
	Taken   []models.Conflict
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
func (ag *Agenda) placingBatch(db *gorm.DB, id string) (*models.Batch, error) {
	b, err := ag.p.BatchIn(db, id)
	if err == nil && (b.Change.Operation != models.BatchPlace || b.Change.Placing == nil) {
		return nil, store.NoSuch("suggestion")
	}
	return b, err
}

// Placing returns a stored suggestion. It answers NotFound for an id of another event, and for a suggestion that was
// discarded or is older than a day.
func (ag *Agenda) Placing(ctx context.Context, id string) (*Placing, error) {
	b, err := ag.placingBatch(ag.p.Read(ctx), id)
	if err != nil {
		return nil, err
	}
	s := &Placing{Batch: b, Rules: *b.Change.Placing}
	var items []*models.BatchRow
	if err := ag.p.Read(ctx).Where("event_id = ? AND batch_id = ?", ag.p.Event().ID, id).Find(&items).Error; err != nil {
		return nil, err
	}
	ids, of := []string{}, map[string]*models.BatchRow{}
	for _, item := range items {
		ids, of[item.SessionID] = append(ids, item.SessionID), item
	}
	sessions, err := ag.p.LoadAll(ag.p.Read(ctx), ids)
	if err != nil {
		return nil, err
	}
	set, err := ag.p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	for _, session := range sessions {
		s.add(session, of[session.ID], set)
	}
	slices.SortFunc(s.Left, func(a, b SuggestedPlace) int { return cmp.Compare(a.Number, b.Number) })
	slices.SortFunc(s.Places, func(a, b SuggestedPlace) int {
		return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.Room.Order, b.Room.Order), cmp.Compare(a.Number,
			b.Number))
	})
	return s, ag.addTaken(ctx, s)
}

// add puts a session at its suggested place.
func (s *Placing) add(session *models.Session, item *models.BatchRow, set models.MetadataSet) {
	change, err := item.After.Change()
	if err != nil || !change.StartsAt.Set || change.RoomID.Value == nil || set[*change.RoomID.Value] == nil {
		s.Left = append(s.Left, SuggestedPlace{Session: session, Why: cmp.Or(item.Message, "its room is gone")})
		return
	}
	then := new(*session)
	then.RoomID, then.StartsAt, then.EndsAt = change.RoomID.Value, change.StartsAt.Value, change.EndsAt.Value
	set.Embed(then)
	s.Places = append(s.Places, SuggestedPlace{Session: then,
		Changed: session.DeletedAt != nil || item.SeenAt == nil || !item.SeenAt.Equal(session.UpdatedAt.Time)})
}

// addTaken finds the places that were taken since.
func (ag *Agenda) addTaken(ctx context.Context, s *Placing) error {
	if len(s.Places) == 0 {
		return nil
	}
	var then []*models.Session
	for _, place := range s.Places {
		if !place.Changed {
			then = append(then, place.Session)
		}
	}
	placed, err := ag.placed(ctx)
	if err != nil {
		return err
	}
	all, err := ag.p.ConflictsAmong(ctx, then, placed)
	if err != nil {
		return err
	}
	conflicts := all.BySession()
	for i := range s.Places {
		s.Places[i].Taken = conflicts[s.Places[i].ID]
	}
	return nil
}

// StartPlaces queues a suggestion as a batch of whoever starts it. RunBatch then moves each session by UpdateSession,
// in its own transaction, which emits session.updated. A session that was changed, or whose place was taken, is left
// alone and kept with the reason. Starting twice changes nothing. It answers NotFound.
func (ag *Agenda) StartPlaces(ctx context.Context, id string) (*models.Batch, error) {
	return store.Make(ctx, ag.p.Write, func(tx *store.Tx) (*models.Batch, error) {
		b, err := ag.placingBatch(tx.Lock(), id)
		if err != nil || !b.Prepared {
			return b, err
		}
		return b, ag.p.StartPrepared(tx, b)
	})
}

// DiscardPlaces deletes a suggestion. It answers NotFound, and Invalid for one that was started.
func (ag *Agenda) DiscardPlaces(ctx context.Context, id string) error {
	return ag.p.Write(ctx, func(tx *store.Tx) error {
		b, err := ag.placingBatch(tx.Lock(), id)
		if err != nil {
			return err
		}
		if !b.Prepared {
			return store.Invalidf("suggestion", "was applied already")
		}
		return tx.Delete(b).Error
	})
}
