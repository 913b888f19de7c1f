package staff

import (
	"cmp"
	"context"
	"time"

	"lectern/models/signin"
	"lectern/models/store"
)

const (
	// ProviderVisitLifetime is how long a browser may take to come back from a provider.
	ProviderVisitLifetime = 10 * time.Minute
	// ProviderLifetime is how long a sign-in by a provider lasts; after it the provider is asked again whether it still
	// knows the person.
	providerLifetime = 12 * time.Hour
	// visitsFromAddress is how many browsers of one network may be on their way to a provider at once, or have failed.
	visitsFromAddress = 100
)

// ProviderVisit is a browser's way to a provider and back, which ends once it comes back.
type ProviderVisit struct {
	ID           string
	ProviderID   string
	UserID       *string // the user who links an identity to their account
	InvitationID string  // the invitation that it accepts; "" for none
	Next         string  // where the browser goes afterwards
	ExpiresAt    store.Time
	Provider     *Provider `gorm:"-"`
	Secret       string    `gorm:"-"` // of the provider's client
}

func ofProviderVisits(address string) []signin.Throttle {
	return signin.OfAddress("provider", address, visitsFromAddress)
}

// SignInChoices returns how staff of this installation sign in: the providers that are switched on, and whether
// passwords are allowed.
func (a *Accounts) SignInChoices(ctx context.Context) (providers []*Provider, passwords bool, err error) {
	organization, err := store.TheOrganization(a.Read(ctx))
	if err != nil || organization == nil {
		return nil, true, err
	}
	team := a.Team(a.Organization(organization.ID, store.By{}))
	all, err := team.Providers(ctx)
	for _, p := range all {
		if p.IsEnabled {
			providers = append(providers, p)
		}
	}
	return providers, !organization.PasswordsOff, err
}

// BeginVisit sends a browser to a provider, and returns the visit with its token, which is stored nowhere. It reads
// ProviderID, UserID, InvitationID and Next of v. It answers NotFound for a provider that is not switched on or belongs
// to another organization than the user, and TooMany.
func (a *Accounts) BeginVisit(ctx context.Context, v ProviderVisit, address string) (string, *ProviderVisit, error) {
	token := signin.NewToken()
	err := a.Write(ctx, func(tx *store.Tx) error {
		if err := signin.Attempt(tx, ofProviderVisits(address)...); err != nil {
			return err
		}
		if err := a.fill(tx, &v); err != nil {
			return err
		}
		if v.UserID != nil {
			u, err := store.One[User](tx.Where("id = ? AND disabled_at IS NULL", *v.UserID), signin.ErrSignedOut)
			if err != nil {
				return err
			}
			if u.OrganizationID != v.Provider.OrganizationID {
				return errNoProvider
			}
		}
		v.ID, v.ExpiresAt = store.HashKey(token), store.At(tx.Now.Add(ProviderVisitLifetime))
		err := tx.Create(&v).Error
		if store.IsMissingReference(err) { // the provider was deleted since it was read
			return errNoProvider
		}
		return err
	})
	if err != nil {
		return "", nil, err
	}
	return token, &v, nil
}

// fill gives a visit its provider and the provider's secret.
func (a *Accounts) fill(tx *store.Tx, v *ProviderVisit) (err error) {
	v.Provider, err = providerThatIsOn(tx, v.ProviderID)
	if err == nil && v.Provider.SealedSecret != "" {
		v.Secret, err = a.Unseal(v.Provider.SealedSecret, v.Provider.ID)
	}
	return err
}

func providerThatIsOn(tx *store.Tx, id string) (*Provider, error) {
	return store.OneByID[Provider](tx.Where("is_enabled"), id, errNoProvider)
}

// EndVisit uses up the visit with this token, so that its answer cannot be replayed. It answers Unauthorized for a
// visit that is unknown, used or expired, and NotFound when its provider was switched off meanwhile.
func (a *Accounts) EndVisit(ctx context.Context, token string) (*ProviderVisit, error) {
	var v *ProviderVisit
	var gone error
	err := a.Write(ctx, func(tx *store.Tx) (err error) {
		mine := tx.Where("id = ? AND expires_at > ?", store.HashKey(token), tx.Now)
		if v, err = store.One[ProviderVisit](mine, ErrNoVisit); err != nil {
			return err
		}
		if err := store.Changed(tx.Where("id = ?", v.ID).Delete(&ProviderVisit{}), ErrNoVisit); err != nil {
			return err
		}
		if gone = a.fill(tx, v); store.KindOf(gone) != store.NotFound {
			return gone
		}
		return nil // no error, so that the visit is used up
	})
	if err = cmp.Or(err, gone); err != nil {
		return nil, err
	}
	return v, nil
}

// ErrNoVisit answers a browser that comes back from a provider without having been sent there.
var ErrNoVisit = &store.Error{Kind: store.Unauthorized,
	Message: "This sign-in was not begun in this browser, was used already, or took longer than ten minutes. Begin again."}
