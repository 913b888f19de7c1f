package archive

import "slices"

// Decided are the tables of which somebody said whether a copy has them, and why not.
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

// CopiedTable is one of which a copy has rows.
type CopiedTable struct {
	Rows    string   // the condition of those that it has
	Without []string // the columns that move or are emptied
}

// Copied are all of them.
func Copied() map[string]CopiedTable {
	all := map[string]CopiedTable{}
	for _, t := range tables {
		if t.copied != "" {
			all[t.name] = CopiedTable{t.copied, slices.Concat(t.moved, t.emptied)}
		}
	}
	return all
}

// ColumnsOf are the columns that copies and archives know of a table.
func ColumnsOf(table string) []string { return names(columnsOf(table)) }

// Archived are all tables of which an archive has rows.
func Archived() map[string]bool {
	all := map[string]bool{}
	for _, t := range tables {
		all[t.name] = true
	}
	return all
}

// Leaving are the columns of a table of which an archive says something.
func Leaving(table string) []string {
	t := tableOf(table)
	return slices.DeleteFunc(names(t.archived()), func(name string) bool { return slices.Contains(t.secret, name) })
}

// Structs are those of the rows of all tables that this package knows.
func Structs() map[string]any { return structs }
