package models

import "slices"

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"speaker_answers": SpeakerAnswer{}, "events": Event{}, "event_counters": eventCounters{}, "metadata": Metadata{}, "sessions": Session{}, "session_tags": sessionTag{},
	"contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{}, "letters": Letter{}, "mailings": Mailing{}, "agenda_versions": AgendaVersion{},
	"agenda_version_sessions": versionSession{}, "agenda_version_people": versionPerson{},
	"decisions": Decision{}, "letter_templates": LetterTemplate{},
	"api_keys": APIKey{}, "key_addresses": keyAddress{}, "imported": importedKey{}, "saved_views": SavedView{}, "segments": Segment{},
	"batches": Batch{}, "batch_items": batchItem{}, "reviews": Review{}, "review_rounds": ReviewRound{},
	"contact_imports": ContactImport{},
	"files":           File{}, "file_leftovers": fileLeftover{},
	"contact_fields": OwnField{}, "contact_values": contactValue{}, "contact_notes": ContactNote{}, "contact_tags": contactTag{},
	"sourcing_stages": Stage{}, "sourcing_cards": Card{}, "sourcing_moves": CardMove{},
	"agenda_breaks": Break{}, "calendar_entries": calendarEntry{},
	"contact_aliases": ContactAlias{}, "dismissed_pairs": DismissedPair{},
}

// IsImportCancelled tells whether the import that is at work here was told to end.
func IsImportCancelled(s *Store, id string) bool {
	run := s.imports.of(id)
	return run != nil && run.cancelled.Load()
}

// Suggest is what suggestions are made by.
var Suggest = suggest

// KnowsContactTable tells whether merging and erasing know of a table's column.
func KnowsContactTable(table, column string) bool {
	return slices.ContainsFunc(contactTables, func(t contactTable) bool { return t.table == table && t.column == column })
}
