package models

import (
	"context"
	"maps"

	"lectern/models/frab"
	"lectern/models/store"
)

// importBreaks makes or changes breaks.
func (i *importer) importBreaks(ctx context.Context, all []frab.Break) error {
	return importSteps(ctx, i, all, stepRows, func(tx *store.Tx, some []frab.Break) error {
		refs, err := i.loadMetadata(tx.DB)
		if err != nil {
			return err
		}
		labels, err := i.labelIDs(tx)
		if err != nil {
			return err
		}
		keys := make([]string, len(some))
		for x := range some {
			keys[x] = some[x].Key
		}
		records, err := i.recordsOf(tx, keys, "break")
		if err != nil {
			return err
		}
		for x := range some {
			b := &some[x]
			if err := i.putBreak(tx, b, labels[Rooms][b.Room], records["break"][b.Key], refs); err != nil {
				return err
			}
		}
		return nil
	})
}

// putBreak makes one break, or writes it over the one that it became before.
func (i *importer) putBreak(tx *store.Tx, told *frab.Break, roomID *string, last importedKey, refs metadataSet) error {
	skip := func(reason string) error {
		i.summary.Skipped = append(i.summary.Skipped, frab.Skipped{GUID: told.Key, Title: told.Title, Reason: reason})
		return nil
	}
	n := NewBreak{Kind: BreakKind(told.Kind), Title: told.Title, StartsAt: store.At(told.Start),
		EndsAt: store.At(told.End), RoomID: roomID}
	if roomID == nil && !told.AllRooms {
		return skip("is in a room that cannot be used")
	}
	b, c := &Break{}, n.change()
	if err := c.apply(b, refs); err != nil {
		return skip(err.Error())
	}
	now := i.saying(b.facts())
	var before *Break
	if last.RecordID != "" {
		if i.arrives && maps.Equal(last.Said, now) {
			i.summary.Breaks.Unchanged++
			return nil
		}
		var err error
		if before, err = i.aBreak(i.breaks(tx.Lock()), last.RecordID); store.KindOf(err) == store.NotFound {
			return skip("was deleted in the agenda and stays so")
		} else if err != nil {
			return err
		}
		i.replaced(told.Key, before.Title, last.Said, before.facts(), now)
		if b = new(*before); c.apply(b, refs) != nil {
			return skip("does not fit what it became here")
		}
	}
	if before == nil {
		i.summary.Breaks.Created++
	} else if _, is := store.Changes(before.facts(), b.facts()); len(is) > 0 {
		i.summary.Breaks.Updated++
	} else {
		i.summary.Breaks.Unchanged++
	}
	if err := i.commitBreak(tx, "", before, b); err != nil {
		return err
	}
	return i.keep(tx, last.Said, importedKey{i.event.ID, "break", told.Key, b.ID, now, i.maker(before == nil), nil})
}
