package models

import "database/sql"

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"organizations": Organization{}, "events": Event{}, "users": User{}, "metadata": Metadata{}, "sessions": Session{},
	"session_tags": sessionTag{}, "contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{},
	"letters": Letter{}, "api_keys": APIKey{}, "webhook_endpoints": WebhookEndpoint{}, "emissions": Emission{},
	"deliveries_due": deliveryDue{}, "webhook_deliveries": Delivery{}, "activity": Activity{}, "imported": importedKey{},
	"kept_answers": KeptAnswer{}, "event_roles": eventRole{}, "recovery_codes": recoveryCode{}, "logins": Login{},
	"sign_in_failures": signInFailure{}, "staff_links": staffLink{},
	"leases": lease{}, "probes": probe{}, "key_addresses": keyAddress{}, "saved_views": SavedView{}, "batches": Batch{}, "batch_items": batchItem{}, "reviews": Review{},
}

// TOTPStep finds the step of 30 seconds that a code is of.
var TOTPStep = totpStep

// Fill leaves an embedded database no room to grow.
func (s *Store) Fill() error {
	s.sql.SetMaxOpenConns(1) // a limit is a connection's own
	_, err := s.sql.Exec("PRAGMA max_page_count = 1")
	return err
}

// IsCommon tells whether a password is one that many people use.
var IsCommon = isCommon

// SQL is the store's pool of connections.
func (s *Store) SQL() *sql.DB { return s.sql }
