package cfp

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
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
	}{{"title", r.Title != nil}, {"description", r.Description != nil}, {"about", r.About != nil},
		{"photo", r.PhotoID != nil || r.DropsPhoto}} {
		if f.changes {
			names = append(names, f.name)
		}
	}
	return names
}

// SessionText is the text of a programme session as one of its people edits it.
type SessionText struct {
	Session *models.Session
	Waiting *Revision // nil of none
}

// Text is what the form begins with: what waits, where something does.
func (t *SessionText) Text() models.Text {
	text := t.Session.Text()
	if t.Waiting != nil {
		store.Put(&text.Title, t.Waiting.Title)
		store.Put(&text.Description, t.Waiting.Description)
	}
	return text
}

// IsApproved tells of a text of which a change waits for staff.
func (t *SessionText) IsApproved() bool { return t.Session.ContentState == models.ContentApproved }

// Token is that of the text and of what waits.
func (t *SessionText) Token() string {
	if t.Waiting == nil {
		return t.Session.UpdatedAt.String()
	}
	return t.Session.UpdatedAt.String() + "." + t.Waiting.UpdatedAt.String()
}

var (
	errNoText    = store.Missing("There is no such session, or its text is not changed here.")
	errStaleText = store.Outdated("This text was changed elsewhere since you opened it.")
)

// SessionText is the text of a programme session that whose place it is speaks at. It answers NotFound for any other,
// and at an event that does not ask for approved content.
func (pl *Place) SessionText(ctx context.Context, event *models.Event, id string) (*SessionText, error) {
	s, err := pl.in(event).Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return pl.textOf(pl.read(ctx), event, s)
}

func (pl *Place) textOf(db *gorm.DB, event *models.Event, s *models.Session) (*SessionText, error) {
	if !event.AsksApproval || s.IsAbstract || !pl.OpensAt(event) || !isOn(s, pl.contactID) {
		return nil, errNoText
	}
	waiting, err := store.One[Revision](db.Where("session_id = ?", s.ID), nil)
	return &SessionText{s, waiting}, err
}

// isOn tells whether somebody is on a session.
func isOn(s *models.Session, contactID string) bool {
	return slices.ContainsFunc(s.Participants, func(x *models.Participant) bool { return x.ContactID == contactID })
}

// SaveText changes the text of a programme session that whose place it is speaks at; token is that of the text as it
// was read, "" forces the write. What staff approved stays as it is, and the change waits for them; the same text again
// takes what waits back. Anything else is changed at once, and emits session.updated. It answers NotFound as SessionText
// does, Invalid by title and description, and Stale.
func (pl *Place) SaveText(ctx context.Context, event *models.Event, id string, text models.Text, token string) (waits bool,
	err error) {
	if err := models.CleanText(&text); err != nil {
		return false, err
	}
	return waits, pl.store.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		if err := pl.holdSelf(tx, event); err != nil {
			return err
		}
		_, err := pl.in(event).EditSession(ctx, id, models.SessionEdit{
			Decide: func(tx *store.Tx, s *models.Session, _ []*models.Participant) (c models.SessionChange, err error) {
				now, err := pl.textOf(tx.DB, event, s)
				switch {
				case err != nil:
					return c, err
				case token != "" && token != now.Token():
					return c, errStaleText
				}
				r := now.Waiting
				if r == nil {
					r = &Revision{EventID: event.ID, SessionID: &s.ID}
				}
				r.Title, r.Description = nil, nil
				if waits = now.IsApproved() && text != s.Text(); waits {
					r.Title, r.Description = unless(s.Title, text.Title), unless(s.Description, text.Description)
				} else if !now.IsApproved() {
					c.Title, c.Description = &text.Title, &text.Description
				}
				return c, pl.keepRevision(tx, r)
			}})
		return err
	})
}

// unless is a value that differs from another one, nil for the same.
func unless(was, is string) *string {
	if was == is {
		return nil
	}
	return &is
}

// holdSelf keeps whose place it is from being merged away before a session is held: rows of theirs refer to them. Who
// changes something is no guest of the event.
func (pl *Place) holdSelf(tx *store.Tx, event *models.Event) error {
	if _, err := store.One[models.Contact](models.KeyShare(tx).Where("organization_id = ? AND id = ?", pl.organizationID,
		pl.contactID), errNoText); err != nil {
		return err
	}
	return pl.in(event).Welcome(tx, pl.contactID)
}

