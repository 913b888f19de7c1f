package models

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	gojson "github.com/goccy/go-json"
	"gorm.io/gorm"

	"lectern/models/store"
)

// KeptSession is a session as the API shows it, which the process keeps until the feed of changes tells that it is
// another one. It is shared and must not be written.
type KeptSession struct {
	*Session
	JSON   []byte // of the session; nil of one that was read for a search that needs more
	shaped atomic.Pointer[shaped]
}

// shaped is the JSON of a session in a shape other than its own.
type shaped struct {
	shape  string
	json   []byte
	before *shaped // that was asked for before
}

// Shaped is the JSON of the session in a shape. The last two are kept with it: a client asks for the same again, and
// looks for something else between.
func (s *KeptSession) Shaped(shape string, encode func(*Session) ([]byte, error)) ([]byte, error) {
	last := s.shaped.Load()
	for kept := last; kept != nil; kept = kept.before {
		if kept.shape == shape {
			return kept.json, nil
		}
	}
	json, err := encode(s.Session)
	if err == nil {
		now := &shaped{shape: shape, json: json}
		if last != nil {
			now.before = &shaped{shape: last.shape, json: last.json}
		}
		s.shaped.Store(now)
	}
	return json, err
}

// Unkept are the columns of a session that are not kept: the feed does not tell when they change, or nobody is shown
// them.
var Unkept = []string{"number", "content_state", "part_order", "part_minutes", "published_at", "score", "reviews"}

// SearchKept is SearchSessions for whoever shows sessions as the API does: where the search spares all of Unkept, the
// database is asked which sessions are on the page, and for their rows only if one of them is not kept. What else is
// spared may be there all the same.
func (p *Programme) SearchKept(ctx context.Context, q SessionSearch) ([]*KeptSession, store.Pagination, error) {
	isWanted := func(column string) bool { return !slices.Contains(q.Spared.Columns, column) }
	switch {
	case slices.ContainsFunc(Unkept, isWanted):
		return searched(ctx, p, &q, p.readUnkept)
	case store.InTransaction(ctx): // what it sees is nobody else's
		return searched(ctx, p, &q, p.readAnew)
	}
	return searched(ctx, p, &q, p.readKept)
}

func (p *Programme) readUnkept(page *gorm.DB, spared Spared) ([]*KeptSession, error) {
	sessions, err := p.readPage(page, spared)
	return store.Map(sessions, func(s *Session) *KeptSession { return &KeptSession{Session: s} }), err
}

// readKept takes a page from what is kept. A page of which anything is not is read as a whole, for its rows have to be
// of one moment; and as little of it as is asked for, unless that is most.
func (p *Programme) readKept(page *gorm.DB, spared Spared) ([]*KeptSession, error) {
	page, kept := page.Session(&gorm.Session{}), p.store.caches.sessions
	var ids []string
	at, err := p.readAt(page, []string{"id"}, func() []any {
		ids = append(ids, "")
		return []any{&ids[len(ids)-1]}
	})
	if err != nil {
		return nil, err
	}
	if since, isBehind := kept.behind(p.event.ID, at); isBehind {
		changed, err := p.changedSince(page, since)
		if err != nil {
			return nil, err
		}
		kept.advance(p.event.ID, since, at, changed)
	}
	if rows, known := kept.find(p.event.ID, at, ids); known || len(ids) == 0 {
		return rows, nil
	}
	if spared.Participants || spared.Composition {
		return p.readUnkept(page, spared)
	}
	return p.readAnew(page, spared)
}

// readAnew reads a page, and keeps it if nothing changed meanwhile.
func (p *Programme) readAnew(page *gorm.DB, _ Spared) ([]*KeptSession, error) {
	var sessions []*Session
	columns, targets := sessionColumns(&sessions, Unkept)
	at, err := p.readAt(page, columns, targets)
	if err == nil {
		err = p.embed(page, sessions)
	}
	if err != nil {
		return nil, err
	}
	rows := make([]*KeptSession, len(sessions))
	for i, s := range sessions {
		rows[i] = &KeptSession{Session: s}
		if rows[i].JSON, err = gojson.Marshal(s); err != nil {
			return nil, err
		}
	}
	isSure := at.database != database{} && at.metadata == p.event.MetadataVersion // by which rows of it were found
	if isSure && !store.InTransaction(page.Statement.Context) {
		p.store.caches.sessions.keep(p.event.ID, at, rows)
	}
	return rows, nil
}

