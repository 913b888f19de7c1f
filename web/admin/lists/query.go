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

// Names are all that a listing has in its address.
func Names() []string {
	names := []string{"sort", "dir", "round", "page", "rows", "columns"}
	for _, f := range listFilters {
		names = append(names, f.name)
	}
	return names
}

// List is a list of submissions or sessions: the kind, the filters, the order, the page. Records carry it along,
// so that "next" follows the list one came from.
type List struct {
	visit.Listing
	me   string         // who looks, for what is theirs
	zone *time.Location // in which a day is one
}

// Of is the list of the address.
func Of(v *visit.Visit, kind string) List {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return From(v, kind, query)
}

// posted is the listing that a form on a list carries along.
func posted(v *visit.Visit, kind string) List {
	query, _ := url.ParseQuery(v.Value("query"))
	return From(v, kind, query)
}

// From is the list of a query.
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

// At is where a listing is.
func At(v *visit.Visit, l List) string { return v.At("/"+l.Kind) + l.Address() }

// filtered tells of a list that a text, a filter or a tab narrows.
func (l List) filtered() bool { return l.narrowed() || l.Query.Get("q") != "" }

// narrowed tells of filters beside the text.
func (l List) narrowed() bool {
	return slices.ContainsFunc(listFilters, func(f listFilter) bool { return f.name != "q" && l.Query.Has(f.name) })
}

// wide is the query without text and filters: the tab, the order and the columns stay.
func (l List) Wide() string {
	wide := visit.Listing{Kind: l.Kind, Query: maps.Clone(l.Query)}
	for _, f := range listFilters {
		if f.name == "q" || f.asTab == nil || !f.asTab(l) {
			wide.Query.Del(f.name)
		}
	}
	return wide.With("page", "")
}

// done says what it means that nothing is left of a list of what waits; "" for any other.
func (l List) done() string {
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

// search is the listing as a search of models.
func (l List) Search() models.SessionSearch {
	q := models.SessionSearch{
		Sort: models.SortKey(l.Query.Get("sort")), Ascending: l.Query.Get("dir") == "asc",
		Page: store.Page{Number: l.Page(), Size: visit.RowsAPage},
	}
	q.Filter, q.RoundID = l.Filter(), l.Round()
	if q.Sort == "" && q.Filter.Label() == "" { // a label's record comes first where nothing else orders
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

// filter is what narrows the list, as models say it.
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

// one is the ids of one row, or of none for "".
func one(id string) []string {
	if id == "" {
		return nil
	}
	return []string{id}
}

func yesOrNo(s string) *bool {
	switch s {
	case "yes":
		return new(true)
	case "no":
		return new(false)
	}
	return nil
}

// round is the round that a list is ordered by; "" where it is not.
func (l List) Round() string {
	if models.SortKey(l.Query.Get("sort")) != models.ByRound {
		return ""
	}
	return l.Query.Get("round")
}
