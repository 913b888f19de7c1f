package admin

import (
	"maps"
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/pages"
)

var listTitles = map[string]string{"submissions": "Submissions", "sessions": "Sessions", "trash": "Trash", "triage": "Triage",
	"publish": "Publish"}

func listSessions(v *visit, kind string) error {
	l, err := v.validListing(v.listing(kind))
	if err != nil {
		return err
	}
	return v.list(http.StatusOK, l, formOnList{})
}

// formOnList is what came with a form of a list that was refused.
type formOnList struct {
	ticked  []string
	all     bool
	chosen  map[string]string // of the bulk bar
	verb    string            // of the bulk bar
	view    string            // the name of a view
	shared  bool
	viewing bool
}

func (v *visit) list(status int, l sessionList, form formOnList) error {
	q := l.search()
	rows, pagination, err := v.programme.SearchSessions(v.UserContext(), q)
	if err != nil {
		return err
	}
	if len(rows) == 0 && pagination.TotalResults > 0 { // behind the last page
		l.listing = l.onPage(pagination.TotalPages)
		return v.SeeInstead(v.listAt(l))
	}
	p := v.listPage(l, q, pagination, form)
	if err := v.listHead(&p, l); err != nil {
		return err
	}
	if err := v.listBar(&p.Bar, l, pagination, form); err != nil {
		return err
	}
	if p.MayChange {
		p.Whole = v.wholeQueue(l, pagination)
		if p.Bulk, err = v.bulkBar(l, pagination, len(rows), form); err != nil {
			return err
		}
	}
	if err := v.listRows(&p, l, q, rows); err != nil {
		return err
	}
	return show(v, status, listTitles[l.kind], pages.Sessions, p)
}

// listPage is what a list shows of its address and its form.
func (v *visit) listPage(l sessionList, q models.SessionSearch, found store.Pagination,
	form formOnList) pages.SessionsPage {
	base := v.at("/" + l.kind)
	p := pages.SessionsPage{
		Base: base, Kind: l.kind, AsOf: store.At(v.options.Now()).String(), MayChange: v.may(staff.Organizer), Text: l.query.Get("q"),
		Words:    store.SearchWords(l.query.Get("q")),
		Filtered: l.filtered(), Done: l.done(), Narrowed: l.narrowed(),
		Record: func(id string) string { return v.at("/sessions/"+id) + l.from() },
		Day:    v.shortDay,
		Sort:   func(key string) string { return base + l.sorted(q, models.SortKey(key)) },
		SortedBy: func(key string) string {
			if string(q.Sort) != key {
				return ""
			}
			return map[bool]string{true: "ascending", false: "descending"}[q.Ascending]
		},
		Pages: pagesOf(base, l.listing, found, l.kind), Ticked: map[string]bool{},
	}
	for _, id := range form.ticked {
		p.Ticked[id] = true
	}
	return p
}

// listRows are the rows of a list, with what its columns show of them.
func (v *visit) listRows(p *pages.SessionsPage, l sessionList, q models.SessionSearch, rows []*models.Session) error {
	columns, compact, chosen := v.columns(l)
	p.Columns, p.Compact = columns, compact
	if len(rows) == 0 {
		return nil
	}
	var err error
	if p.Own, err = v.ownScores(columns, rows...); err != nil {
		return err
	}
	if shows(columns, "score") {
		if p.Scores, err = v.programme.ScoresOf(v.UserContext(), idsOf(rows)); err != nil {
			return err
		}
	}
	if shows(columns, "coming") {
		if p.Coming, err = v.programme.ComingOf(v.UserContext(), idsOf(rows)); err != nil {
			return err
		}
	}
	if p.Next, p.Gate, err = v.rowSteps(columns, rows); err != nil {
		return err
	}
	if p.Conflicts, p.Collides, err = v.conflicts(columns, q.Filter.Needs, rows); err != nil {
		return err
	}
	p.Times = v.timesOf(rows, q.Sort == models.ByStart)
	p.Groups = []pages.RowGroup{{Rows: rows}}
	if l.kind == "sessions" && q.Sort == models.ByStart {
		if p.Groups, err = v.byDay(l, rows); err != nil {
			return err
		}
	}
	if !chosen {
		p.StepBack()
	}
	return nil
}

