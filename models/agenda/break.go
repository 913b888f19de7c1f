package agenda

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// AddBreak adds a break or blocker to the agenda. It answers Invalid for a field that breaks its rule. No change of
// breaks emits anything.
func (a *Agenda) AddBreak(ctx context.Context, n models.NewBreak) (*models.Break, error) {
	return store.Make(ctx, a.p.Write, func(tx *store.Tx) (*models.Break, error) {
		refs, err := a.roomsFor(tx)
		if err != nil {
			return nil, err
		}
		b, c := &models.Break{}, n.Change()
		if err := c.Apply(b, refs); err != nil {
			return nil, err
		}
		return b, a.p.CommitBreak(tx, "created", nil, b)
	})
}

// roomsFor locks the event's metadata against deletion and returns it.
func (a *Agenda) roomsFor(tx *store.Tx) (models.MetadataSet, error) {
	if err := a.p.ShareMetadata(tx); err != nil {
		return nil, err
	}
	return a.p.LoadMetadata(tx.DB)
}

// UpdateBreak applies a partial change. It answers Invalid for a field that breaks its rule, NotFound, also for a
// deleted break, and Stale for an outdated token. It writes nothing when nothing changes.
func (a *Agenda) UpdateBreak(ctx context.Context, id string, c models.BreakChange) (*models.Break, error) {
	return store.Make(ctx, a.p.Write, func(tx *store.Tx) (*models.Break, error) {
		refs, err := a.roomsFor(tx)
		if err != nil {
			return nil, err
		}
		before, err := a.p.HeldBreak(tx, id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		if err := c.Apply(b, refs); err != nil {
			return nil, err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
			return nil, models.ErrStaleBreak
		}
		return b, a.p.CommitBreak(tx, "updated", before, b)
	})
}

// DeleteBreak removes a break from the agenda; RestoreBreak brings it back. It answers NotFound.
func (a *Agenda) DeleteBreak(ctx context.Context, id string) (*models.Break, error) {
	return store.Make(ctx, a.p.Write, func(tx *store.Tx) (*models.Break, error) {
		before, err := a.p.HeldBreak(tx, id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		b.DeletedAt = &tx.Now
		return b, a.p.CommitBreak(tx, "deleted", before, b)
	})
}

// RestoreBreak undoes DeleteBreak. It answers NotFound for a break that is not deleted, or whose room was deleted
// since.
func (a *Agenda) RestoreBreak(ctx context.Context, id string) (*models.Break, error) {
	return store.Make(ctx, a.p.Write, func(tx *store.Tx) (*models.Break, error) {
		before, err := a.p.FindBreak(tx.Lock().Where("deleted_at IS NOT NULL"), id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		b.DeletedAt = nil
		return b, a.p.CommitBreak(tx, "restored", before, b)
	})
}

// CopyBreak copies a break of one room to all other rooms, except rooms that already have an overlapping break. It
// returns the copies and how many rooms it skipped. It answers NotFound, and Invalid for a break of all rooms.
func (a *Agenda) CopyBreak(ctx context.Context, id string) (copies []*models.Break, left int, err error) {
	err = a.p.Write(ctx, func(tx *store.Tx) error {
		copies, left = nil, 0
		refs, err := a.roomsFor(tx)
		if err != nil {
			return err
		}
		original, err := a.p.HeldBreak(tx, id)
		if err != nil {
			return err
		}
		if original.RoomID == nil {
			return store.Invalidf("room_id", "is all rooms already")
		}
		var there []*models.Break
		if err := a.p.BreaksIn(tx.DB).Where("starts_at < ? AND ends_at > ?", original.EndsAt, original.StartsAt).
			Find(&there).Error; err != nil {
			return err
		}
		for _, room := range refs.Of(models.Rooms) {
			switch {
			case room.ID == *original.RoomID:
				continue
			case slices.ContainsFunc(there, func(b *models.Break) bool { return b.Covers(room.ID) }):
				left++
				continue
			}
			b := &models.Break{Kind: original.Kind, Title: original.Title, RoomID: &room.ID,
				StartsAt: original.StartsAt, EndsAt: original.EndsAt, IsPlenary: original.IsPlenary}
			if err := a.p.CommitBreak(tx, "created", nil, b); err != nil {
				return err
			}
			copies = append(copies, b)
		}
		return nil
	})
	return copies, left, err
}
