package models

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Speaker is a contact who is a participant on a live session of the event. It
// is a view of contacts and has no table.
type Speaker = Contact

// SpeakerRecord is the single read of a speaker: the contact without what
// belongs to the event alone, such as travel and logistics notes.
type SpeakerRecord struct {
	Contact
	FirstName   string     `json:"first_name"`
	LastName    string     `json:"last_name"`
	JobTitle    string     `json:"job_title"`
	Phone       string     `json:"phone"`
	WebsiteURL  string     `json:"website_url"`
	LinkedinURL string     `json:"linkedin_url"`
	CreatedAt   store.Time `json:"created_at"`
	UpdatedAt   store.Time `json:"updated_at"`
	AdminURL    string     `json:"admin_url"`
	SessionIDs  []string   `json:"session_ids" nullable:"false" doc:"The live sessions this person is on"`
}

// speaking are the contacts on live sessions of the event given twice. It goes
// through the deleted ones, which are few.
const speaking = `SELECT contact_id FROM participants WHERE event_id = ?
	AND session_id NOT IN (SELECT id FROM sessions WHERE event_id = ? AND deleted_at IS NOT NULL)`

// Speakers returns a page of the event's speakers, ordered by full name; text,
// when not empty, must be part of the name, e-mail or company in any case.
func (p *Programme) Speakers(ctx context.Context, text string, page store.Page) ([]*Speaker, store.Pagination, error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	query := p.speakers(ctx)
	if text != "" {
		query = query.Where(`search LIKE ? ESCAPE '\'`, store.LikePattern(store.Fold(text)))
	}
	query = query.Session(&gorm.Session{})
	var total int64
	if text == "" {
		total, err = p.speakerCount(ctx)
	} else {
		err = query.Count(&total).Error
	}
	if err != nil {
		return nil, store.Pagination{}, err
	}
	speakers := []*Speaker{}
	err = query.Order("name_key, id").Limit(page.Size).Offset(page.Offset()).Find(&speakers).Error
	return speakers, page.Of(total), err
}

// Speaker returns one speaker with the sessions the person is on, or NotFound
// for a contact on no live session of the event.
func (p *Programme) Speaker(ctx context.Context, contactID string) (*SpeakerRecord, error) {
	if !store.IsID(contactID) {
		return nil, store.NoSuch("speaker")
	}
	var ids []string
	if err := p.read(ctx).Raw("SELECT s.id FROM participants p JOIN sessions s ON s.id = p.session_id "+
		"WHERE p.event_id = ? AND s.deleted_at IS NULL AND p.contact_id = ? ORDER BY s.id", p.event.ID, contactID).
		Scan(&ids).Error; err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, store.NoSuch("speaker")
	}
	var c Contact
	err := p.read(ctx).Where("organization_id = ? AND id = ?", p.event.OrganizationID, contactID).Take(&c).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, store.NoSuch("speaker")
	}
	if err != nil {
		return nil, err
	}
	return &SpeakerRecord{
		Contact: c, FirstName: c.FirstName, LastName: c.LastName, JobTitle: c.JobTitle, Phone: c.Phone,
		WebsiteURL: c.WebsiteURL, LinkedinURL: c.LinkedinURL, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		AdminURL: p.adminURL("contacts", c.ID), SessionIDs: ids,
	}, nil
}
