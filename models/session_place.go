package models

import (
	"reflect"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// place is a session's position in an order: the values of its terms.
type place []any

// placeOf returns a row's position in the order of a search.
func (p *Programme) placeOf(db *gorm.DB, q *SessionSearch, s *Session) (place, error) {
	terms := q.terms()
	at := make(place, len(terms))
	for i, term := range terms {
		if term.column == roundMean { // which is no column of sessions
			var mean *Score
			if err := db.Table("review_results").Where("event_id = ? AND round_id = ? AND session_id = ?", p.event.ID,
				q.RoundID, s.ID).Select("mean").Scan(&mean).Error; err != nil {
				return nil, err
			}
			if mean != nil {
				at[i] = *mean
			}
			continue
		}
		value := reflect.ValueOf(Field(term.column).At(s)).Elem()
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
	return at, nil
}

// beyond is the condition of rows after a place in the order, or before it when backwards. Terms of one direction are
// compared as one row value, which indexes support.
func beyond(terms []orderTerm, at place, backwards bool) (string, []any) {
	return compare(terms, at, backwards, "")
}

// compare compares rows with a place; itself is "=" to include the place's own row, else "".
func compare(terms []orderTerm, at place, backwards bool, itself string) (string, []any) {
	run := 1
	for run < len(terms) && terms[run].descending == terms[0].descending {
		run++
	}
	sign := ">"
	if terms[0].descending != backwards {
		sign = "<"
	}
	if terms[0].optional() {
		return compareOptional(terms[0].column, at, " "+sign+itself+" ", backwards)
	}
	column, columns := terms[0].value(), "("+joined(terms[:run], orderTerm.value)+") "
	marks := " (" + strings.TrimSuffix(strings.Repeat("?, ", run), ", ") + ")"
	if run == len(terms) {
		return columns + sign + itself + marks, at
	}
	// is_abstract has the opposite direction.
	rest, more := compare(terms[run:], at[run:], backwards, itself)
	return "(" + column + " " + sign + " ? OR " + column + " = ? AND " + rest + ")", append([]any{at[0], at[0]}, more...)
}

// compareOptional is compare for a column in which rows without a value come last in both directions.
func compareOptional(column string, at place, sign string, backwards bool) (string, []any) {
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
