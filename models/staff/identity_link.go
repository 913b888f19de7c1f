package staff

import (
	"context"
	"errors"

	"lectern/models/signin"
	"lectern/models/store"
)

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
