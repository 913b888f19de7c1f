package store

import (
	"context"

	"gorm.io/gorm"
)

// Organization runs events and owns contacts, staff and webhook endpoints.
type Organization struct {
	ID                   string
	Name                 string
	SecondFactorRequired bool // of all staff
	PasswordsOff         bool // staff sign in by identity providers alone
	LogDays              int  // so long the organization's log is kept; 0 is for good
	CreatedAt            Time
	UpdatedAt            Time
}

// Tenant is one organization's reads and writes; no query on it can forget whose
// rows they are. It is to an organization what a programme is to an event.
type Tenant struct {
	ground *Store
	ID     string // of the organization
	By     By     // who acts
}

// Organization is the organization with this id, for the one who acts. In that of an
// unknown id nothing is found.
func (s *Store) Organization(id string, by By) *Tenant { return &Tenant{ground: s, ID: id, By: by} }

// Write runs one operation in a transaction.
func (t *Tenant) Write(ctx context.Context, operation func(*Tx) error) error {
	return t.ground.Write(ctx, operation)
}

// Read returns a handle for queries; whose rows they may find is for them to say.
func (t *Tenant) Read(ctx context.Context) *gorm.DB { return t.ground.Read(ctx) }

// Now is the present instant.
func (t *Tenant) Now() Time { return t.ground.Now() }

// Record writes a line of activity that belongs to no event.
func (t *Tenant) Record(tx *Tx, a Change) error {
	line, err := a.Line(t.ID, nil, t.By, tx.Now)
	if err != nil {
		return err
	}
	return tx.Create(line).Error
}

// Secure records a change that matters to who guards the service and belongs to no event.
func (t *Tenant) Secure(tx *Tx, event SecurityEvent, a Change) error {
	return tx.Secure(t.ID, nil, t.By, event, a)
}

// Hold makes all changes of an organization's staff and list of events wait for each
// other. What only refers to the organization does not wait.
func (t *Tenant) Hold(tx *Tx) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Lock().Where("id = ?", t.ID).Limit(1).Find(&Organization{}).Error
}

// LastChangeBy names who last changed a record of the organization, or of one of
// its events; "" when nothing is known of it.
func (t *Tenant) LastChangeBy(ctx context.Context, subjectID string) (name string, err error) {
	err = t.Read(ctx).Model(&Activity{}).
		Where("organization_id = ? AND subject_id = ? AND subject <> ?", t.ID, subjectID, access).
		Order("created_at DESC, id DESC").Limit(1).Pluck("actor_name", &name).Error
	return name, err
}

// ImportDoor is where what comes from files and other systems comes in.
const ImportDoor = "import"

// CommandLine is whoever runs the server.
var CommandLine = By{Door: "cli", ActorName: "command line"}

// TheOrganization is the one of this installation, nil before the first event.
func TheOrganization(db *gorm.DB) (*Organization, error) {
	var organizations []*Organization
	err := db.Order("created_at, id").Limit(1).Find(&organizations).Error
	if err != nil || len(organizations) == 0 {
		return nil, err
	}
	return organizations[0], nil
}

// organizationLock is the advisory lock of who makes the organization.
const organizationLock = 7201936

// MakeOrganization returns the one organization of this installation; the first use makes it, with this name.
func MakeOrganization(tx *Tx, name string) (*Organization, error) {
	if there, err := TheOrganization(tx.DB); err != nil || there != nil {
		return there, err
	}
	if !tx.Store.Embedded() { // of two that find none, one makes it
		if err := tx.Exec("SELECT pg_advisory_xact_lock(?)", organizationLock).Error; err != nil {
			return nil, err
		}
		if there, err := TheOrganization(tx.DB); err != nil || there != nil {
			return there, err
		}
	}
	o := &Organization{ID: NewID(), Name: name, CreatedAt: tx.Now, UpdatedAt: tx.Now}
	return o, tx.Create(o).Error
}
