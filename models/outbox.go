package models

// Outbox is what is on its way from all organizations to whom it is sent.
type Outbox struct{ *Ground }

// NewOutbox returns the outbox of a database.
func NewOutbox(ground *Ground) *Outbox { return &Outbox{ground} }

// Webhooks are where an organization's emissions are sent, and the log of that.
type Webhooks struct {
	*Tenant
	outbox *Outbox
}

// Webhooks are those of an organization, for the one who acts.
func (o *Outbox) Webhooks(t *Tenant) *Webhooks { return &Webhooks{t, o} }
