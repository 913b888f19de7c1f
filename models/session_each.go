package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// exportPage is how many sessions EachSession hands over at once.
const exportPage = 500

// exportSort is how many ids it reads at once. Each time may sort the whole
// event, so they are more.
var exportSort = 10_000

// EachSession calls f with all sessions of a search in its order, up to 500 at
// a time; the page of the search is ignored. All are read from one snapshot, so
// a change made meanwhile moves no row. The snapshot lasts until f has seen the
// last of them: f must not wait for anybody. An error of f ends it and is
// returned; a search that breaks a rule is Invalid.
func (p *Programme) EachSession(ctx context.Context, q SessionSearch, f func([]*Session) error) error {
	q.Page = store.Page{}
	if err := q.clean(); err != nil {
		return err
	}
	if err := p.resolveTracks(ctx, &q.Filter); err != nil {
		return err
	}
	return p.store.Snapshot(ctx, func(db *gorm.DB) error { return p.EachSessionIn(db, &q, f) })
}

func (p *Programme) EachSessionIn(db *gorm.DB, q *SessionSearch, f func([]*Session) error) error {
	terms := q.terms()
	filtered := p.filter(db.Model(&Session{}), &q.Filter).Order(orderBy(terms, false)).Limit(exportSort).
		Session(&gorm.Session{})
	for page := filtered; ; {
		var ids []string
		if err := page.Pluck("id", &ids).Error; err != nil {
			return err
		}
		var last *Session
		for chunk := range slices.Chunk(ids, exportPage) {
			sessions, err := p.loadAll(db, chunk)
			if err != nil {
				return err
			}
			last = new(*sessions[len(sessions)-1])
			if err := f(sessions); err != nil {
				return err
			}
		}
		if len(ids) < exportSort {
			return nil
		}
		condition, values := beyond(terms, placeOf(terms, last), false)
		page = filtered.Where(condition, values...)
	}
}

// loadAll returns the sessions with these ids, in this order.
func (p *Programme) loadAll(db *gorm.DB, ids []string) ([]*Session, error) {
	sessions, err := scanSessions(db.Model(&Session{}).Where("event_id = ? AND id IN ?", p.event.ID, ids))
	if err != nil {
		return nil, err
	}
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	slices.SortFunc(sessions, func(a, b *Session) int { return at[a.ID] - at[b.ID] })
	return sessions, p.embed(db, sessions)
}
