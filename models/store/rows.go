package store

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{
	"organizations": Organization{}, "activity": Activity{}, "probes": probe{},
	"kept_answers": KeptAnswer{},
}
