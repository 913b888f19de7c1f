package models

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"speaker_answers": SpeakerAnswer{}, "events": Event{}, "event_counters": eventCounters{}, "metadata": Metadata{}, "sessions": Session{}, "session_tags": sessionTag{},
	"contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{}, "letters": Letter{}, "mailings": Mailing{}, "agenda_versions": AgendaVersion{},
	"agenda_version_sessions": versionSession{}, "agenda_version_people": versionPerson{},
	"decisions": Decision{}, "letter_templates": LetterTemplate{},
	"api_keys": APIKey{}, "key_addresses": keyAddress{},
	"batches": Batch{}, "batch_items": BatchRow{}, "reviews": Review{}, "review_rounds": ReviewRound{},
	"files": File{}, "file_leftovers": fileLeftover{},
	"contact_fields": OwnField{}, "contact_values": ContactValue{}, "contact_notes": ContactNote{}, "contact_tags": ContactTag{},

	"agenda_breaks": Break{}, "calendar_entries": calendarEntry{},
	"contact_aliases": ContactAlias{},
}