// keepRevision stores a revision by whose place it is, or forgets one that changes nothing any more. Whose content it
// is of is held.
func (pl *Place) keepRevision(tx *store.Tx, r *Revision) error {
	fields, before := r.Fields(), r.UpdatedAt
	if len(fields) == 0 {
		return tx.Where("id = ?", r.ID).Delete(&Revision{}).Error
	}
	r.AuthorID, r.UpdatedAt = pl.contactID, tx.Now.Following(before)
	var err error
	if r.ID == "" {
		r.ID, r.CreatedAt = store.NewID(), tx.Now
		err = tx.Create(r).Error
	} else {
		err = tx.Save(r).Error
	}
	if err != nil {
		return err
	}
	event, err := store.One[models.Event](tx.Where("id = ?", r.EventID), errNoText)
	if err != nil {
		return err
	}
	return pl.in(event).Record(tx, r.Line("proposed", nil))
}

// Line is the line of activity about what became of a revision, with more to say about it or nil.
func (r *Revision) Line(action string, more map[string]any) store.Change {
	said := map[string]any{"fields": strings.Join(r.Fields(), " ")}
	maps.Copy(said, more)
	line := store.Change{Subject: "session", Action: action, After: said}
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
	return models.DropFile(tx, organizationID, f.Key)
}

// Waiting is what whose place it is changed of their biography and photo and waits for staff, nil for nothing.
func (pl *Place) Waiting(ctx context.Context) (*Revision, error) { return pl.waiting(pl.read(ctx)) }

func (pl *Place) waiting(db *gorm.DB) (*Revision, error) {
	if pl.isLent || pl.contactID == "" {
		return nil, nil
	}
	return store.One[Revision](db.Where("contact_id = ?", pl.contactID).Order("event_id").Limit(1), nil)
}

// aboutWaiting is the biography of a contact that waits.
const aboutWaiting = "SELECT r.about FROM revisions r WHERE r.contact_id = ? ORDER BY r.event_id LIMIT 1"

// approving is the event whose staff approved what somebody says of themselves: the latest that is not over, asks for
// approved content, and has them on a session whose content was approved. It is nil where there is none, and where
// staff fill in for them.
func (pl *Place) approving(db *gorm.DB) (*models.Event, error) {
	if pl.isLent || pl.contactID == "" {
		return nil, nil
	}
	return store.One[models.Event](db.Where("organization_id = ? AND asks_approval AND coalesce(ends_on, starts_on, '9') >= ?",
		pl.organizationID, pl.store.Now().UTC().Format("2006-01-02")).
		Where(`EXISTS (SELECT 1 FROM sessions s JOIN participants x ON x.session_id = s.id
			WHERE s.event_id = events.id AND x.contact_id = ? AND NOT s.is_abstract AND s.content_state = 'approved'
				AND s.deleted_at IS NULL)`, pl.contactID).
		Order("coalesce(starts_on, '') DESC, id").Limit(1), nil)
}

// changeSelf applies a partial change of whose place it is, in which a biography that staff approved stays as it is
// and the change waits for them. It answers as models.Directory.UpdatePerson does.
func (pl *Place) changeSelf(ctx context.Context, d *models.Directory, c models.PersonChange) (*models.Person, error) {
	about, changes := c.Values["about"]
	if !changes {
		return d.UpdatePerson(ctx, pl.contactID, c)
	}
	return store.Make(ctx, pl.store.Write, func(tx *store.Tx) (*models.Person, error) {
		ctx := tx.Within(ctx)
		event, err := pl.approving(tx.DB)
		if err != nil {
			return nil, err
		}
		if event != nil {
			delete(c.Values, "about")
			if about, err = models.ContactFieldNamed("about").Clean(about); err != nil {
				return nil, err
			}
		}
		person, err := d.UpdatePerson(ctx, pl.contactID, c)
		if err != nil || event == nil {
			return person, err
		}
		return person, pl.revise(tx, event, person, func(r *Revision) { r.About = unless(person.About, about) })
	})
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
	before := r.PhotoID
	change(r)
	if err := pl.in(event).Welcome(tx, person.ID); err != nil {
		return err
	}
	if err := pl.keepRevision(tx, r); err != nil || before == nil || r.PhotoID != nil && *r.PhotoID == *before {
		return err
	}
	return dropPhoto(tx, pl.organizationID, before)
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
