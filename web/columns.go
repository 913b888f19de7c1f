package web

import (
	"slices"
	"strings"

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
	{Key: "room", Name: "Room"},
	{Key: "start", Name: "Starts", Sort: "startsAt"},
	{Key: "public", Name: "Published"},
	{Key: "created", Name: "Came in", Sort: "createdAt"},
	{Key: "changed", Name: "Changed", Sort: "updatedAt"},
	{Key: "deleted", Name: "Deleted"},
}

var usualColumns = map[string][]string{
	"submissions": {"status", "track", "changed"},
	"sessions":    {"status", "track", "room", "start", "changed"},
	"trash":       {"status", "track", "deleted"},
}

// offered are the columns that make sense on a list.
func offered(kind string) []pages.Column {
	return slices.DeleteFunc(slices.Clone(allColumns), func(c pages.Column) bool {
		switch c.Key {
		case "room", "start", "public":
			return kind == "submissions"
		case "deleted":
			return kind != "trash"
		}
		return false
	})
}

// columns are what this browser wants to see of a list: what the address says,
// which is remembered, or what is remembered, or the usual ones.
func (v *visit) columns(kind string) (columns []pages.Column, compact bool) {
	cookie := "lectern-columns-" + kind
	kept, rows, found := strings.Cut(v.cookie(cookie), "/")
	keys := strings.Split(kept, ".")
	if !found {
		keys = usualColumns[kind]
	}
	compact = rows == "compact"
	if given := v.given("columns"); len(given) > 0 {
		keys = given
		found = false
	}
	if given := v.Query("rows"); given != "" {
		compact = given == "compact"
		found = false
	}
	columns = slices.DeleteFunc(offered(kind), func(c pages.Column) bool { return !slices.Contains(keys, c.Key) })
	if !found && (v.Query("rows") != "" || len(v.given("columns")) > 0) {
		keys = nil
		for _, c := range columns {
			keys = append(keys, c.Key)
		}
		v.setCookie(cookie, strings.Join(keys, ".")+"/"+map[bool]string{true: "compact", false: "roomy"}[compact], aYear)
	}
	return columns, compact
}

// given are the values of a parameter that may be there several times, or once
// with commas.
func (v *visit) given(name string) []string {
	var all []string
	for _, value := range v.Request().URI().QueryArgs().PeekMulti(name) {
		all = append(all, strings.Split(string(value), ",")...)
	}
	return all
}

func (v *visit) columnChoice(l listing, shown []pages.Column, compact bool) *pages.ColumnChoice {
	c := &pages.ColumnChoice{Base: v.at("/" + l.kind), Compact: compact, Hidden: hidden(l)}
	for _, column := range offered(l.kind) {
		c.Columns = append(c.Columns, components.Option{Value: column.Key, Name: column.Name, Chosen: slices.Contains(shown, column)})
	}
	return c
}

// hidden is a listing's query as fields of a form.
func hidden(l listing) []components.Fault {
	var fields []components.Fault
	for name, values := range l.query {
		if name != "page" {
			fields = append(fields, components.Fault{Field: name, Message: values[0]})
		}
	}
	slices.SortFunc(fields, func(a, b components.Fault) int { return strings.Compare(a.Field, b.Field) })
	return fields
}
