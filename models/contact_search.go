package models

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"lectern/models/store"
)

// ContactFilter narrows a directory; what is nil or empty does not. What concerns an event is of the handle's, and
// without one of any event that is seen there.
type ContactFilter struct {
	Text     string // words of the name, e-mail address and company
	Company  string // as it is written, but for case, accents and width
	JobTitle string // words of it
	Roles    []Role // one of them, on a live session
	Speaking *bool  // on any live session, or on none
	NoEmail  bool
	Returns  bool                 // at more than one event; this and what follows of a handle without one
	Returned bool                 // on live sessions of more than one event
	EventID  string               // at that event
	Own      map[string]OwnFilter // of own fields, by key
	Statuses []string             // NoStatus for none; this and what follows need the handle's event
	TrackIDs []string             // of a live session
	TagIDs   []string
	NoTravel bool // neither arrival, departure nor travel notes
}

// NoStatus finds who has no status at the event.
const NoStatus = "none"

// ContactSearch is one page of the people who pass a filter, in an order.
type ContactSearch struct {
	Filter   ContactFilter
	Order    ContactOrder // "" is ByName
	Page     store.Page
	Total    *int64 // how many pass, where that is known already
	NoValues bool   // without tags and own fields
}

// Check tidies a filter, or answers Invalid for what breaks a rule.
func (f *ContactFilter) Check() error {
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
	if slices.ContainsFunc(f.Roles, func(r Role) bool { return !slices.Contains(ParticipantRoles, r) }) {
		faults.Add(store.Invalidf("filters.role", "must be speaker, moderator or chairperson"))
	}
	if slices.ContainsFunc(f.Statuses, func(s string) bool { return s != NoStatus && !slices.Contains(WorkflowStatuses, s) }) {
		faults.Add(store.Invalidf("filters.status", "must be none or one of the statuses"))
	}
	for _, key := range slices.Sorted(maps.Keys(f.Own)) {
		if !store.IsID(key) || !f.Own[key].isFit() {
			faults.Add(store.Invalidf("filters.own", "must be a value of an own field"))
		}
	}
	return faults.Err()
}

// Search returns a page of the people who pass a filter, with all that is kept of them, in a number of statements
// that does not depend on how many there are. It answers Invalid for a filter or a page that breaks a rule.
func (d *Directory) Search(ctx context.Context, q ContactSearch) ([]*Person, store.Pagination, error) {
	if err := cmp.Or(q.Filter.Check(), q.Order.check(), q.Page.Clean()); err != nil {
		return nil, store.Pagination{}, err
	}
	list := d.passing(ctx, &q.Filter).Session(&gorm.Session{})
	var rows []*Contact
	if err := q.Order.sorted(list, false).Limit(q.Page.Size).Offset(q.Page.Offset()).
		Find(&rows).Error; err != nil {
		return nil, store.Pagination{}, err
	}
	total := int64(q.Page.Offset() + len(rows))
	switch {
	case q.Total != nil:
		total = *q.Total
	case len(rows) == q.Page.Size || len(rows) == 0 && q.Page.Number > 1:
		if err := list.Count(&total).Error; err != nil {
			return nil, store.Pagination{}, err
		}
	}
	people, err := d.filled(rows, d.Read(ctx), !q.NoValues)
	return people, q.Page.Of(total), err
}

// Each calls f with all people who pass a filter, some at a time, in an order. It answers Invalid as Search does.
func (d *Directory) Each(ctx context.Context, filter ContactFilter, order ContactOrder, f func([]*Person) error) error {
	if err := cmp.Or(filter.Check(), order.check()); err != nil {
		return err
	}
	var last *Person
	for {
		list := d.passing(ctx, &filter)
		if last != nil {
			list = order.behind(list, &last.Contact, false)
		}
		var rows []*Contact
		if err := order.sorted(list, false).Limit(eachPeople).Find(&rows).Error; err != nil {
			return err
		}
		people, err := d.filled(rows, d.Read(ctx), true)
		if err != nil || len(people) == 0 {
			return err
		}
		if err := f(people); err != nil {
			return err
		}
		last = people[len(people)-1]
	}
}

// eachPeople is how many are read at once.
const eachPeople = 500

// Counts are how many people pass a filter in all, and how many of them are on a live session, in one statement.
func (d *Directory) Counts(ctx context.Context, filter ContactFilter) (all, speaking int64, err error) {
	if err := filter.Check(); err != nil {
		return 0, 0, err
	}
	filter.Speaking = nil
	on := filter
	on.Speaking = new(true)
	var found struct{ Everyone, Speaking int64 }
	err = d.Read(ctx).Raw("SELECT (?) AS everyone, (?) AS speaking", d.passing(ctx, &filter).Select("count(*)"),
		d.passing(ctx, &on).Select("count(*)")).Scan(&found).Error
	return found.Everyone, found.Speaking, err
}

