package archive

import (
	"regexp"

	"lectern/models/store"
)

// renamed are ids and what stands in their place.
type renamed map[string]string

// anID is one in the form that store.NewID gives, wherever it stands.
var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// anIDOrKey is one too, or the key of a file.
var anIDOrKey = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[a-z2-7]{26}\b`)

// in is a text with the new ids in the place of the old: it is one, or names some, as filters and conditions do.
func (r renamed) in(s string) string {
	if to, found := r[s]; found {
		return to
	}
	return anIDOrKey.ReplaceAllStringFunc(s, func(id string) string {
		if to, found := r[id]; found {
			return to
		}
		return id
	})
}

// row puts the new ids into a row, whichever column names them.
func (r renamed) row(one row) {
	for i, v := range one {
		if s, is := v.(string); is {
			one[i] = r.in(s)
		}
	}
}

// fresh is a new id of a row.
func (t *table) fresh() string {
	if t.newID != nil {
		return t.newID()
	}
	return store.NewID()
}
