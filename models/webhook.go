package models

import (
	"context"
	"crypto/rand"
	"encoding/hex"
)

// WebhookEndpoint is where an organization's emissions are sent. Its secret is
// shown once and sealed at rest.
type WebhookEndpoint struct {
	ID             string  `json:"id"`
	OrganizationID string  `json:"-"`
	URL            string  `json:"url"`
	SealedSecret   string  `json:"-"`
	SealedPending  *string `json:"-"` // the next secret, while a rotation is under way
	IsActive       bool    `json:"is_active"`
	CreatedAt      Time    `json:"created_at"`
	UpdatedAt      Time    `json:"updated_at"`
}

// CreateWebhookEndpoint adds an active endpoint and returns it with its secret,
// which is shown this once. It answers Invalid for an address that is not http
// or https, or that carries credentials.
func (s *Store) CreateWebhookEndpoint(ctx context.Context, address string) (*WebhookEndpoint, string, error) {
	address, err := cleanURL("url", address)
	if err != nil {
		return nil, "", err
	}
	if address == "" {
		return nil, "", invalid("url", "must not be empty")
	}
	random := make([]byte, 24)
	rand.Read(random)
	secret := "whsec_" + hex.EncodeToString(random)
	var endpoint *WebhookEndpoint
	err = s.write(ctx, func(tx *Tx) error {
		organization, err := tx.organization("Organization")
		if err != nil {
			return err
		}
		endpoint = &WebhookEndpoint{
			ID: NewID(), OrganizationID: organization.ID, URL: address, IsActive: true,
			CreatedAt: tx.now, UpdatedAt: tx.now,
		}
		if endpoint.SealedSecret, err = s.seal(secret, endpoint.ID); err != nil {
			return err
		}
		return tx.Create(endpoint).Error
	})
	return endpoint, secret, err
}

// WebhookEndpoints are all endpoints, the oldest first.
func (s *Store) WebhookEndpoints(ctx context.Context) ([]*WebhookEndpoint, error) {
	endpoints := []*WebhookEndpoint{}
	return endpoints, s.read(ctx).Order("created_at, id").Find(&endpoints).Error
}
