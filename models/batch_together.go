package models

import (
	"context"
	"errors"

	"lectern/models/store"
)

// batchTogether is how many items of a batch are changed in one transaction at most.
const batchTogether = 25

// runItems changes some items that nobody holds, at most so many, and tells how many it found. Updates are made
// together, other operations and what is not made together one by one.
func (p *Programme) runItems(ctx context.Context, b *Batch, most int) (found int, err error) {
	if most == 1 || b.Change.Operation != BatchUpdate || b.Undoes != nil {
		one, err := p.runItem(ctx, b)
		if one {
			found = 1
		}
		return found, err
	}
	items, apart, err := p.runTogether(ctx, b, min(most, batchTogether))
	for i := 0; err == nil && i < len(apart); i++ {
		_, err = p.runItem(ctx, b, apart[i])
	}
	return len(items), err
}

// runTogether claims and updates items that nobody holds, by one transaction. It answers all that it claimed, and the
// sessions among them that it left alone: what is refused, or changes more than its session, is for runItem.
func (p *Programme) runTogether(ctx context.Context, b *Batch, most int) (items []*BatchRow, apart []string, err error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	err = p.write(ctx, func(tx *store.Tx) error {
		items, ids, apart = nil, nil, nil
		if err := nextItems(tx, b.ID).Limit(most).Find(&items).Error; err != nil || len(items) == 0 {
			return err
		}
		if err := p.ShareMetadata(tx); err != nil {
			return err
		}
		for _, item := range items {
			ids = append(ids, item.SessionID)
		}
		changes, err := p.updates(tx, ids, refs, func(_ int, before *Session) (SessionChange, error) {
			c := b.Change.of(before)
			return c, c.clean(refs)
		})
		if _, found := errors.AsType[*ApartError](err); err != nil && !found {
			return err
		}
		var made []change
		var done []*BatchRow
		for i, c := range changes {
			if c.after == nil {
				apart = append(apart, ids[i])
				continue
			}
			items[i].Before, items[i].After = compared(c.before, c.after, operations[BatchUpdate].facts)
			made, done = append(made, c), append(done, items[i])
		}
		if len(made) == 0 {
			return nil
		}
		if err := p.commit(tx, updating, made...); err != nil {
			return err
		}
		return endItems(tx, ItemDone, done...)
	})
	if err != nil && ctx.Err() == nil && isSettled(err) {
		return items, ids, nil // one after the other, so that each has its own fault
	}
	return items, apart, err
}
