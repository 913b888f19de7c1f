package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm/clause"
)

// Contact is a person the organization knows. What belongs to one event only
// hangs on the EventContact.
type Contact struct {
	ID             string  `json:"id"`
	OrganizationID string  `json:"-"`
	Email          string  `json:"email" doc:"Empty when not known"`
	EmailKey       string  `json:"-"`
	FirstName      string  `json:"-"`
	LastName       string  `json:"-"`
	FullName       string  `json:"full_name"`
	NameKey        string  `json:"-"`
	CompanyName    string  `json:"company_name"`
	JobTitle       string  `json:"-"`
	Phone          string  `json:"-"`
	WebsiteURL     string  `json:"-"`
	LinkedinURL    string  `json:"-"`
	About          string  `json:"about" doc:"Sanitised HTML"`
	PhotoURL       *string `json:"photo_url"`
	Search         string  `json:"-"`
	CreatedAt      Time    `json:"-"`
	UpdatedAt      Time    `json:"-"`
}

// EventContact is what of a contact belongs to one event. The notes never leave
// the admin.
type EventContact struct {
	EventID        string
	OrganizationID string
	ContactID      string
	WorkflowStatus string
	TravelNotes    string
	LogisticsNotes string
	CreatedAt      Time
	UpdatedAt      Time
}

// NewContact is what a contact is made of. Full names are first and last name
// together, so a single name goes into FirstName.
type NewContact struct {
	Email, FirstName, LastName, CompanyName, JobTitle, Phone string
	WebsiteURL, LinkedinURL, About, PhotoURL                 string
	TravelNotes, LogisticsNotes                              string
}

func (n *NewContact) clean() error {
	var f faults
	tidy := func(field string, s *string, limit int) {
		text, err := cleanText(field, *s, limit)
		f.add(err)
		*s = text
	}
	tidy("email", &n.Email, 254)
	tidy("first_name", &n.FirstName, MaxName)
	tidy("last_name", &n.LastName, MaxName)
	tidy("company_name", &n.CompanyName, MaxName)
	tidy("job_title", &n.JobTitle, MaxName)
	tidy("phone", &n.Phone, 50)
	tidy("travel_notes", &n.TravelNotes, MaxCustomValue)
	tidy("logistics_notes", &n.LogisticsNotes, MaxCustomValue)
	tidyURL := func(field string, address *string) {
		clean, err := cleanURL(field, *address)
		f.add(err)
		*address = clean
	}
	tidyURL("website_url", &n.WebsiteURL)
	tidyURL("linkedin_url", &n.LinkedinURL)
	tidyURL("photo_url", &n.PhotoURL)
	about, err := cleanHTML("about", n.About, MaxDescription)
	f.add(err)
	n.About = about
	if n.FirstName == "" && n.LastName == "" {
		f.add(invalid("first_name", "must not be empty"))
	}
	if n.Email != "" && !isEmail(n.Email) {
		f.add(invalid("email", "must be an e-mail address"))
	}
	return f.err()
}

// SplitName cuts a full name at its first space, so that both parts together
// give it back.
func SplitName(full string) (first, last string) {
	first, last, _ = strings.Cut(strings.TrimSpace(full), " ")
	return first, strings.TrimSpace(last)
}

func (n *NewContact) row(organizationID string, now Time) *Contact {
	c := &Contact{
		ID: NewID(), OrganizationID: organizationID, CreatedAt: now,
		Email: n.Email, FirstName: n.FirstName, LastName: n.LastName,
	}
	n.onto(c, now)
	return c
}

func (n *NewContact) onto(c *Contact, now Time) {
	c.Email, c.FirstName, c.LastName = n.Email, n.FirstName, n.LastName
	c.CompanyName, c.JobTitle, c.Phone = n.CompanyName, n.JobTitle, n.Phone
	c.WebsiteURL, c.LinkedinURL, c.About = n.WebsiteURL, n.LinkedinURL, n.About
	c.PhotoURL = nil
	if n.PhotoURL != "" {
		c.PhotoURL = &n.PhotoURL
	}
	c.UpdatedAt = now
	c.index()
}

// index refreshes what the row keeps for sorting and searching.
func (c *Contact) index() {
	c.EmailKey = fold(c.Email)
	c.FullName = strings.TrimSpace(c.FirstName + " " + c.LastName)
	c.NameKey = fold(c.FullName)
	c.Search = fold(c.FullName + "\n" + c.Email + "\n" + c.CompanyName)
}

// CreateContact adds a person to the organization and to this event. It answers
// Invalid for a field that breaks its rule or an e-mail address that belongs to
// another contact, and emits nothing.
func (p *Programme) CreateContact(ctx context.Context, n NewContact) (*Contact, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	var c *Contact
	err := p.write(ctx, func(tx *Tx) error {
		c = n.row(p.event.OrganizationID, tx.now)
		made, err := insertContacts(tx, c)
		if err != nil {
			return err
		}
		if made == 0 {
			return invalid("email", "belongs to another contact")
		}
		here := p.attached(c, tx.now)
		here.TravelNotes, here.LogisticsNotes = n.TravelNotes, n.LogisticsNotes
		if err := tx.Create(here).Error; err != nil {
			return err
		}
		return p.record(tx, activity{subject: "contact", id: c.ID, action: "created"})
	})
	return c, err
}

// attached is a contact's row for this event, with nothing noted yet.
func (p *Programme) attached(c *Contact, now Time) *EventContact {
	return &EventContact{EventID: p.event.ID, OrganizationID: p.event.OrganizationID, ContactID: c.ID, CreatedAt: now, UpdatedAt: now}
}

// insertContacts stores new contacts, but for those whose address somebody else has, and returns how many. It
// takes them in the order of their addresses, lest two operations wait for each other's.
func insertContacts(tx *Tx, contacts ...*Contact) (made int64, err error) {
	contacts = slices.SortedStableFunc(slices.Values(contacts), func(a, b *Contact) int {
		return cmp.Compare(a.EmailKey, b.EmailKey)
	})
	done := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(contacts)
	return done.RowsAffected, done.Error
}

// updateContact stores a contact that was changed, and gives it the next token.
func updateContact(tx *Tx, c *Contact) error {
	c.UpdatedAt = tx.now.after(c.UpdatedAt)
	c.index()
	return tx.Model(c).Select("*").Omit("id", "organization_id", "created_at").Updates(c).Error
}
