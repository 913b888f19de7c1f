package models

import (
	"context"
	"reflect"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// place is where a session stands in an order: the values of its terms.
type place []any

// placeOf is a row's place in the order.
func placeOf(terms []orderTerm, s *Session) place {
	at := make(place, len(terms))
	for i, term := range terms {
		value := reflect.ValueOf(Field(term.column).at(s)).Elem()
		if term.optional() {
			value = value.Elem()
		}
		if value.IsValid() {
			at[i] = value.Interface()
		}
		if term.column == "title_key" { // which is not read
			at[i] = store.Fold(s.Title)
		}
		if term.label != "" {
			at[i] = s.FriendlyID == term.label
		}
	}
	return at
}

// beyond is the condition of the rows that come after a place in the order, or before it when backwards. Terms
// of one direction are compared as one row, which is what indexes answer.
func beyond(terms []orderTerm, at place, backwards bool) (string, []any) {
	run := 1
	for run < len(terms) && terms[run].descending == terms[0].descending {
		run++
	}
	sign := " > "
	if terms[0].descending != backwards {
		sign = " < "
	}
	if terms[0].optional() {
		return beyondOptional(terms[0].column, at, sign, backwards)
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", run), ", ")
	condition, values := "("+joined(terms[:run], orderTerm.value)+")"+sign+"("+marks+")", []any(at[:run])
	if run == len(terms) {
		return condition, values
	}
	// is_abstract runs against the rest.
	rest, more := beyond(terms[run:], at[run:], backwards)
	column := terms[0].value()
	return "(" + column + sign + "? OR " + column + " = ? AND " + rest + ")", append([]any{at[0], at[0]}, more...)
}

// beyondOptional is beyond for the order by a column in which rows without a value
// come last in both directions.
func beyondOptional(column string, at place, sign string, backwards bool) (string, []any) {
	value, id := at[0], at[1]
	switch {
	case value == nil && backwards:
		return "(" + column + " IS NOT NULL OR id" + sign + "?)", []any{id}
	case value == nil:
		return column + " IS NULL AND id" + sign + "?", []any{id}
	case backwards:
		return "(" + column + ", id)" + sign + "(?, ?)", []any{value, id}
	}
	return "((" + column + ", id)" + sign + "(?, ?) OR " + column + " IS NULL)", []any{value, id}
}

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
	at := placeOf(terms, s)
	filtered := p.filter(p.read(ctx).Model(&Session{}), &q.Filter).Session(&gorm.Session{})
	before, early := beyond(terms, at, true)
	after, late := beyond(terms, at, false)
	total, err = p.count(ctx, filtered, &q.Filter)
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
