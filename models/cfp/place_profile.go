package cfp

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
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
	person, err := pl.in(event).Directory().Person(ctx, pl.contactID)
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
		directory = pl.in(event).Directory()
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
