package lists

import (
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// listColumn is a column that a list can show; text returns its cell in an export.
type listColumn struct {
	toolbar.Column
	text func(*exporter, *models.Session) string
}

// allColumns are the columns besides the title, in order. Those without a text are in no export.
var allColumns = []listColumn{
	{toolbar.Column{Key: "start", Name: "Time", Sort: "startsAt"}, textOf("starts_at")},
	{toolbar.Column{Key: "no", Name: "No.", Sort: "friendlyId"}, nil}, // the first column of an export anyway
	{toolbar.Column{Key: "room", Name: "Room"}, textOf("room_id")},
	{toolbar.Column{Key: "track", Name: "Track"}, textOf("track_id")},
	{toolbar.Column{Key: "format", Name: "Format"}, textOf("format_id")},
	{toolbar.Column{Key: "level", Name: "Level"}, textOf("level_id")},
	{toolbar.Column{Key: "tags", Name: "Tags"}, textOf("tag_ids")},
	{toolbar.Column{Key: "score", Name: "Score", Sort: "score"}, (*exporter).score},
	{toolbar.Column{Key: "mine", Name: "Your score"}, (*exporter).ownScore},
	{toolbar.Column{Key: "status", Name: "Status", Sort: "status"}, textOf("status")},
	{toolbar.Column{Key: "next", Name: "Next step"}, nil},
	{toolbar.Column{Key: "conflicts", Name: "Conflicts"}, nil},
	{toolbar.Column{Key: "content", Name: "Content"}, textOf("content_state")},
	{toolbar.Column{Key: "coming", Name: "Participation"},
		func(e *exporter, s *models.Session) string { return e.coming[s.ID] }},
	{toolbar.Column{Key: "public", Name: "Programme"}, (*exporter).programme},
	{toolbar.Column{Key: "created", Name: "Came in", Sort: "createdAt"},
		func(e *exporter, s *models.Session) string { return e.moment(&s.CreatedAt) }},
	{toolbar.Column{Key: "changed", Name: "Changed", Sort: "updatedAt"},
		func(e *exporter, s *models.Session) string { return e.moment(&s.UpdatedAt) }},
	{toolbar.Column{Key: "deleted", Name: "Deleted"},
		func(e *exporter, s *models.Session) string { return e.moment(s.DeletedAt) }},
}

var usualColumns = map[string][]string{
	"submissions": {"no", "track", "format", "score", "status", "next"},
	"sessions":    {"start", "room", "track", "conflicts", "public"},
	"trash":       {"no", "status", "track", "deleted"},
}

// usual returns the columns that a list shows by default.
func usual(v *visit.Visit, kind string) []string {
	keys := slices.Clone(usualColumns[kind])
	if hasContent(v, kind) {
		keys = append(keys, "content")
	}
	if !v.May(staff.Organizer) {
		keys = append(keys, "mine") // instead of everybody's score
	}
	return keys
}

// offered returns the columns that a list can show to this user.
func offered(v *visit.Visit, kind string) (columns []toolbar.Column) {
	for _, c := range allColumns {
		offered := true
		switch c.Key {
		case "room", "start":
			offered = kind != "submissions"
		case "public", "conflicts":
			offered = kind == "sessions"
		case "next":
			offered = kind == "submissions"
		case "score":
			offered = kind == "submissions" && v.May(staff.Organizer)
		case "mine":
			offered = kind == "submissions" && v.May(staff.Reviewer)
		case "content":
			offered = hasContent(v, kind)
		case "deleted":
			offered = kind == "trash"
		}
		if offered {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

// knownColumns keeps the keys that this list can show, among them the title, which it always shows.
func knownColumns(v *visit.Visit, kind string, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return key != "title" && !slices.ContainsFunc(offered(v, kind), func(c toolbar.Column) bool { return c.Key == key })
	})
}

// columns returns the columns of a list, from its address, else from this browser's cookie, else the default ones;
// chosen tells whether they are not the default.
func columns(v *visit.Visit, l List) (columns []toolbar.Column, compact, chosen bool) {
	kept, rows, found := strings.Cut(v.CookieValue(visit.ColumnsCookie(l.Kind)), "/")
	keys := strings.Split(kept, ".")
	if chosen = found; !found {
		keys = usual(v, l.Kind)
	}
	if given := l.Query.Get("columns"); given != "" {
		keys, chosen = strings.Split(given, ","), true
	}
	if given := l.Query.Get("rows"); given != "" {
		rows = given
	}
	columns = slices.DeleteFunc(offered(v, l.Kind), func(c toolbar.Column) bool { return !slices.Contains(keys, c.Key) })
	return columns, rows == "compact", chosen
}

// keepColumns stores the chosen columns in this browser. Columns in an address, which somebody else may have sent, are
// shown but not stored.
func keepColumns(v *visit.Visit, kind string) error {
	l := posted(v, kind)
	given := v.Values("columns")
	keys := knownColumns(v, kind, given)
	if len(keys) == 0 && len(given) > 0 {
		keys = usual(v, kind)
	}
	rows := "roomy"
	if v.Value("rows") == "compact" {
		rows = "compact"
	}
	v.SetCookie(visit.ColumnsCookie(kind), strings.Join(keys, ".")+"/"+rows, visit.AYear)
	l.Query.Del("columns")
	l.Query.Del("rows")
	return v.See(At(v, l), "")
}

func columnChoice(v *visit.Visit, l List, shown []toolbar.Column, compact bool) *toolbar.ColumnChoice {
	c := &toolbar.ColumnChoice{Base: v.At("/" + l.Kind), Token: v.FormToken(), Query: l.Query.Encode(), Compact: compact}
	for _, column := range offered(v, l.Kind) {
		chosen := slices.Contains(shown, column)
		c.Columns = append(c.Columns, components.Option{Value: column.Key, Name: column.Name, Chosen: chosen})
	}
	return c
}
