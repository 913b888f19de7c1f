package store

import (
	"context"
	"encoding/json"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// AnyOf compares a column with ids: Where("session_id ?", store.AnyOf(ids)). The ids are passed as one parameter, so
// that PostgreSQL keeps one plan for any number of them. A single id is compared with =: the cached plan assumes ten,
// so PostgreSQL would find a new plan cheaper each time.
type AnyOf []string

// GormValue writes the comparison in the dialect of the database.
func (ids AnyOf) GormValue(_ context.Context, db *gorm.DB) clause.Expr {
	all := []string(ids)
	if len(all) == 1 {
		return clause.Expr{SQL: "= ?", Vars: []any{all[0]}}
	}
	if db.Name() != "postgres" {
		list, _ := json.Marshal(all) // strings can always be marshalled
		return clause.Expr{SQL: "IN (SELECT value FROM json_each(?))", Vars: []any{string(list)}}
	}
	return clause.Expr{SQL: "= ANY(?)", Vars: []any{&all}} // gorm would expand a slice into one placeholder per id
}
