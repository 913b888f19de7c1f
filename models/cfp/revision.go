package cfp

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// Revision is a speaker's change of content that staff approved, until staff accept or refuse it: of a session's text,
// or of somebody's biography and photo. Exactly one of SessionID and ContactID is set, and each of these has at most
// one revision.
type Revision struct {
	ID          string `gorm:"primaryKey"` // "" before it is stored
	EventID     string // whose staff decide
	SessionID   *string
	ContactID   *string
	AuthorID    string  // the contact who changed it last
	Title       *string // nil leaves it alone, like the next three
	Description *string
	About       *string
	PhotoID     *string
	DropsPhoto  bool
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// Fields returns the names of what the revision changes.
func (r *Revision) Fields() (names []string) {
	for _, f := range []struct {
		name    string
		changes bool
	}{{"title", r.Title != nil}, {"description", r.Description != nil}, {"biography", r.About != nil},
		{"photo", r.PhotoID != nil || r.DropsPhoto}} {
		if f.changes {
			names = append(names, f.name)
		}
	}
	return names
}

// unless returns is, or nil if was is the same.
func unless(was, is string) *string {
	if was == is {
		return nil
	}
	return &is
}

// keep stores a change that the place's owner makes to a revision, or deletes the revision if nothing is left of it.
// The caller has locked the session or the contact. The activity records when a revision begins, and when it covers
// more.
func (pl *Place) keep(tx *store.Tx, r *Revision, change func(*Revision)) error {
	before, told := *r, r.Fields()
	change(r)
	r.AuthorID, r.UpdatedAt = pl.contactID, tx.Now.Following(before.UpdatedAt)
	var err error
	switch {
	case len(r.Fields()) == 0:
		err = tx.Where("id = ?", r.ID).Delete(&Revision{}).Error
	case r.ID == "":
		r.ID, r.CreatedAt = store.NewID(), tx.Now
		err = tx.Create(r).Error
	default:
		err = tx.Save(r).Error
	}
	if err == nil && before.PhotoID != nil && (r.PhotoID == nil || *r.PhotoID != *before.PhotoID) {
		err = dropPhoto(tx, pl.organizationID, before.PhotoID)
	}
	isMore := slices.ContainsFunc(r.Fields(), func(name string) bool { return !slices.Contains(told, name) })
	if err != nil || !isMore {
		return err
	}
	event, err := store.One[models.Event](tx.Where("id = ?", r.EventID), errNoText)
	if err != nil {
		return err
	}
	return pl.in(event).Record(tx, r.ActivityEntry("revised"))
}

// ActivityEntry returns the activity about a revision.
func (r *Revision) ActivityEntry(action string) store.Change {
	line := store.Change{Subject: "session", Action: action, After: map[string]any{"fields": strings.Join(r.Fields(), ", ")}}
	if r.ContactID != nil {
		line.Subject, line.ID = "contact", *r.ContactID
	} else {
		line.ID = *r.SessionID
	}
	return line
}

// Forget deletes a locked revision, with its photo.
func (r *Revision) Forget(tx *store.Tx, organizationID string) error {
	if err := tx.Where("id = ?", r.ID).Delete(&Revision{}).Error; err != nil {
		return err
	}
	return dropPhoto(tx, organizationID, r.PhotoID)
}

// dropPhoto deletes a photo that waited, nil for none.
func dropPhoto(tx *store.Tx, organizationID string, id *string) error {
	if id == nil {
		return nil
	}
	f, err := store.One[models.File](tx.Where("organization_id = ? AND id = ?", organizationID, *id), nil)
	if f == nil || err != nil {
		return err
	}
	return models.DropReplaced(tx, organizationID, f.Key)
}
