package admin

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/staff"
	"lectern/models/store"
	"lectern/views/components"
	"lectern/views/pages"
)

const contactsPath = "/admin/contacts"

// roster is a list of people as an address says it: the organization's directory, or those of an event.
type roster struct {
	*visit
	directory *models.Directory
	base      string
	l         listing
	fields    []*models.ContactField
}

// directory is that of the organization as this person may see it: all of it for who has a role at all events, and the
// people of their events for others.
func (v *visit) directory() *models.Directory {
	d := v.w.store.Directory(v.user.OrganizationID, v.by())
	if v.user.RoleAt("") != "" {
		return d
	}
	var events []string
	for _, id := range slices.Sorted(maps.Keys(v.user.Roles)) {
		if v.user.Roles[id].Covers(staff.Viewer) {
			events = append(events, id)
		}
	}
	return d.Within(events)
}

// rosterNames are what narrows a list of people. who is speakers, all or off: who is on a session, and who is not.
var rosterNames = []string{"who", "q", "status", "role", "track", "tag", "company", "job", "event", "missing", "returning"}

const ownPrefix = "own_"

// roster is the list of the address.
func (v *visit) roster() (r *roster, err error) {
	r = &roster{visit: v, base: contactsPath, directory: v.directory()}
	if v.event != nil {
		r.base, r.directory = v.at("/speakers"), v.programme.Directory()
	}
	v.section = r.base
	if r.fields, err = r.directory.Fields(v.ctx()); err != nil {
		return nil, err
	}
	names := append([]string{"page", "columns"}, rosterNames...)
	for _, f := range r.fields {
		if f.IsOwn {
			names = append(names, ownPrefix+f.Key)
		}
	}
	r.l = v.plainListing(names...)
	r.l.kind = "speakers"
	r.l.set("columns", strings.Join(v.queryValues("columns"), ","))
	return r, r.cleanUp()
}

// queryValues are all values of a name in the address.
func (v *visit) queryValues(name string) (all []string) {
	for _, value := range v.Request().URI().QueryArgs().PeekMulti(name) {
		all = append(all, strings.Split(string(value), ",")...)
	}
	return all
}

// cleanUp drops from a list what no link or form of ours has, as an old bookmark may.
func (r *roster) cleanUp() error {
	r.l.set("q", r.allowed("speakers", "q", strings.TrimSpace(r.l.query.Get("q"))))
	for _, name := range slices.Sorted(slices.Values(r.named())) {
		one := &roster{visit: r.visit, directory: r.directory, fields: r.fields,
			l: listing{query: map[string][]string{name: {r.l.query.Get(name)}}}}
		if err := one.check(); store.KindOf(err) == store.Invalid {
			r.l.set(name, "")
		}
	}
	return nil
}

// named are the filters that are on, beside the text.
func (r *roster) named() (on []string) {
	for name := range r.l.query {
		if name != "page" && name != "columns" && name != "who" && name != "q" {
			on = append(on, name)
		}
	}
	return on
}

// filter is what the list says.
func (r *roster) filter() models.ContactFilter {
	get := r.l.query.Get
	f := models.ContactFilter{Text: get("q"), Company: get("company"), JobTitle: get("job"), Role: models.Role(get("role")),
		NoEmail: get("missing") == "email", NoTravel: get("missing") == "travel", Returns: get("returning") == "yes",
		Status: get("status"), TrackID: get("track"), TagID: get("tag"), EventID: get("event"), Own: map[string]string{}}
	for _, of := range r.fields {
		if of.IsOwn {
			f.Own[of.Key] = get(ownPrefix + of.Key)
		}
	}
	if r.event != nil {
		switch get("who") {
		case "":
			f.Speaking = new(true)
		case "off":
			f.Speaking = new(false)
		}
	}
	return f
}

// at is where the list is, or a page below it with the list behind.
func (r *roster) at(l listing) string {
	if len(l.query) == 0 {
		return r.base
	}
	return r.base + "?" + l.query.Encode()
}

