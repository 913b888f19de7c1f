package models

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Contact is a person the organization knows. What belongs to one event only
// hangs on the EventContact.
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
	Search         string     `json:"-"`
	CreatedAt      store.Time `json:"-"`
	UpdatedAt      store.Time `json:"-"`
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
	tidy := func(field string, s *string, limit int) {
		text, err := store.CleanText(field, *s, limit)
		f.Add(err)
		*s = text
	}
	tidy("email", &n.Email, 254)
	tidy("first_name", &n.FirstName, store.MaxName)
	tidy("last_name", &n.LastName, store.MaxName)
	tidy("company_name", &n.CompanyName, store.MaxName)
	tidy("job_title", &n.JobTitle, store.MaxName)
	tidy("phone", &n.Phone, 50)
	tidy("travel_notes", &n.TravelNotes, store.MaxCustomValue)
	tidy("logistics_notes", &n.LogisticsNotes, store.MaxCustomValue)
	tidyURL := func(field string, address *string) {
		clean, err := store.CleanURL(field, *address)
		f.Add(err)
		*address = clean
	}
	tidyURL("website_url", &n.WebsiteURL)
	tidyURL("linkedin_url", &n.LinkedinURL)
	tidyURL("photo_url", &n.PhotoURL)
	about, err := store.CleanHTML("about", n.About, store.MaxDescription)
	f.Add(err)
	n.About = about
	if n.FirstName == "" && n.LastName == "" {
		f.Add(store.Invalidf("first_name", "must not be empty"))
	}
	if n.Email != "" && !store.IsEmail(n.Email) {
		f.Add(store.Invalidf("email", "must be an e-mail address"))
	}
	return f.Err()
}

// SplitName cuts a full name at its first space, so that both parts together
// give it back.
func SplitName(full string) (first, last string) {
	first, last, _ = strings.Cut(strings.TrimSpace(full), " ")
	return first, strings.TrimSpace(last)
}

func (n *NewContact) row(organizationID string, now store.Time) *Contact {
	c := &Contact{
		ID: store.NewID(), OrganizationID: organizationID, CreatedAt: now,
		Email: n.Email, FirstName: n.FirstName, LastName: n.LastName,
	}
	n.onto(c, now)
	return c
}

func (n *NewContact) onto(c *Contact, now store.Time) {
	c.Email, c.FirstName, c.LastName = n.Email, n.FirstName, n.LastName
	c.CompanyName, c.JobTitle, c.Phone = n.CompanyName, n.JobTitle, n.Phone
	c.WebsiteURL, c.LinkedinURL, c.About = n.WebsiteURL, n.LinkedinURL, n.About
	c.PhotoURL = nil
	if n.PhotoURL != "" {
		c.PhotoURL = &n.PhotoURL
	}
	c.UpdatedAt = now
	c.Index()
}

// index refreshes what the row keeps for sorting and searching.
func (c *Contact) Index() {
	c.EmailKey = store.Fold(c.Email)
	c.FullName = strings.TrimSpace(c.FirstName + " " + c.LastName)
	c.NameKey = store.Fold(c.FullName)
	c.Search = store.Fold(c.FullName + "\n" + c.Email + "\n" + c.CompanyName)
}

// CreateContact adds a person to the organization and to this event. It answers
// Invalid for a field that breaks its rule or an e-mail address that belongs to
// another contact, and emits nothing.
func (p *Programme) CreateContact(ctx context.Context, n NewContact) (*Contact, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	var c *Contact
	err := p.write(ctx, func(tx *store.Tx) error {
		c = n.row(p.event.OrganizationID, tx.Now)
		made, err := insertContacts(tx, c)
		if err != nil {
			return err
		}
		if made == 0 {
			return store.Invalidf("email", "belongs to another contact")
		}
		here := p.attached(c, tx.Now)
		here.TravelNotes, here.LogisticsNotes = n.TravelNotes, n.LogisticsNotes
		if err := tx.Create(here).Error; err != nil {
			return err
		}
		return p.record(tx, store.Change{Subject: "contact", ID: c.ID, Action: "created"})
	})
	return c, err
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
