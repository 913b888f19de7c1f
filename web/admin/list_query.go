package admin

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// listingNames are all that a listing has in its address.
func listingNames() []string {
	names := []string{"sort", "dir", "round", "page", "rows", "columns"}
	for _, f := range listFilters {
		names = append(names, f.name)
	}
	return names
}

// sessionList is a list of submissions or sessions: the kind, the filters, the order, the page. Records carry it along,
// so that "next" follows the list one came from.
type sessionList struct {
	listing
	me   string         // who looks, for what is theirs
	zone *time.Location // in which a day is one
}

// listing is the list of the address.
func (v *visit) listing(kind string) sessionList {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return v.listingOf(kind, query)
}

// posted is the listing that a form on a list carries along.
func (v *visit) posted(kind string) sessionList {
	query, _ := url.ParseQuery(v.Value("query"))
	return v.listingOf(kind, query)
}

func (v *visit) listingOf(kind string, query url.Values) sessionList {
	l := sessionList{listing{kind, url.Values{}}, v.user.ID, v.event.Location()}
	for _, name := range listingNames() {
		values := query[name]
		if f := filterNamed(name); (f == nil || !f.many) && len(values) > 0 {
			values = values[:1]
		}
		l.set(name, values...)
	}
	l.set("columns", strings.Join(query["columns"], ","))
	return l
}

// listAt is where a listing is.
func (v *visit) listAt(l sessionList) string {
	if len(l.query) == 0 {
		return v.at("/" + l.kind)
	}
	return v.at("/"+l.kind) + "?" + l.query.Encode()
}

// filtered tells of a list that a text, a filter or a tab narrows.
func (l sessionList) filtered() bool { return l.narrowed() || l.query.Get("q") != "" }

// narrowed tells of filters beside the text.
func (l sessionList) narrowed() bool {
	return slices.ContainsFunc(listFilters, func(f listFilter) bool { return f.name != "q" && l.query.Has(f.name) })
}

// wide is the query without text and filters: the tab, the order and the columns stay.
func (l sessionList) wide() string {
	wide := listing{kind: l.kind, query: maps.Clone(l.query)}
	for _, f := range listFilters {
		if f.name == "q" || f.asTab == nil || !f.asTab(l) {
			wide.query.Del(f.name)
		}
	}
	return wide.with("page", "")
}

// done says what it means that nothing is left of a list of what waits; "" for any other.
func (l sessionList) done() string {
	var set []string
	for _, f := range listFilters {
		if l.query.Has(f.name) {
			set = append(set, f.name)
		}
	}
	if len(set) != 1 {
		return ""
	}
	switch value := l.query.Get(set[0]); {
	case set[0] == "needs" && needChip(value) != "":
		need := needChip(value)
		return "Nothing waits here: " + strings.ToLower(need[:1]) + need[1:] + "."
	case set[0] == "score" && value == "waits":
		return "No submission waits for your review."
	case set[0] == "scheduled" && value == "no" && l.kind == "sessions":
		return "Every session has its time."
	case value == string(models.AcceptQueue) || value == string(models.DeclineQueue):
		return "The " + strings.ReplaceAll(value, "_", " ") + " is empty."
	}
	return ""
}

// search is the listing as a search of models.
func (l sessionList) search() models.SessionSearch {
	q := models.SessionSearch{
		Sort: models.SortKey(l.query.Get("sort")), Ascending: l.query.Get("dir") == "asc",
		Page: store.Page{Number: l.page(), Size: rowsAPage},
	}
	q.Filter, q.RoundID = l.filter(), l.round()
	if q.Sort == "" && q.Filter.Label() == "" { // a label's record comes first where nothing else orders
		q.Sort = models.ByUpdated
		switch l.kind {
		case "sessions":
			q.Sort, q.Ascending = models.ByStart, true
		case "triage":
			q.Sort = models.ByScore
		}
	}
	return q
}

// filter is what narrows the list, as models say it.
func (l sessionList) filter() models.SessionFilter {
	var f models.SessionFilter
	switch l.kind {
	case "submissions", "triage":
		f.IsAbstract = new(true)
	case "sessions":
		f.IsAbstract = new(false)
	default:
		f.Deleted = new(true)
	}
	for _, filter := range listFilters {
		if values := l.query[filter.name]; len(values) > 0 {
			filter.narrow(&f, l, values)
		}
	}
	f.NoDrafts = l.kind == "submissions" && len(f.Statuses) == 0
	if l.kind == "triage" && len(f.Statuses) == 0 {
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
