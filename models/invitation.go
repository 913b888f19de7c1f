package models

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
)

// How long one-time links are good.
const (
	InvitationLifetime = 7 * 24 * time.Hour
	ResetLifetime      = time.Hour
)

// staffLink is a one-time link, kept as a hash.
type staffLink struct {
	ID             string
	Hash           string
	Kind           string // invitation or reset
	OrganizationID string
	UserID         *string // whose password is reset
	Email          string  // who is invited
	EmailKey       string
	Role           StaffRole
	Everywhere     bool
	Roles          map[string]StaffRole `gorm:"column:event_roles;serializer:json"`
	CreatedBy      *string
	CreatedAt      Time
	ExpiresAt      Time
	UsedAt         *Time
}

const (
	linkInvitation = "invitation"
	linkReset      = "reset"
)

// Invitation asks somebody to become staff. Invite reads Email, Role, Everywhere
// and Roles of it.
type Invitation struct {
	ID               string
	Email            string
	Role             StaffRole
	Everywhere       bool                 // always, for an owner
	Roles            map[string]StaffRole // by event id, when not Everywhere
	OrganizationName string
	InvitedBy        string // a name
	CreatedAt        Time
	ExpiresAt        Time
}

var errNoLink = &Error{Kind: NotFound, Message: "This link was used, withdrawn or is too old. Ask for a new one."}

var errNoInvitation = &Error{Kind: NotFound, Message: "There is no such invitation. It may have been accepted."}

