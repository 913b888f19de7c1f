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

// KeptSession is a session as the API shows it, which the process caches until the feed of changes says that it
// changed. It is shared and must not be written.
type KeptSession struct {
	*Session
	JSON   []byte // nil for a session read past the cache
	shaped atomic.Pointer[shaped]
}

// shaped is the JSON of a session in another shape, such as one with fewer fields.
type shaped struct {
	shape  string
	json   []byte
	before *shaped // the shape that was asked for before
}

// Shaped returns the JSON of the session in a shape. The last two shapes are cached: clients repeat one request and
// make others in between.
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

// Unkept are the columns of a session that are not cached: the feed does not tell when they change, or nobody is shown
// them.
var Unkept = []string{"number", "content_state", "part_order", "part_minutes", "published_at", "score", "reviews"}

// SearchKept is SearchSessions for callers that show sessions as the API does. If the search spares all of Unkept, the
// database is only asked for the ids on the page, and for rows only if one of them is not cached. Sessions may have
// other parts although these are spared.
func (p *Programme) SearchKept(ctx context.Context, q SessionSearch) ([]*KeptSession, store.Pagination, error) {
	isWanted := func(column string) bool { return !slices.Contains(q.Spared.Columns, column) }
	switch {
	case slices.ContainsFunc(Unkept, isWanted):
		return searched(ctx, p, &q, p.readUnkept)
	case store.InTransaction(ctx): // it may see changes that nobody else sees yet
		return searched(ctx, p, &q, p.readAnew)
	}
	return searched(ctx, p, &q, p.readKept)
}

func (p *Programme) readUnkept(page *gorm.DB, spared Spared) ([]*KeptSession, error) {
	sessions, err := p.readPage(page, spared)
	return store.Map(sessions, func(s *Session) *KeptSession { return &KeptSession{Session: s} }), err
}

// readKept reads a page from the cache. A page with a session that is not cached is read from the database as a whole,
// because its rows must be of one moment, and without the spared parts unless these are few.
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

// readAnew reads a page from the database, and caches it if nothing changed meanwhile.
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
	isSure := at.database != database{} && at.metadata == p.event.MetadataVersion // the embedded rows are of this version
	if isSure && !store.InTransaction(page.Statement.Context) {
		p.store.caches.sessions.keep(p.event.ID, at, rows)
	}
	return rows, nil
}

// readPoint says which state of an event a statement saw: all changes up to a number, in a database.
type readPoint struct {
	database database
	change   int64
	metadata int64 // the metadata's version
}

// database tells a database from another in its place, such as a standby or a restored backup.
type database struct {
	server store.Version
	series string
}

// readAt reads columns of a query together with the point at which it was answered; the zero point if it finds no rows.
func (p *Programme) readAt(query *gorm.DB, columns []string, targets func() []any) (at readPoint, err error) {
	series := "series"
	if !p.Embedded() { // a table made anew may have the same series
		series = "series || tableoid"
	}
	at.database.server = p.store.Version(0)
	err = store.EachRow(query.Select(strings.Join(columns, ", ")+", (SELECT "+series+" FROM change_numbers), "+
		"(SELECT coalesce(max(number), 0) FROM changes WHERE event_id = ?), "+
		"(SELECT metadata_version FROM event_counters WHERE event_id = ?)", p.event.ID, p.event.ID), func() []any {
		return append(targets(), &at.database.series, &at.change, &at.metadata)
	})
	if p.store.Version(0) != at.database.server { // it is not known which of the two databases answered
		at.database = database{}
	}
	return at, err
}

// mostChanged is the number of changes above which all cached rows of an event are dropped.
const mostChanged = 200

// changedSince returns the ids of the sessions that changed after a change, or nil if they are more than mostChanged.
func (p *Programme) changedSince(db *gorm.DB, since int64) ([]string, error) {
	ids := []string{}
	err := db.Session(&gorm.Session{NewDB: true}).Table("changes").Order("number").Limit(mostChanged+1).
		Where("event_id = ? AND number > ? AND kind = 'session'", p.event.ID, since).Pluck("id", &ids).Error
	if len(ids) > mostChanged {
		return nil, err
	}
	return ids, err
}

// mostKept bounds the JSON of all cached sessions, in bytes. With the rows themselves and two shapes of each they take
// up to five times as much memory.
const mostKept = 6 << 20

// keptSessions is the cache of sessions. When it is full it drops all.
type keptSessions struct {
	mu     sync.Mutex
	events map[string]*keptEvent
	size   int // of their JSON, in bytes
}

// keptEvent holds the cached sessions of an event, each as it was at one point.
type keptEvent struct {
	at   readPoint
	rows map[string]*KeptSession
}

// behind returns the change up to which the cached rows are current, and reports whether that is before at.
func (k *keptSessions) behind(event string, at readPoint) (since int64, isBehind bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.events[event]
	if of == nil || of.at.database != at.database {
		return 0, false
	}
	return of.at.change, of.at.change < at.change
}

// advance drops the rows that changed after since, up to at; nil stands for all rows.
func (k *keptSessions) advance(event string, since int64, at readPoint, changed []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.events[event]
	if of == nil || of.at.database != at.database || of.at.change < since { // the cache began anew meanwhile
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

// find returns sessions as they are at a point, or false if one of them is not cached.
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

// keep caches sessions that were read at a point, unless the event's cached rows are of another one.
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
