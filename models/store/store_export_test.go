package store

// Rows are the structs that gorm reads and writes, by their table.
var Rows = map[string]any{
	"organizations": Organization{}, "activity": Activity{}, "probes": probe{},
	"kept_answers": KeptAnswer{},
}