// listBar is the line above a list: the search, the filters, and how the rows are shown.
func (v *visit) listBar(b *pages.ListBar, l sessionList, found store.Pagination, form formOnList) (err error) {
	columns, compact, _ := v.columns(l)
	*b = pages.ListBar{
		Base: v.at("/" + l.kind), Text: l.query.Get("q"), Orders: v.orders(l), Found: number(found.TotalResults),
		What: listWhat(l.kind, found.TotalResults), Columns: v.columnChoice(l, columns, compact),
		Placeholder: map[string]string{"submissions": "Title, person or A-12", "sessions": "Title, person or S-12"}[l.kind],
	}
	if b.Filters, err = v.filterForm(l); err != nil {
		return err
	}
	if b.Chips, err = v.chips(b.Base, l); err != nil {
		return err
	}
	if len(b.Chips) > 0 || b.Text != "" {
		b.Clear = b.Base + l.wide()
	}
	for _, name := range listingNames() {
		if name != "page" && name != "q" && !b.Offers(name) {
			b.Hidden = append(b.Hidden, l.hidden(name)...)
		}
	}
	if l.kind == "trash" {
		return nil
	}
	if l.filtered() && !l.ofDrafts() {
		if b.Total, err = v.totalOf(l.kind); err != nil {
			return err
		}
	}
	b.CSV = b.Base + ".csv"
	if query := l.view(); query != "" {
		b.CSV += "?" + query
	}
	b.Views, err = v.savedViews(l, form)
	return err
}

// ofDrafts tells of a list with drafts, which the number of all submissions leaves out.
func (l sessionList) ofDrafts() bool {
	return l.kind == "submissions" && slices.Contains(l.query["status"], string(models.Draft))
}

// totalOf is how many records a list has without its filters.
func (v *visit) totalOf(kind string) (string, error) {
	abstracts, sessions, err := v.programme.KindCounts(v.UserContext())
	if kind == "sessions" {
		abstracts = sessions
	}
	return number(abstracts), err
}

func listWhat(kind string, n int64) string {
	switch {
	case kind == "trash" && n == 1:
		return "record"
	case kind == "trash":
		return "records"
	case n == 1:
		return kind[:len(kind)-1]
	}
	return kind
}

// listOrder is an order that a list can have, and its name.
type listOrder struct {
	key       models.SortKey
	ascending bool
	name      string
	lists     []string // whose menu offers it
}

// listOrders are all; the first one that a list offers is its usual one.
var listOrders = []listOrder{
	{models.ByStart, true, "By time", []string{"sessions"}},
	{models.ByUpdated, false, "Latest change first", allLists},
	{models.ByScore, false, "Best score first", []string{"submissions", "triage"}},
	{models.ByCreated, false, "Newest first", []string{"submissions"}},
	{models.ByTitle, true, "By title", everyList},
	{models.ByFriendlyID, true, "By number", []string{"submissions", "sessions", "triage"}},
	{models.ByStatus, true, "By status", []string{"submissions"}},
	{models.ByStart, false, "Last start first", nil}, {models.ByUpdated, true, "Oldest change first", nil},
	{models.ByScore, true, "Lowest score first", []string{"triage"}}, {models.ByCreated, true, "Oldest first", nil},
	{models.ByTitle, false, "By title, from Z", nil}, {models.ByFriendlyID, false, "Highest number first", nil},
	{models.ByStatus, false, "By status, last first", nil},
}

// orders are those that a list offers, and the present one.
func (v *visit) orders(l sessionList) (choices []pages.Choice) {
	q := l.search()
	for _, o := range listOrders {
		current := o.key == q.Sort && o.ascending == q.Ascending
		offered := slices.Contains(o.lists, l.kind) && (o.key != models.ByScore || v.may(staff.Organizer))
		if !offered && !current {
			continue
		}
		turned := listing{kind: l.kind, query: maps.Clone(l.query)}
		turned.set("round")
		turned.set("dir", map[bool]string{true: "asc", false: "desc"}[o.ascending])
		choices = append(choices, pages.Choice{
			Name: o.name, URL: v.at("/"+l.kind) + turned.with("sort", string(o.key)), Current: current,
		})
	}
	return choices
}

// from is the listing as records carry it.
func (l sessionList) from() string {
	return l.with("in", l.kind)
}

// sorted is the listing ordered by key, the other way round when it is already.
func (l sessionList) sorted(q models.SessionSearch, key models.SortKey) string {
	ascending := key == models.ByTitle || key == models.ByStart || key == models.ByFriendlyID
	if q.Sort == key {
		ascending = !q.Ascending
	}
	l.query = maps.Clone(l.query)
	l.query.Set("dir", map[bool]string{true: "asc", false: "desc"}[ascending])
	return l.with("sort", string(key))
}
