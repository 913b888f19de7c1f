package archive

import (
	"slices"
	"testing"

	"lectern/models/modelstest"
)

// Decided returns the decision for each table: "copied", or why its rows stay.
func Decided() map[string]string {
	all := map[string]string{}
	for _, t := range tables {
		if all[t.name] = t.stays; t.copied != "" {
			all[t.name] = "copied"
		}
	}
	for name, reason := range left {
		all[name] = reason
	}
	return all
}

// CopiedTable is a table whose rows are copied.
type CopiedTable struct {
	Rows    string   // the condition of those that it has
	Without []string // the columns that move or are emptied
}

// Copied returns all copied tables.
func Copied() map[string]CopiedTable {
	all := map[string]CopiedTable{}
	for _, t := range tables {
		if t.copied != "" {
			all[t.name] = CopiedTable{t.copied, slices.Concat(t.moved, t.emptied)}
		}
	}
	return all
}

// ColumnsOf returns the columns of a table that copies and archives know.
func ColumnsOf(table string) []string { return names(columnsOf(table)) }

// Archived returns all tables whose rows are in an archive.
func Archived() map[string]bool {
	all := map[string]bool{}
	for _, t := range tables {
		all[t.name] = true
	}
	return all
}

// Leaving returns the columns of a table that leave with an archive.
func Leaving(table string) []string {
	t := tableOf(table)
	return slices.DeleteFunc(names(t.archived()), func(name string) bool { return slices.Contains(t.secret, name) })
}

// Structs returns the structs of the rows of all tables that this package knows.
func Structs() map[string]any { return structs }

func TestIDsAreNewWhereverTheyStand(t *testing.T) {
	t.Parallel()
	const a, b = "0199a1b2-0000-7000-8000-00000000000a", "0199a1b2-0000-7000-8000-00000000000b"
	ids := renamed{a: "A", b: "B", "key": "K"}
	for text, want := range map[string]string{
		"": "", a: "A", "key": "K", "a key": "a key", "q=" + a: "q=A", a + b: "AB", a + "," + b: "A,B",
		`{"tracks":["` + a + `"],"x-y":"` + b + `"}`: `{"tracks":["A"],"x-y":"B"}`,
		"-" + a + "-": "-A-", "0199a1b2-" + a: "0199a1b2-A", "é" + a + "é": "éAé", a[:35]: a[:35],
		"0" + a: "0A", "2026-11-21 " + a + " 2026-11-21": "2026-11-21 A 2026-11-21",
		"0199a1b2-0000-7000-8000-00000000000c, " + a: "0199a1b2-0000-7000-8000-00000000000c, A",
	} {
		modelstest.Want(t, text, ids.in(text), want)
	}
}

func TestADocumentSaysWhatItsStructCanHold(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		`{"filters":{"tracks":["a"]},"file_kinds":null}`: true, `{"filters":"a"}`: false, `{"filters":{"tracks":3}}`: false,
		`{"due_at":null}`: true, `{"due_at":"2026-11-21T09:30:00.000Z"}`: true, `{"due_at":"soon"}`: false, `{"other":1}`: false,
		`{"title":"a\u0000b"}`: false, `{"is_required":true,"position":3}`: true, `{"position":3.5}`: false, `[]`: false,
	} {
		if _, err := parseLine(tableOf("tasks").archived(), []byte(said)); (err == nil) != want {
			t.Errorf("%s: %v", said, err)
		}
	}
}
