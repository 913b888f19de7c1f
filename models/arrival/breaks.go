package arrival

import (
	"context"
	"maps"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/store"
)

// importBreaks makes or updates breaks.
func (i *importer) importBreaks(ctx context.Context, all []frab.Break) error {
	return importSteps(ctx, i, all, models.StepRows, func(tx *store.Tx, some []frab.Break) error {
		refs, err := i.LoadMetadata(tx.DB)
		if err != nil {
			return err
		}
		labels, err := i.labelIDs(tx)
		if err != nil {
			return err
		}
		keys := store.Map(some, func(s frab.Break) string { return s.Key })
		records, err := i.recordsOf(tx, keys, "break")
		if err != nil {
			return err
		}
		for x := range some {
			b := &some[x]
			if err := i.putBreak(tx, b, labels[models.Rooms][b.Room], records["break"][b.Key], refs); err != nil {
				return err
			}
		}
		return nil
	})
}

// putBreak makes one break, or updates the one that it became before.
func (i *importer) putBreak(tx *store.Tx, told *frab.Break, roomID *string, last imported,
	refs models.MetadataSet) error {
	skip := func(reason string) error {
		i.summary.Skipped = append(i.summary.Skipped, frab.Skipped{GUID: told.Key, Title: told.Title, Reason: reason})
		return nil
	}
	n := models.NewBreak{Kind: models.BreakKind(told.Kind), Title: told.Title, StartsAt: store.At(told.Start),
		EndsAt: store.At(told.End), RoomID: roomID}
	if roomID == nil && !told.AllRooms {
		return skip("is in a room that cannot be used")
	}
	b, c := &models.Break{}, n.Change()
	if err := c.Apply(b, refs); err != nil {
		return skip(err.Error())
	}
	now := i.hashes(b.Facts())
	var before *models.Break
	if last.RecordID != "" {
		if i.arrives && maps.Equal(last.Said, now) {
			i.summary.Breaks.Unchanged++
			return nil
		}
		var err error
		if before, err = i.HeldBreak(tx, last.RecordID); store.KindOf(err) == store.NotFound {
			return skip("was deleted in the agenda and stays so")
		} else if err != nil {
			return err
		}
		i.replaced(told.Key, before.Title, last.Said, before.Facts(), now)
		if b = new(*before); c.Apply(b, refs) != nil {
			return skip("does not fit what it became here")
		}
	}
	if before == nil {
		i.summary.Breaks.Created++
	} else if _, is := store.Changes(before.Facts(), b.Facts()); len(is) > 0 {
		i.summary.Breaks.Updated++
	} else {
		i.summary.Breaks.Unchanged++
	}
	if err := i.CommitBreak(tx, "", before, b); err != nil {
		return err
	}
	return i.keep(tx, last.Said, imported{i.Event().ID, "break", told.Key, b.ID, now, i.maker(before == nil), nil})
}
