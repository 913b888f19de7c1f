package modelstest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TablesWith returns the tables that contain a text anywhere.
func TablesWith(t *testing.T, f *Fixture, text string) (tables []string) {
	t.Helper()
	for table, rows := range Dump(t, f) {
		if slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, text) }) {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// Dump returns the rows of each table, one line each, sorted.
func Dump(t *testing.T, f *Fixture) map[string][]string {
	t.Helper()
	db, all := f.SQL, map[string][]string{}
	for _, table := range slices.Sorted(maps.Keys(Columns(t, f))) {
		rows := Must(db.Query("SELECT * FROM " + table))(t)
		columns := Must(rows.Columns())(t)
		for rows.Next() {
			values, said := make([]any, len(columns)), make([]string, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			Fine(t, rows.Scan(values...))
			for i, value := range values {
				said[i] = fmt.Sprintf("%s: %s", columns[i], *value.(*any))
			}
			all[table] = append(all[table], strings.Join(said, " | "))
		}
		Fine(t, rows.Close())
		slices.Sort(all[table])
	}
	return all
}
