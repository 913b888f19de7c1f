package cfp

import (
	"context"
	"maps"
	"slices"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/store"
)

// ProfileFields are what people say of themselves, by the names of models.ContactFields, in the order of the form.
var ProfileFields = []string{"first_name", "last_name", "sort_name", "about", "job_title", "company_name",
	"website_url",
	"linkedin_url"}

// AvailabilityFields are what they say of when they can come to an event.
var AvailabilityFields = []string{"away", "availability"}

// Profile is whose place it is, with what is kept of them for an event where they are at it. Nothing of it is for
// others: Here has what staff note too, of which pages show AvailabilityFields alone.
func (pl *Place) Profile(ctx context.Context, event *models.Event) (*models.Person, error) {
	person, err := pl.in(event).Directory().Person(ctx, pl.contactID)
	if store.KindOf(err) == store.NotFound {
		return pl.directory().Person(ctx, pl.contactID)
	}
	return person, err
}

// SaveProfile applies a partial change of ProfileFields and AvailabilityFields. It answers Invalid for a field that
// breaks its rule or is none of these, TooMany for more text than may come in an hour from an address that nobody has
// proven, NotFound for availability of who is not at the event, and Stale for a token that
// is outdated. A biography that staff approved stays; waits tells that a change of it is shown once they accept it. It
// emits contact.updated when the availability changed, and nothing for the profile.
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

// SetPhoto makes a file the photo of whose place it is, as models.Directory.SetPhoto does, and answers as MayBring
// does. Waits tells that it is shown once staff accept it, because theirs was approved.
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

// RemovePhoto leaves them without one; waits is as SetPhoto's.
func (pl *Place) RemovePhoto(ctx context.Context) (waits bool, err error) {
	if waits, err = pl.revisePhoto(ctx, nil); !waits && err == nil {
		if _, err = pl.directory().RemovePhoto(ctx, pl.contactID); err == nil {
			err = pl.photoChanged(ctx)
		}
	}
	return waits, pl.wide(err)
}
