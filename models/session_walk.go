package models

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// stretch is a part of an order that one index scan answers.
type stretch struct {
	condition string
	values    []any
	empty     bool // holds the rows without a value in the column of the order
}

// stretches returns the parts of the order after a place, or before it when backwards. Rows without a value are a part
// of their own, because one condition for both would be checked row by row.
func stretches(terms []orderTerm, at place, backwards bool) []stretch {
	itself := map[bool]string{false: "="}[backwards]
	if !terms[0].optional() {
		if at == nil {
			return []stretch{{condition: "TRUE"}}
		}
		condition, values := compare(terms, at, backwards, itself)
		return []stretch{{condition: condition, values: values}}
	}
	column, id := terms[0].column, terms[1].column
	if column == roundMean { // its index has the session's id beside the mean
		id = resultOf
	}
	sign := map[bool]string{true: " <", false: " >"}[terms[0].descending != backwards] + itself + " "
	with, without := stretch{condition: column + " IS NOT NULL"}, stretch{condition: column + " IS NULL", empty: true}
	switch {
	case at != nil && at[0] == nil: // the place is among the rows without a value
		without.condition, without.values = without.condition+" AND "+terms[1].column+sign+"?", []any{at[1]}
		if !backwards {
			return []stretch{without}
		}
		return []stretch{without, with}
	case at != nil:
		with.condition, with.values = "("+column+", "+id+")"+sign+"(?, ?)", []any{at[0], at[1]}
	}
	if backwards {
		return []stretch{with}
	}
	return []stretch{with, without}
}

// walk reads at most limit sessions of a search from a place on, including that of the place, or before it when
// backwards, in walking order. A nil place is the beginning.
func (p *Programme) walk(ctx context.Context, q *SessionSearch, at place, backwards bool, limit int) ([]*Session,
	error) {
	along, err := p.walksAlong(ctx, q, limit)
	if err != nil {
		return nil, err
	}
	var rows []*Session
	for _, part := range stretches(q.terms(), at, backwards) {
		if len(rows) == limit {
			break
		}
		join, terms := "LEFT JOIN", q.terms()
		if !part.empty {
			join = "JOIN"
		}
		if q.Sort == ByRound && !part.empty { // the order of the index on results of rounds
			terms[1].column = resultOf
		}
		found := p.foundBy(p.Read(ctx), q, join)
		if along { // the sign keeps SQLite from using the index of the statuses
			anyStatus := *q
			anyStatus.Filter.Statuses = nil
			found = p.foundBy(p.Read(ctx), &anyStatus, join).Where("+status IN ?", q.Filter.Statuses)
		}
		more, err := scanSessions(found.Where(part.condition, part.values...).Order(orderBy(terms, backwards)).
			Limit(limit - len(rows)))
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	return rows, nil
}

// walksAlong reports whether SQLite should scan submissions in order instead of collecting and sorting all with the
// statuses of a search: if many of them match, a scan fills the page soon.
func (p *Programme) walksAlong(ctx context.Context, q *SessionSearch, limit int) (bool, error) {
	if f := &q.Filter; !p.store.Embedded() || f.IsAbstract == nil || !*f.IsAbstract || len(f.Statuses) == 0 {
		return false, nil
	}
	intake, err := p.Intake(ctx)
	if err != nil {
		return false, err
	}
	var all, have int64
	for status, n := range intake.Statuses {
		if all += n; slices.Contains(q.Filter.Statuses, status) {
			have += n
		}
	}
	return have*have > int64(limit)*all, nil
}

// Neighbours returns the ids of the sessions before and after one in the order and filter of a search, "" if there is
// none, its position from 1 and the number of rows in all. A session that does not pass the filter, or no longer does,
// has the neighbours it would have and the position 0. The page of the search is ignored. It answers NotFound for a
// session of another event and Invalid for a search that breaks a rule.
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
	at, err := p.placeOf(p.Read(ctx), &q, s)
	if err != nil {
		return "", "", 0, 0, err
	}
	filtered := p.found(p.Read(ctx), &q)
	before, early := beyond(terms, at, true)
	after, late := beyond(terms, at, false)
	total, err = p.CountPassing(ctx, filtered, &q.Filter)
	if err != nil {
		return "", "", 0, 0, err
	}
	// Each part is a step in an index, or a stretch of it. SQLite has no index for the order of what a text finds, so
	// it searches for the text once.
	with, among := "", filtered
	var matching []any
	if p.store.Embedded() && q.Filter.Text != "" {
		with, among = "WITH matching AS MATERIALIZED (?) ", p.Read(ctx).Table("matching").Session(&gorm.Session{})
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
	err = p.Read(ctx).Raw(with+"SELECT coalesce((?), '') AS previous, coalesce((?), '') AS next, "+
		"(?) AS earlier, (?) AS own", parts...).Scan(&found).Error
	if found.Own > 0 {
		position = found.Earlier + 1
	}
	return found.Previous, found.Next, position, total, err
}

// joined returns one part of each term, separated by commas.
func joined(terms []orderTerm, part func(orderTerm) string) string {
	return strings.Join(store.Map(terms, part), ", ")
}
