package cfp

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// Revision is what a speaker changed of content that staff approved, until staff accept or refuse it: of the text of a
// session, or of somebody's biography and photo. Exactly one of SessionID and ContactID is set; each has one at most.
type Revision struct {
	ID          string `gorm:"primaryKey"` // "" before it is kept
	EventID     string // whose staff decide
	SessionID   *string
	ContactID   *string
	AuthorID    string  // the contact who changed it last
	Title       *string // nil leaves it, as the next ones
	Description *string
	About       *string
	PhotoID     *string
	DropsPhoto  bool
	CreatedAt   store.Time
	UpdatedAt   store.Time
}

// Fields are the names of what it changes.
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

// unless is a value that differs from another one, nil for the same.
func unless(was, is string) *string {
	if was == is {
		return nil
	}
	return &is
}

// keep stores a change of a revision by whose place it is, or forgets one that changes nothing any more. Whose content
// it is of is held. The activity tells of it when it begins, and when it is about more.
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
	return pl.in(event).Record(tx, r.Line("revised"))
}

// Line is the line of activity about what became of a revision.
func (r *Revision) Line(action string) store.Change {
	line := store.Change{Subject: "session", Action: action, After: map[string]any{"fields": strings.Join(r.Fields(), ", ")}}
	if r.ContactID != nil {
		line.Subject, line.ID = "contact", *r.ContactID
	} else {
		line.ID = *r.SessionID
	}
	return line
}

// Forget forgets a revision that is held, with the photo that it brought.
func (r *Revision) Forget(tx *store.Tx, organizationID string) error {
	if err := tx.Where("id = ?", r.ID).Delete(&Revision{}).Error; err != nil {
		return err
	}
	return dropPhoto(tx, organizationID, r.PhotoID)
}

// dropPhoto forgets a photo that waited, nil for none.
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
