package call

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

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
	return pl.At(event).Record(tx, r.ActivityEntry("revised"))
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

// SessionText is the text of a programme session for one of its people to edit.
type SessionText struct {
	Session *models.Session
	Waiting *Revision // nil for none
}

// Text returns the text with which the form begins: the waiting one, if there is one.
func (t *SessionText) Text() models.Text {
	text := t.Session.Text()
	if t.Waiting != nil {
		store.Put(&text.Title, t.Waiting.Title)
		store.Put(&text.Description, t.Waiting.Description)
	}
	return text
}

// IsApproved reports whether staff approved the text, so that a change waits for them.
func (t *SessionText) IsApproved() bool { return t.Session.ContentState == models.ContentApproved }

// Token returns the token of the text and of the waiting revision.
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

// SessionText returns the text of a programme session that the place's owner is on. It answers NotFound for any other,
// and at an event that does not ask for approved content.
func (pl *Place) SessionText(ctx context.Context, event *models.Event, id string) (*SessionText, error) {
	s, err := pl.At(event).Session(ctx, id)
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

// isOn reports whether somebody is on a session.
func isOn(s *models.Session, contactID string) bool {
	return slices.ContainsFunc(s.Participants, func(x *models.Participant) bool { return x.ContactID == contactID })
}

// SaveText changes the text of a programme session that the place's owner is on; token is that of the text as it was
// read, "" forces the write. If staff approved the text, it stays and the change waits for them; saving the same text
// again withdraws a waiting change. Otherwise the text changes at once, which emits session.updated. It answers
// NotFound as SessionText does, Invalid by title and description, Stale, and TooMany as Save does.
func (pl *Place) SaveText(ctx context.Context, event *models.Event, id string, text models.Text, token string) (waits bool,
	err error) {
	if err := models.CleanText(&text); err != nil {
		return false, err
	}
	return waits, pl.store.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		if err := pl.At(event).HoldActor(tx, pl.contactID, errNoText); err != nil {
			return err
		}
		var before models.Session
		after, err := pl.At(event).EditSession(ctx, id, models.SessionEdit{
			Decide: func(tx *store.Tx, s *models.Session, _ []*models.Participant) (c models.SessionChange, err error) {
				before = *s
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
				if waits = now.IsApproved() && text != s.Text(); !now.IsApproved() {
					c.Title, c.Description = &text.Title, &text.Description
				}
				return c, pl.keep(tx, r, func(r *Revision) {
					if r.Title, r.Description = nil, nil; waits {
						r.Title, r.Description = unless(s.Title, text.Title), unless(s.Description, text.Description)
					}
				})
			}})
		if err != nil || waits {
			return err
		}
		return pl.mayChange(tx, event, longest(map[string]string{"title": text.Title, "description": text.Description}),
			&before, after)
	})
}
