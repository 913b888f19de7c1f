package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

var errStaleBreak = store.Outdated(
	"Someone else changed this break since you read it. Read it again, then repeat your change.")

// AddBreak adds a break or blocker to the agenda. It answers Invalid for a field that breaks its rule. No change of
// breaks emits anything.
func (p *Programme) AddBreak(ctx context.Context, n NewBreak) (*Break, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Break, error) {
		refs, err := p.roomsFor(tx)
		if err != nil {
			return nil, err
		}
		b, c := &Break{}, n.Change()
		if err := c.Apply(b, refs); err != nil {
			return nil, err
		}
		return b, p.CommitBreak(tx, "created", nil, b)
	})
}

// roomsFor locks the event's metadata against deletion and returns it.
func (p *Programme) roomsFor(tx *store.Tx) (MetadataSet, error) {
	if err := p.ShareMetadata(tx); err != nil {
		return nil, err
	}
	return p.LoadMetadata(tx.DB)
}

// UpdateBreak applies a partial change. It answers Invalid for a field that breaks its rule, NotFound, also for a
// deleted break, and Stale for an outdated token. It writes nothing when nothing changes.
func (p *Programme) UpdateBreak(ctx context.Context, id string, c BreakChange) (*Break, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Break, error) {
		refs, err := p.roomsFor(tx)
		if err != nil {
			return nil, err
		}
		before, err := p.HeldBreak(tx, id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		if err := c.Apply(b, refs); err != nil {
			return nil, err
		}
		if c.UpdatedAt != nil && !c.UpdatedAt.Equal(before.UpdatedAt.Time) {
			return nil, errStaleBreak
		}
		return b, p.CommitBreak(tx, "updated", before, b)
	})
}

// DeleteBreak removes a break from the agenda; RestoreBreak brings it back. It answers NotFound.
func (p *Programme) DeleteBreak(ctx context.Context, id string) (*Break, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Break, error) {
		before, err := p.HeldBreak(tx, id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		b.DeletedAt = &tx.Now
		return b, p.CommitBreak(tx, "deleted", before, b)
	})
}

// RestoreBreak undoes DeleteBreak. It answers NotFound for a break that is not deleted, or whose room was deleted
// since.
func (p *Programme) RestoreBreak(ctx context.Context, id string) (*Break, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Break, error) {
		deleted := tx.Lock().Where("event_id = ? AND deleted_at IS NOT NULL", p.event.ID)
		before, err := p.aBreak(deleted, id)
		if err != nil {
			return nil, err
		}
		b := new(*before)
		b.DeletedAt = nil
		return b, p.CommitBreak(tx, "restored", before, b)
	})
}

// CopyBreak copies a break of one room to all other rooms, except rooms that already have an overlapping break. It
// returns the copies and how many rooms it skipped. It answers NotFound, and Invalid for a break of all rooms.
func (p *Programme) CopyBreak(ctx context.Context, id string) (copies []*Break, left int, err error) {
	err = p.write(ctx, func(tx *store.Tx) error {
		copies, left = nil, 0
		refs, err := p.roomsFor(tx)
		if err != nil {
			return err
		}
		original, err := p.HeldBreak(tx, id)
		if err != nil {
			return err
		}
		if original.RoomID == nil {
			return store.Invalidf("room_id", "is all rooms already")
		}
		var there []*Break
		if err := p.BreaksIn(tx.DB).Where("starts_at < ? AND ends_at > ?", original.EndsAt, original.StartsAt).
			Find(&there).Error; err != nil {
			return err
		}
		for _, room := range refs.Of(Rooms) {
			switch {
			case room.ID == *original.RoomID:
				continue
			case coveredBy(there, room.ID):
				left++
				continue
			}
			b := &Break{Kind: original.Kind, Title: original.Title, StartsAt: original.StartsAt, EndsAt: original.EndsAt,
				RoomID: &room.ID, IsPlenary: original.IsPlenary}
			if err := p.CommitBreak(tx, "created", nil, b); err != nil {
				return err
			}
			copies = append(copies, b)
		}
		return nil
	})
	return copies, left, err
}

// coveredBy reports whether one of the breaks takes place in a room.
func coveredBy(breaks []*Break, roomID string) bool {
	for _, b := range breaks {
		if b.Covers(roomID) {
			return true
		}
	}
	return false
}

// CommitBreak saves a break, records it unless action is "", and raises the version of the event's sessions, so that
// cached agendas are read anew. before is nil for a new break.
func (p *Programme) CommitBreak(tx *store.Tx, action string, before, b *Break) error {
	line := store.Change{Subject: "break", Action: action}
	if before == nil {
		b.ID, b.EventID, b.CreatedAt, b.UpdatedAt = store.NewID(), p.event.ID, tx.Now, tx.Now
		line.After = b.Facts()
		if err := tx.Create(b).Error; err != nil {
			return err
		}
	} else {
		was, is := store.Changes(before.Facts(), b.Facts())
		if len(is) == 0 && (before.DeletedAt == nil) == (b.DeletedAt == nil) {
			return nil
		}
		line.Before, line.After = was, is
		if action == "deleted" {
			line.Before = before.Facts()
		}
		b.UpdatedAt, b.Sequence = tx.Now.Following(before.UpdatedAt), before.Sequence+1
		done := tx.Model(b).Where("event_id = ? AND updated_at = ?", p.event.ID, before.UpdatedAt).
			Select("kind", "title", "starts_at", "ends_at", "room_id", "is_plenary", "sequence", "updated_at",
				"deleted_at").Updates(b)
		if err := store.Changed(done, errStaleBreak); err != nil {
			return err
		}
	}
	Touch(tx, p.event.ID)
	if line.ID = b.ID; action == "" {
		return nil
	}
	return p.record(tx, line)
}

// MoveBreaks moves the breaks of a deleted room to another room; without one they are deleted with it.
func (p *Programme) MoveBreaks(tx *store.Tx, room, other *Metadata) error {
	if room.Family != Rooms {
		return nil
	}
	in := func(db *gorm.DB) *gorm.DB { return db.Where("event_id = ? AND room_id = ?", p.event.ID, room.ID) }
	var all []*Break
	if err := in(tx.Lock()).Order("id").Find(&all).Error; err != nil || len(all) == 0 {
		return err
	}
	Touch(tx, p.event.ID)
	var lines []*store.Activity
	for _, b := range all {
		change := store.Change{Subject: "break", ID: b.ID, Action: "deleted", Before: b.Facts()}
		if other != nil {
			change.Action, change.Before = "updated", map[string]any{"room_id": room.ID}
			change.After = map[string]any{"room_id": other.ID}
		}
		line, err := change.Line(p.event.OrganizationID, &p.event.ID, p.by, tx.Now)
		if err != nil {
			return err
		}
		if b.DeletedAt == nil {
			lines = append(lines, line)
		}
	}
	if err := store.InsertInto(tx, "activity", lines); err != nil {
		return err
	}
	if other == nil {
		return in(tx.DB).Delete(&Break{}).Error
	}
	latest := slices.MaxFunc(all, func(a, b *Break) int { return a.UpdatedAt.Compare(b.UpdatedAt.Time) })
	return in(tx.Model(&Break{})).UpdateColumns(map[string]any{"room_id": other.ID,
		"updated_at": tx.Now.Following(latest.UpdatedAt), "sequence": gorm.Expr("sequence + 1")}).Error
}
