package web

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lectern/models"
	"lectern/views/components"
	"lectern/views/pages"
)

func (w *Web) submissionRoutes() []route {
	return []route{
		{"GET", event + "/submissions", viewer, func(v *visit) error { return listSessions(v, "submissions") }},
		{"GET", event + "/sessions", viewer, func(v *visit) error { return listSessions(v, "sessions") }},
		{"GET", event + "/trash", organizer, func(v *visit) error { return listSessions(v, "trash") }},
	}
}

const rowsAPage = 50

// filterNames are what narrows a list, beside the status.
var filterNames = []string{"q", "track", "format", "level", "tag", "room", "speaker", "needs", "scheduled", "public"}

// listing is a list as its address says: the kind, the filters, the order, the
// page. Records carry it along, so that "next" follows the list one came from.
type listing struct {
	kind  string
	query url.Values
}

func (v *visit) listing(kind string) listing {
	return listingOf(kind, func(name string) string { return v.Query(name) })
}

// posted is the listing that a form on a list carries along.
func (v *visit) posted(kind string) listing {
	query, _ := url.ParseQuery(v.value("query"))
	return listingOf(kind, query.Get)
}

func listingOf(kind string, get func(name string) string) listing {
	l := listing{kind: kind, query: url.Values{}}
	for _, name := range append([]string{"status", "sort", "dir", "page"}, filterNames...) {
		if value := get(name); value != "" {
			l.query.Set(name, value)
		}
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

func (l listing) filtered() bool {
	return l.query.Get("status") != "" || slices.ContainsFunc(filterNames, func(name string) bool { return l.query.Get(name) != "" })
}

// done says what it means that nothing is left of a list of what waits; "" for
// any other.
func (l listing) done() string {
	need, status := models.Need(l.query.Get("needs")), models.Status(l.query.Get("status"))
	for _, name := range filterNames {
		if name != "needs" && l.query.Get(name) != "" {
			return ""
		}
	}
	switch {
	case needTexts[need] != "" && status == "":
		return "Nothing waits here: " + strings.ToLower(needTexts[need][:1]) + needTexts[need][1:] + "."
	case need == "" && (status == models.AcceptQueue || status == models.DeclineQueue):
		return "The " + strings.ReplaceAll(string(status), "_", " ") + " is empty."
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
	if _, known := sortNames[q.Sort]; !known {
		q.Sort = models.ByUpdated
		if l.kind == "sessions" && l.query.Get("sort") == "" {
			q.Sort, q.Ascending = models.ByStart, true
		}
	}
	q.Filter = l.filter()
	if status := models.Status(l.query.Get("status")); slices.Contains(models.Statuses, status) {
		q.Filter.Statuses = []models.Status{status}
	}
	return q
}

var sortNames = map[models.SortKey]bool{models.ByTitle: true, models.ByStatus: true, models.ByStart: true, models.ByUpdated: true, models.ByCreated: true, models.ByFriendlyID: true}

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

var listTitles = map[string]string{"submissions": "Submissions", "sessions": "Sessions", "trash": "Trash"}

func listSessions(v *visit, kind string) error {
	return v.list(http.StatusOK, v.listing(kind), formOnList{})
}

// formOnList is what came with a form of a list that was refused.
type formOnList struct {
	ticked  []string
	all     bool
	chosen  map[string]string // of the bulk bar
	view    string            // the name of a view
	shared  bool
	viewing bool
}

func (v *visit) list(status int, l listing, form formOnList) error {
	q := l.search()
	rows, pagination, err := v.programme.SearchSessions(v.ctx(), q)
	if models.KindOf(err) == models.Invalid {
		return v.see(v.at("/"+l.kind), "That filter is not one of this list; all are shown.")
	}
	if err != nil {
		return err
	}
	if len(rows) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.seeInstead(v.listAt(l.onPage(pagination.TotalPages)))
	}
	shell, err := v.shell(listTitles[l.kind])
	if err != nil {
		return err
	}
	base, zone := v.at("/"+l.kind), v.event.Location()
	p := pages.SessionsPage{
		Shell: shell, Base: base, Kind: l.kind, Rows: rows, Text: l.query.Get("q"), Filtered: l.filtered(), Done: l.done(), MayChange: v.may(models.Organizer),
		Record: func(id string) string { return v.at("/sessions/"+id) + l.from() },
		When:   func(t *models.Time) string { return t.In(zone).Format("Mon 2 Jan, 15:04 MST") },
		Day:    func(t models.Time) string { return t.In(zone).Format("2 Jan 2006") },
		Sort:   func(key string) string { return base + l.sorted(q, models.SortKey(key)) },
		SortedBy: func(key string) string {
			if string(q.Sort) != key {
				return ""
			}
			return map[bool]string{true: "ascending", false: "descending"}[q.Ascending]
		},
		Pages: pagesOf(base, l, pagination, l.kind), Ticked: map[string]bool{},
	}
	for name, values := range l.query {
		if slices.Contains([]string{"status", "sort", "dir", "speaker", "needs", "scheduled", "public"}, name) {
			p.Hidden = append(p.Hidden, components.Fault{Field: name, Message: values[0]})
		}
	}
	for _, id := range form.ticked {
		p.Ticked[id] = true
	}
	if l.kind != "trash" {
		p.CSV = base + ".csv"
		if query := l.view(); query != "" {
			p.CSV += "?" + query
		}
		if p.Tabs, err = v.statusTabs(base, l); err != nil {
			return err
		}
		if p.Views, err = v.savedViews(l, form); err != nil {
			return err
		}
	}
	if p.Filters, err = v.filterFields(l); err != nil {
		return err
	}
	if p.Chips, err = v.chips(base, l); err != nil {
		return err
	}
	if p.MayChange {
		if p.Bulk, err = v.bulkBar(l, pagination, len(rows), form); err != nil {
			return err
		}
	}
	p.Columns, p.Compact = v.columns(l.kind)
	p.Columned = v.columnChoice(l, p.Columns, p.Compact)
	return v.render(status, pages.Sessions(p))
}

// from is the listing as records carry it.
func (l listing) from() string {
	query := url.Values{}
	for key, values := range l.query {
		if key != "page" {
			query[key] = values
		}
	}
	query.Set("in", l.kind)
	return "?" + query.Encode()
}

// sorted is the listing ordered by key, the other way round when it is already.
func (l listing) sorted(q models.SessionSearch, key models.SortKey) string {
	ascending := key == models.ByTitle || key == models.ByStart
	if q.Sort == key {
		ascending = !q.Ascending
	}
	other := listing{kind: l.kind, query: url.Values{}}
	for name, values := range l.query {
		other.query[name] = values
	}
	other.query.Set("dir", map[bool]string{true: "asc", false: "desc"}[ascending])
	return other.with("sort", string(key))
}

func pagesOf(base string, l listing, p models.Pagination, what string) components.Pages {
	from := (p.CurrentPage-1)*p.PageSize + 1
	out := components.Pages{
		From: number(int64(from)), To: number(min(int64(from+p.PageSize-1), p.TotalResults)), Total: number(p.TotalResults), What: what,
	}
	if what == "trash" {
		out.What = "records"
	}
	address := func(page int) string {
		query := url.Values{}
		for key, values := range l.query {
			query[key] = values
		}
		query.Set("page", strconv.Itoa(page))
		return base + "?" + query.Encode()
	}
	if p.CurrentPage > 1 {
		out.Previous = address(p.CurrentPage - 1)
	}
	if p.CurrentPage < p.TotalPages {
		out.Next = address(p.CurrentPage + 1)
	}
	return out
}

func (v *visit) statusTabs(base string, l listing) ([]components.Tab, error) {
	counts, total, err := v.programme.StatusCounts(v.ctx(), l.filter())
	if err != nil {
		return nil, err
	}
	current := l.query.Get("status")
	tabs := []components.Tab{{Name: "All", URL: base + l.with("status", ""), Count: number(total), Current: current == ""}}
	for _, status := range models.Statuses {
		tabs = append(tabs, components.Tab{
			Name: components.StatusName(string(status)), URL: base + l.with("status", string(status)), Count: number(counts[status]), Current: current == string(status),
		})
	}
	return tabs, nil
}

// filterFields are the choices of the families that the event has rows of.
func (v *visit) filterFields(l listing) ([]pages.FilterField, error) {
	var fields []pages.FilterField
	for _, family := range models.Families {
		name := family.Singular()
		rows, err := v.options(family, l.query.Get(name))
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 || (family == models.Rooms && l.kind == "submissions") {
			continue
		}
		fields = append(fields, pages.FilterField{Name: name, Label: components.StatusName(name), Options: append([]components.Option{{Name: "Any " + name}}, rows...)})
	}
	return fields, nil
}

// chips are the filters that have no field above the list.
func (v *visit) chips(base string, l listing) ([]pages.Chip, error) {
	var chips []pages.Chip
	add := func(name, text string) {
		chips = append(chips, pages.Chip{Text: text, Without: base + l.with(name, "")})
	}
	if need := needTexts[models.Need(l.query.Get("needs"))]; need != "" {
		add("needs", need)
	}
	switch l.query.Get("scheduled") {
	case "yes":
		add("scheduled", "Scheduled")
	case "no":
		add("scheduled", "Not scheduled")
	}
	switch l.query.Get("public") {
	case "yes":
		add("public", "Published")
	case "no":
		add("public", "Not published")
	}
	if id := l.query.Get("speaker"); id != "" {
		speaker, err := v.programme.Speaker(v.ctx(), id)
		switch {
		case err == nil:
			add("speaker", "With "+speaker.FullName)
		case models.KindOf(err) == models.NotFound:
			add("speaker", "With somebody who is on no session")
		default:
			return nil, err
		}
	}
	return chips, nil
}

var needTexts = map[models.Need]string{
	models.NeedsSession: "Accepted, in no session", models.NeedsPlace: "Without a room or a start", models.NeedsRoom: "In one room at one time with another",
	models.NeedsLetter: "Accepted, no letter sent", models.NeedsPeople: "Nobody on it",
}
