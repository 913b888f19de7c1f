package models

import (
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// eventCounters are numbers of an event that change with the rows that belong to it. They have a row of their own: on
// PostgreSQL each foreign-key check on the event would otherwise walk over the dead versions of its row that such
// changes leave. The versions are random numbers that differ after each change.
type eventCounters struct {
	EventID         string `gorm:"primaryKey"`
	LastAbstract    int    // the highest number given to an abstract
	LastSession     int
	MetadataVersion int64 // of metadata rows
	SessionsVersion int64 // of sessions and what their pages show, set once per transaction
	SpeakersVersion int64 // of who can be a speaker
	RowsVersion     int64 // of which sessions there are
}

// WithVersions adds the versions to a query of events.
func WithVersions(db *gorm.DB) *gorm.DB {
	return db.Joins("JOIN event_counters ON event_counters.event_id = events.id").Select("*")
}

// touched holds, for each event whose sessions a transaction changes, the columns of versions to write.
type touched map[string]map[string]any

// Touch notes that the event's sessions change. The event's counters are written last in the transaction, so that they
// stay locked as briefly as possible.
func Touch(tx *store.Tx, eventID string) { touchEvent(tx, eventID) }

// TouchSpeakers is Touch for a change that may also affect who is on the live sessions.
func TouchSpeakers(tx *store.Tx, eventID string) { touchEvent(tx, eventID, "speakers_version") }

// TouchRows is Touch for sessions that are deleted or restored.
func TouchRows(tx *store.Tx, eventID string) { touchEvent(tx, eventID, "rows_version") }

// TouchPrinted is Touch for the events whose public pages show these contacts with biography and photo.
func TouchPrinted(tx *store.Tx, contactIDs []string) error {
	for some := range slices.Chunk(contactIDs, heldAtOnce) {
		var printed []string
		if err := tx.Table("participants x").Joins("JOIN sessions s ON s.id = x.session_id").Distinct("s.event_id").
			Where("x.contact_id IN ? AND s.is_public AND s.deleted_at IS NULL", some).Pluck("event_id",
			&printed).Error; err != nil {
			return err
		}
		for _, event := range printed {
			Touch(tx, event)
		}
	}
	return nil
}

func touchEvent(tx *store.Tx, eventID string, also ...string) {
	events := *store.NoteOf(tx, func(events *touched) {
		*events = touched{}
		tx.BeforeCommit(func() error { return events.write(tx) })
	})
	if events[eventID] == nil {
		events[eventID] = map[string]any{"sessions_version": tx.Version}
	}
	for _, version := range also {
		events[eventID][version] = tx.Version
	}
}

// write stores new versions of the events, ordered by id, which is the order of locks.
func (t touched) write(tx *store.Tx) error {
	for _, id := range slices.Sorted(maps.Keys(t)) {
		if err := tx.Later().Model(&eventCounters{}).Where("event_id = ?", id).UpdateColumns(t[id]).Error; err != nil {
			return err
		}
	}
	return nil
}

// caches hold what a process caches of the events in use, keyed by the events' versions. Every request reads these
// versions anew, so no replica serves an outdated row.
type caches struct {
	metadata *store.Cache[string, store.Version, MetadataSet]
	counts   *store.Cache[countKey, store.Version, int64]
	statuses *store.Cache[countKey, store.Version, statusCounts]
	days     *store.Cache[daysKey, store.Version, *Days]
	kinds    *store.Cache[string, store.Version, kindCounts]
	intakes  *store.Cache[string, store.Version, []intakeCount]
	absences *store.Cache[string, calendarState, Bounds] // without seats
	sessions *keptSessions
}

const (
	cachedEvents = 256
	cachedCounts = 8192
)

func newCaches() caches {
	return caches{
		metadata: store.NewCache[string, store.Version, MetadataSet](cachedEvents),
		counts:   store.NewCache[countKey, store.Version, int64](cachedCounts),
		statuses: store.NewCache[countKey, store.Version, statusCounts](cachedCounts / len(Statuses)),
		days:     store.NewCache[daysKey, store.Version, *Days](cachedEvents),
		kinds:    store.NewCache[string, store.Version, kindCounts](cachedEvents),
		intakes:  store.NewCache[string, store.Version, []intakeCount](cachedEvents),
		absences: store.NewCache[string, calendarState, Bounds](cachedEvents),
		sessions: &keptSessions{events: map[string]*keptEvent{}},
	}
}

// sessionsVersion returns the version of the sessions, as of when the handle's event was read.
func (p *Programme) sessionsVersion() store.Version { return p.store.Version(p.event.SessionsVersion) }

// SpeakersVersion returns the version of who is on the live sessions.
func (p *Programme) SpeakersVersion() store.Version { return p.store.Version(p.event.SpeakersVersion) }

// rowsVersion returns the version of which sessions there are.
func (p *Programme) rowsVersion() store.Version { return p.store.Version(p.event.RowsVersion) }

// MetadataVersion returns the version of the metadata.
func (p *Programme) MetadataVersion() store.Version { return p.store.Version(p.event.MetadataVersion) }

// AgendaState is a cache key that changes whenever the public agenda may change.
type AgendaState struct {
	event, slug        string
	updated            store.Time
	sessions, metadata store.Version
}

// AgendaState returns the state of the event as this handle read it.
func (p *Programme) AgendaState() AgendaState {
	return AgendaState{p.event.ID, p.event.Slug, p.event.UpdatedAt, p.sessionsVersion(), p.MetadataVersion()}
}
