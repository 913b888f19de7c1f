package admin

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lectern/models"
	"lectern/views/components"
)

// known drops from a listing what the list does not know, such as a track that is
// gone, and what this person may not ask for: the scores that others gave.
func (v *visit) known(l listing) (listing, error) {
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
	ok := true
	switch name {
	case "q":
		ok = utf8.ValidString(value) && !strings.ContainsRune(value, 0) &&
			utf8.RuneCountInString(value) <= models.MaxSearchText
	case "status":
		ok = slices.Contains(models.Statuses, models.Status(value))
	case "sort":
		byScore := models.SortKey(value) == models.ByScore && kind == "submissions" && v.may(models.Organizer)
		ok = byScore || slices.Contains(sortKeys, models.SortKey(value))
	case "dir":
		ok = value == "asc" || value == "desc"
	case "page":
		n, err := strconv.Atoi(value)
		ok = err == nil && n >= 1 && n <= models.MaxPage
	case "scheduled", "public":
		ok = yesOrNo(value) != nil
	case "score":
		ok = false
		for _, field := range v.scoreField(listing{kind: kind}) {
			ok = slices.ContainsFunc(field.Options, func(o components.Option) bool { return o.Value == value })
		}
	case "needs":
		ok = needTexts[models.Need(value)] != ""
	case "speaker":
		ok = models.IsID(value)
	case "rows":
		ok = value == "roomy" || value == "compact"
	case "columns":
		return strings.Join(v.knownColumns(kind, strings.Split(value, ",")), ",")
	}
	if !ok {
		return ""
	}
	return value
}

var sortKeys = []models.SortKey{
	models.ByTitle, models.ByStatus, models.ByStart, models.ByUpdated, models.ByCreated, models.ByFriendlyID,
}
