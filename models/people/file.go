package people

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// The value of an own field of type file is the file's id. Only an upload sets it, or a merge with somebody who has a
// file; forms and imports cannot. A file that nobody has after a merge is swept 30 days later.

var errNoFile = store.Missing("This person has no such file.")

// SetFile makes an upload the value of an own field, of type file, of somebody in this directory; the previous file is
// deleted. It answers NotFound for an unknown person or field, and Invalid as BringFile does, by the field's key. It
// emits nothing.
func (d *Directory) SetFile(ctx context.Context, contactID, key string, u models.Upload) (*models.Person, error) {
	if _, err := d.ContactOf(d.Read(ctx), contactID); err != nil {
		return nil, err
	}
	if err := d.isFileField(ctx, key); err != nil {
		return nil, err
	}
	f, err := d.Store().BringFile(ctx, d.By, models.OwnFile, key, u)
	if err != nil {
		return nil, err
	}
	return d.changeFile(ctx, contactID, key, f)
}

// RemoveFile deletes the file in an own field of somebody in this directory. It answers NotFound for an unknown person
// or field, and emits nothing.
func (d *Directory) RemoveFile(ctx context.Context, contactID, key string) (*models.Person, error) {
	return d.changeFile(ctx, contactID, key, nil)
}

// isFileField answers NotFound for what is no own field of files.
func (d *Directory) isFileField(ctx context.Context, key string) error {
	f, err := d.OwnField(ctx, key)
	if err == nil && f.Type != field.File {
		err = errNoField
	}
	return err
}

// changeFile sets or removes somebody's file.
func (d *Directory) changeFile(ctx context.Context, contactID, key string, f *models.File) (*models.Person, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*models.Person, error) {
		defined, err := d.DefinedFields(models.KeyShare(tx))
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(defined, func(of *models.OwnField) bool { return of.Key == key && of.Type == field.File }) {
			return nil, errNoField
		}
		before, err := d.HoldUnerased(tx, contactID)
		if err != nil {
			return nil, err
		}
		after := before.Clone()
		if after.Own[key] = ""; f != nil {
			if err := models.KeepFile(tx, d.ID, f); err != nil {
				return nil, err
			}
			after.Own[key] = f.ID
			after.Files[f.ID] = f
		}
		if err := d.CommitContacts(tx, models.EditingContact, models.ContactChange{Before: before, After: after}); err != nil {
			return nil, err
		}
		if old := before.Files[before.Own[key]]; old != nil {
			err = models.DropFile(tx, d.ID, old.Key)
		}
		return after, err
	})
}

// File returns the file in an own field of somebody in this directory. It answers NotFound for anybody else, and if
// there is no file.
func (d *Directory) File(ctx context.Context, contactID, key string) (*models.File, error) {
	if err := d.isFileField(ctx, key); err != nil {
		return nil, err
	}
	p, err := d.Person(ctx, contactID)
	if err != nil {
		return nil, err
	}
	if f := p.Files[p.Own[key]]; f != nil {
		return f, nil
	}
	return nil, errNoFile
}

// dropValuesOf deletes the values of an own field that is being deleted, with their files.
func (d *Directory) dropValuesOf(tx *store.Tx, fieldKey string) error {
	var held []*models.File
	err := tx.Where("organization_id = ? AND id IN (SELECT file_id FROM contact_values WHERE field_key = ?)", d.ID,
		fieldKey).
		Order("id").Find(&held).Error
	if err == nil {
		err = tx.Where("field_key = ?", fieldKey).Delete(&models.ContactValue{}).Error
	}
	for i := 0; err == nil && i < len(held); i++ {
		err = models.DropFile(tx, d.ID, held[i].Key)
	}
	return err
}

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
