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

// Each order ends in the id of the same direction, which is how the indexes run.
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

// roundMean is the column that withRound adds.
const roundMean = "round_mean"

// withRound adds the mean of the search's round to the sessions, where they are ordered by it. Its columns have names
// that no other has.
func (p *Programme) withRound(db *gorm.DB, q *SessionSearch) *gorm.DB {
	if q.Sort != ByRound {
		return db
	}
	return db.Joins("LEFT JOIN (SELECT session_id AS result_of, mean AS "+roundMean+" FROM review_results "+
		"WHERE event_id = ? AND round_id = ?) results ON result_of = sessions.id", p.event.ID, q.RoundID)
}

// found are the sessions that pass the filter of a search, with what they are ordered by.
func (p *Programme) found(db *gorm.DB, q *SessionSearch) *gorm.DB {
	return p.filter(p.withRound(db.Model(&Session{}), q), &q.Filter).Session(&gorm.Session{})
}

// orderTerm is a column of an order and its direction.
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

// optional tells of a column that some rows have no value in.
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

// orderBy is the order of terms, or that order from its end.
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
