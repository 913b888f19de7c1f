package models

import (
	"maps"
	"slices"

	"gorm.io/gorm"
)

// Tx is one operation at work: one transaction and one clock reading.
type Tx struct {
	*gorm.DB
	store   *Store
	now     Time
	emitted bool
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
		versions := "sessions_version = sessions_version + 1"
		if tx.changed[id] {
			versions += ", speakers_version = speakers_version + 1"
		}
		if err := tx.Exec("UPDATE events SET "+versions+" WHERE id = ?", id).Error; err != nil {
			return err
		}
	}
	return nil
}
