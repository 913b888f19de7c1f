package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Contact is a person the organization knows. What belongs to one event only hangs on the EventContact.
type Contact struct {
	ID             string     `json:"id"`
	OrganizationID string     `json:"-"`
	Email          string     `json:"email" doc:"Empty when not known"`
	EmailKey       string     `json:"-"`
	FirstName      string     `json:"-"`
	LastName       string     `json:"-"`
	FullName       string     `json:"full_name"`
	NameKey        string     `json:"-"`
	CompanyName    string     `json:"company_name"`
	JobTitle       string     `json:"-"`
	Phone          string     `json:"-"`
	WebsiteURL     string     `json:"-"`
	LinkedinURL    string     `json:"-"`
	About          string     `json:"about" doc:"Sanitised HTML"`
	PhotoURL       *string    `json:"photo_url"`
	PhotoKey       string     `json:"-"` // of the file, when PhotoURL is one of ours
	Search         string     `json:"-"`
	CreatedAt      store.Time `json:"-"`
	UpdatedAt      store.Time `json:"-"`
}

// EventContact is what of a contact belongs to one event. The notes never leave the admin.
type EventContact struct {
	EventID        string
	OrganizationID string
	ContactID      string
	WorkflowStatus string
	TravelNotes    string
	LogisticsNotes string
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// NewContact is what a contact is made of. Full names are first and last name
// together, so a single name goes into FirstName.
type NewContact struct {
	Email, FirstName, LastName, CompanyName, JobTitle, Phone string
	WebsiteURL, LinkedinURL, About, PhotoURL                 string
	TravelNotes, LogisticsNotes                              string
}

func (n *NewContact) clean() error {
	var f store.Faults
	f.Clean(store.CleanText, "email", &n.Email, 254)
	f.Clean(store.CleanText, "first_name", &n.FirstName, store.MaxName)
	f.Clean(store.CleanText, "last_name", &n.LastName, store.MaxName)
	f.Clean(store.CleanText, "company_name", &n.CompanyName, store.MaxName)
	f.Clean(store.CleanText, "job_title", &n.JobTitle, store.MaxName)
	f.Clean(store.CleanText, "phone", &n.Phone, 50)
	f.Clean(store.CleanText, "travel_notes", &n.TravelNotes, store.MaxCustomValue)
	f.Clean(store.CleanText, "logistics_notes", &n.LogisticsNotes, store.MaxCustomValue)
	f.Clean(store.CleanURL, "website_url", &n.WebsiteURL, store.MaxURL)
	f.Clean(store.CleanURL, "linkedin_url", &n.LinkedinURL, store.MaxURL)
	f.Clean(store.CleanURL, "photo_url", &n.PhotoURL, store.MaxURL)
	f.Clean(store.CleanHTML, "about", &n.About, store.MaxDescription)
	if n.FirstName == "" && n.LastName == "" {
		f.Add(store.Invalidf("first_name", "must not be empty"))
	}
	if n.Email != "" && !store.IsEmail(n.Email) {
		f.Add(store.Invalidf("email", "must be an e-mail address"))
	}
	return f.Err()
}

// SplitName cuts a full name at its first space, so that both parts together give it back.
func SplitName(full string) (first, last string) {
	first, last, _ = strings.Cut(strings.TrimSpace(full), " ")
	return first, strings.TrimSpace(last)
}

func (n *NewContact) row(organizationID string, now store.Time) *Contact {
	c := &Contact{
		ID: store.NewID(), OrganizationID: organizationID, Email: n.Email, FirstName: n.FirstName, LastName: n.LastName,
		CompanyName: n.CompanyName, JobTitle: n.JobTitle, Phone: n.Phone, WebsiteURL: n.WebsiteURL,
		LinkedinURL: n.LinkedinURL, About: n.About, CreatedAt: now, UpdatedAt: now,
	}
	if n.PhotoURL != "" {
		c.PhotoURL = &n.PhotoURL
	}
	c.Index()
	return c
}

// Index refreshes what the row keeps for sorting and searching, and to know its photo by.
func (c *Contact) Index() {
	c.EmailKey = store.Fold(c.Email)
	c.FullName = strings.TrimSpace(c.FirstName + " " + c.LastName)
	c.NameKey = store.Fold(c.FullName)
	c.Search = store.Searchable(c.FullName, c.Email, c.CompanyName)
	c.PhotoKey = photoKey(c.PhotoURL)
}

// CreateContact adds a person to the organization and to this event. It answers Invalid for a field that breaks
// its rule or an e-mail address that belongs to another contact, and emits nothing.
func (p *Programme) CreateContact(ctx context.Context, n NewContact) (*Contact, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Contact, error) {
		c := n.row(p.event.OrganizationID, tx.Now)
		made, err := insertContacts(tx, c)
		if err != nil {
			return nil, err
		}
		if made == 0 {
			return nil, store.Invalidf("email", "belongs to another contact")
		}
		here := p.attached(c, tx.Now)
		here.TravelNotes, here.LogisticsNotes = n.TravelNotes, n.LogisticsNotes
		if err := tx.Create(here).Error; err != nil {
			return nil, err
		}
		return c, p.record(tx, store.Change{Subject: "contact", ID: c.ID, Action: "created"})
	})
}

// attached is a contact's row for this event, with nothing noted yet.
func (p *Programme) attached(c *Contact, now store.Time) *EventContact {
	return &EventContact{EventID: p.event.ID, OrganizationID: p.event.OrganizationID, ContactID: c.ID, CreatedAt: now,
		UpdatedAt: now}
}

// insertContacts stores new contacts, but for those whose address somebody else has, and returns how many. It
// takes them in the order of their addresses, lest two operations wait for each other's.
func insertContacts(tx *store.Tx, contacts ...*Contact) (made int64, err error) {
	contacts = slices.SortedStableFunc(slices.Values(contacts), func(a, b *Contact) int {
		return cmp.Compare(a.EmailKey, b.EmailKey)
	})
	done := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(contacts)
	return done.RowsAffected, done.Error
}

// updateContact stores a contact that was changed, and gives it the next token.
func updateContact(tx *store.Tx, c *Contact) error {
	c.UpdatedAt = tx.Now.Following(c.UpdatedAt)
	c.Index()
	return tx.Model(c).Select("*").Omit("id", "organization_id", "created_at").Updates(c).Error
}

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
// when not empty, asks for words of the name, e-mail or company, as that of sessions does.
func (p *Programme) Speakers(ctx context.Context, text string, page store.Page) ([]*Speaker, store.Pagination, error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	words := store.SearchWords(text)
	query := has(p.speakers(ctx), words, "search").Session(&gorm.Session{})
	var total int64
	if len(words) == 0 {
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
	c, err := store.One[Contact](p.read(ctx).Where("organization_id = ? AND id = ?", p.event.OrganizationID, contactID),
		store.NoSuch("speaker"))
	if err != nil {
		return nil, err
	}
	return &SpeakerRecord{
		Contact: *c, FirstName: c.FirstName, LastName: c.LastName, JobTitle: c.JobTitle, Phone: c.Phone,
		WebsiteURL: c.WebsiteURL, LinkedinURL: c.LinkedinURL, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		AdminURL: p.adminURL("contacts", c.ID), SessionIDs: ids,
	}, nil
}
