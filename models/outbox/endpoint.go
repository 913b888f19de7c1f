package outbox

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"strconv"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// Endpoint is where an organization's emissions are sent. Its secret is shown once and stored encrypted.
type Endpoint struct {
	ID             string     `json:"id"`
	OrganizationID string     `json:"-"`
	URL            string     `json:"url"`
	SealedSecret   string     `json:"-"` // "" when it was lost with the secret key
	SealedPending  *string    `json:"-"` // the next secret, while a rotation is under way
	IsActive       bool       `json:"is_active"`
	CreatedAt      store.Time `json:"created_at"`
	UpdatedAt      store.Time `json:"updated_at"`
}

// TableName returns the table of endpoints.
func (Endpoint) TableName() string { return "webhook_endpoints" }

// Rotating reports whether a new secret waits to be activated.
func (e *Endpoint) Rotating() bool { return e.SealedPending != nil }

// NeedsSecret reports whether the secret was lost with the server's secret key: deliveries wait until RotateSecret and
// ActivateSecret have replaced it.
func (e *Endpoint) NeedsSecret() bool { return e.SealedSecret == "" }

// named returns what the organization's log says of an endpoint: only its host, as the rest of the address may hold a
// secret.
func (e *Endpoint) named() map[string]any {
	host := ""
	if address, err := url.Parse(e.URL); err == nil {
		host = address.Host
	}
	return map[string]any{"of": host}
}

var errNoEndpoint = store.Missing("There is no such webhook endpoint in this organization.")

var errEndpointChanged = &store.Error{
	Kind: store.Stale, Message: "This endpoint was changed meanwhile. Look at it before you change it again.",
}

// Endpoints returns the organization's endpoints, oldest first.
func (w *Webhooks) Endpoints(ctx context.Context) ([]*Endpoint, error) {
	endpoints := []*Endpoint{}
	return endpoints, w.Read(ctx).Where("organization_id = ?", w.ID).Order("created_at, id").Find(&endpoints).Error
}

// CreateEndpoint adds an active endpoint and returns it with its secret, which is shown this once. It answers Invalid
// for an address that is not http or https, or that contains credentials.
func (w *Webhooks) CreateEndpoint(ctx context.Context, address string) (*Endpoint, string, error) {
	address, err := cleanEndpoint(address)
	if err != nil {
		return nil, "", err
	}
	secret := newSecret()
	e := &Endpoint{ID: store.NewID(), OrganizationID: w.ID, URL: address, IsActive: true}
	if e.SealedSecret, err = w.outbox.Seal(secret, e.ID); err != nil {
		return nil, "", err
	}
	err = w.Write(ctx, func(tx *store.Tx) error {
		e.CreatedAt, e.UpdatedAt = tx.Now, tx.Now
		if err := tx.Create(e).Error; err != nil {
			return err
		}
		return w.Secure(tx, store.EndpointAdded, store.Change{ID: e.ID, After: e.named()})
	})
	if err != nil {
		return nil, "", err
	}
	return e, secret, nil
}

