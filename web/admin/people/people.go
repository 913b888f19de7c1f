package people

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/people"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	pages "lectern/views/pages/people"
	"lectern/views/toolbar"
	"lectern/web/admin/visit"
)

// roster is a list of people as an address describes it: of the organization's directory, or of an event.
type roster struct {
	*visit.Visit
	directory *models.Directory
	base      string
	l         visit.Listing
	fields    []*models.ContactField
	filters   []rosterFilter
	segments  []*people.Segment // those that this user sees
	segment   *people.Segment   // the one that the list comes from, nil for none
	isKept    bool              // whether the list is the segment unchanged
	person    *models.Person    // of the path, nil for none
}

// rosterHere returns the list that the address describes.
func rosterHere(v *visit.Visit) (*roster, error) {
	query, _ := url.ParseQuery(string(v.Request().URI().QueryString()))
	return rosterOf(v, query)
}

// rosterOf returns the list that a query describes.
func rosterOf(v *visit.Visit, query url.Values) (r *roster, err error) {
	r = &roster{Visit: v, base: peoplePath(v), directory: peopleHere(v), l: visit.Listing{Kind: "contacts",
		Query: url.Values{}}}
	if v.Event != nil {
		r.l.Kind = "speakers"
	}
	v.Section = r.base
	if r.fields, err = r.directory.Fields(v.UserContext()); err != nil {
		return nil, err
	}
	return r, r.read(query)
}

// withSegments reads the list's segments, and finds out whether the list still is the segment that it comes from.
func (r *roster) withSegments() (err error) {
	if r.segments, err = people.In(r.directory).Segments(r.UserContext(), keeper(r.Visit)); err != nil {
		return err
	}
	if r.segment = r.segmentOf(r.l.Query.Get("segment")); r.segment == nil {
		r.l.Set("segment", "")
		return nil
	}
	kept := *r
	kept.l = visit.Listing{Kind: r.l.Kind, Query: url.Values{}}
	query, _ := url.ParseQuery(r.segment.Query)
	err = kept.read(query)
	r.isKept = visit.Listing{Query: unsegmented(r.l.Query)}.View() == kept.l.View()
	return err
}

// read copies from a query what a list's address may have, and drops everything else, which an old bookmark may hold.
func (r *roster) read(query url.Values) (err error) {
	if r.filters, err = r.allFilters(query); err != nil {
		return err
	}
	for _, name := range []string{"page", "who", "sort"} {
		r.l.Set(name, query.Get(name))
	}
	if !slices.Contains([]string{"", "all", "off"}, r.l.Query.Get("who")) || r.Event == nil {
		r.l.Set("who", "")
	}
	if order := people.Order(r.l.Query.Get("sort")); order == people.ByName ||
		!slices.Contains(people.Orders, order) {
		r.l.Set("sort", "")
	}
	r.l.Set("q", visit.Searchable(strings.TrimSpace(query.Get("q"))))
	r.l.Set("columns", strings.Join(r.knownColumns(splitAll(query["columns"])), ","))
	if id := query.Get("segment"); store.IsID(id) {
		r.l.Set("segment", id)
	}
	for _, f := range r.filters {
		f.read(r.l, query)
	}
	return nil
}

// splitAll splits values at their commas.
func splitAll(values []string) (all []string) {
	for _, value := range values {
		all = append(all, strings.Split(value, ",")...)
	}
	return all
}

// filter returns the list's filters as models know them.
func (r *roster) filter() people.Filter {
	f := people.Filter{Text: r.l.Query.Get("q"), Own: map[string]people.OwnFilter{}}
	for _, of := range r.filters {
		of.set(&f, func(name string) []string { return r.l.Query[name] })
	}
	if r.Event != nil {
		switch r.l.Query.Get("who") {
		case "":
			f.Speaking = new(true)
		case "off":
			f.Speaking = new(false)
		}
	}
	return f
}

func (r *roster) order() people.Order { return people.Order(r.l.Query.Get("sort")) }

// isNarrowed tells whether a filter is on, leaving the text aside.
func (r *roster) isNarrowed() bool {
	return slices.ContainsFunc(r.filters, func(f rosterFilter) bool { return f.isOn(r.l) })
}

// mayChangePeople tells whether this user may change the people of a list, and the team's segments of it.
func mayChangePeople(v *visit.Visit) bool {
	return v.Event != nil && v.May(staff.Organizer) || v.Event == nil && v.MayEverywhere()
}

// at returns the address of the list; an unchanged segment has an address of its own.
func (r *roster) at(l visit.Listing) string {
	base, query := r.base, l.Query
	if r.isKept {
		base, query = r.base+"/segments/"+r.segment.ID, url.Values{}
		if page := l.Query.Get("page"); page != "" {
			query.Set("page", page)
		}
	}
	if len(query) == 0 {
		return base
	}
	return base + "?" + query.Encode()
}

// listContacts shows the people of an event or of the organization.
func listContacts(v *visit.Visit, r *roster) error {
	return r.list(http.StatusOK, visit.ViewForm{})
}

