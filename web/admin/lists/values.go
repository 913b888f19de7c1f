package lists

import (
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
	"lectern/web/admin/visit"
)

// Valid drops from a list what does not exist, such as a deleted track, and what this user may not ask for, such as
// others' scores.
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

// allowed returns what a list accepts of a parameter's value from this user, "" for nothing. It does not check whether
// a track, room and so on exists.
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

// listValues tell, for each parameter that is no filter, whether a list accepts a value.
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
