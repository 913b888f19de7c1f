package call

import (
	"context"
	"errors"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/people"
	"lectern/models/store"
)

// ProfileFields are the fields that people edit about themselves, by the names of models.ContactFields, in the form's
// order.
var ProfileFields = []string{"first_name", "last_name", "sort_name", "about", "job_title", "company_name",
	"website_url",
	"linkedin_url"}

// AvailabilityFields say when somebody can come to an event.
var AvailabilityFields = []string{"away", "availability"}

// Profile returns the place's owner, with what belongs to them at an event if they are at it. Here also has notes by
// staff, of which pages may show AvailabilityFields alone.
func (pl *Place) Profile(ctx context.Context, event *models.Event) (*models.Person, error) {
	person, err := pl.At(event).Directory().Person(ctx, pl.contactID)
	if store.KindOf(err) == store.NotFound {
		return pl.directory().Person(ctx, pl.contactID)
	}
	return person, err
}

// SaveProfile applies a partial change of ProfileFields and AvailabilityFields. It answers Invalid for a field that
// breaks its rule or is none of these; TooMany beyond the hour's limit of text from an unproven address; NotFound for
// availability of somebody who is not at the event; and Stale when a token is outdated. A biography that staff approved
// stays; waits says that its change is shown once they accept it. It emits contact.updated if the availability changed,
// and nothing for the profile.
func (pl *Place) SaveProfile(ctx context.Context, event *models.Event, c people.Change) (waits bool, err error) {
	ofEvent := false
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		if !slices.Contains(slices.Concat(ProfileFields, AvailabilityFields), name) {
			return false, store.Invalidf(name, "cannot be changed here")
		}
		ofEvent = ofEvent || slices.Contains(AvailabilityFields, name)
	}
	directory := pl.directory()
	if ofEvent {
		directory = pl.At(event).Directory()
	} else {
		c.HereUpdatedAt = nil // nothing of the event changes
	}
	err = pl.store.Write(ctx, func(tx *store.Tx) (err error) {
		if waits, err = pl.changeSelf(tx.Within(ctx), directory, c); err != nil {
			return err
		}
		return pl.maySay(tx, event, c.Values)
	})
	return waits, pl.wide(err)
}

// SetPhoto makes a file the photo of the place's owner, as models.Directory.SetPhoto does, and answers as MayBring
// does. waits says that staff approved the old photo and must accept the new one before it is shown.
func (pl *Place) SetPhoto(ctx context.Context, event *models.Event, upload models.Upload) (waits bool, err error) {
	if err := pl.MayBring(ctx, event, "photo", len(upload.Content)); err != nil {
		return false, err
	}
	if waits, err = pl.revisePhoto(ctx, &upload); !waits && err == nil {
		if _, err = pl.directory().SetPhoto(ctx, pl.contactID, upload); err == nil {
			err = pl.photoChanged(ctx)
		}
	}
	return waits, pl.wide(err)
}

// RemovePhoto removes the photo; waits is as in SetPhoto.
func (pl *Place) RemovePhoto(ctx context.Context) (waits bool, err error) {
	if waits, err = pl.revisePhoto(ctx, nil); !waits && err == nil {
		if _, err = pl.directory().RemovePhoto(ctx, pl.contactID); err == nil {
			err = pl.photoChanged(ctx)
		}
	}
	return waits, pl.wide(err)
}

// Waiting returns the change of the place's owner's biography and photo that waits for staff, nil for none.
func (pl *Place) Waiting(ctx context.Context) (*Revision, error) { return pl.waiting(pl.read(ctx)) }

// WaitingPhoto returns the photo that waits for staff. It answers NotFound without one.
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

// aboutWaiting returns a subquery, with its values, of the biography that waits for staff. For staff who fill in for
// somebody it finds none: they see what is published.
func (pl *Place) aboutWaiting() (query string, values []any) {
	whose := pl.contactID
	if pl.isLent {
		whose = ""
	}
	return "(SELECT r.about FROM revisions r WHERE r.contact_id = ? AND (? = '' OR r.event_id = ?))", []any{whose, pl.only, pl.only}
}

// approving returns the event whose staff approved the profile of the place's owner; nil if there is none, and for
// staff who fill in for them.
func (pl *Place) approving(db *gorm.DB) (*models.Event, error) {
	if pl.isLent || pl.contactID == "" {
		return nil, nil
	}
	return models.ApprovingEvent(db, pl.organizationID, pl.contactID, pl.store.Now())
}

// changeSelf applies a partial change to the place's owner. If staff approved their biography, its change waits and
// waits is true. It answers as people.Directory.Update does.
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

// overtake changes the waiting revision of the place's owner, who is locked, because a field was changed at once.
func (pl *Place) overtake(tx *store.Tx, change func(*Revision)) error {
	r, err := pl.waiting(tx.DB)
	if r == nil || err != nil {
		return err
	}
	return pl.keep(tx, r, change)
}

// revise changes the waiting revision of a person, who is locked, or begins one. It answers models.ErrShared if they
// may not change what other events show.
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
	if err := pl.At(event).Welcome(tx, person.ID); err != nil {
		return err
	}
	r.EventID = event.ID // previously another event may have been the latest
	return pl.keep(tx, r, change)
}

// revisePhoto stores a new photo, nil for none, until staff accept it; held is false if it can be changed at once.
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
		person, err := pl.directory().HoldUnerased(tx, pl.contactID)
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

// photoChanged removes the photo from the waiting revision.
func (pl *Place) photoChanged(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := pl.directory().HoldUnerased(tx, pl.contactID); err != nil {
			return err
		}
		return pl.overtake(tx, func(r *Revision) { r.PhotoID, r.DropsPhoto = nil, false })
	})
}

// TakeBack deletes the waiting revision of the place's owner's profile.
func (pl *Place) TakeBack(ctx context.Context) error {
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := pl.directory().HoldUnerased(tx, pl.contactID); err != nil {
			return err
		}
		r, err := pl.waiting(tx.DB)
		if r == nil || err != nil {
			return err
		}
		return r.Forget(tx, pl.organizationID)
	})
}
