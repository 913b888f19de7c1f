package web

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
)

// filterNames are what narrows a list, beside the status.
var filterNames = []string{"q", "track", "format", "level", "tag", "room", "speaker", "needs", "scheduled", "public", "score"}

// listing is a list as its address says: the kind, the filters, the order, the
// page. Records carry it along, so that "next" follows the list one came from.
type listing struct {
	kind  string
	query url.Values
	odd   []string // names of what was left out of the query: the list does not know it
	// withheld are those of odd that the list knows, but keeps from who looks.
	withheld []string
	me       string // who looks, for what is theirs
}

// listing is the list of the address.
func (v *visit) listing(kind string) listing {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return v.listingOf(kind, query)
}

// posted is the listing that a form on a list carries along.
func (v *visit) posted(kind string) listing {
	query, _ := url.ParseQuery(v.value("query"))
	return v.listingOf(kind, query)
}

func (v *visit) listingOf(kind string, query url.Values) listing {
	l := listing{kind: kind, query: url.Values{}, me: v.user.ID}
	for _, name := range append([]string{"status", "sort", "dir", "page", "rows"}, filterNames...) {
		if value := query.Get(name); value != "" {
			l.query.Set(name, value)
		}
	}
	if columns := strings.Join(query["columns"], ","); columns != "" {
		l.query.Set("columns", columns)
	}
	return l
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
	query := url.Values{}
	for key, values := range l.query {
		query[key] = values
	}
	query.Del("page")
	if value == "" {
		query.Del(name)
	} else {
		query.Set(name, value)
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
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
	return l.query.Get("status") != "" || slices.ContainsFunc(filterNames, func(name string) bool { return name != "q" && l.query.Get(name) != "" })
}

// done says what it means that nothing is left of a list of what waits; "" for
// any other.
func (l listing) done() string {
	var set []string
	for _, name := range append([]string{"status"}, filterNames...) {
		if l.query.Get(name) != "" {
			set = append(set, name)
		}
	}
	if len(set) != 1 {
		return ""
	}
	switch value := l.query.Get(set[0]); {
	case set[0] == "needs" && needTexts[models.Need(value)] != "":
		need := needTexts[models.Need(value)]
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
	if err != nil || n < 1 || n > models.MaxPage {
		return 1
	}
	return n
}

// search is the listing as a search of models.
func (l listing) search() models.SessionSearch {
	q := models.SessionSearch{
		Sort: models.SortKey(l.query.Get("sort")), Ascending: l.query.Get("dir") == "asc",
		Page: models.Page{Number: l.page(), Size: rowsAPage},
	}
	if q.Sort == "" {
		q.Sort = models.ByUpdated
		if l.kind == "sessions" {
			q.Sort, q.Ascending = models.ByStart, true
		}
	}
	q.Filter = l.filter()
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
	}
	switch l.kind {
	case "submissions":
		f.IsAbstract = new(true)
	case "sessions":
		f.IsAbstract = new(false)
	default:
		f.Deleted = new(true)
	}
	for _, c := range scoreChoices {
		if c.value == l.query.Get("score") {
			c.narrow(&f, l.me)
		}
	}
	for name, ids := range map[string]*[]string{"track": &f.TrackIDs, "format": &f.FormatIDs, "level": &f.LevelIDs, "tag": &f.TagIDs, "room": &f.RoomIDs} {
		if id := l.query.Get(name); id != "" {
			*ids = []string{id}
		}
	}
	return f
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
