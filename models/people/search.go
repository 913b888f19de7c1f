package people

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Filter narrows a directory; fields that are nil or empty do not. Conditions on events are about the handle's event
// or, without one, any event that the reader sees.
type Filter struct {
	Text     string        // words of the name, e-mail address and company
	Company  string        // as written, except for case, accents and width
	JobTitle string        // words of it
	Roles    []models.Role // has one of them on a live session
	Speaking *bool         // on any live session, or on none
	NoEmail  bool
	Returns  bool                 // at more than one event; like the next two only for a handle without an event
	Returned bool                 // on live sessions of more than one event
	EventID  string               // at that event; roles, statuses, tracks and tags are then about it as well
	Own      map[string]OwnFilter // of own fields, by key
	Statuses []string             // one of them; NoStatus for none
	TrackIDs []string             // of one of their live sessions
	TagIDs   []string
	Coming   models.Coming // whether they come to the handle's event
	NoTravel bool          // needs the handle's event; neither arrival, departure, their details nor travel notes
}

// NoStatus finds people who have no status at the event.
const NoStatus = "none"

// Search asks for one page of the people who pass a filter, in an order.
type Search struct {
	Filter   Filter
	Order    Order // "" is ByName
	Page     store.Page
	Total    *int64 // how many pass, if known already
	NoValues bool   // leaves out tags and own fields
}

// Check cleans a filter. It answers Invalid for one that breaks a rule.
func (f *Filter) Check() error {
	var faults store.Faults
	faults.Clean(store.CleanText, "filters.text", &f.Text, store.MaxSearchText)
	faults.Clean(store.CleanText, "filters.company", &f.Company, store.MaxName)
	faults.Clean(store.CleanText, "filters.job_title", &f.JobTitle, store.MaxSearchText)
	for _, of := range []struct {
		name string
		ids  []string
	}{{"track", f.TrackIDs}, {"tag", f.TagIDs}, {"event", []string{f.EventID}}} {
		if slices.ContainsFunc(of.ids, func(id string) bool { return id != "" && !store.IsID(id) }) {
			faults.Add(store.Invalidf("filters."+of.name, "must be an id"))
		}
	}
	if slices.ContainsFunc(f.Roles, func(r models.Role) bool { return !slices.Contains(models.ParticipantRoles, r) }) {
		faults.Add(store.Invalidf("filters.role", "must be speaker, moderator or chairperson"))
	}
	if slices.ContainsFunc(f.Statuses,
		func(s string) bool { return s != NoStatus && !slices.Contains(models.WorkflowStatuses, s) }) {
		faults.Add(store.Invalidf("filters.status", "must be none or one of the statuses"))
	}
	for _, key := range slices.Sorted(maps.Keys(f.Own)) {
		if !store.IsID(key) || !f.Own[key].isFit() {
			faults.Add(store.Invalidf("filters.own", "must be a value of an own field"))
		}
	}
	return faults.Err()
}

// Search returns a page of the people who pass a filter, with all their fields, in a number of SQL statements that does
// not depend on how many there are. It answers Invalid for a filter, an order or a page that breaks a rule.
func (d *Directory) Search(ctx context.Context, q Search) ([]*models.Person, store.Pagination, error) {
	if err := cmp.Or(q.Filter.Check(), q.Order.check(), q.Page.Clean()); err != nil {
		return nil, store.Pagination{}, err
	}
	if q.Total == nil && d.countsFirst(&q.Filter) {
		n, err := d.Count(ctx, q.Filter)
		if err != nil {
			return nil, store.Pagination{}, err
		}
		q.Total = &n
	}
	list := d.passing(ctx, &q.Filter, q.Total != nil && *q.Total >= walked)
	var rows []*models.Contact
	if err := q.Order.sorted(list, false).Limit(q.Page.Size).Offset(q.Page.Offset()).
		Find(&rows).Error; err != nil {
		return nil, store.Pagination{}, err
	}
	total := int64(q.Page.Offset() + len(rows))
	switch {
	case q.Total != nil:
		total = *q.Total
	case len(rows) == q.Page.Size || len(rows) == 0 && q.Page.Number > 1:
		n, err := d.Count(ctx, q.Filter)
		if total = n; err != nil {
			return nil, store.Pagination{}, err
		}
	}
	people, err := d.Filled(rows, d.Read(ctx), !q.NoValues)
	return people, q.Page.Of(total), err
}

// Each calls f with all people who pass a filter, eachPeople at a time, in an order. An error of f ends it and is
// returned. It answers Invalid as Search does.
func (d *Directory) Each(ctx context.Context, filter Filter, order Order, f func([]*models.Person) error) error {
	if err := cmp.Or(filter.Check(), order.check()); err != nil {
		return err
	}
	var last *models.Person
	for {
		list := d.passing(ctx, &filter, true)
		if last != nil {
			list = order.behind(list, &last.Contact, false)
		}
		var rows []*models.Contact
		if err := order.sorted(list, false).Limit(eachPeople).Find(&rows).Error; err != nil {
			return err
		}
		people, err := d.Filled(rows, d.Read(ctx), true)
		if err != nil || len(people) == 0 {
			return err
		}
		if err := f(people); err != nil {
			return err
		}
		last = people[len(people)-1]
	}
}

