package lists

import (
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/web/admin/visit"
)

// Valid drops from a listing what the list does not know, such as a track that is
// gone, and what this person may not ask for: the scores that others gave.
func Valid(v *visit.Visit, l List) (List, error) {
	for _, name := range Names() {
		var kept []string
		filter := filterNamed(name)
		for _, value := range l.Query[name] {
			value, exists := allowed(v, l.Kind, name, value), true
			if value != "" && filter != nil && filter.exists != nil {
				var err error
				if exists, err = filter.exists(v, value); err != nil {
					return l, err
				}
			}
			if exists {
				kept = append(kept, value)
			}
		}
		l.Set(name, kept...)
	}
	return l, nil
}

// allowed is what a list takes of a parameter's value from this person, "" for
// nothing. Whether there is such a track, room and so on is not asked.
func allowed(v *visit.Visit, kind, name, value string) string {
	taken := true
	switch filter := filterNamed(name); {
	case name == "columns":
		return strings.Join(knownColumns(v, kind, strings.Split(value, ",")), ",")
	case filter != nil:
		taken = filter.allows(v, kind, value)
	case listValues[name] != nil:
		taken = listValues[name](v, kind, value)
	}
	if !taken {
		return ""
	}
	return value
}

// listValues tell by name whether a list of this kind takes a value of what is no filter.
var listValues = map[string]func(v *visit.Visit, kind, value string) bool{
	"sort": func(v *visit.Visit, kind, value string) bool {
		submissions := kind == "submissions" || kind == "triage"
		key := models.SortKey(value)
		byScore := key == models.ByScore && submissions && mayOrder(v, key)
		byRound := key == models.ByRound && kind == "triage" && store.IsID(v.Query("round"))
		return byScore || byRound || slices.Contains(sortKeys, key)
	},
	"dir": func(_ *visit.Visit, _, value string) bool { return value == "asc" || value == "desc" },
	"page": func(_ *visit.Visit, _, value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && n >= 1 && n <= store.MaxPage
	},
	"round": func(_ *visit.Visit, kind, value string) bool { return kind == "triage" && store.IsID(value) },
	"rows":  func(_ *visit.Visit, _, value string) bool { return value == "roomy" || value == "compact" },
}

var sortKeys = []models.SortKey{
	models.ByTitle, models.ByStatus, models.ByStart, models.ByUpdated, models.ByCreated, models.ByFriendlyID,
}
