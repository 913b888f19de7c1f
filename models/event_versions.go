package models

import (
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// eventCounters are what of an event moves with the changes of what belongs to it. They have a row of their own: what
// refers to the event would walk, for each check, over what such changes leave of its row on PostgreSQL. The versions
// are random: another one after each change.
type eventCounters struct {
	EventID         string `gorm:"primaryKey"`
	LastAbstract    int    // the number of the last one made
	LastSession     int
	MetadataVersion int64 // of metadata rows
	SessionsVersion int64 // of sessions, by transaction
	SpeakersVersion int64 // of who can be a speaker
	RowsVersion     int64 // of which sessions there are
}

// WithVersions are the events of a query, with their versions.
func WithVersions(db *gorm.DB) *gorm.DB {
	return db.Joins("JOIN event_counters ON event_counters.event_id = events.id").Select("*")
}

// touched are the events whose sessions a transaction changes, with those of their versions that are others then.
type touched map[string]map[string]any

// Touch notes that the event's sessions change. The event's counters are written last
// of all, so that they are held for as short as can be.
func Touch(tx *store.Tx, eventID string) { touchEvent(tx, eventID) }

// TouchSpeakers is Touch where who is on the live sessions may change as well.
func TouchSpeakers(tx *store.Tx, eventID string) { touchEvent(tx, eventID, "speakers_version") }

// TouchRows is Touch where sessions go or come back.
func TouchRows(tx *store.Tx, eventID string) { touchEvent(tx, eventID, "rows_version") }

// TouchPrinted is touch for the events that print these contacts: biographies and photos stand on their public pages.
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

// write gives the events another version, in the order in which they are held.
func (t touched) write(tx *store.Tx) error {
	for _, id := range slices.Sorted(maps.Keys(t)) {
		if err := tx.Later().Model(&eventCounters{}).Where("event_id = ?", id).UpdateColumns(t[id]).Error; err != nil {
			return err
		}
	}
	return nil
}

// caches are what a process keeps of the events in use, by the versions among their
// counters. These are read with every key, so no replica serves an outdated row.
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

// sessionsVersion is that of the sessions, as of when the handle's event was read.
func (p *Programme) sessionsVersion() store.Version { return p.store.Version(p.event.SessionsVersion) }

// SpeakersVersion is that of who is on the live sessions.
func (p *Programme) SpeakersVersion() store.Version { return p.store.Version(p.event.SpeakersVersion) }

// rowsVersion is that of which sessions there are.
func (p *Programme) rowsVersion() store.Version { return p.store.Version(p.event.RowsVersion) }

// MetadataVersion is that of the metadata.
func (p *Programme) MetadataVersion() store.Version { return p.store.Version(p.event.MetadataVersion) }

// AgendaState changes whenever the public agenda may change, so caches are keyed by it.
type AgendaState struct {
	event, slug        string
	updated            store.Time
	sessions, metadata store.Version
}

// AgendaState is the state of the event as this handle read it.
func (p *Programme) AgendaState() AgendaState {
	return AgendaState{p.event.ID, p.event.Slug, p.event.UpdatedAt, p.sessionsVersion(), p.MetadataVersion()}
}
