package store

import (
	"context"

	"gorm.io/gorm"
)

// Organization runs events and owns contacts, staff and webhook endpoints.
type Organization struct {
	ID                   string
	Name                 string
	SecondFactorRequired bool // for all staff
	PasswordsOff         bool // staff sign in by identity providers only
	LogDays              int  // how long the organization's log is kept; 0 means for good
	CreatedAt            Time
	UpdatedAt            Time
}

// Tenant is the handle of one organization's reads and writes, so that no query forgets the organization. It is to an
// organization what a programme is to an event.
type Tenant struct {
	ground *Store
	ID     string // of the organization
	By     By     // who acts
}

// Organization returns the handle of the organization with this id, for whoever acts. It does not check the id; with an
// unknown one nothing is found.
func (s *Store) Organization(id string, by By) *Tenant { return &Tenant{ground: s, ID: id, By: by} }

// Write runs one operation in a transaction.
func (t *Tenant) Write(ctx context.Context, operation func(*Tx) error) error {
	return t.ground.Write(ctx, operation)
}

// Read returns a handle for queries; the caller restricts them to the organization.
func (t *Tenant) Read(ctx context.Context) *gorm.DB { return t.ground.Read(ctx) }

// Now returns the present instant.
func (t *Tenant) Now() Time { return t.ground.Now() }

// Record writes a row of activity that belongs to no event.
func (t *Tenant) Record(tx *Tx, a Change) error {
	line, err := a.ActivityRow(t.ID, nil, t.By, tx.Now)
	if err != nil {
		return err
	}
	return tx.Create(line).Error
}

// Secure records a change that matters to the service's security and belongs to no event.
func (t *Tenant) Secure(tx *Tx, event SecurityEvent, a Change) error {
	return tx.Secure(t.ID, nil, t.By, event, a)
}

// Hold locks the organization's row, so that changes of its staff and its list of events wait for each other. Inserts
// that only refer to the organization do not wait.
func (t *Tenant) Hold(tx *Tx) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Lock().Where("id = ?", t.ID).Limit(1).Find(&Organization{}).Error
}

// LastChangeBy returns the name of who last changed a record of the organization or of one of its events; "" when
// unknown.
func (t *Tenant) LastChangeBy(ctx context.Context, subjectID string) (name string, err error) {
	err = t.Read(ctx).Model(&Activity{}).
		Where("organization_id = ? AND subject_id = ? AND subject <> ?", t.ID, subjectID, access).
		Order("created_at DESC, id DESC").Limit(1).Pluck("actor_name", &name).Error
	return name, err
}

// ImportDoor is the door of what comes from files and other systems.
const ImportDoor = "import"

// CommandLine is the actor of the commands.
var CommandLine = By{Door: "cli", ActorName: "command line"}

// TheOrganization returns the one organization of this installation, nil before the first event.
func TheOrganization(db *gorm.DB) (*Organization, error) {
	var organizations []*Organization
	err := db.Order("created_at, id").Limit(1).Find(&organizations).Error
	if err != nil || len(organizations) == 0 {
		return nil, err
	}
	return organizations[0], nil
}

// organizationLock is the key of the advisory lock for making the organization.
const organizationLock = 7201936

// MakeOrganization returns the one organization of this installation; the first call creates it with this name.
func MakeOrganization(tx *Tx, name string) (*Organization, error) {
	if there, err := TheOrganization(tx.DB); err != nil || there != nil {
		return there, err
	}
	if !tx.Store.Embedded() { // two processes may both have found none
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
