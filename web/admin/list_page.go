package admin

import (
	"maps"
	"net/http"
	"slices"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

const rowsAPage = 50

var listTitles = map[string]string{"submissions": "Submissions", "sessions": "Sessions", "trash": "Trash"}

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
	view    string            // the name of a view
	shared  bool
	viewing bool
}

func (v *visit) list(status int, l listing, form formOnList) error {
	q := l.search()
	rows, pagination, err := v.programme.SearchSessions(v.ctx(), q)
	if err != nil {
		return err
	}
	if len(rows) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(v.listAt(l.onPage(pagination.TotalPages)))
	}
	p := v.listPage(l, q, pagination, form)
	p.Rows = rows
	if p.Collides, err = v.collidesInList(q.Filter.Needs, rows); err != nil {
		return err
	}
	if err := v.listTools(&p, l, form); err != nil {
		return err
	}
	if p.MayChange {
		if p.Bulk, err = v.bulkBar(l, pagination, len(rows), form); err != nil {
			return err
		}
	}
	p.Columns, p.Compact = v.columns(l)
	if len(rows) > 0 {
		p.Own, err = v.ownScores(p.Columns, rows...)
	}
	if err != nil {
		return err
	}
	p.Columned = v.columnChoice(l, p.Columns, p.Compact)
	return show(v, status, listTitles[l.kind], pages.Sessions, p)
}

// listPage is what a list shows of its address and its form.
func (v *visit) listPage(l listing, q models.SessionSearch, found store.Pagination,
	form formOnList) pages.SessionsPage {
	base, zone := v.at("/"+l.kind), v.event.Location()
	p := pages.SessionsPage{
		Base: base, Kind: l.kind, Text: l.query.Get("q"), MayChange: v.may(staff.Organizer),
		Words:    store.SearchWords(l.query.Get("q")),
		Filtered: l.filtered(), Done: l.done(), Narrowed: l.narrowed(),
		Record: func(id string) string { return v.at("/sessions/"+id) + l.from() },
		When:   v.whenInList,
		Day:    func(t store.Time) string { return t.In(zone).Format("2 Jan 2006") },
		Sort:   func(key string) string { return base + l.sorted(q, models.SortKey(key)) },
		SortedBy: func(key string) string {
			if string(q.Sort) != key {
				return ""
			}
			return map[bool]string{true: "ascending", false: "descending"}[q.Ascending]
		},
		Pages: pagesOf(base, l, found, l.kind), Ticked: map[string]bool{},
	}
	for _, name := range []string{"status", "sort", "dir", "speaker", "needs", "scheduled", "public", "columns", "rows"} {
		if value := l.query.Get(name); value != "" {
			p.Hidden = append(p.Hidden, components.Hidden{Name: name, Value: value})
		}
	}
	for _, id := range form.ticked {
		p.Ticked[id] = true
	}
	return p
}

// listTools are what stands above a list.
func (v *visit) listTools(p *pages.SessionsPage, l listing, form formOnList) (err error) {
	if l.kind != "trash" {
		p.CSV = p.Base + ".csv"
		if query := l.view(); query != "" {
			p.CSV += "?" + query
		}
		if p.Tabs, err = v.statusTabs(p.Base, l); err != nil {
			return err
		}
		if p.Views, err = v.savedViews(l, form); err != nil {
			return err
		}
	}
	if p.Filters, err = v.filterFields(l); err != nil {
		return err
	}
	p.Chips, err = v.chips(p.Base, l)
	return err
}

// from is the listing as records carry it.
func (l listing) from() string {
	return l.with("in", l.kind)
}

// sorted is the listing ordered by key, the other way round when it is already.
func (l listing) sorted(q models.SessionSearch, key models.SortKey) string {
	ascending := key == models.ByTitle || key == models.ByStart
	if q.Sort == key {
		ascending = !q.Ascending
	}
	l.query = maps.Clone(l.query)
	l.query.Set("dir", map[bool]string{true: "asc", false: "desc"}[ascending])
	return l.with("sort", string(key))
}

func pagesOf(base string, l listing, p store.Pagination, what string) components.Pages {
	from := (p.CurrentPage-1)*p.PageSize + 1
	out := components.Pages{
		From: number(int64(from)), To: number(min(int64(from+p.PageSize-1), p.TotalResults)),
		Total: number(p.TotalResults), What: what,
	}
	if what == "trash" {
		out.What = "records"
	}
	address := func(page int) string { return base + "?" + l.onPage(page).query.Encode() }
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
			Name: components.StatusName(string(status)), URL: base + l.with("status", string(status)),
			Count: number(counts[status]), Current: current == string(status),
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
		options := append([]components.Option{{Name: "Any " + name}}, rows...)
		fields = append(fields, pages.FilterField{Name: name, Label: components.StatusName(name), Options: options})
	}
	return slices.Concat(v.scoreField(l), v.contentField(l), fields), nil
}

// chips are the filters that have no field above the list.
func (v *visit) chips(base string, l listing) ([]pages.Chip, error) {
	var chips []pages.Chip
	add := func(name, text string) {
		chips = append(chips, pages.Chip{Text: text, Without: base + l.with(name, "")})
	}
	if need := needChip(l.query.Get("needs")); need != "" {
		add("needs", need)
	}
	for _, c := range []struct{ name, value, text string }{
		{"scheduled", "yes", "With a start"}, {"scheduled", "no", "Without a start"},
		{"public", "yes", "Published"}, {"public", "no", "Not published"},
	} {
		if l.query.Get(c.name) == c.value {
			add(c.name, c.text)
		}
	}
	if id := l.query.Get("speaker"); id != "" {
		speaker, err := v.programme.Speaker(v.ctx(), id)
		switch {
		case err == nil:
			add("speaker", "With "+speaker.FullName)
		case store.KindOf(err) == store.NotFound:
			add("speaker", "With somebody who is on no session")
		default:
			return nil, err
		}
	}
	return chips, nil
}
