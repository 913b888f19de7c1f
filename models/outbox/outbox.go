// Package outbox is what is sent after the change it tells of: emissions, the
// endpoints they go to, and deliveries with their log.
package outbox

import "lectern/models/store"

// Outbox is what is on its way from all organizations to whom it is sent.
type Outbox struct{ *store.Store }

// New returns the outbox of a database.
func New(ground *store.Store) *Outbox { return &Outbox{ground} }

// Webhooks are where an organization's emissions are sent, and the log of that.
type Webhooks struct {
	*store.Tenant
	outbox *Outbox
}

// Webhooks are those of an organization, for the one who acts.
func (o *Outbox) Webhooks(t *store.Tenant) *Webhooks { return &Webhooks{t, o} }
