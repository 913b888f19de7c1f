package models

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Session returns the session with everything embedded, deleted or not, or NotFound.
func (p *Programme) Session(ctx context.Context, id string) (*Session, error) {
	return p.load(p.Read(ctx), id)
}

// SessionsOf returns those of the sessions with these ids that exist, with everything embedded, deleted or not.
func (p *Programme) SessionsOf(ctx context.Context, ids []string) ([]*Session, error) {
	return p.LoadAll(p.Read(ctx), ids)
}

// scanSessions scans rows by the table of fields, without some columns. It avoids gorm's reflection, which takes a
// fifth of the time of a search.
func scanSessions(query *gorm.DB, without ...string) ([]*Session, error) {
	sessions := []*Session{}
	if err := store.EachRows(askSessions(query, &sessions, without...)); err != nil {
		return nil, err
	}
	return sessions, nil
}

func askSessions(query *gorm.DB, sessions *[]*Session, without ...string) store.Asked {
	columns, targets := sessionColumns(sessions, without)
	return store.Asked{Query: query.Select(columns), Targets: targets}
}

// sessionColumns returns the columns of a session, without some, and a function that appends a session and returns the
// targets to scan it into.
func sessionColumns(sessions *[]*Session, without []string) (columns []string, next func() []any) {
	fields := slices.DeleteFunc(slices.Clone(readFields), func(f *SessionField) bool {
		return slices.Contains(without, f.Name)
	})
	columns = store.Map(fields, func(f *SessionField) string { return f.Name })
	targets := make([]any, len(fields))
	return columns, func() []any {
		s := &Session{}
		for i, f := range fields {
			targets[i] = f.At(s)
		}
		*sessions = append(*sessions, s)
		return targets
	}
}

// readPage reads the sessions that a query finds, with what they show from other tables.
func (p *Programme) readPage(page *gorm.DB, spared Spared) ([]*Session, error) {
	sessions, err := scanSessions(page, spared.Columns...)
	if err != nil {
		return nil, err
	}
	return sessions, p.embedBut(page, sessions, spared)
}

// row reads a session without what it shows from other tables.
func (p *Programme) row(db *gorm.DB, id string) (*Session, error) {
	row := p.notDrafts(db.Select(readColumns).Where("event_id = ?", p.event.ID))
	return store.OneByID[Session](row, id, store.NoSuch("session"))
}

func (p *Programme) load(db *gorm.DB, id string) (*Session, error) {
	if !store.IsID(id) {
		return nil, store.NoSuch("session")
	}
	found, err := p.loadThese(p.notDrafts(db.Where("event_id = ? AND id = ?", p.event.ID, id)), []string{id})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, store.NoSuch("session")
	}
	return found[0], nil
}

// Live returns a session that is not deleted, locked until the transaction ends. It answers NotFound.
func (p *Programme) Live(tx *store.Tx, id string) (*Session, error) {
	s, err := p.load(tx.Lock(), id)
	if err == nil && s.DeletedAt != nil {
		return nil, store.NoSuch("session")
	}
	return s, err
}

// Spared says which parts of sessions a caller does not need: they are not read and stay empty.
type Spared struct {
	Participants, Composition, Tags bool
	Rows                            bool     // track, room, format and level
	Columns                         []string // columns of the session's own row
}

// embed fills in what sessions show from other tables, with one query per table.
func (p *Programme) embed(db *gorm.DB, sessions []*Session) error {
	return p.embedBut(db, sessions, Spared{})
}

func (p *Programme) embedBut(db *gorm.DB, sessions []*Session, spared Spared) error {
	if len(sessions) == 0 {
		return nil
	}
	db = db.Session(&gorm.Session{NewDB: true})
	l := &links{eventID: p.event.ID}
	if !spared.Participants || !spared.Tags {
		ids := store.Map(sessions, func(s *Session) string { return s.ID })
		if err := store.EachRows(l.asked(db, ids, spared)); err != nil {
			return err
		}
	}
	return p.embedLinked(db, sessions, l, spared)
}

// embedLinked is embedBut with people and tags that were read already.
func (p *Programme) embedLinked(db *gorm.DB, sessions []*Session, l *links, spared Spared) error {
	byID := make(map[string]*Session, len(sessions))
	for _, s := range sessions {
		s.Participants, s.Tags = []*Participant{}, []*Tag{}
		s.AdminURL = p.adminURL("sessions", s.ID)
		byID[s.ID] = s
	}
	l.seat(byID)
	if !spared.Composition {
		if err := loadCompositions(db, p.event.ID, byID); err != nil {
			return err
		}
	}
	if spared.Tags && spared.Rows {
		return nil
	}
	return p.embedMetadata(db, byID, l.tags)
}

