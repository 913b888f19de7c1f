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
