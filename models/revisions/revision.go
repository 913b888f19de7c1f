// Package revisions is what staff do with revisions, which are changes that speakers made of approved content: they see
// what would change, and accept or refuse it.
package revisions

import (
	"context"
	"errors"
	"strings"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/store"
)

// Desk is the handle for staff of one event's revisions.
type Desk struct{ p *models.Programme }

// Of returns the revisions of a programme.
func Of(p *models.Programme) *Desk { return &Desk{p} }

// Waiting is a revision with what it would change.
type Waiting struct {
	*call.Revision
	Session *models.Session // nil for a person's revision
	Person  *models.Contact // nil for a session's revision
	Author  string
}

// Token returns the tokens of the revision and of what it would change: whoever decides, decides about what they saw.
func (w *Waiting) Token() string {
	of := ""
	if w.Session != nil {
		of = w.Session.UpdatedAt.String()
	} else {
		of = w.Person.UpdatedAt.String()
	}
	return w.UpdatedAt.String() + "." + of
}

// Name returns the session's title or the person's name.
func (w *Waiting) Name() string {
	if w.Session != nil {
		return w.Session.Title
	}
	return w.Person.FullName
}

var (
	errNone = store.Missing("There is no such revision. It was decided, or taken back, meanwhile.")
	errSeen = store.Outdated("This was changed since you opened it, so nothing was decided. Look again, then decide.")
)

// of selects the revisions of the event that can be decided: none of deleted sessions.
const of = `event_id = ? AND (session_id IS NULL OR EXISTS (SELECT 1 FROM sessions s
	WHERE s.id = revisions.session_id AND s.deleted_at IS NULL))`

// Count returns how many revisions wait.
func (d *Desk) Count(ctx context.Context) (n int64, err error) {
	return n, d.p.Read(ctx).Model(&call.Revision{}).Where(of, d.p.Event().ID).Count(&n).Error
}

// All returns a page of the waiting revisions, the longest wait first.
func (d *Desk) All(ctx context.Context, page store.Page) ([]*Waiting, store.Pagination, error) {
	n, err := d.Count(ctx)
	found := page.Of(n)
	if err != nil || n == 0 {
		return nil, found, err
	}
	var rows []*call.Revision
	err = d.p.Read(ctx).Where(of, d.p.Event().ID).Order("created_at, id").Offset(page.Offset()).Limit(page.Size).
		Find(&rows).Error
	if err != nil {
		return nil, found, err
	}
	all, err := d.fill(ctx, rows)
	return all, found, err
}

// One returns a waiting revision. It answers NotFound.
func (d *Desk) One(ctx context.Context, id string) (*Waiting, error) {
	return d.one(ctx, "id = ?", id)
}

// OfSession returns the waiting revision of a session, nil for none.
func (d *Desk) OfSession(ctx context.Context, id string) (*Waiting, error) {
	return d.some(ctx, "session_id = ?", id)
}

// OfPerson returns the waiting revision of a person, nil for none.
func (d *Desk) OfPerson(ctx context.Context, id string) (*Waiting, error) {
	return d.some(ctx, "contact_id = ?", id)
}

func (d *Desk) some(ctx context.Context, condition, id string) (*Waiting, error) {
	w, err := d.one(ctx, condition, id)
	if errors.Is(err, errNone) {
		return nil, nil
	}
	return w, err
}

func (d *Desk) one(ctx context.Context, condition, id string) (*Waiting, error) {
	if !store.IsID(id) {
		return nil, errNone
	}
	row, err := store.One[call.Revision](d.p.Read(ctx).Where(of, d.p.Event().ID).Where(condition, id), errNone)
	if err != nil {
		return nil, err
	}
	all, err := d.fill(ctx, []*call.Revision{row})
	if err == nil && len(all) == 0 {
		err = errNone
	}
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// fill reads what revisions would change, and their authors.
func (d *Desk) fill(ctx context.Context, rows []*call.Revision) ([]*Waiting, error) {
	var sessions, people []string
	for _, r := range rows {
		people = append(people, r.AuthorID)
		if r.SessionID != nil {
			sessions = append(sessions, *r.SessionID)
		} else {
			people = append(people, *r.ContactID)
		}
	}
	var texts []*models.Session
	if err := d.p.Read(ctx).Where("event_id = ? AND id IN ?", d.p.Event().ID, sessions).Find(&texts).Error; err != nil {
		return nil, err
	}
	var contacts []*models.Contact
	if err := d.p.Read(ctx).Where("organization_id = ? AND id IN ?", d.p.Event().OrganizationID, people).
		Find(&contacts).Error; err != nil {
		return nil, err
	}
	titled := store.ByKey(texts, func(s *models.Session) string { return s.ID })
	named := store.ByKey(contacts, func(c *models.Contact) string { return c.ID })
	var all []*Waiting
	for _, r := range rows {
		w := &Waiting{Revision: r}
		if r.SessionID != nil {
			w.Session = titled[*r.SessionID]
		} else {
			w.Person = named[*r.ContactID]
		}
		if author := named[r.AuthorID]; author != nil && (w.Session != nil || w.Person != nil) { // else just merged or purged
			w.Author = author.FullName
			all = append(all, w)
		}
	}
	return all, nil
}

// Photo returns the photo of a revision. It answers NotFound.
func (d *Desk) Photo(ctx context.Context, id string) (*models.File, error) {
	w, err := d.One(ctx, id)
	if err != nil {
		return nil, err
	}
	if w.PhotoID == nil {
		return nil, errNone
	}
	return models.FileOf(d.p.Read(ctx), d.p.Event().OrganizationID, models.PhotoFile, *w.PhotoID)
}

// Next returns the id of the revision to look at after another: the next one that came later, else the one that waits
// longest; "" for none.
func (d *Desk) Next(ctx context.Context, after *call.Revision) (string, error) {
	for _, later := range []string{"created_at > ? OR created_at = ? AND id > ?", "created_at < ? OR created_at = ? AND id < ?"} {
		var ids []string
		err := d.p.Read(ctx).Model(&call.Revision{}).Where(of, d.p.Event().ID).Where(later, after.CreatedAt, after.CreatedAt, after.ID).
			Order("created_at, id").Limit(1).Pluck("id", &ids).Error
		if err != nil || len(ids) > 0 {
			return strings.Join(ids, ""), err
		}
	}
	return "", nil
}
