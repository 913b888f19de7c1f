package people

import (
	"slices"
)

// Suggest is what suggestions are made by.
var Suggest = suggest

// KnowsContactTable tells whether merging and erasing know of a table's column.
func KnowsContactTable(table, column string) bool {
	return slices.ContainsFunc(contactTables, func(t contactTable) bool { return t.table == table && t.column == column })
}
