package models

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"events": Event{}, "metadata": Metadata{}, "sessions": Session{}, "session_tags": sessionTag{},
	"contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{}, "letters": Letter{},
	"api_keys": APIKey{}, "key_addresses": keyAddress{}, "imported": importedKey{}, "saved_views": SavedView{},
	"batches": Batch{}, "batch_items": batchItem{}, "reviews": Review{},
	"files": File{}, "file_leftovers": fileLeftover{},
	"contact_fields": OwnField{}, "contact_values": contactValue{}, "contact_notes": ContactNote{}, "contact_tags": contactTag{},
	"contact_aliases": ContactAlias{}, "dismissed_pairs": DismissedPair{},
}

// Suggest is what suggestions are made by.
var Suggest = suggest
