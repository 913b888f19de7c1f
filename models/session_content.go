package models

import (
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

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
