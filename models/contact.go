package models

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Contact is a person whom the organization knows. What belongs to one event is in EventContact. UpdatedAt is the
// token of the contact and its own fields.
type Contact struct {
	ID             string      `json:"id"`
	OrganizationID string      `json:"-"`
	Email          string      `json:"email" doc:"Empty when not known"`
	EmailKey       string      `json:"-"`
	FirstName      string      `json:"-"`
	LastName       string      `json:"-"`
	FullName       string      `json:"full_name"`
	SortName       string      `json:"-"` // what lists sort them under, if they said so; see SortedUnder
	NameKey        string      `json:"-"`
	CompanyName    string      `json:"company_name"`
	JobTitle       string      `json:"-"`
	Phone          string      `json:"-"`
	WebsiteURL     string      `json:"-"`
	LinkedinURL    string      `json:"-"`
	About          string      `json:"about" doc:"Sanitised HTML"`
	PhotoURL       *string     `json:"photo_url"`
	PhotoKey       string      `json:"-"` // of the file, when PhotoURL is one of ours
	CompanyKey     string      `json:"-"`
	JobKey         string      `json:"-"`
	Search         string      `json:"-"`
	CreatedAt      store.Time  `json:"-"`
	UpdatedAt      store.Time  `json:"-"`
	ErasedAt       *store.Time `json:"-"` // when their data was erased
}

// EventContact holds what belongs to a contact at one event; it never leaves the admin. UpdatedAt is the token of
// this row and of the contact's tags at the event.
type EventContact struct {
	EventID            string
	OrganizationID     string
	ContactID          string
	WorkflowStatus     string // one of WorkflowStatuses, or ""
	Arrival, Departure *store.Time
	ArrivalDetails     string // a flight, or what is known without a time
	DepartureDetails   string
	Hotel              string
	Dietary            string
	Access             string
	TravelNotes        string
	LogisticsNotes     string
	Away               string // Absences, each on a line
	Availability       string // what else there is to say about their time
	// GuestSince is when staff who could not see the contact added them by their address; nil otherwise. The event's
	// staff see of a guest the printed profile and the address, but not phone, own fields or files.
	GuestSince *store.Time
	CreatedAt  store.Time
	UpdatedAt  store.Time
}

// NewContact is the input of a new contact. The full name joins first and last name, so a single name goes into
// FirstName.
type NewContact struct {
	Email, FirstName, LastName, CompanyName, JobTitle, Phone string
	WebsiteURL, LinkedinURL, About, PhotoURL                 string
	TravelNotes, LogisticsNotes                              string
}

// Clean checks the rules of each field; its faults name them.
func (n *NewContact) Clean() error {
	var f store.Faults
	for _, of := range ContactFields {
		if of.input == nil {
			continue
		}
		text, err := of.Clean(*of.input(n))
		*of.input(n) = text
		f.Add(err)
	}
	f.Clean(store.CleanURL, "photo_url", &n.PhotoURL, store.MaxURL)
	if n.FirstName == "" && n.LastName == "" {
		f.Add(ErrNameless())
	}
	return f.Err()
}

// ErrNameless refuses a person without any name.
func ErrNameless() error { return store.Invalidf("first_name", "must not be empty") }

// SplitName cuts a full name at its first space; joining both parts restores it.
func SplitName(full string) (first, last string) {
	first, last, _ = strings.Cut(strings.TrimSpace(full), " ")
	return first, strings.TrimSpace(last)
}

// behindNames are suffixes that may follow a comma and are not first names.
var behindNames = []string{"jr", "sr", "ii", "iii", "iv", "phd", "md", "msc", "bsc", "mba", "esq", "dr", "prof"}

// NamesIn splits a name written as "Anna Kowalska" or, as in sorted lists, "Kowalska, Anna".
func NamesIn(whole string) (first, last string) {
	before, behind, is := strings.Cut(whole, ",")
	before, behind = strings.TrimSpace(before), strings.TrimSpace(behind)
	title := strings.ToLower(strings.ReplaceAll(behind, ".", ""))
	if !is || before == "" || behind == "" || strings.Contains(behind, ",") || slices.Contains(behindNames, title) {
		return SplitName(whole)
	}
	return behind, before
}

