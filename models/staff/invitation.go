package staff

import (
	"cmp"
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"lectern/models/signin"
	"lectern/models/store"
)

// InvitationLifetime and ResetLifetime are how long one-time links are valid.
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
	UserID         *string // the user whose password is reset
	Email          string  // the address of the invited person
	EmailKey       string
	Role           Role
	Everywhere     bool
	Roles          map[string]Role `gorm:"column:event_roles;serializer:json"`
	CreatedBy      *string
	CreatedAt      store.Time
	ExpiresAt      store.Time
	UsedAt         *store.Time
}

const (
	linkInvitation = "invitation"
	linkReset      = "reset"
)

// Invitation asks somebody to become staff. Invite reads Email, Role, Everywhere and Roles of it.
type Invitation struct {
	ID               string
	Email            string
	Role             Role
	Everywhere       bool            // always true for an owner
	Roles            map[string]Role `gorm:"column:event_roles;serializer:json"` // by event id, unless Everywhere
	OrganizationID   string
	OrganizationName string
	InvitedBy        string // the inviter's name
	CreatedAt        store.Time
	ExpiresAt        store.Time
}

var errNoLink = store.Missing("This link was used, withdrawn or is too old. Ask for a new one.")

var errNoInvitation = store.Missing("There is no such invitation. It may have been accepted.")

// Invite makes a link by which somebody becomes staff, valid for seven days, and returns its token, which is stored
// nowhere; it replaces an earlier one to the same address. It answers NotFound unless an owner acts, and Invalid for a
// malformed address or one of a member, for a role or event that does not exist, and when it grants no role at all.
func (t *Team) Invite(ctx context.Context, in Invitation) (token string, err error) {
	var unclean store.Faults
	in.Email, err = store.CleanEmail(in.Email)
	unclean.Add(err)
	return store.Make(ctx, t.asOwner, func(tx *store.Tx) (string, error) {
		u := &User{OrganizationID: t.ID, Role: in.Role, Everywhere: in.Everywhere, Roles: in.Roles}
		f := slices.Clone(unclean)
		if err := cleanGrants(tx, u); store.KindOf(err) == store.Invalid {
			f.Add(err)
		} else if err != nil {
			return "", err
		} else if !u.Everywhere && len(u.Roles) == 0 {
			f.Add(store.Invalidf("roles", "must name at least one event"))
		}
		if err := f.Err(); err != nil {
			return "", err
		}
		token := signin.NewToken()
		return token, t.invite(tx, in.Email, u, token)
	})
}

// invite stores an invitation to an address that no member has, with u's grants; it replaces an earlier one.
func (t *Team) invite(tx *store.Tx, email string, u *User, token string) error {
	there := tx.Model(&User{}).Where("email_key = ? AND disabled_at IS NULL", store.Fold(email))
	if err := store.Unless(there, errEmailTaken); err != nil {
		return err
	}
	err := tx.Where("organization_id = ? AND kind = ? AND email_key = ?", t.ID, linkInvitation, store.Fold(email)).
		Where("used_at IS NULL").Delete(&staffLink{}).Error
	if err != nil {
		return err
	}
	link := staffLink{
		ID: store.NewID(), Hash: store.HashKey(token), Kind: linkInvitation, OrganizationID: t.ID,
		Email: email, EmailKey: store.Fold(email), Role: u.Role, Everywhere: u.Everywhere, Roles: u.Roles,
		CreatedBy: &t.By.ActorID, CreatedAt: tx.Now, ExpiresAt: store.At(tx.Now.Add(InvitationLifetime)),
	}
	if err := tx.Create(&link).Error; err != nil {
		return err
	}
	after := u.grants()
	after["email"] = email
	return t.Secure(tx, store.Invited, store.Change{ID: link.ID, After: after})
}

