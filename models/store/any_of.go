package store

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// AnyOf compares a column with ids: Where("session_id ?", store.AnyOf(ids)). PostgreSQL gets them as one value, however
// many they are, so that it keeps one plan for the statement in place of planning each anew.
type AnyOf []string

// GormValue is the comparison.
func (ids AnyOf) GormValue(_ context.Context, db *gorm.DB) clause.Expr {
	if db.Name() != "postgres" {
		return clause.Expr{SQL: "IN ?", Vars: []any{[]string(ids)}}
	}
	all := []string(ids)
	return clause.Expr{SQL: "= ANY(?)", Vars: []any{&all}} // a slice would become a value for each
}