// Count is how many people pass a filter.
func (d *Directory) Count(ctx context.Context, filter ContactFilter) (n int64, err error) {
	if err := filter.Check(); err != nil {
		return 0, err
	}
	return n, d.passing(ctx, &filter).Count(&n).Error
}

// passing keeps the people of this directory who pass a clean filter.
func (d *Directory) passing(ctx context.Context, f *ContactFilter) *gorm.DB {
	db := d.matching(d.seen(d.Read(ctx).Model(&Contact{})), store.SearchWords(f.Text))
	if f.Company != "" {
		db = db.Where("contacts.company_key = ?", store.Searchable(f.Company))
	}
	db = has(db, store.SearchWords(f.JobTitle), "contacts.job_key")
	if f.NoEmail {
		db = db.Where("contacts.email_key = ''")
	}
	if f.EventID != "" && d.event == nil {
		if d.isPart && !slices.Contains(d.events, f.EventID) {
			return db.Where("1 = 0") // who is there is not for them to know
		}
		db = db.Where("contacts.id IN (SELECT contact_id FROM event_contacts WHERE event_id = ? AND organization_id = ?)",
			f.EventID, d.ID)
	}
	if f.Returns && d.event == nil {
		db = db.Where("contacts.id IN (?)", d.atEvents(ctx).Group("contact_id").Having("count(*) > 1").Select("contact_id"))
	}
	if f.Returned && d.event == nil {
		db = db.Where("contacts.id IN (?)", d.onSessions(ctx).Group("p.contact_id").
			Having("count(DISTINCT p.event_id) > 1").Select("p.contact_id"))
	}
	return d.hereFilter(ctx, d.ownFilter(d.sessionFilter(ctx, db, f), f), f)
}

// matching keeps the contacts who have all words in their name, address and company. PostgreSQL finds them by
// trigrams, SQLite reads the index by which the list is in order.
func (d *Directory) matching(db *gorm.DB, words store.Words) *gorm.DB {
	for _, word := range words {
		if utf8.RuneCountInString(word) >= trigram && !d.store.Embedded() {
			db = db.Where(contains("contacts.search"), store.LikePattern(word))
		} else {
			db = has(db, store.Words{word}, "contacts.search")
		}
	}
	return db
}

// atEvents are the rows of contacts at the events that are seen here.
func (d *Directory) atEvents(ctx context.Context) *gorm.DB {
	db := d.Read(ctx).Table("event_contacts").Where("organization_id = ?", d.ID)
	if d.event == nil && d.isPart {
		db = db.Where("event_id IN ?", d.events)
	}
	return db
}

// onSessions are the participants of live sessions, of the handle's event or of all that are seen here.
func (d *Directory) onSessions(ctx context.Context) *gorm.DB {
	db := d.Read(ctx).Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id").Where("s.deleted_at IS NULL")
	switch {
	case d.event != nil:
		return db.Where("p.event_id = ?", d.event.ID)
	case d.isPart:
		return db.Where("p.event_id IN ?", d.events)
	}
	return db.Where("p.event_id IN (SELECT id FROM events WHERE organization_id = ?)", d.ID)
}

func (d *Directory) sessionFilter(ctx context.Context, db *gorm.DB, f *ContactFilter) *gorm.DB {
	if f.Speaking != nil && !*f.Speaking {
		db = db.Where("contacts.id NOT IN (?)", d.onSessions(ctx).Select("p.contact_id"))
	}
	if len(f.Roles) == 0 && len(f.TrackIDs) == 0 && (f.Speaking == nil || !*f.Speaking) {
		return db
	}
	on := d.onSessions(ctx).Select("p.contact_id")
	if len(f.Roles) > 0 {
		on = on.Where("p.role IN ?", f.Roles)
	}
	if len(f.TrackIDs) > 0 {
		on = on.Where("s.track_id IN ?", f.TrackIDs)
	}
	return db.Where("contacts.id IN (?)", on)
}

// hereFilter is what concerns the rows for the handle's event.
func (d *Directory) hereFilter(ctx context.Context, db *gorm.DB, f *ContactFilter) *gorm.DB {
	if d.event == nil {
		return db
	}
	if len(f.Statuses) > 0 || f.NoTravel {
		here := d.Read(ctx).Table("event_contacts").Where("event_id = ?", d.event.ID).Select("contact_id")
		if len(f.Statuses) > 0 {
			statuses := slices.Clone(f.Statuses)
			if i := slices.Index(statuses, NoStatus); i >= 0 {
				statuses[i] = ""
			}
			here = here.Where("workflow_status IN ?", statuses)
		}
		if f.NoTravel {
			here = here.Where("arrival = '' AND departure = '' AND travel_notes = ''")
		}
		db = db.Where("contacts.id IN (?)", here)
	}
	if len(f.TagIDs) > 0 {
		db = db.Where("contacts.id IN (SELECT contact_id FROM contact_tags WHERE event_id = ? AND tag_id IN ?)",
			d.event.ID, f.TagIDs)
	}
	return db
}