// Row returns the new contact as a row of an organization.
func (n *NewContact) Row(organizationID string, now store.Time) *Contact {
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

// Index updates the columns for sorting and searching, and the key of the photo.
func (c *Contact) Index() {
	c.EmailKey = store.Fold(c.Email)
	c.FullName = strings.TrimSpace(c.FirstName + " " + c.LastName)
	c.NameKey = store.Fold(c.FullName)
	c.CompanyKey, c.JobKey = store.Searchable(c.CompanyName), store.Searchable(c.JobTitle)
	c.Search = store.Searchable(c.FullName, c.Email, c.CompanyName)
	c.PhotoKey = PhotoKeyIn(c.PhotoURL)
}

// CreateContact adds a person to the organization and to this event. It answers Invalid for a field that breaks
// its rule or an e-mail address that belongs to another contact, and emits nothing.
func (p *Programme) CreateContact(ctx context.Context, n NewContact) (*Contact, error) {
	if err := n.Clean(); err != nil {
		return nil, err
	}
	return store.Make(ctx, p.Directory().Write, func(tx *store.Tx) (*Contact, error) {
		c := n.Row(p.event.OrganizationID, tx.Now)
		here := p.Attached(c, tx.Now)
		here.TravelNotes, here.LogisticsNotes = n.TravelNotes, n.LogisticsNotes
		made := &Person{Contact: *c, Here: here}
		return &made.Contact, p.Directory().CommitContacts(tx, CreatingContact, ContactChange{After: made})
	})
}

// Attached returns an empty row of the contact for this event.
func (p *Programme) Attached(c *Contact, now store.Time) *EventContact {
	return &EventContact{EventID: p.event.ID, OrganizationID: p.event.OrganizationID, ContactID: c.ID, CreatedAt: now,
		UpdatedAt: now}
}

// InsertContacts inserts new contacts, except those whose address another contact has or had, and returns how many it
// inserted. It inserts in the order of addresses, so that two operations cannot deadlock on them.
func InsertContacts(tx *store.Tx, contacts ...*Contact) (made int64, err error) {
	contacts = slices.SortedStableFunc(slices.Values(contacts), func(a, b *Contact) int {
		return cmp.Compare(a.EmailKey, b.EmailKey)
	})
	keys := store.Map(contacts, func(c *Contact) string { return c.EmailKey })
	aliases, err := AliasesOf(tx.DB, contacts[0].OrganizationID, keys)
	contacts = slices.DeleteFunc(contacts, func(c *Contact) bool { return aliases[c.EmailKey] != "" })
	if err != nil || len(contacts) == 0 {
		return 0, err
	}
	done := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(contacts)
	if store.IsDuplicate(done.Error) { // it became an alias meanwhile
		return 0, ErrTaken
	}
	if done.Error != nil {
		return 0, done.Error
	}
	if err := EndClaims(tx, addressed(contacts), ""); err != nil {
		return 0, err
	}
	return done.RowsAffected, Grew(tx, done.RowsAffected)
}

// addressed returns the ids of the contacts that have an address.
func addressed(contacts []*Contact) (ids []string) {
	for _, c := range contacts {
		if c.EmailKey != "" {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// grown counts the contacts that a transaction added; look is the count at which the database plans anew.
type grown struct{ rows, look int64 }

// Grew has the database plan anew each time a transaction has doubled its added contacts, from 500 on.
func Grew(tx *store.Tx, rows int64) error {
	g := store.NoteOf(tx, func(g *grown) { g.look = 500 })
	if g.rows += rows; g.rows < g.look {
		return nil
	}
	g.look = 2 * g.rows
	return tx.PlanAnew()
}

// UpdateContact saves a changed contact with its next token.
func UpdateContact(tx *store.Tx, c *Contact) error {
	c.UpdatedAt = tx.Now.Following(c.UpdatedAt)
	c.Index()
	return tx.Model(c).Select("*").Omit("id", "organization_id", "created_at").Updates(c).Error
}

// Contact returns a contact that is at this event, or NotFound.
func (p *Programme) Contact(ctx context.Context, id string) (*Contact, error) {
	here := p.Read(ctx).Where("organization_id = ?", p.event.OrganizationID).
		Where("id IN (SELECT contact_id FROM event_contacts WHERE event_id = ?)", p.event.ID)
	return store.OneByID[Contact](here, id, store.Missing("There is no such person at this event."))
}

// FoundContact is a contact that a search found.
type FoundContact struct {
	Contact
	Here bool // at this event
}

// FindContacts returns up to limit contacts within the programme's reach whose name, e-mail address or company has
// the words of a text, or that have the text as an alias; contacts of this event come first. It answers Invalid for a
// text that is too long, and finds nothing for a text without words.
func (p *Programme) FindContacts(ctx context.Context, text string, limit int) ([]*FoundContact, error) {
	text, err := store.CleanText("filters.text", text, store.MaxSearchText)
	words := store.SearchWords(text)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	var found []*FoundContact
	aliases, err := AliasesOf(p.Read(ctx), p.event.OrganizationID, []string{store.Fold(text)})
	if err != nil {
		return nil, err
	}
	named := Has(p.Read(ctx).Session(&gorm.Session{NewDB: true}), words, "search")
	err = p.reached().Listed(p.Read(ctx).Table("contacts")).Where("erased_at IS NULL").
		Where(named.Or("id IN ?", slices.Sorted(maps.Values(aliases)))).
		Select("contacts.*, EXISTS (SELECT 1 FROM event_contacts WHERE event_id = ? AND contact_id = contacts.id) AS here",
			p.event.ID).
		Order("here DESC, name_key, id").Limit(limit).Find(&found).Error
	return found, err
}

// ContactNote is a note by staff on a contact at an event. It never leaves the admin.
type ContactNote struct {
	ID             string
	OrganizationID string
	EventID        string
	ContactID      string
	AuthorID       string
	AuthorName     string
	Text           string
	CreatedAt      store.Time
}
