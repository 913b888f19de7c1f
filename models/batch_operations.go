package models

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"lectern/models/store"
)

// Operation is the verb of a batch; "" is BatchUpdate.
type Operation string

const (
	BatchUpdate  Operation = "update" // a new status, track or room, more or less tags
	BatchDelete  Operation = "delete"
	BatchRestore Operation = "restore"
	BatchApprove Operation = "approve" // the content, where the event asks for that
	BatchCommit  Operation = "commit"  // what is queued becomes the decision; see package decision
	// BatchPublish makes public what is accepted, if the gate is open or a reason passes it.
	BatchPublish   Operation = "publish"
	BatchUnpublish Operation = "unpublish" // emits nothing
	BatchPlace     Operation = "place"     // each into the room and the time that were suggested; see SuggestPlaces
	BatchCompose   Operation = "compose"   // each accepted abstract that is in no session into one of its own
)

// operation is what a batch does to each session, in the item's transaction. It calls the same operation as a single
// change does.
type operation struct {
	// clean validates the change; nil if there is nothing to validate.
	clean func(c *BatchChange, refs MetadataSet) error
	// run makes the change. It returns the session before and after if facts are kept.
	run func(ctx context.Context, p *Programme, tx *store.Tx, c *BatchChange, item *BatchRow) (before,
		after *Session, err error)
	// facts are the fields kept with an item, which an undo restores. Without facts a batch cannot be undone, unless
	// undo reverts an item by what run kept.
	facts []string
	undo  func(ctx context.Context, p *Programme, tx *store.Tx, c *BatchChange, item *BatchRow) (before,
		after *Session, err error)
	final bool // cannot be undone, although there are facts
}

var operations = map[Operation]operation{
	BatchUpdate:    {clean: cleanUpdate, run: runUpdate, facts: []string{"status", "track_id", "room_id", "tag_ids"}},
	BatchDelete:    {run: byID((*Programme).DeleteSession)},
	BatchRestore:   {run: byID((*Programme).RestoreSession)},
	BatchApprove:   {run: runApprove, facts: []string{"content_state"}},
	BatchCommit:    {run: runCommit, facts: []string{"status"}},
	BatchPlace:     {run: runPlace, facts: placeFacts},
	BatchCompose:   {run: runCompose, undo: undoCompose},
	BatchPublish:   {clean: cleanPublish, run: runPublish, facts: []string{"is_public"}, final: true},
	BatchUnpublish: {run: runUnpublish, facts: []string{"is_public"}, final: true},
}

// byID makes the run of an operation that needs nothing but the session's id.
func byID(
	change func(*Programme, context.Context, string) (*Session, error),
) func(context.Context, *Programme, *store.Tx, *BatchChange, *BatchRow) (before, after *Session, err error) {
	return func(ctx context.Context, p *Programme, _ *store.Tx, _ *BatchChange, item *BatchRow) (_, _ *Session,
		err error) {
		_, err = change(p, ctx, item.SessionID)
		return nil, nil, err
	}
}

// BatchChange is what happens to each session: an operation, and what it sets.
type BatchChange struct {
	Operation  Operation              `json:"operation"`
	Status     *Status                `json:"status,omitempty"`
	TrackID    store.Optional[string] `json:"track_id,omitzero"` // null takes the track away
	RoomID     store.Optional[string] `json:"room_id,omitzero"`  // null takes the room away
	AddTags    []string               `json:"add_tags,omitempty"`
	RemoveTags []string               `json:"remove_tags,omitempty"`
	Reason     string                 `json:"reason,omitempty"` // publishes in spite of the gate
	// AsOf is when the approver saw the list: sessions changed later are not approved.
	AsOf *store.Time `json:"as_of,omitempty"`
	// Placing holds the rules by which the places were suggested.
	Placing *PlacingRules `json:"placing,omitempty"`
}

// UnmarshalJSON also reads changes stored before there were operations.
func (c *BatchChange) UnmarshalJSON(text []byte) error {
	type plain BatchChange
	kept := struct {
		*plain
		Delete, Restore bool
	}{plain: (*plain)(c)}
	err := json.Unmarshal(text, &kept)
	switch {
	case kept.Delete:
		c.Operation = BatchDelete
	case kept.Restore:
		c.Operation = BatchRestore
	case c.Operation == "":
		c.Operation = BatchUpdate
	}
	return err
}

