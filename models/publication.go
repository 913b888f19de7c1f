package models

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Publication sorts an event's programme sessions into public, ready and held ones, each in the order of the agenda;
// sessions without a start come last.
type Publication struct {
	Ready, Held, Public []*Publishable
	// Unaccepted counts live sessions that are neither public nor accepted.
	Unaccepted int
}

// Publishable is a live programme session with the fields that decide on its publication.
type Publishable struct {
	ID, FriendlyID string
	Number         int
	Title          string
	Status         Status
	IsPublic       bool
	RoomID         *string
	StartsAt       *store.Time
	ContentState   ContentState
	UpdatedAt      store.Time
	PublishedAt    *store.Time
	Undescribed    bool

	Holds      []Hold // a hold by letters first, then by content
	AbstractID string // the abstract whose letter or decision holds it; "" for none
	LetterID   string // the letter that holds it; "" for none
}

// IsPlaced reports whether the session has a room and a start.
func (x *Publishable) IsPlaced() bool { return x.RoomID != nil && x.StartsAt != nil }

// IsChanged reports whether a public session was changed since it was published.
func (x *Publishable) IsChanged() bool {
	return x.IsPublic && x.PublishedAt != nil && x.UpdatedAt.After(x.PublishedAt.Time)
}

// Publication reads the state of all sessions, or of those that match q, in two SQL statements. It answers Invalid for
// a search that breaks a rule.
func (p *Programme) Publication(ctx context.Context, q *SessionSearch) (*Publication, error) {
	of := p.Read(ctx).Model(&Session{})
	if q != nil {
		q = new(*q)
		q.Page = store.Page{}
		if err := p.cleanSearch(ctx, q); err != nil {
			return nil, err
		}
		of = p.filter(of, &q.Filter)
	}
	rows, err := scanPublishables(of.Where("event_id = ? AND is_abstract = false AND deleted_at IS NULL", p.event.ID))
	if err != nil {
		return nil, err
	}
	sources, err := p.behind(p.Read(ctx), `a.composed_into IN (SELECT t.id FROM sessions t WHERE t.event_id = a.event_id
		AND t.is_abstract = false AND t.deleted_at IS NULL AND t.is_public = false AND t.status = 'accepted')`)
	if err != nil {
		return nil, err
	}
	behind := map[string][]*source{}
	for _, x := range sources {
		behind[x.SessionID] = append(behind[x.SessionID], x)
	}
	slices.SortFunc(rows, func(a, b *Publishable) int {
		return cmp.Or(compareStarts(a.StartsAt, b.StartsAt), cmp.Compare(a.Number, b.Number))
	})
	all := &Publication{}
	for _, x := range rows {
		all.add(x, behind[x.ID], p.event.AsksApproval)
	}
	return all, nil
}

// scanPublishables reads rows without gorm's reflection, which is slow, as scanSessions does.
func scanPublishables(query *gorm.DB) (all []*Publishable, err error) {
	rows, err := query.Select("id, friendly_id, number, title, status, is_public, room_id, starts_at, content_state, " +
		"updated_at, published_at, description = ''").Rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		x := &Publishable{}
		if err := rows.Scan(&x.ID, &x.FriendlyID, &x.Number, &x.Title, &x.Status, &x.IsPublic, &x.RoomID, &x.StartsAt,
			&x.ContentState, &x.UpdatedAt, &x.PublishedAt, &x.Undescribed); err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, rows.Err()
}

// compareStarts orders moments; nil comes last.
func compareStarts(a, b *store.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Compare(b.Time)
}

// add sorts a session into its group.
func (all *Publication) add(x *Publishable, sources []*source, asksApproval bool) {
	switch {
	case x.IsPublic:
		all.Public = append(all.Public, x)
		return
	case x.Status != Accepted:
		all.Unaccepted++
		return
	}
	if hold, by := holding(sources); hold != "" {
		x.Holds = append(x.Holds, hold)
		if by != nil {
			x.AbstractID, x.LetterID = by.AbstractID, by.LetterID
		}
	}
	if asksApproval && x.ContentState != ContentApproved {
		x.Holds = append(x.Holds, HeldContent)
	}
	if len(x.Holds) > 0 {
		all.Held = append(all.Held, x)
	} else {
		all.Ready = append(all.Ready, x)
	}
}

// ContentState is the progress of a programme session's content, at an event that asks for approved content. Only
// organizers use it: the API neither shows nor accepts it.
type ContentState string

const (
	ContentDraft    ContentState = "draft"
	ContentInReview ContentState = "in_review"
	ContentApproved ContentState = "approved"
)

// ContentStates lists all values in their order.
var ContentStates = []ContentState{ContentDraft, ContentInReview, ContentApproved}

// setContent sets a session's content state, if one is given. It answers Invalid for an unknown state, for an abstract,
// and if the event does not ask for approved content.
func (p *Programme) setContent(tx *store.Tx, s *Session, to *ContentState) error {
	if to == nil {
		return nil
	}
	asks, err := p.asksApproval(tx.DB)
	switch {
	case err != nil:
		return err
	case !slices.Contains(ContentStates, *to):
		return store.Invalidf("content_state", "must be one of draft, in_review, approved")
	case s.IsAbstract:
		return store.Invalidf("content_state", "is of programme sessions alone; this is a submission")
	case !asks:
		return store.Invalidf("content_state", "is not kept, because the event does not ask for approved content")
	}
	s.ContentState = *to
	return nil
}

// internal reports whether the API does not show a field: a change of only such fields moves no token and emits
// nothing.
func internal(field string, _ any) bool { return Field(field).internal }

// shown filters facts to those that the API shows.
func shown(facts map[string]any) map[string]any {
	facts = maps.Clone(facts)
	maps.DeleteFunc(facts, internal)
	return facts
}

// approved reports whether the session's content may be published: it is approved, or the event asks for no approval.
func (p *Programme) approved(db *gorm.DB, s *Session) (bool, error) {
	if s.IsAbstract || s.ContentState == ContentApproved {
		return true, nil
	}
	asks, err := p.asksApproval(db)
	return !asks, err
}

// ApprovingEvent returns the event whose staff approved a contact's biography and photo: the latest of the
// organization's events that is not over, asks for approved content, and has the contact on a session with approved
// content. It returns nil if there is none.
func ApprovingEvent(db *gorm.DB, organizationID, contactID string, now store.Time) (*Event, error) {
	return store.One[Event](db.Where("organization_id = ? AND asks_approval AND coalesce(ends_on, starts_on, '9') >= ?",
		organizationID, now.UTC().Format("2006-01-02")).
		Where(`EXISTS (SELECT 1 FROM sessions s JOIN participants x ON x.session_id = s.id
			WHERE s.event_id = events.id AND x.contact_id = ? AND NOT s.is_abstract AND s.content_state = 'approved'
				AND s.deleted_at IS NULL)`, contactID).
		Order("coalesce(starts_on, '') DESC, id").Limit(1), nil)
}

// asksApproval reads the event's present setting, which handles of API keys do not have.
func (p *Programme) asksApproval(db *gorm.DB) (asks bool, err error) {
	err = db.Model(&Event{}).Where("id = ?", p.event.ID).Select("asks_approval").Scan(&asks).Error
	return asks, err
}
