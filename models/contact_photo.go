package models

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models/files"
	"lectern/models/store"
)

// photo_url may be any address. If it is one of ours, the contact also keeps the key in it, by which the photo counts
// as in use: a caller only has to set, copy or clear the address.

const photoPath, photoEnd = "/photos/", ".jpg"

// photoURL returns the address of a photo; it needs no API key.
func (s *Store) photoURL(key string) string { return s.Options.BaseURL + photoPath + key + photoEnd }

// PhotoPath returns the path of the contact's photo here, "" if it is not one of ours.
func (c *Contact) PhotoPath() string {
	if c.PhotoKey == "" {
		return ""
	}
	return photoPath + c.PhotoKey + photoEnd
}

// PhotoKeyIn returns the key in a photo's address, "" if it is not one of ours.
func PhotoKeyIn(address *string) string {
	if address == nil {
		return ""
	}
	rest, isPhoto := strings.CutSuffix(*address, photoEnd)
	at := strings.LastIndex(rest, photoPath)
	if !isPhoto || at < 0 || !files.IsKey(rest[at+len(photoPath):]) {
		return ""
	}
	return rest[at+len(photoPath):]
}

// SetPhoto makes a JPEG, PNG or WebP file the photo of somebody in this directory: upright, without metadata, at most
// files.PhotoSide pixels. It deletes the previous photo. It answers Invalid for an erased person and, by the field
// photo, for a file that is no photo, damaged or too large (files.MaxPhotoBytes, files.MaxPhotoPixels); Unavailable
// when the file store fails. It emits nothing.
func (d *Directory) SetPhoto(ctx context.Context, contactID string, upload Upload) (*Contact, error) {
	if _, err := d.ContactOf(d.Read(ctx), contactID); err != nil {
		return nil, err
	}
	f, err := d.store.BringPicture(ctx, d.By, PhotoFile, "photo", upload, files.Portrait)
	if err != nil {
		return nil, err
	}
	return d.changePhoto(ctx, contactID, new(d.store.photoURL(f.Key)), func(tx *store.Tx) error {
		return KeepFile(tx, d.ID, f)
	})
}

// TakePhoto sets the photo of somebody in this directory, as SetPhoto does, to one whose file is stored already.
func (d *Directory) TakePhoto(ctx context.Context, contactID string, f *File) (*Contact, error) {
	return d.changePhoto(ctx, contactID, new(d.store.photoURL(f.Key)), func(*store.Tx) error { return nil })
}

// RemovePhoto removes somebody's photo and deletes it if it is ours. It emits nothing.
func (d *Directory) RemovePhoto(ctx context.Context, contactID string) (*Contact, error) {
	return d.changePhoto(ctx, contactID, nil, func(*store.Tx) error { return nil })
}

// changePhoto sets or removes a contact's photo.
func (d *Directory) changePhoto(
	ctx context.Context, contactID string, address *string, keep func(*store.Tx) error,
) (*Contact, error) {
	return store.Make(ctx, d.Write, func(tx *store.Tx) (*Contact, error) {
		c, err := d.ContactOf(tx.Lock(), contactID)
		if err != nil {
			return nil, err
		}
		was := c.PhotoURL
		switch {
		case was == nil && address == nil:
			return c, nil
		case c.ErasedAt != nil:
			return nil, errErased
		}
		if err := d.mayChange(tx, c.ID); err != nil {
			return nil, err
		}
		if err := DropPhoto(tx, c); err != nil {
			return nil, err
		}
		if err := keep(tx); err != nil {
			return nil, err
		}
		c.PhotoURL = address
		if err := UpdateContact(tx, c); err != nil {
			return nil, err
		}
		if err := TouchPrinted(tx, []string{c.ID}); err != nil {
			return nil, err
		}
		line, err := store.Change{Subject: "contact", ID: c.ID, Action: "updated",
			Before: map[string]any{"photo_url": store.Fact(was)}, After: map[string]any{"photo_url": store.Fact(address)}}.
			ActivityRow(d.ID, d.EventID(), d.By, tx.Now)
		if err != nil {
			return nil, err
		}
		return c, store.InsertInto(tx, "activity", []*store.Activity{line})
	})
}

// ContactOf returns the row of somebody in this directory. It answers NotFound.
func (d *Directory) ContactOf(db *gorm.DB, id string) (*Contact, error) {
	if !store.IsID(id) {
		return nil, ErrNoPerson
	}
	return store.One[Contact](d.Seen(db).Where("contacts.id = ?", id), ErrNoPerson)
}

// DropPhoto deletes the photo of a locked contact, unless another contact uses it too; its bytes go within the hour.
func DropPhoto(tx *store.Tx, c *Contact) error {
	if c.PhotoKey == "" {
		return nil
	}
	var others int64
	err := tx.Model(&Contact{}).Where("photo_key = ? AND organization_id = ? AND id <> ?", c.PhotoKey, c.OrganizationID, c.ID).
		Count(&others).Error
	if err != nil || others > 0 {
		return err
	}
	return DropReplaced(tx, c.OrganizationID, c.PhotoKey)
}

// Photo returns the file of the photo of somebody in this directory. It answers NotFound for anybody else, and for a
// photo that is not ours.
func (d *Directory) Photo(ctx context.Context, contactID string) (*File, error) {
	c, err := d.ContactOf(d.Read(ctx), contactID)
	if err != nil {
		return nil, err
	}
	return d.PhotoOf(ctx, c)
}

// PhotoOf returns the file of the photo of a contact already read. It answers NotFound for a photo that is not ours.
func (d *Directory) PhotoOf(ctx context.Context, c *Contact) (*File, error) {
	return store.One[File](d.Read(ctx).Where("organization_id = ? AND key = ? AND purpose = ?", d.ID, c.PhotoKey, PhotoFile),
		store.Missing("This person has no photo here."))
}

// Photo returns the file of a photo that a contact uses now, for whoever knows its key. It answers NotFound for all
// others.
func (s *Store) Photo(ctx context.Context, key string) (*File, error) {
	return store.One[File](s.Read(ctx).Where("key = ? AND purpose = ?", key, PhotoFile).
		Where("EXISTS (SELECT 1 FROM contacts c WHERE c.photo_key = files.key AND c.organization_id = files.organization_id)"),
		store.Missing("There is no such photo."))
}

// RenewPhotoURLs rewrites up to limit photo addresses that begin with a former public address of this service, and
// reports whether there may be more.
func (s *Store) RenewPhotoURLs(ctx context.Context, limit int) (more bool, err error) {
	return store.Make(ctx, s.Write, func(tx *store.Tx) (bool, error) {
		var contacts []*Contact
		err := tx.Lock().Where("photo_key <> '' AND photo_url <> ? || photo_key || ?", s.Options.BaseURL+photoPath, photoEnd).
			Where("EXISTS (SELECT 1 FROM files f WHERE f.key = contacts.photo_key AND f.organization_id = contacts.organization_id)").
			Order("id").Limit(limit).Find(&contacts).Error
		for i := 0; err == nil && i < len(contacts); i++ {
			contacts[i].PhotoURL = new(s.photoURL(contacts[i].PhotoKey))
			err = UpdateContact(tx, contacts[i])
		}
		return len(contacts) == limit, err
	})
}
