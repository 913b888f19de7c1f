package models

import (
	"context"
	"maps"
	"math"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Speaker is a contact who is a participant on a live session of the event. It is a view of contacts and has no table.
type Speaker = Contact

// SpeakerRecord is the answer for a single speaker: the contact, without what belongs to one event, such as travel and
// logistics notes.
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

// speaking selects the contacts on live sessions of the event, whose id it takes twice. It excludes deleted sessions
// because they are few.
const speaking = `SELECT contact_id FROM participants WHERE event_id = ?
	AND session_id NOT IN (SELECT id FROM sessions WHERE event_id = ? AND deleted_at IS NOT NULL)`

// noDrafts excludes people who are only on drafts of the event, whose id it takes once more.
const noDrafts = ` AND session_id NOT IN (SELECT id FROM sessions
	WHERE event_id = ? AND is_abstract = true AND deleted_at IS NULL AND status = 'draft')`

// Speakers returns a page of the event's speakers, ordered by full name. A text that is not empty narrows it to those
// who have its words in name, e-mail or company; a speaker with exactly this name comes first.
func (p *Programme) Speakers(ctx context.Context, text string, page store.Page) ([]*Speaker, store.Pagination, error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	words := store.SearchWords(text)
	query := Has(p.speakers(ctx), words, "search").Session(&gorm.Session{})
	var total int64
	if len(words) == 0 && !p.asViewer {
		total, err = p.SpeakersWithDrafts(ctx)
	} else {
		err = query.Count(&total).Error
	}
	if err != nil {
		return nil, store.Pagination{}, err
	}
	speakers := []*Speaker{}
	if len(words) > 0 {
		query = query.Order(clause.OrderBy{Expression: gorm.Expr("name_key <> ?, name_key, id", store.Searchable(text))})
	} else {
		query = query.Order("name_key, id")
	}
	err = query.Limit(page.Size).Offset(page.Offset()).Find(&speakers).Error
	return speakers, page.Of(total), err
}

// SpeakersNear is Speakers for a text that may be mistyped: it looks only at names, in which a long word may have one
// error. It reads all names for that.
func (p *Programme) SpeakersNear(ctx context.Context, text string, page store.Page) ([]*Speaker, store.Pagination,
	error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err == nil {
		err = page.Clean()
	}
	if err != nil {
		return nil, store.Pagination{}, err
	}
	ids, err := p.idsNear(p.speakers(ctx).Order("name_key, id"), store.SearchWords(text), math.MaxInt)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	from := min(page.Offset(), len(ids))
	speakers := []*Speaker{}
	err = p.speakers(ctx).Where("id IN ?", ids[from:min(from+page.Size, len(ids))]).Order("name_key, id").
		Find(&speakers).Error
	return speakers, page.Of(int64(len(ids))), err
}

// Speaker returns one speaker with the sessions the person is on. It answers NotFound for a contact on no live session
// of the event.
func (p *Programme) Speaker(ctx context.Context, contactID string) (*SpeakerRecord, error) {
	if !store.IsID(contactID) {
		return nil, store.NoSuch("speaker")
	}
	found, err := p.SpeakerRecords(ctx, []string{contactID})
	if err == nil && len(found) == 0 {
		err = store.NoSuch("speaker")
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// SpeakerRecords returns the records of those of the contacts who are on live sessions of the event, ordered by id.
func (p *Programme) SpeakerRecords(ctx context.Context, contactIDs []string) ([]*SpeakerRecord, error) {
	sessions, err := p.sessionsOf(ctx, contactIDs)
	if err != nil || len(sessions) == 0 {
		return nil, err
	}
	guest := p.Directory().Guests(p.Read(ctx)).Where("h.contact_id = contacts.id").Select("1")
	var contacts []struct {
		Contact
		IsGuest bool
	}
	err = p.Read(ctx).Table("contacts").Select("contacts.*, EXISTS (?) AS is_guest", guest).
		Where("organization_id = ? AND id IN ?", p.event.OrganizationID, slices.Sorted(maps.Keys(sessions))).
		Order("id").Find(&contacts).Error
	records := make([]*SpeakerRecord, len(contacts))
	for i, c := range contacts {
		if c.IsGuest && !p.reach.everybody {
			c.Phone = ""
		}
		records[i] = p.recordOf(&c.Contact, sessions[c.ID])
	}
	return records, err
}

// sessionsOf returns the ids of the live sessions that contacts are on, by contact id.
func (p *Programme) sessionsOf(ctx context.Context, contactIDs []string) (map[string][]string, error) {
	var seats []struct{ ContactID, SessionID string }
	err := p.notDrafts(p.Read(ctx).Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id")).
		Where("p.event_id = ? AND s.deleted_at IS NULL AND p.contact_id IN ?", p.event.ID, contactIDs).Order("s.id").
		Select("p.contact_id, p.session_id").Find(&seats).Error
	sessions := map[string][]string{}
	for _, seat := range seats {
		sessions[seat.ContactID] = append(sessions[seat.ContactID], seat.SessionID)
	}
	return sessions, err
}

func (p *Programme) recordOf(c *Contact, sessionIDs []string) *SpeakerRecord {
	return &SpeakerRecord{
		Contact: *c, FirstName: c.FirstName, LastName: c.LastName, JobTitle: c.JobTitle, Phone: c.Phone,
		WebsiteURL: c.WebsiteURL, LinkedinURL: c.LinkedinURL, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		AdminURL: p.adminURL("contacts", c.ID), SessionIDs: append([]string{}, sessionIDs...),
	}
}

// RecordsOf returns the records of people of the event's directory, on a session or not, in their order.
func (p *Programme) RecordsOf(ctx context.Context, people ...*Person) ([]*SpeakerRecord, error) {
	ids := store.Map(people, func(x *Person) string { return x.ID })
	sessions, err := p.sessionsOf(ctx, ids)
	records := store.Map(people, func(x *Person) *SpeakerRecord { return p.recordOf(&x.Contact, sessions[x.ID]) })
	return records, err
}

// SpeakerPart is what a speaker does at the event.
type SpeakerPart struct {
	Roles                 []Role   // in the order of ParticipantRoles
	Submissions, Sessions int      // how many of them are live
	FirstID               string   // the first one's id: sessions before submissions, by start and number
	FriendlyIDs, Titles   []string // of all of them, in that order
}

// SpeakerParts returns what contacts do on the live sessions of the event, by contact id, with one SQL statement.
func (p *Programme) SpeakerParts(ctx context.Context, contactIDs []string) (map[string]SpeakerPart, error) {
	var rows []struct {
		ContactID, ID, FriendlyID, Title string
		Role                             Role
		IsAbstract                       bool
	}
	err := p.notDrafts(p.Read(ctx).Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id")).
		Select("p.contact_id, p.role, s.id, s.friendly_id, s.title, s.is_abstract").
		Where("p.event_id = ? AND p.contact_id IN ? AND s.deleted_at IS NULL", p.event.ID, contactIDs).
		Order("s.is_abstract, s.starts_at NULLS LAST, s.number").Find(&rows).Error
	parts := map[string]SpeakerPart{}
	for _, row := range rows {
		part := parts[row.ContactID]
		if part.FirstID == "" {
			part.FirstID = row.ID
		}
		part.FriendlyIDs, part.Titles = append(part.FriendlyIDs, row.FriendlyID), append(part.Titles, row.Title)
		if !slices.Contains(part.Roles, row.Role) {
			part.Roles = append(part.Roles, row.Role)
		}
		if row.IsAbstract {
			part.Submissions++
		} else {
			part.Sessions++
		}
		parts[row.ContactID] = part
	}
	for _, part := range parts {
		slices.SortFunc(part.Roles, func(a, b Role) int {
			return slices.Index(ParticipantRoles, a) - slices.Index(ParticipantRoles, b)
		})
	}
	return parts, err
}

// Appearance is a contact's part in a live session of one of the organization's events.
type Appearance struct {
	EventID, SessionID, FriendlyID, Title string
	Status                                Status
	IsAbstract, IsPublic                  bool
	StartsAt, EndsAt                      *store.Time
	Room                                  string // "" without a room
	Role                                  Role
	Letter                                LetterState // of a submission's decision to this person; "" for none
	LetterAt                              *store.Time // when it was sent, or last changed
}

// Appearances returns a contact's appearances at some events of the organization, with one SQL statement: for each
// event in the order of their starts, those without a start last.
func (d *Directory) Appearances(ctx context.Context, contactID string, eventIDs []string) ([]*Appearance, error) {
	var found []*Appearance
	err := d.notDrafts(d.Read(ctx).Table("participants p"), "p.event_id").
		Joins("JOIN events e ON e.id = p.event_id AND e.organization_id = ?", d.ID).
		Joins("JOIN sessions s ON s.id = p.session_id").Joins("LEFT JOIN metadata r ON r.id = s.room_id").
		Joins("LEFT JOIN letters l ON l.event_id = s.event_id AND l.session_id = s.id AND l.contact_id = p.contact_id "+
			"AND l.is_current").
		Select("p.event_id, s.id AS session_id, s.friendly_id, s.title, s.status, s.is_abstract, s.is_public, "+
			"s.starts_at, s.ends_at, coalesce(r.name, '') AS room, p.role, coalesce(l.state, '') AS letter, "+
			"coalesce(l.sent_at, l.updated_at) AS letter_at").
		Where("p.contact_id = ? AND p.event_id IN ? AND s.deleted_at IS NULL", contactID, eventIDs).
		Order("p.event_id, s.starts_at NULLS LAST, s.is_abstract, s.number").Limit(maxAppearances).Find(&found).Error
	return found, err
}

// maxAppearances limits the rows that are read; nobody has that many.
const maxAppearances = 500
