package models

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// pending is what changed since the last version, which is nil before the first.
func (p *Programme) pending(db *gorm.DB) (last *AgendaVersion, changes []AgendaChange, err error) {
	if last, err = p.lastVersion(db); err != nil {
		return nil, nil, err
	}
	var some someSessions
	if last != nil {
		some = changedSince(last)
	}
	changes, err = p.changesSince(db, last, some)
	return last, changes, err
}

func (p *Programme) lastVersion(db *gorm.DB) (*AgendaVersion, error) { return p.before(db, 1<<30) }

// changesSince is what changed of some sessions since a version; nil is before the first.
func (p *Programme) changesSince(db *gorm.DB, v *AgendaVersion, some someSessions) ([]AgendaChange, error) {
	var was []*AgendaEntry
	var err error
	if v != nil {
		if was, err = p.agendaOf(db, v.ID, some); err != nil {
			return nil, err
		}
	}
	now, err := p.agendaNow(db, some)
	return AgendaDifference(was, now), err
}

// changedSince are the sessions that may differ from what a version kept of them: each change moves the token. One that
// had begun before the release and ended after it is among them, because no change takes so long.
func changedSince(v *AgendaVersion) someSessions {
	return someSessions{" AND s.updated_at > ?", []any{store.At(v.CreatedAt.Add(-longestChange))}}
}

// longestChange is longer than any transaction may take.
const longestChange = 10 * time.Minute

// PendingChanges is what a release would change since the last version, which is nil before the first.
func (p *Programme) PendingChanges(ctx context.Context) (last *AgendaVersion, changes []AgendaChange, err error) {
	return p.pending(p.read(ctx))
}

// PendingChange is what a release would change of one session since the last version; nil of nothing, and before the
// first one, when nobody was told anything. It costs five statements at most, and one before the first version.
func (p *Programme) PendingChange(ctx context.Context, sessionID string) (*AgendaChange, error) {
	last, err := p.lastVersion(p.read(ctx))
	if err != nil || last == nil {
		return nil, err
	}
	changes, err := p.changesSince(p.read(ctx), last, someSessions{" AND s.id = ?", []any{sessionID}})
	if err != nil || len(changes) == 0 {
		return nil, err
	}
	return &changes[0], nil
}

// Untold counts who has not been told what changed since the last version.
func (p *Programme) Untold(ctx context.Context) (int64, error) {
	last, err := p.lastVersion(p.read(ctx))
	if err != nil || last == nil {
		return 0, err
	}
	changes, err := p.changesSince(p.read(ctx), last, changedSince(last))
	return int64(len(Concerned(changes))), err
}
