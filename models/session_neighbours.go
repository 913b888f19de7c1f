package models

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Neighbours returns the sessions before and after one in the order and filter of a search, "" where there is
// none, its position from 1 and the number of rows in all. A session that does not pass the filter, or no
// longer, has the neighbours it would have and the position 0. The page of the search is ignored. It answers
// NotFound for a session that is not of this event and Invalid for a search that breaks a rule.
func (p *Programme) Neighbours(ctx context.Context, q SessionSearch, s *Session) (
	previous, next string, position, total int64, err error) {
	q.Page = store.Page{}
	if err = p.cleanSearch(ctx, &q); err != nil {
		return "", "", 0, 0, err
	}
	if s.EventID != p.event.ID {
		return "", "", 0, 0, store.NoSuch("session")
	}
	terms := q.terms()
	at, err := p.placeOf(p.read(ctx), &q, s)
	if err != nil {
		return "", "", 0, 0, err
	}
	filtered := p.found(p.read(ctx), &q)
	before, early := beyond(terms, at, true)
	after, late := beyond(terms, at, false)
	total, err = p.CountPassing(ctx, filtered, &q.Filter)
	if err != nil {
		return "", "", 0, 0, err
	}
	// Each part is a step in an index, or a stretch of it. SQLite has none for what a
	// text is found in, so it looks for that once.
	with, among := "", filtered
	var matching []any
	if p.store.Embedded() && q.Filter.Text != "" {
		with, among = "WITH matching AS MATERIALIZED (?) ", p.read(ctx).Table("matching").Session(&gorm.Session{})
		matching = []any{filtered.Select("id, " + joined(terms[:len(terms)-1], func(t orderTerm) string { return t.column }))}
	}
	var found struct {
		Previous, Next string
		Earlier, Own   int64
	}
	parts := append(matching,
		among.Where(before, early...).Order(orderBy(terms, true)).Limit(1).Select("id"),
		among.Where(after, late...).Order(orderBy(terms, false)).Limit(1).Select("id"),
		among.Where(before, early...).Select("count(*)"), among.Where("id = ?", s.ID).Select("count(*)"))
	err = p.read(ctx).Raw(with+"SELECT coalesce((?), '') AS previous, coalesce((?), '') AS next, "+
		"(?) AS earlier, (?) AS own", parts...).Scan(&found).Error
	if found.Own > 0 {
		position = found.Earlier + 1
	}
	return found.Previous, found.Next, position, total, err
}

// joined is a list of what the terms have.
func joined(terms []orderTerm, part func(orderTerm) string) string {
	var parts []string
	for _, term := range terms {
		parts = append(parts, part(term))
	}
	return strings.Join(parts, ", ")
}