// readPoint is what a statement saw of an event: all changes up to one of them, in a database.
type readPoint struct {
	database database
	change   int64
	metadata int64 // its version
}

// database tells one from another that took its place: a standby, or one that a backup brought back.
type database struct {
	server store.Version
	series string
}

// readAt reads columns of a query with the moment in which it was answered; the zero point where it found nothing.
func (p *Programme) readAt(query *gorm.DB, columns []string, targets func() []any) (at readPoint, err error) {
	series := "series"
	if !p.Embedded() { // a table that was made anew may have the same
		series = "series || tableoid"
	}
	at.database.server = p.store.Version(0)
	err = store.EachRow(query.Select(strings.Join(columns, ", ")+", (SELECT "+series+" FROM change_numbers), "+
		"(SELECT coalesce(max(number), 0) FROM changes WHERE event_id = ?), "+
		"(SELECT metadata_version FROM event_counters WHERE event_id = ?)", p.event.ID, p.event.ID), func() []any {
		return append(targets(), &at.database.series, &at.change, &at.metadata)
	})
	if p.store.Version(0) != at.database.server { // nobody knows which of them answered
		at.database = database{}
	}
	return at, err
}

// mostChanged is after how many changes all rows of an event are forgotten.
const mostChanged = 200

// changedSince are the ids of the sessions that changed since, or nil where these are too many.
func (p *Programme) changedSince(db *gorm.DB, since int64) ([]string, error) {
	ids := []string{}
	err := db.Session(&gorm.Session{NewDB: true}).Table("changes").Order("number").Limit(mostChanged+1).
		Where("event_id = ? AND number > ? AND kind = 'session'", p.event.ID, since).Pluck("id", &ids).Error
	if len(ids) > mostChanged {
		return nil, err
	}
	return ids, err
}

// mostKept bounds the JSON of all sessions that are kept, in bytes. With the rows themselves and two shapes of each these
// take up to five times as much.
const mostKept = 6 << 20

// keptSessions are the sessions that the process keeps. When they are too many it forgets all.
type keptSessions struct {
	mu     sync.Mutex
	events map[string]*keptEvent
	size   int // of their JSON
}

// keptEvent are those of an event, each as it is at that moment.
type keptEvent struct {
	at   readPoint
	rows map[string]*KeptSession
}

// behind tells after which change it has to be asked what changed, where what is kept is of before a moment.
func (k *keptSessions) behind(event string, at readPoint) (since int64, isBehind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.events[event]
	if of == nil || of.at.database != at.database {
		return 0, false
	}
	return of.at.change, of.at.change < at.change
}

// advance forgets what changed since, up to a moment; nil is all.
func (k *keptSessions) advance(event string, since int64, at readPoint, changed []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.events[event]
	if of == nil || of.at.database != at.database || of.at.change < since { // it began anew meanwhile
		return
	}
	if changed == nil {
		changed = slices.Collect(maps.Keys(of.rows))
	}
	for _, id := range changed {
		k.drop(of, id)
	}
	of.at.change = max(of.at.change, at.change)
}

func (k *keptSessions) drop(of *keptEvent, id string) {
	if row := of.rows[id]; row != nil {
		k.size -= len(row.JSON)
		delete(of.rows, id)
	}
}

// find returns sessions as they are at a moment, or false where one of them is not kept.
func (k *keptSessions) find(event string, at readPoint, ids []string) ([]*KeptSession, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.events[event]
	if of == nil || of.at.database != at.database || of.at.change != at.change {
		return nil, false
	}
	rows := make([]*KeptSession, len(ids))
	for i, id := range ids {
		if rows[i] = of.rows[id]; rows[i] == nil {
			return nil, false
		}
	}
	return rows, true
}

// keep keeps sessions that were read at a moment or after it, unless others are kept of a later one.
func (k *keptSessions) keep(event string, at readPoint, rows []*KeptSession) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.size > mostKept {
		clear(k.events)
		k.size = 0
	}
	of := k.events[event]
	if of == nil || of.at.database != at.database {
		if of != nil {
			for id := range of.rows {
				k.drop(of, id)
			}
		}
		of = &keptEvent{at, map[string]*KeptSession{}}
		k.events[event] = of
	}
	if of.at.change != at.change {
		return
	}
	for _, row := range rows {
		k.drop(of, row.ID)
		of.rows[row.ID] = row
		k.size += len(row.JSON)
	}
}
