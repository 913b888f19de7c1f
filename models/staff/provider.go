package staff

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lectern/models/store"
)

// Provider is an organization's own identity provider, which says who somebody is in place of a password.
type Provider struct {
	ID             string
	OrganizationID string
	Name           string // shown on the sign-in button
	Issuer         string // its address, exactly as it names itself
	ClientID       string
	SealedSecret   string       `json:"-"`               // "" for a client without a secret
	Domains        []string     `gorm:"serializer:json"` // of addresses that may create a member on sign-in; folded
	GroupsClaim    string       // where it names somebody's groups; "" looks at none
	Grants         []GroupGrant `gorm:"serializer:json"`
	IsEnabled      bool
	CreatedAt      store.Time
	UpdatedAt      store.Time
}

// TableName returns the table of providers.
func (Provider) TableName() string { return "identity_providers" }

// NewProvider is the input to add or change a provider.
type NewProvider struct {
	Name, Issuer, ClientID string
	Secret                 string // "" keeps the present one
	Domains                []string
	GroupsClaim            string
	Grants                 []GroupGrant
}

const (
	mostDomains = 50
	mostGrants  = 100
)

var (
	errNoProvider    = store.Missing("There is no such identity provider in this organization.")
	errStaleProvider = store.Outdated("Someone else changed this identity provider since you read it.")
)

// clean normalizes the fields and checks them.
func (n *NewProvider) clean() error {
	var f store.Faults
	f.Clean(store.CleanName, "name", &n.Name, 60)
	f.Clean(store.CleanName, "issuer", &n.Issuer, store.MaxURL)
	if why := issuerFault(n.Issuer); n.Issuer != "" && why != "" {
		f.Add(store.Invalidf("issuer", "%s", why))
	}
	f.Clean(store.CleanName, "client_id", &n.ClientID, 255)
	f.Clean(store.CleanText, "secret", &n.Secret, 1000)
	f.Clean(store.CleanText, "groups_claim", &n.GroupsClaim, 255)
	n.Name = store.OneLine(n.Name)
	n.Domains, n.Grants = append([]string{}, n.Domains...), append([]GroupGrant{}, n.Grants...)
	for i, domain := range n.Domains {
		n.Domains[i] = store.Fold(strings.TrimPrefix(strings.TrimSpace(domain), "@"))
		if !store.IsEmail("name@"+n.Domains[i]) || !strings.Contains(n.Domains[i], ".") {
			f.Add(store.Invalidf("domains", "must be domains such as example.org, separated by commas"))
			break
		}
	}
	slices.Sort(n.Domains)
	if n.Domains = slices.Compact(n.Domains); len(n.Domains) > mostDomains {
		f.Add(store.Invalidf("domains", "are more than %d", mostDomains))
	}
	f.Add(cleanGroupGrants(n.Grants))
	if len(n.Grants) > 0 && n.GroupsClaim == "" {
		f.Add(store.Invalidf("groups_claim", "must say where the groups stand, such as groups"))
	}
	return f.Err()
}

// allows reports whether the provider may bring in somebody with this address.
func (p *Provider) allows(email string) bool {
	_, domain, _ := strings.Cut(store.Fold(email), "@")
	return slices.Contains(p.Domains, domain)
}

// facts returns what the activity records of a provider.
func (p *Provider) facts() map[string]any {
	return map[string]any{"name": p.Name, "issuer": p.Issuer, "client_id": p.ClientID,
		"domains": strings.Join(p.Domains, ", "), "groups_claim": p.GroupsClaim, "grants": grantsFact(p.Grants),
		"is_enabled": p.IsEnabled}
}

// Providers returns the organization's providers, by name.
func (t *Team) Providers(ctx context.Context) ([]*Provider, error) {
	all := []*Provider{}
	err := t.Read(ctx).Where("organization_id = ?", t.ID).Find(&all).Error
	slices.SortFunc(all, func(a, b *Provider) int { return store.CompareNames(a.Name, a.ID, b.Name, b.ID) })
	return all, err
}

// AddProvider adds a provider that is switched off, so that the owner can try it first. It answers NotFound unless an
// owner acts, and Invalid for a field that breaks its rule.
func (t *Team) AddProvider(ctx context.Context, n NewProvider) (*Provider, error) {
	if err := n.clean(); err != nil {
		return nil, err
	}
	p := &Provider{ID: store.NewID(), OrganizationID: t.ID}
	return p, t.asOwner(ctx, func(tx *store.Tx) error {
		if err := p.take(tx, n); err != nil {
			return err
		}
		p.CreatedAt, p.UpdatedAt = tx.Now, tx.Now
		if err := errors.Join(eventsFault(tx, t.ID, p.Grants), tx.Create(p).Error); err != nil {
			return err
		}
		return t.Secure(tx, store.ProviderAdded, store.Change{ID: p.ID, After: p.facts()})
	})
}

