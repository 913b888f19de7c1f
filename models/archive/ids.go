package archive

import (
	"cmp"
	"regexp"
	"strings"

	"lectern/models/store"
)

// renamed maps ids to their replacements.
type renamed map[string]string

// anID matches an id from store.NewID, anywhere in a text.
var anID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)

// in replaces the ids in a text, which may be an id or contain some, as filters and conditions do.
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

// idLength is the length of an id, and firstDash the position of its first hyphen.
const idLength, firstDash = 36, 8

// row replaces the ids in all columns of a row.
func (r renamed) row(one row) {
	for i, v := range one {
		if s, is := v.(string); is {
			one[i] = r.in(s)
		}
	}
}

// fresh returns a new id for a row.
func (t *table) fresh() string {
	if t.newID != nil {
		return t.newID()
	}
	return store.NewID()
}
