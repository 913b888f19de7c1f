package models

import (
	"cmp"
	"strings"

	"gorm.io/gorm"
)

// SortKey is what sessions can be ordered by.
type SortKey string

const (
	ByCreated    SortKey = "createdAt"
	ByUpdated    SortKey = "updatedAt"
	ByStart      SortKey = "startsAt"
	ByTitle      SortKey = "title"
	ByFriendlyID SortKey = "friendlyId"
	ByStatus     SortKey = "status"
	ByScore      SortKey = "score" // in the admin alone
	ByRound      SortKey = "round" // the mean of a review round; in the admin alone
)

// Each order ends in the id in the same direction, as the indexes do.
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

// roundMean is the column that foundBy adds, and resultOf the session that it is of.
const roundMean, resultOf = "round_mean", "result_of"

// found selects the sessions that match a search, with the columns they are ordered by.
func (p *Programme) found(db *gorm.DB, q *SessionSearch) *gorm.DB {
	return p.foundBy(db, q, "LEFT JOIN")
}

// foundBy is found by a kind of join with what the search's round came to, where that is the order. The columns of that
// have names that no other has.
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
	label      string // of the row that comes first, where the column is friendly_id
}

// value is what the term compares.
func (t orderTerm) value() string {
	if t.label != "" {
		return "(friendly_id = '" + t.label + "')"
	}
	return t.column
}

// optional reports whether rows may have no value in the column.
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

// orderBy is the ORDER BY of terms, or its reverse.
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
