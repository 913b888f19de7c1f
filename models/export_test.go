package models

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"organizations": Organization{}, "events": Event{}, "users": User{}, "metadata": Metadata{}, "sessions": Session{},
	"session_tags": sessionTag{}, "contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{},
	"letters": Letter{}, "api_keys": APIKey{}, "webhook_endpoints": WebhookEndpoint{}, "emissions": Emission{},
	"deliveries_due": deliveryDue{}, "webhook_deliveries": Delivery{}, "activity": Activity{}, "imported": importedKey{},
	"idempotency": Idempotency{}, "sent_forms": SentForm{}, "event_roles": eventRole{}, "recovery_codes": recoveryCode{}, "logins": Login{},
	"sign_in_failures": signInFailure{}, "staff_links": staffLink{},
	"leases": lease{}, "saved_views": SavedView{}, "batches": Batch{}, "batch_items": batchItem{}, "reviews": Review{},
}

// TOTPCode is the code of a step of 30 seconds.
var TOTPCode = totpCode
