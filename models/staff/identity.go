package staff

import (
	"context"
	"errors"

	"lectern/models/signin"
	"lectern/models/store"
)

// Identity says whom a provider means by a subject. It stays when its user is removed, so that nobody comes back by it.
type Identity struct {
	ID         string
	ProviderID string
	Subject    string
	UserID     string
	Email      string // as the provider last gave it
	CreatedAt  store.Time
	LastUsedAt *store.Time
}

// Person is somebody as a provider describes them.
type Person struct {
	Subject     string // the provider's permanent id for them
	Email, Name string // "" where the provider gives none
	Verified    bool   // the provider vouches for the address
	Groups      []string
}

// LinkedIdentity is an identity with its provider's name, for the account of its user.
type LinkedIdentity struct {
	Identity
	Provider  string
	IsEnabled bool
}

// Identities returns the identities by which a user signs in, oldest first.
func (a *Accounts) Identities(ctx context.Context, userID string) ([]*LinkedIdentity, error) {
	all := []*LinkedIdentity{}
	err := a.Read(ctx).Table("identities i").Joins("JOIN identity_providers p ON p.id = i.provider_id").
		Select("i.*, p.name AS provider, p.is_enabled").Where("i.user_id = ?", userID).Order("i.created_at, i.id").
		Find(&all).Error
	return all, err
}

var (
	errNoIdentity = store.Missing("That sign-in is not linked to your account.")
	errOnlyWay    = &store.Error{Kind: store.Invalid,
		Message: "This is the only way you can sign in. Choose a password by “I forgot my password” first."}
)

// Unlink removes an identity from a user, and ends the sign-ins made by it. It answers NotFound for an identity of
// somebody else, and Invalid for one whose provider decides the user's role, and where the user or the last owner could
// not sign in any more.
func (a *Accounts) Unlink(ctx context.Context, u *User, id string) error {
	team := a.Team(a.Organization(u.OrganizationID, u.InPerson(ctx)))
	return team.Write(ctx, func(tx *store.Tx) error {
		if err := team.Hold(tx); err != nil {
			return err
		}
		held, err := hold(tx, u.ID, signin.ErrSignedOut)
		if err != nil {
			return err
		}
		identity, err := store.One[Identity](tx.Where("user_id = ? AND id = ?", held.ID, signin.Clip(id, 36)), errNoIdentity)
		if err != nil {
			return err
		}
		if held.ProviderID != nil && *held.ProviderID == identity.ProviderID {
			return errCameBy
		}
		if err := tx.Where("identity_id = ?", identity.ID).Delete(&Login{}).Error; err != nil {
			return err
		}
		if err := tx.Delete(identity).Error; err != nil {
			return err
		}
		if err := mayStillSignIn(tx, held); err != nil {
			return err
		}
		if err := team.keepWayIn(tx, "", errNoOwnerLeft); err != nil {
			return err
		}
		return team.Secure(tx, store.IdentityUnlinked, store.Change{ID: held.ID})
	})
}

var errCameBy = &store.Error{Kind: store.Invalid,
	Message: "You came by this provider, and its groups say what you may do. Ask an owner if that should end."}

// mayStillSignIn refuses a change that left a user without any way to sign in.
func mayStillSignIn(tx *store.Tx, u *User) error {
	if u.PasswordHash != "" {
		off, err := passwordsOff(tx.DB, u.OrganizationID)
		if err != nil || !off {
			return err
		}
	}
	return needsProvider(tx, u.ID, errOnlyWay)
}

// BeginLink sends a browser to a provider whose account is to be linked to a user. It asks for the password, so that
// somebody who finds a signed-in browser cannot link an account of their own. It answers what BeginVisit does, Invalid
// for a wrong password and for a user who came by a provider, and TooMany.
func (a *Accounts) BeginLink(ctx context.Context, u *User, password, providerID, address string,
) (string, *ProviderVisit, error) {
	now, err := a.prove(ctx, u, "link_password", password)
	if err != nil {
		return "", nil, err
	}
	if now.ProviderID != nil {
		return "", nil, errCameBy
	}
	return a.BeginVisit(ctx, ProviderVisit{ProviderID: providerID, UserID: &now.ID}, address)
}

var errLinkedElsewhere = &store.Error{Kind: store.Invalid,
	Message: "That account is linked to another member of staff. Nothing was changed."}

// Link links somebody's account at a provider to the user of a visit, and returns the user. Both may have changed while
// the provider was asked: it answers Unauthorized where the login with the token has ended, NotFound where the provider
// is off, and Invalid for an account that is linked to somebody else.
func (a *Accounts) Link(ctx context.Context, v *ProviderVisit, who Person, token, address string) (*User, error) {
	team := a.Team(a.Organization(v.Provider.OrganizationID, store.ByIn(ctx)))
	return store.Make(ctx, a.Write, func(tx *store.Tx) (*User, error) {
		if err := team.Hold(tx); err != nil {
			return nil, err
		}
		p, err := providerThatIsOn(tx, v.ProviderID)
		if err != nil {
			return nil, err
		}
		u, err := hold(tx, *v.UserID, signin.ErrSignedOut)
		if err != nil {
			return nil, err
		}
		if err := stillSignedIn(tx, u, token); err != nil {
			return nil, err
		}
		e := &entrance{Team: team, tx: tx, visit: v, provider: p, who: who}
		e.identity, err = identityOf(tx, p.ID, who.Subject)
		switch {
		case err != nil:
			return nil, err
		case e.identity == nil:
			if err := e.link(u); err != nil {
				return nil, err
			}
		case e.identity.UserID != u.ID:
			return nil, errLinkedElsewhere
		}
		return u, errors.Join(tx.Model(e.identity).UpdateColumn("email", signin.Clip(who.Email, 254)).Error,
			signin.GiveBack(tx, ofProviderVisits(address)))
	})
}
