package people

import (
	"slices"

	"lectern/models/people"
	"lectern/models/staff"
	"lectern/views/components"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// orderNames are the names of the orders.
var orderNames = map[people.Order]string{people.ByName: "By name", people.ByChange: "Lately changed",
	people.ByAge: "Newest first"}

// bar returns the line above the list: the search, the filters, and how people are shown.
func (r *roster) bar(columns []rosterColumn, compact bool, found int64, c rosterCounts) toolbar.Bar {
	b := r.searchBar()
	if b.Found, b.What = visit.Number(found), "people"; found == 1 {
		b.What = "person"
	}
	if r.Event != nil && r.May(staff.Organizer) || r.Event == nil && r.Organizes() {
		b.CSV, b.AllCSV = r.base+".csv"+r.csvQuery(columns, false), r.base+".csv"+r.csvQuery(columns, true)
	}
	if b.Clear != "" {
		b.Total = visit.Number(c.all)
	}
	for _, name := range []string{"who", "sort", "columns", "segment"} {
		if value := r.l.Query.Get(name); value != "" {
			b.Hidden = append(b.Hidden, components.Hidden{Name: name, Value: value})
		}
	}
	for _, o := range people.Orders {
		value := string(o)
		if o == people.ByName {
			value = ""
		}
		b.Orders = append(b.Orders, toolbar.Choice{Name: orderNames[o], URL: r.base + r.l.With("sort", value),
			Current: string(r.order()) == value})
	}
	b.Columns = r.columnChoice(columns, compact)
	return b
}

// searchBar returns the part of the bar that filters a list of people, or a board of them.
func (r *roster) searchBar() toolbar.Bar {
	b := toolbar.Bar{Base: r.base, Text: r.l.Query.Get("q"), Placeholder: "Name, company or e-mail",
		Searches: "Searches names, e-mail addresses and companies. All words must match, in any order; quotes keep words " +
			"together."}
	for _, f := range r.filters {
		if len(f.options)+len(f.inputs) > 0 {
			b.Filters = append(b.Filters, f.group(r.l))
		}
		b.Chips = append(b.Chips, f.chips(r)...)
	}
	if len(b.Chips) > 0 || b.Text != "" {
		b.Clear = r.base + r.wide()
	}
	return b
}

// wide returns the query without the text and the filters; the tab, the order and the columns stay.
func (r *roster) wide() string {
	wide := visit.Listing{Query: map[string][]string{}}
	for _, name := range []string{"who", "sort", "columns"} {
		wide.Set(name, r.l.Query.Get(name))
	}
	return wide.With("page", "")
}

func (r *roster) columnChoice(shown []rosterColumn, compact bool) *toolbar.ColumnChoice {
	c := &toolbar.ColumnChoice{Base: r.base, Token: r.FormToken(), Query: r.l.Query.Encode(), Compact: compact,
		Legend: "Columns beside the name", Roomy: "With companies"}
	for _, column := range r.offered() {
		c.Columns = append(c.Columns, components.Option{Value: column.key, Name: column.name,
			Chosen: slices.ContainsFunc(shown, func(s rosterColumn) bool { return s.key == column.key })})
	}
	return c
}

// tabs returns the tabs of the list: everybody and the overview or, at an event, its speakers and others; then
// segments.
func (r *roster) tabs(c rosterCounts) (tabs []components.Tab) {
	if r.Event == nil {
		tabs = []components.Tab{{Name: "Everybody", URL: r.base, Count: visit.Number(c.all), Current: r.segment == nil},
			{Name: "Overview", URL: r.base + "/overview"}}
	} else {
		for _, tab := range []struct {
			who, name string
			count     int64
		}{{"", "Speakers", c.here}, {"all", "Everybody", c.passing}, {"off", "On no session", c.passing - c.here}} {
			tabs = append(tabs, components.Tab{Name: tab.name, Count: visit.Number(tab.count),
				URL:     r.base + visit.Listing{Query: unsegmented(r.l.Query)}.With("who", tab.who),
				Current: r.segment == nil && r.l.Query.Get("who") == tab.who})
		}
	}
	for i, s := range r.segments {
		current := r.segment != nil && s.ID == r.segment.ID
		if i < tabbedSegments || current {
			tabs = append(tabs, components.Tab{Name: s.Name, URL: r.base + "/segments/" + s.ID, Current: current})
		}
	}
	return tabs
}