// eachPeople is how many people Each reads at once.
const eachPeople = 500

// Counts returns how many people pass a filter, whatever its Speaking, and how many of them are on a live session, with
// one SQL statement.
func (d *Directory) Counts(ctx context.Context, filter Filter) (all, speaking int64, err error) {
	if err := filter.Check(); err != nil {
		return 0, 0, err
	}
	filter.Speaking = nil
	on := filter
	on.Speaking = new(true)
	var found struct{ Everyone, Speaking int64 }
	err = d.Read(ctx).Raw("SELECT (?) AS everyone, (?) AS speaking", d.counting(ctx, &filter), d.counting(ctx, &on)).
		Scan(&found).Error
	return found.Everyone, found.Speaking, err
}

// Count returns how many people pass a filter.
func (d *Directory) Count(ctx context.Context, filter Filter) (n int64, err error) {
	if err := filter.Check(); err != nil {
		return 0, err
	}
	return n, d.Read(ctx).Raw("SELECT (?) AS n", d.counting(ctx, &filter)).Scan(&n).Error
}

// Order is an order of people in lists.
type Order string

const (
	ByName   Order = "name"
	ByChange Order = "changed" // the last changed profile first
	ByAge    Order = "newest"  // the newest contact first
)

// Orders lists all orders, the default first.
var Orders = []Order{ByName, ByChange, ByAge}

func (o Order) check() error {
	if o == "" || slices.Contains(Orders, o) {
		return nil
	}
	return store.Invalidf("order", "is none that there is")
}

// columns returns the columns of an order, which are those of an index, and a contact's values in them. Ids grow with
// the time of creation.
func (o Order) columns(c *models.Contact) (columns string, values []any, isDescending bool) {
	switch o {
	case ByChange:
		return "(contacts.updated_at, contacts.id)", []any{c.UpdatedAt, c.ID}, true
	case ByAge:
		return "contacts.id", []any{c.ID}, true
	}
	return "(contacts.name_key, contacts.id)", []any{c.NameKey, c.ID}, false
}

// sorted orders a query of people by o, or by its reverse.
func (o Order) sorted(db *gorm.DB, reversed bool) *gorm.DB {
	_, _, isDescending := o.columns(&models.Contact{})
	way := map[bool]string{false: "", true: " DESC"}[isDescending != reversed]
	switch o {
	case ByChange:
		return db.Order("contacts.updated_at" + way + ", contacts.id" + way)
	case ByAge:
		return db.Order("contacts.id" + way)
	}
	return db.Order("contacts.name_key" + way + ", contacts.id" + way)
}

// behind narrows a query to the people after a contact in this order, or before it.
func (o Order) behind(db *gorm.DB, c *models.Contact, before bool) *gorm.DB {
	columns, values, isDescending := o.columns(c)
	sign := map[bool]string{false: " > ", true: " < "}[isDescending != before]
	return db.Where(columns+sign+"?", values)
}

// Position is a person's position in a list.
type Position struct {
	Previous, Next string // ids, "" at the ends
	Position       int64  // from 1; 0 for somebody not in the list, whose neighbours are those they would have
	Total          int64
}

// Neighbours returns who comes before and after a contact among those who pass a filter, with one SQL statement. It
// answers Invalid as Search does.
func (d *Directory) Neighbours(ctx context.Context, filter Filter, o Order, c *models.Contact) (place Position,
	err error) {
	if err := cmp.Or(filter.Check(), o.check()); err != nil {
		return Position{}, err
	}
	list, walk := d.passing(ctx, &filter, false), d.passing(ctx, &filter, true)
	before, after := o.behind(walk, c, true), o.behind(walk, c, false)
	var found struct {
		Previous, Next      string
		Earlier, Own, Total int64
	}
	err = d.Read(ctx).Raw("SELECT coalesce((?), '') AS previous, coalesce((?), '') AS next, "+
		"(?) AS earlier, (?) AS own, (?) AS total",
		o.sorted(before, true).Limit(1).Select("contacts.id"), o.sorted(after, false).Limit(1).Select("contacts.id"),
		o.behind(list, c, true).Select("count(*)"), list.Where("contacts.id = ?", c.ID).Select("count(*)"),
		d.counting(ctx, &filter)).Scan(&found).Error
	place = Position{Previous: found.Previous, Next: found.Next, Total: found.Total}
	if found.Own > 0 {
		place.Position = found.Earlier + 1
	}
	return place, err
}
