package archive_test

import (
	"maps"
	"slices"
	"testing"

	"lectern/models/apikey"
	"lectern/models/archive"
	"lectern/models/archives"
	"lectern/models/modelstest"
	"lectern/models/moves"
)

// structless are the tables that nothing but SQL touches.
var structless = []string{"brought_bytes", "change_numbers", "changes", "changing_contacts", "folding",
	"goose_db_version",
	"sessions_search", "stranger_mails"}

func TestStructsAndSchemasAgree(t *testing.T) {
	structs := maps.Clone(archive.Structs())
	for _, rows := range []map[string]any{apikey.Rows, archives.Rows, moves.Rows} {
		maps.Copy(structs, rows)
	}
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		modelstest.WantColumns(t, f, structs)
		for table := range modelstest.Columns(t, f) {
			if (structs[table] == nil) != slices.Contains(structless, table) {
				t.Errorf("%s has the struct %T", table, structs[table])
			}
		}
	})
}
