// Package models is the programme of a conference: its rows, its rules and its operations. It knows no HTTP, no JSON
// requests and no mail.
package models

import (
	"context"
	"time"

	"lectern/models/files"
	"lectern/models/outbox"
	"lectern/models/signin"
	"lectern/models/staff"
	"lectern/models/store"
)

// Store is the whole database: the embedded store, the packages on top of it, and the programmes of all events with
// their caches.
type Store struct {
	*store.Store
	Passwords *signin.Passwords // of staff and of speakers
	Staff     *staff.Accounts
	Outbox    *outbox.Outbox
	// SpeakersSeen notes when the logins of speakers were last used.
	SpeakersSeen store.LastSeen
	EmbedsAsked  store.LastSeen
	caches       caches
	darkroom     *files.Darkroom
}

// Open connects to the database at address, either sqlite:///path/file.db or postgres://…; Migrate brings its schema up
// to date.
func Open(ctx context.Context, address string, options store.Options) (*Store, error) {
	ground, err := store.Open(ctx, address, options)
	if err != nil {
		return nil, err
	}
	passwords := signin.NewPasswords(ground)
	s := &Store{
		Store: ground, Passwords: passwords, Outbox: outbox.New(ground),
		caches:       newCaches(),
		darkroom:     files.NewDarkroom(),
		SpeakersSeen: store.LastSeen{Table: "speaker_logins", Column: "last_seen_at"},
		EmbedsAsked:  store.LastSeen{Table: "embeds", Column: "last_asked_at"},
	}
	s.Staff = staff.New(ground, passwords, s.tellStaff)
	return s, nil
}

// KeepSeen stores what was noted since the last call: uses of logins, requests for embeds, and refusals. Notes that
// could not be stored are kept for the next call.
func (s *Store) KeepSeen(ctx context.Context) error {
	speakersSeen := func(ctx context.Context) error { return s.SpeakersSeen.Keep(ctx, s.Store) }
	embedsAsked := func(ctx context.Context) error { return s.EmbedsAsked.Keep(ctx, s.Store) }
	for _, keep := range []func(context.Context) error{speakersSeen, embedsAsked, s.Staff.KeepSeen, s.KeepAccess} {
		if err := keep(ctx); err != nil {
			return err
		}
	}
	return nil
}

// OnceByKey identifies a request by the Idempotency-Key that an API key sent with it; the answer is kept for 24 hours.
// It answers Invalid for a key that is empty or longer than 255 characters.
func OnceByKey(apiKeyID, key, request string) (store.Once, error) {
	key, err := store.CleanName("Idempotency-Key", key, 255)
	return store.Once{Owner: "key " + apiKeyID, Key: key, Request: request, Age: 24 * time.Hour}, err
}

// OnceByForm identifies a submission of an admin form, for as long as a login lasts.
func OnceByForm(form, request string) store.Once {
	return store.Once{Owner: "form", Key: form, Request: request, Age: staff.LoginLifetime}
}

// Rows maps each table to the struct by which gorm reads and writes it.
var Rows = map[string]any{
	"speaker_answers": SpeakerAnswer{}, "events": Event{}, "event_counters": eventCounters{}, "metadata": Metadata{}, "sessions": Session{}, "session_tags": sessionTag{},
	"contacts": Contact{}, "event_contacts": EventContact{}, "participants": participantRow{}, "letters": Letter{},
	"decisions": Decision{}, "letter_templates": LetterTemplate{},
	"batches": Batch{}, "batch_items": BatchRow{}, "reviews": Review{}, "review_rounds": ReviewRound{},
	"files": File{}, "file_leftovers": fileLeftover{},
	"contact_fields": OwnField{}, "contact_values": ContactValue{}, "contact_notes": ContactNote{}, "contact_tags": ContactTag{},

	"agenda_breaks": Break{}, "calendar_entries": calendarEntry{},
	"contact_aliases": ContactAlias{},
}
