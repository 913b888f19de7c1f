package models

import "lectern/models/store"

// What an operation holds until it ends, it takes in one order, which
// docs/architecture.md gives: so no two operations wait for each other. SQLite
// has one writer and needs none of it.

// metadataLock is the class of the advisory locks of events' metadata.
const metadataLock = 7201937

// shareMetadata keeps the event's metadata rows from being deleted. Whoever puts
// some on sessions does it first.
func (p *Programme) shareMetadata(tx *store.Tx) error {
	return p.lockMetadata(tx, "pg_advisory_xact_lock_shared")
}

// ownMetadata waits for all who share the event's metadata, and makes others wait.
func (p *Programme) ownMetadata(tx *store.Tx) error {
	return p.lockMetadata(tx, "pg_advisory_xact_lock")
}

func (p *Programme) lockMetadata(tx *store.Tx, function string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT "+function+"(?, hashtext(?))", metadataLock, p.event.ID).Error
}

// sessionOrder is the order in which sessions are held. A session's linked
// abstract is known once the session is held, so abstracts come behind.
const sessionOrder = "is_abstract, id"

// holdSessions holds the event's sessions that meet a condition.
func (p *Programme) holdSessions(tx *store.Tx, condition string, values ...any) error {
	if tx.Store.Embedded() {
		return nil
	}
	var ids []string
	return tx.Lock().Model(&Session{}).Where("event_id = ?", p.event.ID).Where(condition, values...).
		Order(sessionOrder).Pluck("id", &ids).Error
}