// listContacts are the people of an event or of the organization.
func listContacts(v *visit) error {
	r, err := v.roster()
	if err != nil {
		return err
	}
	columns := r.columns()
	search := models.ContactSearch{Filter: r.filter(), Page: store.Page{Number: r.l.page(), Size: rowsAPage},
		NoValues: !needsValues(columns)}
	p := pages.ContactsPage{Base: r.base, Text: search.Filter.Text, Words: store.SearchWords(search.Filter.Text),
		OfEvent: v.event != nil, MayChange: v.event != nil && v.may(staff.Organizer) || v.event == nil && v.mayEverywhere()}
	if p.Tabs, search.Total, err = r.tabs(); err != nil {
		return err
	}
	people, pagination, err := r.directory.Search(v.ctx(), search)
	if err != nil {
		return err
	}
	if len(people) == 0 && pagination.TotalResults > 0 { // behind the last page
		return v.SeeInstead(r.at(r.l.onPage(pagination.TotalPages)))
	}
	if err := r.frame(&p, columns); err != nil {
		return err
	}
	p.Total = counted(pagination.TotalResults, "person", "people")
	p.Pages = pagesOf(r.base, r.l, pagination, "people")
	if v.event != nil && r.l.query.Get("who") == "" {
		p.Pages.What = "speakers"
	}
	if p.People, err = r.rows(people, columns); err != nil {
		return err
	}
	if p.OfEvent && p.MayChange {
		p.Imports = v.at("/imports")
	}
	return show(v, http.StatusOK, map[bool]string{true: "Speakers", false: "Contacts"}[p.OfEvent], pages.Contacts, p)
}

// frame is what stands around the rows.
func (r *roster) frame(p *pages.ContactsPage, columns []rosterColumn) (err error) {
	p.CSV, p.Query = r.base+".csv"+r.l.with("page", ""), r.l.view()
	p.Everyone = r.base + map[bool]string{true: "?who=all"}[r.event != nil]
	p.Narrowed = len(r.named()) > 0
	for _, c := range columns {
		p.Columns = append(p.Columns, pages.Column{Key: c.key, Name: c.name})
	}
	for _, c := range r.offered() {
		p.Choice = append(p.Choice, components.Option{Value: c.key, Name: c.name,
			Chosen: slices.ContainsFunc(columns, func(shown rosterColumn) bool { return shown.key == c.key })})
	}
	if r.event != nil {
		p.Hidden = []components.Hidden{{Name: "who", Value: r.l.query.Get("who")}}
		p.Statuses = workflowOptions("")
	}
	p.Fields, p.Chips, err = r.filterFields()
	return err
}

// tabs are who is on a session, everybody, and who is on none, each with how many pass the filters. The directory of
// the organization has none; how many it has, the sidebar has counted.
func (r *roster) tabs() (tabs []components.Tab, total *int64, err error) {
	if r.event == nil {
		if len(r.named()) > 0 || r.l.query.Get("q") != "" {
			return nil, nil, nil
		}
		around, err := r.surroundings()
		if err != nil {
			return nil, nil, err
		}
		return nil, &around.people, nil
	}
	all, speaking, err := r.directory.Counts(r.ctx(), r.filter())
	for _, tab := range []struct {
		who, name string
		count     int64
	}{{"", "Speakers", speaking}, {"all", "Everybody", all}, {"off", "On no session", all - speaking}} {
		current := r.l.query.Get("who") == tab.who
		if current {
			total = &tab.count
		}
		tabs = append(tabs, components.Tab{Name: tab.name, URL: r.base + r.l.with("who", tab.who), Count: number(tab.count),
			Current: current})
	}
	return tabs, total, err
}

// rows are people as the list shows them.
func (r *roster) rows(people []*models.Person, columns []rosterColumn) (rows []pages.ContactRow, err error) {
	ids := make([]string, len(people))
	for i, x := range people {
		ids[i] = x.ID
	}
	var parts map[string]models.SpeakerPart
	if r.event != nil {
		if parts, err = r.programme.SpeakerParts(r.ctx(), ids); err != nil {
			return nil, err
		}
	}
	show, err := r.shower(columns, ids)
	if err != nil {
		return nil, err
	}
	for _, x := range people {
		part := parts[x.ID]
		var roles []string
		for _, role := range part.Roles {
			roles = append(roles, components.StatusName(string(role)))
		}
		row := pages.ContactRow{ID: x.ID, Name: x.FullName, Company: x.CompanyName, Email: x.Email,
			URL: r.base + "/" + x.ID + r.l.with("page", ""), Roles: strings.Join(roles, ", "), Submissions: part.Submissions,
			Sessions: part.Sessions}
		if r.event != nil {
			row.SubmissionsURL, row.SessionsURL = r.visit.at("/submissions?speaker="+x.ID), r.visit.at("/sessions?speaker="+x.ID)
		}
		for _, c := range columns {
			row.Cells = append(row.Cells, show(c, x))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// check answers Invalid for a list that no link of ours leads to.
func (r *roster) check() error {
	f := r.filter()
	return f.Check()
}
