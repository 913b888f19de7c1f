package models

import (
	"maps"
	"slices"

	"gorm.io/gorm"
)

// Tx is one operation at work: one transaction and one clock reading.
type Tx struct {
	*gorm.DB
	store   *Ground
	now     Time
	emitted bool
	secured []func()        // tell the security log, once this is committed
	version int64           // of what it changes, for the caches
	changed map[string]bool // events whose sessions this transaction changed: true when the speakers may differ too
}

// touch notes that the event's sessions change. The event's row is written last
// of all, so that it is held for as short as can be.
func (tx *Tx) touch(eventID string) { tx.note(eventID, false) }

// touchSpeakers is touch where who is on the live sessions may change as well.
func (tx *Tx) touchSpeakers(eventID string) { tx.note(eventID, true) }

func (tx *Tx) note(eventID string, speakers bool) {
	if tx.changed == nil {
		tx.changed = map[string]bool{}
	}
	tx.changed[eventID] = tx.changed[eventID] || speakers
}

func (tx *Tx) finish() error {
	for _, id := range slices.Sorted(maps.Keys(tx.changed)) {
		versions := map[string]any{"sessions_version": tx.version}
		if tx.changed[id] {
			versions["speakers_version"] = tx.version
		}
		if err := tx.Model(&Event{}).Where("id = ?", id).UpdateColumns(versions).Error; err != nil {
			return err
		}
	}
	return nil
}
