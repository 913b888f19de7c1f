package staff

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"lectern/models/store"
)

// byThemselves selects users who sign in by a password or passkey stored here: they did not come by a provider, and
// their organization did not turn passwords off.
const byThemselves = `disabled_at IS NULL AND provider_id IS NULL AND
	NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = users.organization_id AND o.passwords_off)`

var errPasswordsOff = &store.Error{Kind: store.Invalid,
	Message: "Your organization has turned passwords off. Sign in with its identity provider."}

// byProvider selects users u who can sign in by a provider that is switched on.
const byProvider = `EXISTS (SELECT 1 FROM identities i JOIN identity_providers p ON p.id = i.provider_id
	WHERE i.user_id = u.id AND p.is_enabled)`

// ownersWithWayIn selects owners who can sign in: by a provider, or with a password, for which they may first need a
// reset link.
const ownersWithWayIn = `SELECT 1 FROM users u JOIN organizations o ON o.id = u.organization_id
	WHERE u.organization_id = ? AND u.role = 'owner' AND u.disabled_at IS NULL
		AND (NOT o.passwords_off AND u.provider_id IS NULL OR ` + byProvider + `)`

// PasswordsOff reports whether staff of the organization can sign in only through its identity providers.
func (t *Team) PasswordsOff(ctx context.Context) (bool, error) {
	return passwordsOff(t.Read(ctx), t.ID)
}

// stillByThemselves returns refusal if passwords are off. A sign-in asks again once it has the lock of its user: the
// query that took the lock saw the organization from before.
func stillByThemselves(tx *store.Tx, u *User, refusal error) error {
	off, err := passwordsOff(tx.DB, u.OrganizationID)
	if err == nil && off {
		err = refusal
	}
	return err
}

func passwordsOff(db *gorm.DB, organizationID string) (off bool, err error) {
	err = db.Model(&store.Organization{}).Where("id = ?", organizationID).Pluck("passwords_off", &off).Error
	return off, err
}

// keepWayIn returns refusal for a change that would leave no owner other than leaving able to sign in.
func (t *Team) keepWayIn(tx *store.Tx, leaving string, refusal error) error {
	var others bool
	err := tx.Raw("SELECT EXISTS ("+ownersWithWayIn+" AND u.id <> ?)", t.ID, leaving).Scan(&others).Error
	if err == nil && !others {
		err = refusal
	}
	return err
}

var errNoOwnerLeft = &store.Error{Kind: store.Invalid, Message: "No owner could sign in any more. First make somebody " +
	"an owner who signs in another way, or turn passwords on again if they are off."}

// TurnPasswordsOff makes staff sign in by the organization's providers only: everybody signed in with a password is
// signed out, except by the login with the token keepToken, and reset links end. It answers NotFound unless an owner
// acts, and Invalid for an owner who could not sign in any more.
func (t *Team) TurnPasswordsOff(ctx context.Context, keepToken string) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		if err := needsProvider(tx, t.By.ActorID, errLinkFirst); err != nil {
			return err
		}
		if err := t.setPasswords(tx, true); err != nil {
			return err
		}
		// A sign-in under way holds its user's row; once we hold it, its login exists and is found below.
		var members []string
		err := tx.Lock().Model(&User{}).Where("organization_id = ?", t.ID).Order("id").Pluck("id", &members).Error
		if err != nil {
			return err
		}
		return errors.Join(
			tx.Where("user_id IN ? AND kind = ? AND used_at IS NULL", members, linkReset).Delete(&staffLink{}).Error,
			tx.Where("user_id IN ? AND identity_id IS NULL AND id <> ?", members, store.HashKey(keepToken)).
				Delete(&Login{}).Error)
	})
}

// needsProvider returns refusal unless a user can sign in by a provider.
func needsProvider(tx *store.Tx, userID string, refusal error) error {
	var linked bool
	err := tx.Raw("SELECT EXISTS (SELECT 1 FROM users u WHERE u.id = ? AND "+byProvider+")", userID).Scan(&linked).Error
	if err == nil && !linked {
		err = refusal
	}
	return err
}

var errLinkFirst = &store.Error{Kind: store.Invalid,
	Message: "Sign in by one of the providers yourself first: otherwise you could not sign in any more."}

// TurnPasswordsOn lets staff sign in with passwords again. It answers NotFound unless an owner acts.
func (t *Team) TurnPasswordsOn(ctx context.Context) error {
	return t.asOwner(ctx, func(tx *store.Tx) error { return t.setPasswords(tx, false) })
}

// AllowPasswords is TurnPasswordsOn for whoever runs the server, when no owner can sign in. It answers NotFound before
// there is an organization.
func (a *Accounts) AllowPasswords(ctx context.Context) error {
	return a.Write(ctx, func(tx *store.Tx) error {
		organization, err := store.TheOrganization(tx.DB)
		if err != nil {
			return err
		}
		if organization == nil {
			return store.Missing("There is no organization yet.")
		}
		team := a.Team(a.Organization(organization.ID, store.CommandLine))
		return errors.Join(team.Hold(tx), team.setPasswords(tx, false))
	})
}

// setPasswords records whether passwords are off. Setting the present value changes nothing.
func (t *Team) setPasswords(tx *store.Tx, off bool) error {
	return t.setRule(tx, "passwords_off", off, store.PasswordsOff, store.PasswordsOn)
}
