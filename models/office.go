package models

import (
	"context"

	"gorm.io/gorm"
)

// Office is one organization's reads and writes. It is to an organization what
// Programme is to an event: no query on it can forget whose rows they are.
type Office struct {
	store *Ground
	id    string
	by    By
}

// Organization returns the office of the organization with this id, for the one
// who acts. An unknown id has an office in which nothing is found.
func (s *Ground) Organization(id string, by By) *Office { return &Office{store: s, id: id, by: by} }

func (o *Office) write(ctx context.Context, operation func(*Tx) error) error {
	return o.store.write(ctx, operation)
}

func (o *Office) read(ctx context.Context) *gorm.DB { return o.store.read(ctx) }

// record writes a line of activity that belongs to no event.
func (o *Office) record(tx *Tx, a activity) error {
	line, err := a.line(o.id, nil, o.by, tx.now)
	if err != nil {
		return err
	}
	return tx.Create(line).Error
}

// LastChangeBy names who last changed a record of the organization, or of one of
// its events; "" when nothing is known of it.
func (o *Office) LastChangeBy(ctx context.Context, subjectID string) (name string, err error) {
	err = o.read(ctx).Model(&Activity{}).Where("organization_id = ? AND subject_id = ? AND subject <> ?", o.id, subjectID, access).
		Order("created_at DESC, id DESC").Limit(1).Pluck("actor_name", &name).Error
	return name, err
}

// theOrganization returns the office of the one organization of this
// installation, for the command line; before the first event there is none.
func (s *Ground) theOrganization(ctx context.Context) (*Office, error) {
	var organizations []*Organization
	err := s.read(ctx).Order("created_at, id").Limit(1).Find(&organizations).Error
	if err != nil || len(organizations) == 0 {
		return nil, err
	}
	return s.Organization(organizations[0].ID, commandLine), nil
}

var commandLine = By{Door: "cli", ActorName: "command line"}
