package modelstest

import (
	"reflect"
	"sync"
	"testing"

	"gorm.io/gorm/schema"
)

// WantColumns checks that structs have exactly the columns of their tables.
func WantColumns(t *testing.T, f *Fixture, structs map[string]any) {
	t.Helper()
	tables := Columns(t, f)
	for table, row := range structs {
		want := fields(t, row, tables[table])
		if f.Dialect() == "sqlite" && table == "sessions" {
			want["seq"] = "NOT NULL" // the row of sessions_search; gorm never sees it
		}
		for counter := range tables["event_counters"] {
			if table == "events" {
				delete(want, counter) // joined to the event on reading
			}
		}
		if got := tables[table]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s has the columns\n%v, its struct\n%v", table, got, want)
		}
	}
}

// fields returns a struct's columns and whether they may be null, without columns that are only computed on reading.
func fields(t *testing.T, row any, table map[string]string) map[string]string {
	t.Helper()
	parsed := Must(schema.Parse(row, &sync.Map{}, schema.NamingStrategy{}))(t)
	out := map[string]string{}
	for _, field := range parsed.Fields {
		isReckoned := !field.Creatable && !field.Updatable && table[field.DBName] == ""
		if field.DBName == "" || isReckoned {
			continue
		}
		out[field.DBName] = "NOT NULL"
		if field.FieldType.Kind() == reflect.Pointer {
			out[field.DBName] = "NULL"
		}
	}
	return out
}

// Columns returns the columns of all tables and whether they may be null, except for SQLite's full-text index.
func Columns(t *testing.T, f *Fixture) map[string]map[string]string {
	t.Helper()
	query := `SELECT table_name, column_name, is_nullable = 'YES' FROM information_schema.columns WHERE table_schema = 'public'`
	if f.Dialect() == "sqlite" {
		query = `SELECT m.name, c.name, c."notnull" = 0 AND c.pk = 0 FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table' AND m.name NOT LIKE 'sessions_search%' AND m.name NOT LIKE 'sqlite_%'`
	}
	rows := Must(f.SQL.Query(query))(t)
	defer rows.Close()
	out := map[string]map[string]string{}
	for rows.Next() {
		var table, column string
		var nullable bool
		Fine(t, rows.Scan(&table, &column, &nullable))
		if out[table] == nil {
			out[table] = map[string]string{}
		}
		out[table][column] = map[bool]string{true: "NULL", false: "NOT NULL"}[nullable]
	}
	Fine(t, rows.Err())
	return out
}
