package people

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// AddContactNote adds a note on somebody at this event, for all staff who see them there. It answers NotFound for
// somebody who is not at the event, and Invalid for somebody who was erased and for a text that is empty or longer than
// store.MaxCustomValue. It emits nothing.
func (e *AtEvent) AddContactNote(ctx context.Context, contactID, text string) (*models.ContactNote, error) {
	text, err := store.CleanName("note", text, store.MaxCustomValue)
	if err != nil {
		return nil, err
	}
	return store.Make(ctx, e.p.Directory().Write, func(tx *store.Tx) (*models.ContactNote, error) {
		if _, err := e.p.Directory().HoldUnerased(tx, contactID); err != nil {
			return nil, err
		}
		n := &models.ContactNote{ID: store.NewID(), OrganizationID: e.p.Event().OrganizationID, EventID: e.p.Event().ID,
			ContactID: contactID, AuthorID: e.p.By().ActorID, AuthorName: e.p.By().ActorName, Text: text, CreatedAt: tx.Now}
		if err := tx.Create(n).Error; err != nil {
			return nil, err
		}
		return n, e.p.Record(tx, store.Change{Subject: "contact", ID: contactID, Action: "noted"})
	})
}

// ContactNotes returns the notes on a contact from some events of the organization, newest first, at most 200. It
// leaves out events that the reader does not organize.
func (d *Directory) ContactNotes(ctx context.Context, contactID string, eventIDs []string) ([]*models.ContactNote, error) {
	var notes []*models.ContactNote
	eventIDs = slices.DeleteFunc(slices.Clone(eventIDs), func(id string) bool { return !d.ReadsConfidentialAt(id) })
	err := d.Read(ctx).Where("organization_id = ? AND contact_id = ? AND event_id IN ?", d.ID, contactID, eventIDs).Order("created_at DESC, id DESC").Limit(200).Find(&notes).Error
	return notes, err
}
