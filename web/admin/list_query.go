package admin

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// filterNames are what narrows a list, beside the status.
var filterNames = []string{
	"q", "track", "format", "level", "tag", "room", "speaker", "needs", "scheduled", "public", "score", "content",
}

// listFilters are what narrows a list.
var listFilters = append([]string{"status"}, filterNames...)

// listingNames are all that a listing has in its address.
var listingNames = append([]string{"sort", "dir", "page", "rows", "columns"}, listFilters...)

// listing is a list as its address says: the kind, the filters, the order, the
// page. Records carry it along, so that "next" follows the list one came from.
type listing struct {
	kind  string
	query url.Values
	me    string // who looks, for what is theirs
}

// listing is the list of the address.
func (v *visit) listing(kind string) listing {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return v.listingOf(kind, query)
}

// posted is the listing that a form on a list carries along.
func (v *visit) posted(kind string) listing {
	query, _ := url.ParseQuery(v.Value("query"))
	return v.listingOf(kind, query)
}

func (v *visit) listingOf(kind string, query url.Values) listing {
	l := listing{kind: kind, query: url.Values{}, me: v.user.ID}
	for _, name := range listingNames {
		l.set(name, query.Get(name))
	}
	l.set("columns", strings.Join(query["columns"], ","))
	return l
}

// plainListing is a list that has these names alone in its address.
func (v *visit) plainListing(names ...string) listing {
	l := listing{query: url.Values{}}
	for _, name := range names {
		l.set(name, v.Query(name))
	}
	return l
}

// set sets a value of the query; "" is none.
func (l listing) set(name, value string) {
	l.query.Del(name)
	if value != "" {
		l.query.Set(name, value)
	}
}

// listAt is where a listing is.
func (v *visit) listAt(l listing) string {
	if len(l.query) == 0 {
		return v.at("/" + l.kind)
	}
	return v.at("/"+l.kind) + "?" + l.query.Encode()
}

// view is the query without the page: what is kept under a name.
func (l listing) view() string {
	query := maps.Clone(l.query)
	query.Del("page")
	return query.Encode()
}

// with is the query with another value, from the first page on.
func (l listing) with(name, value string) string {
	l.query = maps.Clone(l.query)
	l.query.Del("page")
	l.set(name, value)
	if len(l.query) == 0 {
		return ""
	}
	return "?" + l.query.Encode()
}

// onPage is the listing on another page.
func (l listing) onPage(page int) listing {
	query := maps.Clone(l.query)
	query.Set("page", strconv.Itoa(page))
	return listing{kind: l.kind, query: query}
}

func (l listing) filtered() bool { return l.narrowed() || l.query.Get("q") != "" }

// narrowed tells of filters beside the text.
func (l listing) narrowed() bool {
	return slices.ContainsFunc(listFilters, func(name string) bool { return name != "q" && l.query.Get(name) != "" })
}

// done says what it means that nothing is left of a list of what waits; "" for any other.
func (l listing) done() string {
	var set []string
	for _, name := range listFilters {
		if l.query.Get(name) != "" {
			set = append(set, name)
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
	case value == string(models.AcceptQueue) || value == string(models.DeclineQueue):
		return "The " + strings.ReplaceAll(value, "_", " ") + " is empty."
	}
	return ""
}

func (l listing) page() int {
	n, err := strconv.Atoi(l.query.Get("page"))
	if err != nil || n < 1 || n > store.MaxPage {
		return 1
	}
	return n
}

// search is the listing as a search of models.
func (l listing) search() models.SessionSearch {
	q := models.SessionSearch{
		Sort: models.SortKey(l.query.Get("sort")), Ascending: l.query.Get("dir") == "asc",
		Page: store.Page{Number: l.page(), Size: rowsAPage},
	}
	q.Filter = l.filter()
	if q.Sort == "" && q.Filter.Label() == "" { // a label's record comes first where nothing else orders
		q.Sort = models.ByUpdated
		if l.kind == "sessions" {
			q.Sort, q.Ascending = models.ByStart, true
		}
	}
	if status := models.Status(l.query.Get("status")); status != "" {
		q.Filter.Statuses = []models.Status{status}
	}
	return q
}

// filter is everything but the status, which the tabs count.
func (l listing) filter() models.SessionFilter {
	f := models.SessionFilter{
		Text: l.query.Get("q"), ContactID: l.query.Get("speaker"), Needs: models.Need(l.query.Get("needs")),
		Scheduled: yesOrNo(l.query.Get("scheduled")), IsPublic: yesOrNo(l.query.Get("public")),
		TrackIDs: one(l.query.Get("track")), FormatIDs: one(l.query.Get("format")), LevelIDs: one(l.query.Get("level")),
		TagIDs: one(l.query.Get("tag")), RoomIDs: one(l.query.Get("room")),
	}
	switch l.kind {
	case "submissions":
		f.IsAbstract = new(true)
	case "sessions":
		f.IsAbstract = new(false)
	default:
		f.Deleted = new(true)
	}
	if state := models.ContentState(l.query.Get("content")); state != "" {
		f.ContentStates = []models.ContentState{state}
	}
	for _, c := range scoreChoices {
		if c.value == l.query.Get("score") {
			c.narrow(&f, l.me)
		}
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