func (p *Programme) embedMetadata(db *gorm.DB, sessions map[string]*Session, links []sessionTag) error {
	set, known := p.store.caches.metadata.Find(db.Statement.Context, p.event.ID, p.MetadataVersion())
	if !known {
		var err error
		if set, err = p.LoadMetadata(db); err != nil {
			return err
		}
	}
	covered := true
	for _, s := range sessions {
		covered = covered && set.covers(s)
	}
	for _, link := range links {
		covered = covered && set[link.TagID] != nil
	}
	if !covered {
		// The row was written after the version was read: the foreign key says that it exists.
		var err error
		if set, err = p.LoadMetadata(db); err != nil {
			return err
		}
	}
	for _, link := range links {
		// A missing tag was deleted between the two reads; a missing session was not found by the query.
		if tag, s := set[link.TagID], sessions[link.SessionID]; tag != nil && s != nil {
			s.Tags = append(s.Tags, &Tag{tag.Label()})
		}
	}
	for _, s := range sessions {
		sortTags(s.Tags)
		set.Embed(s)
	}
	return nil
}

func sortTags(tags []*Tag) {
	slices.SortFunc(tags, func(a, b *Tag) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID))
	})
}

func (p *Programme) adminURL(kind, id string) string {
	return p.store.Options.BaseURL + "/admin/events/" + p.event.ID + "/" + kind + "/" + id
}

// exportPage is how many sessions EachSession passes to f at once.
const exportPage = 500

// exportSort is how many ids EachSession reads at once. It is larger because each read may sort the whole event.
const exportSort = 10_000

// EachSession calls f with all sessions of a search in its order, up to exportPage at a time; the page of the search is
// ignored. All are read from one snapshot, so a change made meanwhile moves no row. The snapshot lasts until f has seen
// the last of them: f must not wait for anybody. An error of f ends the search and is returned. It answers Invalid for
// a search that breaks a rule.
func (p *Programme) EachSession(ctx context.Context, q SessionSearch, f func([]*Session) error) error {
	q.Page = store.Page{}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return err
	}
	return p.store.Snapshot(ctx, func(db *gorm.DB) error { return p.EachSessionIn(db, &q, f) })
}

func (p *Programme) EachSessionIn(db *gorm.DB, q *SessionSearch, f func([]*Session) error) error {
	terms := q.terms()
	sorted := cmp.Or(q.SortedAtOnce, exportSort)
	filtered := p.found(db, q).Order(orderBy(terms, false)).Limit(sorted).
		Session(&gorm.Session{})
	for page := filtered; ; {
		var ids []string
		if err := page.Pluck("id", &ids).Error; err != nil {
			return err
		}
		var last *Session
		for chunk := range slices.Chunk(ids, exportPage) {
			sessions, err := p.LoadAll(db, chunk)
			if err != nil {
				return err
			}
			last = new(*sessions[len(sessions)-1])
			if err := f(sessions); err != nil {
				return err
			}
		}
		if len(ids) < sorted {
			return nil
		}
		at, err := p.placeOf(db, q, last)
		if err != nil {
			return err
		}
		condition, values := beyond(terms, at, false)
		page = filtered.Where(condition, values...)
	}
}

// LoadAll returns the sessions with these ids that db finds, in the order of the ids.
func (p *Programme) LoadAll(db *gorm.DB, ids []string) ([]*Session, error) {
	sessions, err := p.loadThese(db.Where("event_id = ? AND id ?", p.event.ID, store.AnyOf(ids)), ids)
	at := make(map[string]int, len(ids))
	for i, id := range ids {
		at[id] = i
	}
	slices.SortFunc(sessions, func(a, b *Session) int { return at[a.ID] - at[b.ID] })
	return sessions, err
}

// loadThese returns the sessions that a query finds; ids are those it may find. Within a transaction their people and
// tags come in the same round trip.
func (p *Programme) loadThese(query *gorm.DB, ids []string) ([]*Session, error) {
	sessions, l, db := []*Session{}, &links{eventID: p.event.ID}, query.Session(&gorm.Session{NewDB: true})
	err := store.EachRows(askSessions(query.Model(&Session{}), &sessions), l.asked(db, ids, Spared{}))
	if err != nil || len(sessions) == 0 {
		return sessions, err
	}
	return sessions, p.embedLinked(db, sessions, l, Spared{})
}
