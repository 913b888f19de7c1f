// Package outbox holds what is sent after the change that it tells of: emissions, the endpoints that they go to, and
// deliveries with their log.
package outbox

import "lectern/models/store"

// Outbox is the handle of all organizations' emissions and deliveries.
type Outbox struct{ *store.Store }

// New returns the outbox of a database.
func New(ground *store.Store) *Outbox { return &Outbox{ground} }

// Webhooks is the handle of one organization's endpoints and their delivery log.
type Webhooks struct {
	*store.Tenant
	outbox *Outbox
}

// Webhooks returns those of an organization, for the one who acts.
func (o *Outbox) Webhooks(t *store.Tenant) *Webhooks { return &Webhooks{t, o} }
