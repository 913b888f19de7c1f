package models

import (
	"maps"
	"slices"
)

// touched are the events whose sessions a transaction changes: true when the
// speakers may differ too.
type touched map[string]bool

// touch notes that the event's sessions change. The event's row is written last
// of all, so that it is held for as short as can be.
func touch(tx *Tx, eventID string) { touchEvent(tx, eventID, false) }

// touchSpeakers is touch where who is on the live sessions may change as well.
func touchSpeakers(tx *Tx, eventID string) { touchEvent(tx, eventID, true) }

func touchEvent(tx *Tx, eventID string, speakers bool) {
	events := *noteOf(tx, func(events *touched) {
		*events = touched{}
		tx.BeforeCommit(func() error { return events.write(tx) })
	})
	events[eventID] = events[eventID] || speakers
}

// write gives the events another version, in the order in which they are held.
func (t touched) write(tx *Tx) error {
	for _, id := range slices.Sorted(maps.Keys(t)) {
		versions := map[string]any{"sessions_version": tx.version}
		if t[id] {
			versions["speakers_version"] = tx.version
		}
		if err := tx.Model(&Event{}).Where("id = ?", id).UpdateColumns(versions).Error; err != nil {
			return err
		}
	}
	return nil
}

// caches are what a process keeps of the events in use, by the versions in their
// rows. These are read with every key, so no replica serves an outdated row.
type caches struct {
	metadata   *Cache[string, version, *metadataSet]
	counts     *Cache[countKey, version, int64]
	statuses   *Cache[countKey, version, map[Status]int64]
	kinds      *Cache[string, version, kindCounts]
	dashboards *Cache[string, dashboardState, *Dashboard]
}

const (
	cachedEvents = 256
	cachedCounts = 8192
)

func newCaches() caches {
	return caches{
		metadata:   NewCache[string, version, *metadataSet](cachedEvents),
		counts:     NewCache[countKey, version, int64](cachedCounts),
		statuses:   NewCache[countKey, version, map[Status]int64](cachedCounts / len(Statuses)),
		kinds:      NewCache[string, version, kindCounts](cachedEvents),
		dashboards: NewCache[string, dashboardState, *Dashboard](cachedEvents),
	}
}

// sessionsVersion is that of the sessions, as of when the handle's event was read.
func (p *Programme) sessionsVersion() version { return p.store.version(p.event.SessionsVersion) }

// metadataVersion is that of the metadata.
func (p *Programme) metadataVersion() version { return p.store.version(p.event.MetadataVersion) }
