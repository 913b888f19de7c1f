package admin

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

// allColumns are those a list can show beside the title, in their order.
var allColumns = []pages.Column{
	{Key: "status", Name: "Status", Sort: "status"},
	{Key: "track", Name: "Track"},
	{Key: "format", Name: "Format"},
	{Key: "level", Name: "Level"},
	{Key: "tags", Name: "Tags"},
	{Key: "score", Name: "Score", Sort: "score"},
	{Key: "mine", Name: "Your score"},
	{Key: "room", Name: "Room"},
	{Key: "start", Name: "Starts", Sort: "startsAt"},
	{Key: "public", Name: "Published"},
	{Key: "created", Name: "Came in", Sort: "createdAt"},
	{Key: "changed", Name: "Changed", Sort: "updatedAt"},
	{Key: "deleted", Name: "Deleted"},
}

var usualColumns = map[string][]string{
	"submissions": {"status", "track", "score", "changed"},
	"sessions":    {"status", "track", "room", "start", "changed"},
	"trash":       {"status", "track", "deleted"},
}

// usual are the columns that a list shows unless told otherwise.
func (v *visit) usual(kind string) []string {
	if v.may(models.Organizer) {
		return usualColumns[kind]
	}
	return append(slices.Clone(usualColumns[kind]), "mine") // in place of the score of all
}

// offered are the columns that make sense on a list, of those that this person may
// know.
func (v *visit) offered(kind string) []pages.Column {
	return slices.DeleteFunc(slices.Clone(allColumns), func(c pages.Column) bool {
		switch c.Key {
		case "room", "start", "public":
			return kind == "submissions"
		case "score":
			return kind != "submissions" || !v.may(models.Organizer)
		case "mine":
			return kind != "submissions" || !v.may(models.Reviewer)
		case "deleted":
			return kind != "trash"
		}
		return false
	})
}

// knownColumns are those of the keys that a list can show; the title, which it
// always shows, among them.
func (v *visit) knownColumns(kind string, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return key != "title" && !slices.ContainsFunc(v.offered(kind), func(c pages.Column) bool { return c.Key == key })
	})
}

func columnsCookie(kind string) string { return "lectern-columns-" + kind }

// columns are what a list shows: what its address says, or what this browser
// keeps, or the usual ones.
func (v *visit) columns(l listing) (columns []pages.Column, compact bool) {
	kept, rows, found := strings.Cut(v.cookie(columnsCookie(l.kind)), "/")
	keys := strings.Split(kept, ".")
	if !found {
		keys = v.usual(l.kind)
	}
	if given := l.query.Get("columns"); given != "" {
		keys = strings.Split(given, ",")
	}
	if given := l.query.Get("rows"); given != "" {
		rows = given
	}
	return slices.DeleteFunc(v.offered(l.kind), func(c pages.Column) bool { return !slices.Contains(keys, c.Key) }), rows == "compact"
}

// keepColumns keeps the choice of columns for this browser. An address with
// columns, which somebody may have sent, shows them without that.
func keepColumns(v *visit, kind string) error {
	l := v.posted(kind)
	given := v.values("columns")
	keys := v.knownColumns(kind, given)
	if len(keys) == 0 && len(given) > 0 {
		keys = v.usual(kind)
	}
	rows := "roomy"
	if v.value("rows") == "compact" {
		rows = "compact"
	}
	v.setCookie(columnsCookie(kind), strings.Join(keys, ".")+"/"+rows, aYear)
	l.query.Del("columns")
	l.query.Del("rows")
	return v.see(v.listAt(l), "")
}

func (v *visit) columnChoice(l listing, shown []pages.Column, compact bool) *pages.ColumnChoice {
	c := &pages.ColumnChoice{Base: v.at("/" + l.kind), Token: v.formToken(), Query: l.query.Encode(), Compact: compact}
	for _, column := range v.offered(l.kind) {
		c.Columns = append(c.Columns, components.Option{Value: column.Key, Name: column.Name, Chosen: slices.Contains(shown, column)})
	}
	return c
}