// list shows the people of a list; form is a segment's form that was refused.
func (r *roster) list(status int, form visit.ViewForm) error {
	if err := r.withSegments(); err != nil {
		return err
	}
	columns, compact := r.columns()
	search := people.Search{Filter: r.filter(), Order: r.order(), NoValues: !needsValues(columns),
		Page: store.Page{Number: r.l.Page(), Size: visit.RowsAPage}}
	p := pages.Page{Base: r.base, Text: search.Filter.Text, Words: store.SearchWords(search.Filter.Text),
		OfEvent: r.Event != nil, MayChange: mayChangePeople(r.Visit), Narrowed: r.isNarrowed(), Compact: compact}
	count, err := r.counts()
	if err != nil {
		return err
	}
	search.Total = count.total
	found, pagination, err := people.In(r.directory).Search(r.UserContext(), search)
	if err != nil {
		return err
	}
	if len(found) == 0 && pagination.TotalResults > 0 { // beyond the last page
		return r.SeeInstead(r.at(r.l.OnPage(pagination.TotalPages)))
	}
	p.Tabs, p.Nobody = r.tabs(count), r.nobody(count)
	p.Segments = r.segmentMenu(form)
	p.Bar = r.bar(columns, compact, pagination.TotalResults, count)
	if around, err := r.Surroundings(); err == nil { // cached by now
		p.Events = visit.Counted(int64(len(around.Events)), "event", "events")
	}
	p.Everyone = r.base + map[bool]string{true: "?who=all"}[r.Event != nil]
	p.Pages = r.pages(pagination)
	for _, c := range columns {
		p.Columns = append(p.Columns, toolbar.Column{Key: c.key, Name: c.name})
	}
	if r.Event != nil && p.MayChange {
		p.Imports = r.Visit.At("/imports")
	}
	if p.Bulk, err = r.bulk(p.MayChange, pagination.TotalResults, len(found)); err != nil {
		return err
	}
	if p.People, err = r.rows(found, columns); err != nil {
		return err
	}
	return visit.Show(r.Visit, status, map[bool]string{true: "Speakers", false: "Contacts"}[p.OfEvent], pages.Contacts, p)
}

// nobody says why a tab of an event's list is empty, and how many people match on the other tabs.
func (r *roster) nobody(c rosterCounts) pages.Nobody {
	isNarrowed, off := r.isNarrowed() || r.l.Query.Get("q") != "", r.l.Query.Get("who") == "off"
	n := pages.Nobody{Others: r.base + r.l.With("who", "all")}
	switch {
	case c.passing == 0 && (isNarrowed || r.Event == nil):
		return pages.Nobody{}
	case c.passing == 0:
		return pages.Nobody{Title: "No speakers yet", Text: "Whoever is on a submission or session, added or imported is listed here."}
	case isNarrowed && off:
		n.Title, n.Text = "Nobody without a session matches", visit.Counted(c.passing, "person who is on one does.",
			"people who are on one do.")
	case isNarrowed:
		n.Title, n.Text = "No speaker matches", visit.Counted(c.passing, "person who is on no session does.",
			"people who are on no session do.")
	case off:
		n.Title = "Nobody is without a session"
		n.Text = "Whoever is at this event is on a submission or session of it: " +
			visit.Counted(c.passing, "person", "people") + "."
	default:
		n.Title = "No speakers yet"
		n.Text = visit.Counted(c.passing, "person is", "people are") +
			" at this event, and on no submission or session of it."
	}
	return n
}

// pages returns the links to the list's pages.
func (r *roster) pages(p store.Pagination) components.Pages {
	what := "people"
	if r.Event != nil && r.l.Query.Get("who") == "" {
		what = "speakers"
	}
	return visit.PagesAt(func(page int) string { return r.at(r.l.OnPage(page)) }, p, what)
}

// rosterCounts are numbers of people: total in the list if that is known without a search, all without its filters and,
// at an event, passing the filters and, of these, here with a session.
type rosterCounts struct {
	total         *int64
	all           int64
	passing, here int64
}

// counts counts the list. For the directory it uses the sidebar's number.
func (r *roster) counts() (c rosterCounts, err error) {
	if r.Event == nil {
		around, err := r.Surroundings()
		if err != nil {
			return c, err
		}
		c.all = around.People
		if !r.isNarrowed() && r.l.Query.Get("q") == "" {
			c.total = &c.all
		}
		return c, nil
	}
	if c.passing, c.here, err = people.In(r.directory).Counts(r.UserContext(), r.filter()); err != nil {
		return c, err
	}
	c.total = map[string]*int64{"": &c.here, "all": &c.passing, "off": new(c.passing - c.here)}[r.l.Query.Get("who")]
	if c.all = c.passing; r.isNarrowed() || r.l.Query.Get("q") != "" {
		c.all, err = people.In(r.directory).Count(r.UserContext(), people.Filter{})
	}
	return c, err
}
