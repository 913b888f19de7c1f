package modelstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Kept are the tables in which a text stands anywhere, of all that there are.
func Kept(t *testing.T, f *Fixture, text string) (tables []string) {
	t.Helper()
	db := f.SQL(t)
	for _, table := range slices.Sorted(maps.Keys(Columns(t, f))) {
		rows := Must(db.Query("SELECT * FROM " + table))(t)
		columns := Must(rows.Columns())(t)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			Fine(t, rows.Scan(values...))
			for _, value := range values {
				if said := fmt.Sprintf("%s", *value.(*any)); strings.Contains(said, text) && !slices.Contains(tables, table) {
					tables = append(tables, table)
				}
			}
		}
		Fine(t, rows.Close())
	}
	return tables
}
