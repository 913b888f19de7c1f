package lists

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
	"lectern/web/admin/visit"
)

// Names returns all parameters that a list's address may have.
func Names() []string {
	names := []string{"sort", "dir", "round", "page", "rows", "columns"}
	for _, f := range listFilters {
		names = append(names, f.name)
	}
	return names
}

// List is a list of submissions or sessions: its kind, filters, order and page. Addresses of records carry it, so that
// "next" follows the list that the user came from.
type List struct {
	visit.Listing
	me   string         // id of the user, for filters by what is theirs
	zone *time.Location // in which days are counted
}

// Of returns the list that the address describes.
func Of(v *visit.Visit, kind string) List {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return From(v, kind, query)
}

// posted returns the list that a form on it carries along.
func posted(v *visit.Visit, kind string) List {
	query, _ := url.ParseQuery(v.Value("query"))
	return From(v, kind, query)
}

// From returns the list that a query describes.
func From(v *visit.Visit, kind string, query url.Values) List {
	l := List{visit.Listing{Kind: kind, Query: url.Values{}}, v.User.ID, v.Event.Location()}
	for _, name := range Names() {
		values := query[name]
		if f := filterNamed(name); (f == nil || !f.many) && len(values) > 0 {
			values = values[:1]
		}
		l.Set(name, values...)
	}
	l.Set("columns", strings.Join(query["columns"], ","))
	return l
}

// At returns the address of a list.
func At(v *visit.Visit, l List) string { return v.At("/"+l.Kind) + l.Address() }

// filtered tells whether a text, a filter or a tab narrows the list.
func (l List) filtered() bool { return l.narrowed() || l.Query.Get("q") != "" }

// narrowed tells whether a filter or a tab narrows the list, leaving the text aside.
func (l List) narrowed() bool {
	return slices.ContainsFunc(listFilters, func(f listFilter) bool { return f.name != "q" && l.Query.Has(f.name) })
}

// Wide returns the query without the text and the filters; the tab, the order and the columns stay.
func (l List) Wide() string {
	wide := visit.Listing{Kind: l.Kind, Query: maps.Clone(l.Query)}
	for _, f := range listFilters {
		if f.name == "q" || f.asTab == nil || !f.asTab(l) {
			wide.Query.Del(f.name)
		}
	}
	return wide.With("page", "")
}

// nothingWaits says, for an empty list of what waits, that nothing waits any more; "" for any other list.
func (l List) nothingWaits() string {
	var set []string
	for _, f := range listFilters {
		if l.Query.Has(f.name) {
			set = append(set, f.name)
		}
	}
	if len(set) != 1 {
		return ""
	}
	switch value := l.Query.Get(set[0]); {
	case set[0] == "needs" && needChip(value) != "":
		need := needChip(value)
		return "Nothing waits here: " + strings.ToLower(need[:1]) + need[1:] + "."
	case set[0] == "score" && value == "waits":
		return "No submission waits for your review."
	case set[0] == "scheduled" && value == "no" && l.Kind == "sessions":
		return "Every session has its time."
	case value == string(models.AcceptQueue) || value == string(models.DeclineQueue):
		return "The " + strings.ReplaceAll(value, "_", " ") + " is empty."
	}
	return ""
}

// Search returns the list as a search of models.
func (l List) Search() models.SessionSearch {
	q := models.SessionSearch{
		Sort: models.SortKey(l.Query.Get("sort")), Ascending: l.Query.Get("dir") == "asc",
		Page: store.Page{Number: l.Page(), Size: visit.RowsAPage},
	}
	q.Filter, q.RoundID = l.Filter(), l.Round()
	if q.Sort == "" && q.Filter.Label() == "" { // otherwise the record with that label comes first
		q.Sort = models.ByUpdated
		switch l.Kind {
		case "sessions":
			q.Sort, q.Ascending = models.ByStart, true
		case "triage":
			q.Sort = models.ByScore
		}
	}
	return q
}

// Filter returns the list's filters as models know them.
func (l List) Filter() models.SessionFilter {
	var f models.SessionFilter
	switch l.Kind {
	case "submissions", "triage":
		f.IsAbstract = new(true)
	case "sessions":
		f.IsAbstract = new(false)
	default:
		f.Deleted = new(true)
	}
	for _, filter := range listFilters {
		if values := l.Query[filter.name]; len(values) > 0 {
			filter.narrow(&f, l, values)
		}
	}
	f.NoDrafts = l.Kind == "submissions" && len(f.Statuses) == 0
	if l.Kind == "triage" && len(f.Statuses) == 0 {
		f.Statuses = []models.Status{models.Pending}
	}
	return f
}

// Round returns the review round that the list is ordered by, "" for none.
func (l List) Round() string {
	if models.SortKey(l.Query.Get("sort")) != models.ByRound {
		return ""
	}
	return l.Query.Get("round")
}
