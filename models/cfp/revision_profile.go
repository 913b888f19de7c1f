package cfp

import (
	"context"
	"errors"
	"maps"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/people"
	"lectern/models/store"
)

// Waiting is what whose place it is changed of their biography and photo and waits for staff, nil for nothing.
func (pl *Place) Waiting(ctx context.Context) (*Revision, error) { return pl.waiting(pl.read(ctx)) }

// WaitingPhoto is the photo that waits. It answers NotFound without one.
func (pl *Place) WaitingPhoto(ctx context.Context) (*models.File, error) {
	r, err := pl.Waiting(ctx)
	if err != nil {
		return nil, err
	}
	if r == nil || r.PhotoID == nil {
		return nil, store.Missing("No photo waits.")
	}
	return models.FileOf(pl.read(ctx), pl.organizationID, models.PhotoFile, *r.PhotoID)
}

func (pl *Place) waiting(db *gorm.DB) (*Revision, error) {
	if pl.isLent || pl.contactID == "" {
		return nil, nil
	}
	return store.One[Revision](db.Where("contact_id = ? AND (? = '' OR event_id = ?)", pl.contactID, pl.only, pl.only), nil)
}

// aboutWaiting is a query of the biography that waits, with its values; staff who fill in for somebody go by what is
// shown.
func (pl *Place) aboutWaiting() (query string, values []any) {
	whose := pl.contactID
	if pl.isLent {
		whose = ""
	}
	return "(SELECT r.about FROM revisions r WHERE r.contact_id = ? AND (? = '' OR r.event_id = ?))", []any{whose, pl.only, pl.only}
}

// approving is the event whose staff approved what somebody says of themselves; nil where there is none, and where
// staff fill in for them.
func (pl *Place) approving(db *gorm.DB) (*models.Event, error) {
	if pl.isLent || pl.contactID == "" {
		return nil, nil
	}
	return models.ApprovingEvent(db, pl.organizationID, pl.contactID, pl.store.Now())
}

// changeSelf applies a partial change of whose place it is, in which a biography that staff approved stays as it is;
// waits tells that the change of it does. It answers as people.Directory.Update does.
func (pl *Place) changeSelf(ctx context.Context, d *models.Directory, c people.Change) (waits bool, err error) {
	about, changes := c.Values["about"]
	if !changes {
		_, err = people.In(d).Update(ctx, pl.contactID, c)
		return false, err
	}
	return waits, pl.store.Write(ctx, func(tx *store.Tx) error {
		event, err := pl.approving(tx.DB)
		if err != nil {
			return err
		}
		if waits = event != nil; waits {
			c.Values = maps.Clone(c.Values)
			delete(c.Values, "about")
			if about, err = models.ContactFieldNamed("about").Clean(about); err != nil {
				return err
			}
		}
		person, err := people.In(d).Update(tx.Within(ctx), pl.contactID, c)
		if err != nil {
			return err
		}
		if waits {
			return pl.revise(tx, event, person, func(r *Revision) { r.About = unless(person.About, about) })
		}
		return pl.overtake(tx, func(r *Revision) { r.About = nil })
	})
}

// overtake changes what waited until now of whose place it is, who is held: it was changed at once.
func (pl *Place) overtake(tx *store.Tx, change func(*Revision)) error {
	r, err := pl.waiting(tx.DB)
	if r == nil || err != nil {
		return err
	}
	return pl.keep(tx, r, change)
}

// revise changes what waits of a person, who is held. It answers models.ErrShared for who may not change what other
// events show of them.
func (pl *Place) revise(tx *store.Tx, event *models.Event, person *models.Person, change func(*Revision)) error {
	if may, err := pl.directory().MayChange(tx.DB, person.ID); err != nil || !may {
		return errors.Join(err, models.ErrShared)
	}
	r, err := pl.waiting(tx.DB)
	if err != nil {
		return err
	}
	if r == nil {
		r = &Revision{EventID: event.ID, ContactID: &pl.contactID}
	}
	if err := pl.in(event).Welcome(tx, person.ID); err != nil {
		return err
	}
	r.EventID = event.ID // another one may have been the latest before
	return pl.keep(tx, r, change)
}

// revisePhoto keeps another photo, nil for none, until staff accept it; held is false where theirs is changed at once.
func (pl *Place) revisePhoto(ctx context.Context, upload *models.Upload) (held bool, err error) {
	event, err := pl.approving(pl.read(ctx))
	if event == nil || err != nil {
		return false, err
	}
	var photo *models.File
	if upload != nil {
		if photo, err = pl.store.BringPicture(ctx, pl.by, models.PhotoFile, "photo", *upload, files.Portrait); err != nil {
			return true, err
		}
	}
	return true, pl.store.Write(ctx, func(tx *store.Tx) error {
		person, err := pl.directory().HoldKept(tx, pl.contactID)
		if err != nil {
			return err
		}
		if photo != nil {
			if err := models.KeepFile(tx, pl.organizationID, photo); err != nil {
				return err
			}
		}
		return pl.revise(tx, event, person, func(r *Revision) {
			r.PhotoID, r.DropsPhoto = nil, photo == nil && person.PhotoURL != nil
			if photo != nil {
				r.PhotoID = &photo.ID
			}
		})
	})
}

// photoChanged forgets the photo that waited until now.
func (pl *Place) photoChanged(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := pl.directory().HoldKept(tx, pl.contactID); err != nil {
			return err
		}
		return pl.overtake(tx, func(r *Revision) { r.PhotoID, r.DropsPhoto = nil, false })
	})
}

// TakeBack forgets what whose place it is changed of their biography and photo and waits for staff.
func (pl *Place) TakeBack(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := pl.directory().HoldKept(tx, pl.contactID); err != nil {
			return err
		}
		r, err := pl.waiting(tx.DB)
		if r == nil || err != nil {
			return err
		}
		return r.Forget(tx, pl.organizationID)
	})
}
