package lists

import (
	"maps"
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	pages "lectern/views/pages/lists"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// Titles are the names of the lists by kind.
var Titles = map[string]string{"submissions": "Submissions", "sessions": "Sessions", "trash": "Trash",
	"triage": "Triage", "publish": "Publish"}

func listSessions(v *visit.Visit, kind string) error {
	l, err := Valid(v, Of(v, kind))
	if err != nil {
		return err
	}
	return list(v, http.StatusOK, l, formOnList{})
}

// formOnList is a form of a list that was refused, to be shown again.
type formOnList struct {
	ticked []string
	all    bool
	chosen map[string]string // choices in the bulk bar
	verb   string            // the verb of the bulk bar
	view   visit.ViewForm
}

func list(v *visit.Visit, status int, l List, form formOnList) error {
	q := l.Search()
	rows, pagination, err := v.Programme.SearchSessions(v.UserContext(), q)
	if err != nil {
		return err
	}
	if len(rows) == 0 && pagination.TotalResults > 0 { // beyond the last page
		l.Listing = l.OnPage(pagination.TotalPages)
		return v.SeeInstead(At(v, l))
	}
	p := listPage(v, l, q, pagination, form)
	if err := listHead(v, &p, l); err != nil {
		return err
	}
	if err := listBar(v, &p.Bar, l, pagination, form); err != nil {
		return err
	}
	if p.MayChange {
		p.Whole = wholeQueue(v, l, pagination)
		if p.Bulk, err = bulkBar(v, l, pagination, len(rows), form); err != nil {
			return err
		}
	}
	if err := listRows(v, &p, l, q, rows); err != nil {
		return err
	}
	return visit.Show(v, status, Titles[l.Kind], pages.Sessions, p)
}

// listPage fills in what a list shows of its address and its form.
func listPage(v *visit.Visit, l List, q models.SessionSearch, found store.Pagination,
	form formOnList) pages.Page {
	base := v.At("/" + l.Kind)
	p := pages.Page{
		Base: base, Kind: l.Kind, AsOf: store.At(v.Options.Now()).String(), MayChange: v.May(staff.Organizer),
		Text:     l.Query.Get("q"),
		Words:    store.SearchWords(l.Query.Get("q")),
		Filtered: l.filtered(), Done: l.nothingWaits(), Narrowed: l.narrowed(),
		Record: func(id string) string { return v.At("/sessions/"+id) + l.From() },
		Day:    func(t store.Time) string { return shortDay(v, t) },
		Sort:   func(key string) string { return base + l.sorted(q, models.SortKey(key)) },
		SortedBy: func(key string) string {
			if string(q.Sort) != key {
				return ""
			}
			return map[bool]string{true: "ascending", false: "descending"}[q.Ascending]
		},
		Pages: visit.PagesOf(base, l.Listing, found, l.Kind), Ticked: map[string]bool{},
	}
	for _, id := range form.ticked {
		p.Ticked[id] = true
	}
	return p
}

// listRows fills in the rows of a list, with what its columns need.
func listRows(v *visit.Visit, p *pages.Page, l List, q models.SessionSearch,
	rows []*models.Session) error {
	columns, compact, chosen := columns(v, l)
	p.Columns, p.Compact = columns, compact
	if len(rows) == 0 {
		return nil
	}
	var err error
	if p.Own, err = ownScores(v, columns, rows...); err != nil {
		return err
	}
	if shows(columns, "score") {
		if p.Scores, err = v.Programme.ScoresOf(v.UserContext(), IDsOf(rows)); err != nil {
			return err
		}
	}
	if shows(columns, "coming") {
		if p.Coming, err = v.Programme.ComingOf(v.UserContext(), IDsOf(rows)); err != nil {
			return err
		}
	}
	if p.Next, p.Gate, err = rowSteps(v, columns, rows); err != nil {
		return err
	}
	if p.Conflicts, p.Collides, err = conflicts(v, columns, q.Filter.Needs, rows); err != nil {
		return err
	}
	p.Times = timesOf(v, rows, q.Sort == models.ByStart)
	p.Groups = []pages.RowGroup{{Rows: rows}}
	if l.Kind == "sessions" && q.Sort == models.ByStart {
		if p.Groups, err = byDay(v, l, rows); err != nil {
			return err
		}
	}
	if !chosen {
		p.DropUniformColumns()
	}
	return nil
}

// listBar fills in the line above a list: the search, the filters, and how rows are shown.
func listBar(v *visit.Visit, b *toolbar.Bar, l List, found store.Pagination, form formOnList) (err error) {
	columns, compact, _ := columns(v, l)
	*b = toolbar.Bar{
		Base: v.At("/" + l.Kind), Text: l.Query.Get("q"), Orders: Orders(v, l), Found: visit.Number(found.TotalResults),
		What: listWhat(l.Kind, found.TotalResults), Columns: columnChoice(v, l, columns, compact),
		Placeholder: map[string]string{"submissions": "Title, person or A-12", "sessions": "Title, person or S-12"}[l.Kind],
	}
	if err = Narrow(v, b, l); err != nil || l.Kind == "trash" {
		return err
	}
	if l.filtered() && !l.ofDrafts() {
		if b.Total, err = totalOf(v, l.Kind); err != nil {
			return err
		}
	}
	b.CSV = b.Base + ".csv"
	if query := l.View(); query != "" {
		b.CSV += "?" + query
	}
	b.Views, err = savedViews(v, l, form)
	return err
}

// Narrow fills in how a bar filters its list.
func Narrow(v *visit.Visit, b *toolbar.Bar, l List) (err error) {
	if b.Filters, err = filterForm(v, l); err != nil {
		return err
	}
	if b.Chips, err = chips(v, b.Base, l); err != nil {
		return err
	}
	if len(b.Chips) > 0 || b.Text != "" {
		b.Clear = b.Base + l.Wide()
	}
	for _, name := range Names() {
		if name != "page" && name != "q" && !b.Offers(name) {
			b.Hidden = append(b.Hidden, l.Hidden(name)...)
		}
	}
	return nil
}

// ofDrafts tells whether the list shows drafts, which do not count as submissions.
func (l List) ofDrafts() bool {
	return l.Kind == "submissions" && slices.Contains(l.Query["status"], string(models.Draft))
}

// totalOf returns how many records a list has without its filters.
func totalOf(v *visit.Visit, kind string) (string, error) {
	abstracts, sessions, err := v.Programme.KindCounts(v.UserContext())
	if kind == "sessions" {
		abstracts = sessions
	}
	return visit.Number(abstracts), err
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

// listOrder is an order that a list can have, with its name.
type listOrder struct {
	key       models.SortKey
	ascending bool
	name      string
	lists     []string // lists whose menu offers it
}

// listOrders are all orders; the first one that a list offers is its default.
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

// mayOrder tells whether this user may order a list by a key: only organizers know the scores.
func mayOrder(v *visit.Visit, key models.SortKey) bool {
	return key != models.ByScore || v.May(staff.Organizer)
}

// Orders returns the orders that a list offers, and the present one.
func Orders(v *visit.Visit, l List) (choices []toolbar.Choice) {
	q := l.Search()
	for _, o := range listOrders {
		current := o.key == q.Sort && o.ascending == q.Ascending
		offered := slices.Contains(o.lists, l.Kind) && mayOrder(v, o.key)
		if !offered && !current {
			continue
		}
		turned := visit.Listing{Kind: l.Kind, Query: maps.Clone(l.Query)}
		turned.Set("round")
		turned.Set("dir", map[bool]string{true: "asc", false: "desc"}[o.ascending])
		choices = append(choices, toolbar.Choice{
			Name: o.name, URL: v.At("/"+l.Kind) + turned.With("sort", string(o.key)), Current: current,
		})
	}
	return choices
}

// From returns the list's query as the addresses of its records carry it.
func (l List) From() string {
	return l.With("in", l.Kind)
}

// sorted returns the query of the list ordered by key, in the other direction if it is ordered by it already.
func (l List) sorted(q models.SessionSearch, key models.SortKey) string {
	ascending := key == models.ByTitle || key == models.ByStart || key == models.ByFriendlyID
	if q.Sort == key {
		ascending = !q.Ascending
	}
	l.Query = maps.Clone(l.Query)
	l.Query.Set("dir", map[bool]string{true: "asc", false: "desc"}[ascending])
	return l.With("sort", string(key))
}