func cleanEndpoint(address string) (string, error) {
	address, err := store.CleanURL("url", address, store.MaxURL)
	if err != nil {
		return "", err
	}
	if address == "" {
		return "", store.Invalidf("url", "must not be empty")
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	if port, err := strconv.Atoi(cmp.Or(u.Port(), "80")); err != nil || port < 1 || port > 65535 {
		return "", store.Invalidf("url", "must have a port from 1 to 65535, or none")
	}
	return address, nil
}

func newSecret() string {
	random := make([]byte, 24)
	rand.Read(random)
	return "whsec_" + hex.EncodeToString(random)
}

// SetEndpointActive turns an endpoint on or off. Turning it off drops its queued deliveries; an attempt under way ends
// by itself. It answers NotFound for an endpoint of another organization.
func (w *Webhooks) SetEndpointActive(ctx context.Context, id string, active bool) error {
	return w.changeEndpoint(ctx, id, func(tx *store.Tx, e *Endpoint) (store.SecurityEvent, error) {
		if e.IsActive == active {
			return "", nil
		}
		e.IsActive = active
		if active {
			return store.EndpointOn, nil
		}
		return store.EndpointOff, dropLine(tx, id)
	})
}

// RotateSecret makes the endpoint's next secret and returns it, which is shown this once. Deliveries are signed with
// the present one until ActivateSecret. Calling it again replaces the waiting secret; token, the value of updated_at
// last read, keeps a form that is sent twice from doing so, and nil forces it. It answers Stale, and NotFound for an
// endpoint of another organization.
func (w *Webhooks) RotateSecret(ctx context.Context, id string, token *store.Time) (string, error) {
	secret := newSecret()
	err := w.changeEndpoint(ctx, id, func(_ *store.Tx, e *Endpoint) (store.SecurityEvent, error) {
		if token != nil && !token.Equal(e.UpdatedAt.Time) {
			return "", errEndpointChanged
		}
		sealed, err := w.outbox.Seal(secret, e.ID)
		e.SealedPending = &sealed
		return store.EndpointSecretMade, err
	})
	if err != nil {
		return "", err
	}
	return secret, nil
}

// ActivateSecret makes the waiting secret the one that signs, and deletes the one before. It answers Invalid when none
// waits, and NotFound for an endpoint of another organization.
func (w *Webhooks) ActivateSecret(ctx context.Context, id string) error {
	return w.changeEndpoint(ctx, id, func(_ *store.Tx, e *Endpoint) (store.SecurityEvent, error) {
		if e.SealedPending == nil {
			return "", store.Invalidf("secret", "has no successor that waits; rotate it first")
		}
		e.SealedSecret, e.SealedPending = *e.SealedPending, nil
		return store.EndpointSecretOn, nil
	})
}

// CancelRotation deletes the waiting secret, if there is one. It answers NotFound for an endpoint of another
// organization.
func (w *Webhooks) CancelRotation(ctx context.Context, id string) error {
	return w.changeEndpoint(ctx, id, func(_ *store.Tx, e *Endpoint) (store.SecurityEvent, error) {
		if e.SealedPending == nil {
			return "", nil
		}
		e.SealedPending = nil
		return store.EndpointSecretGone, nil
	})
}

// DeleteEndpoint deletes an endpoint, its secrets and its queued deliveries. The delivery log keeps its rows with their
// URL. It answers NotFound for an endpoint of another organization.
func (w *Webhooks) DeleteEndpoint(ctx context.Context, id string) error {
	return w.Write(ctx, func(tx *store.Tx) error {
		e, err := w.endpoint(tx, id)
		if err != nil {
			return err
		}
		if err := tx.Where("organization_id = ? AND id = ?", w.ID, id).Delete(&Endpoint{}).Error; err != nil {
			return err
		}
		return w.Secure(tx, store.EndpointDeleted, store.Change{ID: id, After: e.named()})
	})
}

// endpoint returns an endpoint of this organization, locked until the transaction ends.
func (w *Webhooks) endpoint(tx *store.Tx, id string) (*Endpoint, error) {
	return store.OneByID[Endpoint](tx.Lock().Where("organization_id = ?", w.ID), id, errNoEndpoint)
}

// changeEndpoint saves what change does to an endpoint and records the event that it returns; with "" it saves nothing.
func (w *Webhooks) changeEndpoint(
	ctx context.Context, id string, change func(*store.Tx, *Endpoint) (store.SecurityEvent, error),
) error {
	return w.Write(ctx, func(tx *store.Tx) error {
		e, err := w.endpoint(tx, id)
		if err != nil {
			return err
		}
		done, err := change(tx, e)
		if err != nil || done == "" {
			return err
		}
		e.UpdatedAt = tx.Now.Following(e.UpdatedAt)
		if err := tx.Model(e).Where("organization_id = ?", w.ID).
			Select("is_active", "sealed_secret", "sealed_pending", "updated_at").Updates(e).Error; err != nil {
			return err
		}
		return w.Secure(tx, done, store.Change{ID: id, After: e.named()})
	})
}

// activeEndpoints returns all organizations' active endpoints. It locks them (FOR SHARE), so that none is deleted or
// turned off before the transaction ends; whoever does so later finds what was queued.
func activeEndpoints(tx *store.Tx) (endpoints []*Endpoint, err error) {
	query := tx.DB
	if !tx.Store.Embedded() {
		query = tx.Clauses(clause.Locking{Strength: "SHARE"})
	}
	err = query.Select("id, organization_id").Where("is_active").Order("id").Find(&endpoints).Error
	return endpoints, err
}

// CreateWebhookEndpoint is CreateEndpoint for the one organization of this installation, which it makes if there is
// none.
func (o *Outbox) CreateWebhookEndpoint(ctx context.Context, address string) (*Endpoint, string, error) {
	if _, err := cleanEndpoint(address); err != nil {
		return nil, "", err
	}
	organization, err := store.Make(ctx, o.Write, func(tx *store.Tx) (*store.Organization, error) {
		return store.MakeOrganization(tx, "Organization")
	})
	if err != nil {
		return nil, "", err
	}
	return o.Webhooks(o.Organization(organization.ID, store.CommandLine)).CreateEndpoint(ctx, address)
}

// WebhookEndpoints returns the endpoints of the one organization of this installation, oldest first.
func (o *Outbox) WebhookEndpoints(ctx context.Context) ([]*Endpoint, error) {
	organization, err := store.TheOrganization(o.Read(ctx))
	if err != nil || organization == nil {
		return []*Endpoint{}, err
	}
	return o.Webhooks(o.Organization(organization.ID, store.CommandLine)).Endpoints(ctx)
}