// Invite makes a link for somebody to become staff, good for seven days, and
// returns its token, which is kept nowhere; it ends an earlier one to the same
// address. It answers NotFound unless by is an owner, and Invalid for an address
// that is no address or a member's already, for a role or event that does not
// exist, and when it names neither.
func (s *Store) Invite(ctx context.Context, by *User, in Invitation) (token string, err error) {
	var f faults
	in.Email, err = cleanEmail(in.Email)
	f.add(err)
	token = newToken()
	err = s.write(ctx, func(tx *Tx) error {
		if err := tx.owner(by); err != nil {
			return err
		}
		u := &User{OrganizationID: by.OrganizationID, Role: in.Role, Everywhere: in.Everywhere, Roles: in.Roles}
		f := append(faults{}, f...)
		if err := tx.cleanGrants(u); KindOf(err) == Invalid {
			f.add(err)
		} else if err != nil {
			return err
		} else if !u.Everywhere && len(u.Roles) == 0 {
			f.add(invalid("roles", "must name at least one event"))
		}
		if err := f.err(); err != nil {
			return err
		}
		var taken int64
		err := tx.Model(&User{}).Where("email_key = ? AND disabled_at IS NULL", fold(in.Email)).Count(&taken).Error
		if err != nil {
			return err
		}
		if taken > 0 {
			return errEmailTaken
		}
		err = tx.Where("organization_id = ? AND kind = ? AND email_key = ? AND used_at IS NULL", by.OrganizationID, linkInvitation, fold(in.Email)).
			Delete(&staffLink{}).Error
		if err != nil {
			return err
		}
		link := staffLink{
			ID: NewID(), Hash: hashKey(token), Kind: linkInvitation, OrganizationID: by.OrganizationID,
			Email: in.Email, EmailKey: fold(in.Email), Role: u.Role, Everywhere: u.Everywhere, Roles: u.Roles,
			CreatedBy: &by.ID, CreatedAt: tx.now, ExpiresAt: At(tx.now.Add(InvitationLifetime)),
		}
		if err := tx.Create(&link).Error; err != nil {
			return err
		}
		after := u.grants()
		after["email"] = in.Email
		return tx.secure(by.OrganizationID, nil, by.inPerson(ctx), Invited, activity{id: link.ID, after: after})
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

func cleanEmail(email string) (string, error) {
	email, err := cleanName("email", email, 254)
	if err == nil && !isEmail(email) {
		err = invalid("email", "must be an e-mail address")
	}
	return email, err
}

// invitations are those that can be accepted still.
func (s *Store) invitations(ctx context.Context) *gorm.DB {
	return s.read(ctx).Table("staff_links l").Joins("JOIN organizations o ON o.id = l.organization_id").
		Joins("LEFT JOIN users u ON u.id = l.created_by").
		Select("l.*, o.name AS organization_name, coalesce(u.name, '') AS invited_by").
		Where("l.kind = ? AND l.used_at IS NULL AND l.expires_at > ?", linkInvitation, s.now()).Order("l.created_at DESC, l.id DESC")
}

type invitationRow struct {
	Link             staffLink `gorm:"embedded"`
	OrganizationName string
	InvitedBy        string
}

func (r *invitationRow) invitation() *Invitation {
	l := &r.Link
	return &Invitation{
		ID: l.ID, Email: l.Email, Role: l.Role, Everywhere: l.Everywhere, Roles: l.Roles,
		OrganizationName: r.OrganizationName, InvitedBy: r.InvitedBy, CreatedAt: l.CreatedAt, ExpiresAt: l.ExpiresAt,
	}
}

// PendingInvitations are an organization's invitations that can be accepted
// still, the newest first.
func (s *Store) PendingInvitations(ctx context.Context, organizationID string) ([]*Invitation, error) {
	var rows []invitationRow
	err := s.invitations(ctx).Where("l.organization_id = ?", organizationID).Find(&rows).Error
	out := make([]*Invitation, len(rows))
	for i := range rows {
		out[i] = rows[i].invitation()
	}
	return out, err
}

// InvitationBy is the invitation with this token. It answers NotFound for one
// that was accepted, withdrawn or is too old.
func (s *Store) InvitationBy(ctx context.Context, token string) (*Invitation, error) {
	row, err := s.invitationBy(ctx, token)
	if err != nil {
		return nil, err
	}
	return row.invitation(), nil
}

func (s *Store) invitationBy(ctx context.Context, token string) (*invitationRow, error) {
	var row invitationRow
	err := s.invitations(ctx).Where("l.hash = ?", hashKey(token)).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		err = errNoLink
	}
	return &row, err
}

// WithdrawInvitation ends an invitation. It answers NotFound unless by is an
// owner, and for an invitation that is not of the same organization or was
// accepted.
func (s *Store) WithdrawInvitation(ctx context.Context, by *User, id string) error {
	return s.write(ctx, func(tx *Tx) error {
		if err := tx.owner(by); err != nil {
			return err
		}
		if !IsID(id) {
			return errNoInvitation
		}
		ended := tx.Where("organization_id = ? AND id = ? AND kind = ? AND used_at IS NULL", by.OrganizationID, id, linkInvitation).
			Delete(&staffLink{})
		if ended.Error != nil {
			return ended.Error
		}
		if ended.RowsAffected == 0 {
			return errNoInvitation
		}
		return tx.secure(by.OrganizationID, nil, by.inPerson(ctx), InvitationWithdrawn, activity{id: id})
	})
}

// AcceptInvitation makes the invited person a member of staff, once. It answers
// NotFound for an invitation that was accepted, withdrawn or is too old, and
// Invalid for a name or password that breaks its rule and for an address that
// became a member's in another way.
func (s *Store) AcceptInvitation(ctx context.Context, token, name, password string) (*User, error) {
	row, err := s.invitationBy(ctx, token)
	if err != nil {
		return nil, err
	}
	link := &row.Link
	n := NewUser{Email: link.Email, Name: name, Role: link.Role, Password: password}
	if err := n.clean(); err != nil {
		return nil, err
	}
	hash, err := s.hashPassword(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	u := &User{OrganizationID: link.OrganizationID, Email: n.Email, Name: n.Name, Role: link.Role,
		Everywhere: link.Everywhere, Roles: link.Roles, PasswordHash: hash}
	err = s.write(ctx, func(tx *Tx) error {
		if err := tx.hold(link.OrganizationID); err != nil {
			return err
		}
		if err := tx.useLink(link.ID); err != nil {
			return err
		}
		if err := tx.cleanGrants(u); err != nil {
			return err
		}
		if err := tx.enrol(u); err != nil {
			return err
		}
		return tx.secure(u.OrganizationID, nil, u.inPerson(ctx), StaffJoined, activity{id: u.ID, after: u.grants()})
	})
	if err != nil {
		return nil, err
	}
	return u, nil
}

// useLink uses a one-time link up, or answers NotFound.
func (tx *Tx) useLink(id string) error {
	used := tx.Model(&staffLink{}).Where("id = ? AND used_at IS NULL AND expires_at > ?", id, tx.now).UpdateColumn("used_at", tx.now)
	if used.Error == nil && used.RowsAffected == 0 {
		return errNoLink
	}
	return used.Error
}
