package models

import (
	"context"
	"slices"
)

// stretch is a part of an order that one index scan answers.
type stretch struct {
	condition string
	values    []any
	empty     bool // of the rows without a value in what is ordered by
}

// stretches returns the parts of the order after a place, or before it when backwards. Rows without a value are a
// part of their own, because one condition for both would be checked row by row.
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
	if column == roundMean { // whose index has the session beside the mean
		id = resultOf
	}
	sign := map[bool]string{true: " <", false: " >"}[terms[0].descending != backwards] + itself + " "
	with, without := stretch{condition: column + " IS NOT NULL"}, stretch{condition: column + " IS NULL", empty: true}
	switch {
	case at != nil && at[0] == nil: // among those without a value
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

// walk reads at most n sessions of a search after a place, or before it when backwards, in walking order. A nil place
// is the beginning.
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
		if q.Sort == ByRound && !part.empty { // as the index of what rounds came to runs
			terms[1].column = resultOf
		}
		found := p.foundBy(p.read(ctx), q, join)
		if along { // with a sign that hides the index of the statuses
			anyStatus := *q
			anyStatus.Filter.Statuses = nil
			found = p.foundBy(p.read(ctx), &anyStatus, join).Where("+status IN ?", q.Filter.Statuses)
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
// statuses of a search: if enough of them match, it finds a page soon.
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