// take gives the provider what was entered.
func (p *Provider) take(tx *store.Tx, n NewProvider) (err error) {
	p.Name, p.Issuer, p.ClientID, p.Domains = n.Name, n.Issuer, n.ClientID, n.Domains
	p.GroupsClaim, p.Grants = n.GroupsClaim, n.Grants
	if n.Secret != "" {
		p.SealedSecret, err = tx.Store.Seal(n.Secret, p.ID)
	}
	return err
}

// provider returns one of the organization's providers, locked until the transaction ends.
func (t *Team) provider(tx *store.Tx, id string) (*Provider, error) {
	return store.OneByID[Provider](tx.Lock().Where("organization_id = ?", t.ID), id, errNoProvider)
}

// ChangeProvider changes a provider. It answers what AddProvider does, NotFound for a provider of another organization,
// Stale for an outdated token, and Invalid for another issuer once somebody came by the provider: another issuer may
// mean another person by the same subject.
func (t *Team) ChangeProvider(ctx context.Context, id string, n NewProvider, updatedAt store.Time) error {
	if err := n.clean(); err != nil {
		return err
	}
	return t.asOwner(ctx, func(tx *store.Tx) error {
		p, err := t.provider(tx, id)
		if err != nil {
			return err
		}
		if !updatedAt.Equal(p.UpdatedAt.Time) {
			return errStaleProvider
		}
		if n.Issuer != p.Issuer {
			linked := tx.Model(&Identity{}).Where("provider_id = ?", p.ID)
			if err := store.Unless(linked, errIssuerStays); err != nil {
				return err
			}
		}
		before, sealed := p.facts(), p.SealedSecret
		if err := p.take(tx, n); err != nil {
			return err
		}
		was, is := store.Changes(before, p.facts())
		if p.SealedSecret != sealed {
			is["secret"] = "changed"
		}
		if len(is) == 0 {
			return nil
		}
		p.UpdatedAt = tx.Now.Following(p.UpdatedAt)
		if err := errors.Join(eventsFault(tx, t.ID, p.Grants), tx.Select("*").Updates(p).Error); err != nil {
			return err
		}
		return t.Secure(tx, store.ProviderChanged, store.Change{ID: p.ID, Before: was, After: is})
	})
}

var errIssuerStays = store.Invalidf("issuer", "stays as it is, because people came by it; add another provider instead")

// SwitchProvider turns a provider on or off; turning it off ends the sign-ins made by it. It answers NotFound unless an
// owner acts and the provider is the organization's, and Invalid where no owner could sign in any more.
func (t *Team) SwitchProvider(ctx context.Context, id string, on bool) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		p, err := t.provider(tx, id)
		if err != nil || p.IsEnabled == on {
			return err
		}
		err = tx.Model(p).UpdateColumns(map[string]any{"is_enabled": on, "updated_at": tx.Now.Following(p.UpdatedAt)}).Error
		if err != nil {
			return err
		}
		if !on {
			if err := errors.Join(endProviderLogins(tx, p.ID), t.keepWayIn(tx, "", errNoOwnerLeft)); err != nil {
				return err
			}
		}
		return t.Secure(tx, store.ProviderChanged, store.Change{ID: p.ID, Before: map[string]any{"is_enabled": !on},
			After: map[string]any{"name": p.Name, "is_enabled": on}})
	})
}

// DeleteProvider deletes a provider with its identities. Users who came by it stay members, and choose a password by a
// reset link. It answers what SwitchProvider does.
func (t *Team) DeleteProvider(ctx context.Context, id string) error {
	return t.asOwner(ctx, func(tx *store.Tx) error {
		p, err := t.provider(tx, id)
		if err != nil {
			return err
		}
		err = errors.Join(
			tx.Model(&User{}).Where("provider_id = ?", p.ID).UpdateColumn("provider_id", nil).Error,
			endProviderLogins(tx, p.ID),
			tx.Where("provider_id = ?", p.ID).Delete(&Identity{}).Error,
			tx.Delete(p).Error)
		if err != nil {
			return err
		}
		if err := t.keepWayIn(tx, "", errNoOwnerLeft); err != nil {
			return err
		}
		return t.Secure(tx, store.ProviderDeleted, store.Change{ID: p.ID, Before: p.facts()})
	})
}

// endProviderLogins ends the logins that were made through a provider.
func endProviderLogins(tx *store.Tx, providerID string) error {
	theirs := tx.Model(&Identity{}).Where("provider_id = ?", providerID).Select("id")
	return tx.Where("identity_id IN (?)", theirs).Delete(&Login{}).Error
}
