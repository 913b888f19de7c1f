package archive

import (
	"cmp"
	"regexp"
	"strings"

	"lectern/models/store"
)

// renamed are ids and what stands in their place.
type renamed map[string]string

// anID is one in the form that store.NewID gives, wherever it stands.
var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// in is a text with the new ids in the place of the old: it is one, or names some, as filters and conditions do.
func (r renamed) in(s string) string {
	if to, found := r[s]; found || len(s) <= idLength {
		return cmp.Or(to, s)
	}
	var out strings.Builder
	written := 0
	for dash := firstDash; dash+idLength-firstDash <= len(s); dash++ {
		next := strings.IndexByte(s[dash:], '-')
		if next < 0 {
			break
		}
		dash += next
		from, end := dash-firstDash, dash-firstDash+idLength
		if from < written || end > len(s) || !store.IsID(s[from:end]) {
			continue
		}
		if to, found := r[s[from:end]]; found {
			out.WriteString(s[written:from] + to)
			written = end
		}
	}
	return out.String() + s[written:]
}

// idLength is that of an id, and firstDash where it has the first of its hyphens.
const idLength, firstDash = 36, 8

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
