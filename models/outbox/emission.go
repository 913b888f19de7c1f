// Package outbox holds what is sent after the change that it tells of: emissions, the endpoints that they go to, and
// deliveries with their log.
package outbox

import (
	"encoding/json"

	"github.com/google/uuid"

	"lectern/models/store"
)

// EmissionType is a kind of outbound event.
type EmissionType string

const (
	SessionCreated    EmissionType = "session.created"
	SessionUpdated    EmissionType = "session.updated"
	SessionDeleted    EmissionType = "session.deleted"
	SessionPublished  EmissionType = "session.published"
	ContactCreated    EmissionType = "contact.created"
	ContactUpdated    EmissionType = "contact.updated"
	ContactMerged     EmissionType = "contact.merged"
	DecisionCommitted EmissionType = "decision.committed"
)

// EmissionTypes are all types.
var EmissionTypes = []EmissionType{
	SessionCreated, SessionUpdated, SessionDeleted, SessionPublished,
	ContactCreated, ContactUpdated, ContactMerged, DecisionCommitted,
}

// Emission is an outbound fact, recorded in the transaction of the change that it tells of, so that neither exists
// without the other.
type Emission struct {
	Seq            int64  `gorm:"primaryKey;autoIncrement"`
	ID             string // metadata.eventId: a fresh UUIDv4
	OrganizationID string
	EventID        *string
	Type           EmissionType
	ResourceID     string
	Data           string // the payload's JSON
	OccurredAt     store.Time
	FannedAt       *store.Time // when its deliveries were queued
	IsTest         bool        // tells of no change; see SendTest
}

// Envelope returns the exact body that is signed and sent: the data, and metadata about the emission.
func (e *Emission) Envelope() ([]byte, error) {
	type metadata struct {
		Event      EmissionType `json:"event"`
		ResourceID string       `json:"resourceId"`
		EventID    string       `json:"eventId"`
		OccurredAt store.Time   `json:"occurredAt"`
		Version    int          `json:"version"`
	}
	return json.Marshal(struct {
		Data     json.RawMessage `json:"data"`
		Metadata metadata        `json:"metadata"`
	}{json.RawMessage(e.Data), metadata{e.Type, e.ResourceID, e.ID, e.OccurredAt, envelopeVersion}})
}

// envelopeVersion is metadata.version of the envelope.
const envelopeVersion = 1

// emitted marks a transaction that recorded emissions, so that Committed is called once.
type emitted struct{}

// Emit records a fact in the transaction of its change. Of e it reads the type, the organization, event and resource;
// data is its payload, stored as JSON.
func Emit(tx *store.Tx, e Emission, data any) error { return emit(tx, &e, data) }

func emit(tx *store.Tx, e *Emission, data any) error {
	if err := e.fill(tx, data); err != nil {
		return err
	}
	return tx.Create(e).Error
}

// NewEmission is a fact to record, with its payload.
type NewEmission struct {
	Emission
	Data any
}

// EmitAll is Emit for many facts.
func EmitAll(tx *store.Tx, told []NewEmission) error { return EmitInto(tx, "emissions", told) }

// EmitInto is EmitAll into a table of the same form as emissions, from which the caller copies them there.
func EmitInto(tx *store.Tx, table string, told []NewEmission) error {
	rows := make([]*Emission, len(told))
	for i := range told {
		rows[i] = &told[i].Emission
		if err := rows[i].fill(tx, told[i].Data); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.Later().Table(table).CreateInBatches(rows, tx.InsertRows()).Error
}

// fill sets the fields that come from the transaction.
func (e *Emission) fill(tx *store.Tx, data any) error {
	body, err := json.Marshal(data)
	store.NoteOf(tx, func(*emitted) { tx.AfterCommit(tx.Store.Options.Committed) })
	e.ID, e.Data, e.OccurredAt = uuid.NewString(), string(body), tx.Now
	return err
}

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

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{
	"webhook_endpoints": Endpoint{}, "emissions": Emission{}, "deliveries_due": deliveryDue{},
	"webhook_deliveries": Delivery{}, "leases": lease{},
}
