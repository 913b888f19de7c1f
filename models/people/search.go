package people

import (
	"cmp"
	"context"
	"maps"
	"slices"

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
