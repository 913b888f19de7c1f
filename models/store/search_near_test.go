package store_test

import (
	"testing"

	"lectern/models/store"
)

func TestOneErrorOfALongWordIsForgiven(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, text string
		near        bool
	}{
		{"harbour", "Harbours at night", true},
		{"harbuor", "Harbours at night", true},  // two in each other's place
		{"hrbour", "Harbours at night", true},   // one missing
		{"harrbour", "Harbours at night", true}, // one too many
		{"hatbour", "Harbours at night", true},  // a wrong one
		{"xarbour", "Harbours at night", true},
		{"harbo", "Harbours at night", true},
		{"harbourx", "The harbour", true},
		{"kowalksa anna", "Anna Kowalska", true},
		{"kowalksa annna", "Anna Kowalska", true},
		{"Jerone", "Jérôme", true},
		{"hxrbxur", "Harbours at night", false}, // two errors
		{"arbuor", "Harbours at night", false},
		{"tode", "Tides", false}, // too short
		{"night tode", "Tides at night", false},
		{"harbuor zebra", "Harbours at night", false},
		{"bour", "Harbours at night", true},
		{"harbuorsandmore", "Harbours", false},
		{"nigth", "", false},
		{"山田太郎山", "山田太郎", true},
	} {
		if got := store.SearchWords(c.typed).Near(store.Searchable(c.text)); got != c.near {
			t.Errorf("%q is near %q: %v", c.typed, c.text, got)
		}
	}
	if store.SearchWords("a tide").Forgive() || !store.SearchWords("a tides").Forgive() {
		t.Error("what has room for an error is not told")
	}
}