// invitations selects those that can still be accepted at now, newest first.
func invitations(db *gorm.DB, now store.Time) *gorm.DB {
	return db.Table("staff_links l").Joins("JOIN organizations o ON o.id = l.organization_id").
		Joins("LEFT JOIN users u ON u.id = l.created_by").
		Select("l.*, o.name AS organization_name, coalesce(u.name, '') AS invited_by").
		Where("l.kind = ? AND l.used_at IS NULL AND l.expires_at > ?", linkInvitation, now).
		Order("l.created_at DESC, l.id DESC")
}

// Invitations returns the invitations to the team that nobody has accepted yet, newest first.
func (t *Team) Invitations(ctx context.Context) ([]*Invitation, error) {
	pending := []*Invitation{}
	return pending, invitations(t.Read(ctx), t.Now()).Where("l.organization_id = ?", t.ID).Find(&pending).Error
}

// InvitationBy returns the invitation with this token. It answers NotFound for one that was accepted, withdrawn or has
// expired.
func (a *Accounts) InvitationBy(ctx context.Context, token string) (*Invitation, error) {
	return store.One[Invitation](invitations(a.Read(ctx), a.Now()).Where("l.hash = ?", store.HashKey(token)), errNoLink)
}

// Relink replaces the token of an invitation, for a mail that is about to leave, and returns the new one. It answers
// NotFound where the organization has no invitation to the address that can still be accepted.
func (a *Accounts) Relink(ctx context.Context, organizationID, email string) (token string, err error) {
	return store.Make(ctx, a.Write, func(tx *store.Tx) (string, error) {
		token := signin.NewToken()
		return token, store.Changed(tx.Model(&staffLink{}).
			Where("organization_id = ? AND kind = ? AND email_key = ?", organizationID, linkInvitation, store.Fold(email)).
			Where("used_at IS NULL AND expires_at > ?", tx.Now).UpdateColumn("hash", store.HashKey(token)), errNoInvitation)
	})
}

// Withdraw ends an invitation. It answers NotFound unless an owner acts, and for an
// invitation that is not of the same organization or was accepted.
func (t *Team) Withdraw(ctx context.Context, id string) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		if !store.IsID(id) {
			return errNoInvitation
		}
		ended := tx.Where("organization_id = ? AND id = ? AND kind = ? AND used_at IS NULL", t.ID, id, linkInvitation).
			Delete(&staffLink{})
		if err := store.Changed(ended, errNoInvitation); err != nil {
			return err
		}
		return t.Secure(tx, store.InvitationWithdrawn, store.Change{ID: id})
	})
}

// AcceptInvitation makes the invited person a member of staff, once. It answers NotFound for an invitation that
// was accepted, withdrawn or is too old, and Invalid for a name or password that breaks its rule and for an
// address that became a member's in another way, and while passwords are off.
func (a *Accounts) AcceptInvitation(ctx context.Context, token, name, password string) (*User, error) {
	in, err := a.InvitationBy(ctx, token)
	if err != nil {
		return nil, err
	}
	n := NewUser{Email: in.Email, Name: name, Role: in.Role, Password: password}
	if err := n.Clean(); err != nil {
		return nil, err
	}
	u, err := a.Hashed(ctx, n)
	if err != nil {
		return nil, err
	}
	u.Everywhere, u.Roles = in.Everywhere, in.Roles
	team := a.Team(a.Organization(in.OrganizationID, store.ByIn(ctx)))
	return store.Make(ctx, a.Write, func(tx *store.Tx) (*User, error) {
		if err := team.Hold(tx); err != nil {
			return nil, err
		}
		if off, err := passwordsOff(tx.DB, team.ID); err != nil || off {
			return nil, cmp.Or(err, error(errPasswordsOff))
		}
		if err := useLink(tx, in.ID); err != nil {
			return nil, err
		}
		u.OrganizationID = team.ID
		if err := cleanGrants(tx, u); err != nil {
			return nil, err
		}
		return u, team.Enrol(tx, u, "")
	})
}

// useLink marks a one-time link as used, or answers NotFound.
func useLink(tx *store.Tx, id string) error {
	return store.Changed(tx.Model(&staffLink{}).Where("id = ? AND used_at IS NULL AND expires_at > ?", id, tx.Now).
		UpdateColumn("used_at", tx.Now), errNoLink)
}