// IsEmpty reports whether an update would set nothing.
func (c *BatchChange) IsEmpty() bool {
	return c.Status == nil && !c.TrackID.Set && !c.RoomID.Set && len(c.AddTags)+len(c.RemoveTags) == 0
}

func (c *BatchChange) clean(refs MetadataSet) error {
	if c.Operation == "" {
		c.Operation = BatchUpdate
	}
	op, known := operations[c.Operation]
	if !known || c.Operation == BatchCommit || c.Operation == BatchPlace || c.IsEmpty() == (c.Operation == BatchUpdate) ||
		c.Reason != "" && c.Operation != BatchPublish {
		return store.Invalidf("change", "must be one of: a status, track, room or tags; a deletion; a restoration; "+
			"an approval; a composition; a publication or the end of one")
	}
	if op.clean == nil {
		return nil
	}
	return op.clean(c, refs)
}

func cleanUpdate(c *BatchChange, refs MetadataSet) error {
	var f store.Faults
	if c.Status != nil && !slices.Contains(Statuses, *c.Status) {
		f.Add(store.Invalidf("status",
			"must be one of draft, pending, accept_queue, accepted, decline_queue, declined, withdrawn"))
	}
	f.Add(refs.check(Tracks, "track_id", c.TrackID.Value))
	f.Add(refs.check(Rooms, "room_id", c.RoomID.Value))
	for _, of := range []idsOf{{"add_tags", c.AddTags}, {"remove_tags", c.RemoveTags}} {
		if len(of.ids) > store.MaxTags {
			f.Add(store.Invalidf(of.name, "has %d items; at most %d are allowed", len(of.ids), store.MaxTags))
			continue
		}
		for _, id := range of.ids {
			f.Add(refs.check(Tags, of.name, &id))
		}
	}
	if slices.ContainsFunc(c.AddTags, func(id string) bool { return slices.Contains(c.RemoveTags, id) }) {
		f.Add(store.Invalidf("remove_tags", "names a tag that is added too"))
	}
	return f.Err()
}

func runUpdate(
	ctx context.Context, p *Programme, tx *store.Tx, c *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	if before, err = p.liveWithMetadata(tx, item.SessionID); err != nil {
		return nil, nil, err
	}
	after, err = p.UpdateSession(ctx, item.SessionID, c.of(before))
	return before, after, err
}

// of returns the change that an update makes to a session.
func (c *BatchChange) of(before *Session) SessionChange {
	change := SessionChange{SessionInput: SessionInput{Status: c.Status, TrackID: c.TrackID, RoomID: c.RoomID}}
	if len(c.AddTags)+len(c.RemoveTags) > 0 {
		tags := slices.DeleteFunc(tagIDs(before), func(id string) bool { return slices.Contains(c.RemoveTags, id) })
		change.TagIDs = new(append(tags, c.AddTags...))
	}
	return change
}

func runApprove(
	ctx context.Context, p *Programme, tx *store.Tx, c *BatchChange, item *BatchRow,
) (before, after *Session, err error) {
	if before, err = p.Live(tx, item.SessionID); err != nil {
		return nil, nil, err
	}
	if c.AsOf != nil && before.UpdatedAt.After(c.AsOf.Time) {
		return nil, nil, store.Invalidf("session", "was changed after you opened the list; look at its text first")
	}
	after, err = p.UpdateSession(ctx, item.SessionID, SessionChange{ContentState: new(ContentApproved)})
	return before, after, err
}

func tagIDs(s *Session) []string {
	return store.Map(s.Tags, func(tag *Tag) string { return tag.ID })
}

// batchTogether is the largest number of items that one transaction changes.
const batchTogether = 25

// runItems changes up to most pending items that no other process holds, and returns how many it found. Updates run
// together in one transaction; other operations, and updates that runTogether left alone, run one by one.
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

// runTogether claims pending items that no other process holds and updates them in one transaction. It returns all
// that it claimed, and the sessions among them that it left alone for runItem: updates that are refused, or that
// change more than their session.
func (p *Programme) runTogether(ctx context.Context, b *Batch, most int) (items []*BatchRow, apart []string, err error) {
	refs, err := p.Metadata(ctx)
	if err != nil {
		return nil, nil, err
	}
	var ids []string
	err = p.Write(ctx, func(tx *store.Tx) error {
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
		return items, ids, nil // run one by one, so that each item gets its own fault
	}
	return items, apart, err
}
