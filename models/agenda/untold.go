package agenda

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// pending returns what changed since the last version, which is nil before the first.
func (a *Agenda) pending(db *gorm.DB) (last *Version, changes []Change, err error) {
	if last, err = a.lastVersion(db); err != nil {
		return nil, nil, err
	}
	var some someSessions
	if last != nil {
		some = changedSince(last)
	}
	changes, err = a.changesSince(db, last, some)
	return last, changes, err
}

func (a *Agenda) lastVersion(db *gorm.DB) (*Version, error) { return a.before(db, 1<<30) }

// changesSince returns what changed of some sessions since a version, nil for before the first.
func (a *Agenda) changesSince(db *gorm.DB, v *Version, some someSessions) ([]Change, error) {
	var was []*Entry
	var err error
	if v != nil {
		if was, err = a.agendaOf(db, v.ID, some); err != nil {
			return nil, err
		}
	}
	now, err := a.agendaNow(db, some)
	return Difference(was, now), err
}

// changedSince selects the sessions that may differ from a version: each change moves their token. It allows for
// changes that began before the release and ended after it.
func changedSince(v *Version) someSessions {
	return someSessions{" AND s.updated_at > ?", []any{store.At(v.CreatedAt.Add(-longestChange))}}
}

// longestChange is longer than any transaction may take.
const longestChange = 10 * time.Minute

// PendingChanges returns what a release would change since the last version, which is nil before the first.
func (a *Agenda) PendingChanges(ctx context.Context) (last *Version, changes []Change, err error) {
	return a.pending(a.p.Read(ctx))
}

// PendingChange returns what a release would change of one session since the last version; nil for nothing, and before
// the first version, when nobody had been told anything. It costs at most five statements, and one before the first
// version.
func (a *Agenda) PendingChange(ctx context.Context, sessionID string) (*Change, error) {
	last, err := a.lastVersion(a.p.Read(ctx))
	if err != nil || last == nil {
		return nil, err
	}
	changes, err := a.changesSince(a.p.Read(ctx), last, someSessions{" AND s.id = ?", []any{sessionID}})
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	return &changes[0], nil
}

// Untold counts the people who have not been told what changed since the last version.
func (a *Agenda) Untold(ctx context.Context) (int64, error) {
	last, err := a.lastVersion(a.p.Read(ctx))
	if err != nil || last == nil {
		return 0, err
	}
	changes, err := a.changesSince(a.p.Read(ctx), last, changedSince(last))
	return int64(len(Concerned(changes))), err
}
