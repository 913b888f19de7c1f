package admin

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

// validListing drops from a listing what the list does not know, such as a track that is
// gone, and what this person may not ask for: the scores that others gave.
func (v *visit) validListing(l listing) (listing, error) {
	for _, name := range listingNames {
		l.set(name, v.allowed(l.kind, name, l.query.Get(name)))
	}
	for _, family := range models.Families {
		id := l.query.Get(family.Singular())
		if id == "" {
			continue
		}
		found, err := v.programme.HasMetadata(v.ctx(), family, id)
		if err != nil {
			return l, err
		}
		if !found {
			l.query.Del(family.Singular())
		}
	}
	return l, nil
}

// allowed is what a list takes of a parameter's value from this person, "" for
// nothing. Whether there is such a track, room and so on is not asked.
func (v *visit) allowed(kind, name, value string) string {
	if name == "columns" {
		return strings.Join(v.knownColumns(kind, strings.Split(value, ",")), ",")
	}
	if takes, limited := listValues[name]; limited && !takes(v, kind, value) {
		return ""
	}
	return value
}

// listValues tell by name whether a list of this kind takes a value.
var listValues = map[string]func(v *visit, kind, value string) bool{
	"q": func(_ *visit, _, value string) bool {
		return utf8.ValidString(value) && !strings.ContainsRune(value, 0) &&
			utf8.RuneCountInString(value) <= store.MaxSearchText
	},
	"status": func(_ *visit, _, value string) bool { return slices.Contains(models.Statuses, models.Status(value)) },
	"sort": func(v *visit, kind, value string) bool {
		byScore := models.SortKey(value) == models.ByScore && kind == "submissions" && v.may(staff.Organizer)
		return byScore || slices.Contains(sortKeys, models.SortKey(value))
	},
	"dir": func(_ *visit, _, value string) bool { return value == "asc" || value == "desc" },
	"page": func(_ *visit, _, value string) bool {
		n, err := strconv.Atoi(value)
		return err == nil && n >= 1 && n <= store.MaxPage
	},
	"scheduled": func(_ *visit, _, value string) bool { return yesOrNo(value) != nil },
	"public":    func(_ *visit, _, value string) bool { return yesOrNo(value) != nil },
	"score": func(v *visit, kind, value string) bool {
		return slices.ContainsFunc(v.scoreField(listing{kind: kind}), func(field pages.FilterField) bool {
			return slices.ContainsFunc(field.Options, func(o components.Option) bool { return o.Value == value })
		})
	},
	"content": func(v *visit, kind, value string) bool {
		return v.hasContent(kind) && slices.Contains(models.ContentStates, models.ContentState(value))
	},
	"needs":   func(_ *visit, _, value string) bool { return needChip(value) != "" },
	"speaker": func(_ *visit, _, value string) bool { return store.IsID(value) },
	"rows":    func(_ *visit, _, value string) bool { return value == "roomy" || value == "compact" },
}

var sortKeys = []models.SortKey{
	models.ByTitle, models.ByStatus, models.ByStart, models.ByUpdated, models.ByCreated, models.ByFriendlyID,
}
