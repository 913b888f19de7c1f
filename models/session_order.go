package models

import (
	"cmp"
	"reflect"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// SortKey is a key by which sessions can be ordered.
type SortKey string

const (
	ByCreated    SortKey = "createdAt"
	ByUpdated    SortKey = "updatedAt"
	ByStart      SortKey = "startsAt"
	ByTitle      SortKey = "title"
	ByFriendlyID SortKey = "friendlyId"
	ByStatus     SortKey = "status"
	ByScore      SortKey = "score" // only in the admin
	ByRound      SortKey = "round" // the mean of a review round; only in the admin
)

// sortColumns are the columns of each order. Every order ends in the id in the same direction, as the indexes do.
var sortColumns = map[SortKey][]string{
	ByCreated:    {"created_at"},
	ByUpdated:    {"updated_at"},
	ByStart:      {"starts_at"},
	ByTitle:      {"title_key"},
	ByFriendlyID: {"is_abstract", "number"},
	ByStatus:     {"status"},
	ByScore:      {"score"},
	ByRound:      {roundMean},
}

// roundMean and resultOf name the columns that foundBy adds: a round's mean, and the session that it belongs to.
const roundMean, resultOf = "round_mean", "result_of"

// found selects the sessions that match a search, with the columns they are ordered by.
func (p *Programme) found(db *gorm.DB, q *SessionSearch) *gorm.DB {
	return p.foundBy(db, q, "LEFT JOIN")
}

// foundBy is found with a given kind of join to the results of the search's round, if these order the search. The
// columns it adds have unique names.
func (p *Programme) foundBy(db *gorm.DB, q *SessionSearch, join string) *gorm.DB {
	db = db.Model(&Session{})
	if q.Sort == ByRound {
		db = db.Joins(join+" (SELECT session_id AS "+resultOf+", mean AS "+roundMean+" FROM review_results "+
			"WHERE event_id = ? AND round_id = ?) results ON "+resultOf+" = sessions.id", p.event.ID, q.RoundID)
	}
	return p.filter(db, &q.Filter).Session(&gorm.Session{})
}

// orderTerm is one column of an order with its direction.
type orderTerm struct {
	column     string
	descending bool
	label      string // of the row that comes first, if the column is friendly_id
}

// value returns the SQL expression that the term compares.
func (t orderTerm) value() string {
	if t.label != "" {
		return "(friendly_id = '" + t.label + "')"
	}
	return t.column
}

// optional reports whether the column may be null.
func (t orderTerm) optional() bool {
	return t.column == "starts_at" || t.column == "score" || t.column == roundMean
}

func (q *SessionSearch) terms() []orderTerm {
	var terms []orderTerm
	if label := q.Filter.Label(); label != "" && q.Sort == "" {
		terms = append(terms, orderTerm{"friendly_id", true, label})
	}
	for _, column := range sortColumns[cmp.Or(q.Sort, ByUpdated)] {
		// A-… comes before S-….
		terms = append(terms, orderTerm{column, q.Ascending == (column == "is_abstract"), ""})
	}
	return append(terms, orderTerm{"id", !q.Ascending, ""})
}

// orderBy returns the ORDER BY of terms, or its reverse.
func orderBy(terms []orderTerm, backwards bool) string {
	order := make([]string, len(terms))
	for i, term := range terms {
		order[i] = term.value()
		if term.descending != backwards {
			order[i] += " DESC"
		}
		if term.optional() {
			order[i] += map[bool]string{false: " NULLS LAST", true: " NULLS FIRST"}[backwards]
		}
	}
	return strings.Join(order, ", ")
}

// place is a session's position in an order: the values of its terms.
type place []any

// placeOf returns a session's position in the order of a search.
func (p *Programme) placeOf(db *gorm.DB, q *SessionSearch, s *Session) (place, error) {
	terms := q.terms()
	at := make(place, len(terms))
	for i, term := range terms {
		if term.column == roundMean { // not a column of sessions
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
		if term.column == "title_key" { // not among the columns read
			at[i] = store.Fold(s.Title)
		}
		if term.label != "" {
			at[i] = s.FriendlyID == term.label
		}
	}
	return at, nil
}

// beyond returns the condition for rows after a place in the order, or before it when backwards. Terms of one direction
// are compared as one row value, which indexes support.
func beyond(terms []orderTerm, at place, backwards bool) (string, []any) {
	return compare(terms, at, backwards, "")
}

// compare returns the condition that compares rows with a place; itself is "=" to include the place's own row, else "".
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

// compareOptional is compare for a column in which nulls come last in both directions.
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
