package people

import (
	"context"
	"slices"
	"unicode/utf8"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// There are two ways to read a page of people: to collect all who pass and sort them, or to walk along the order and
// look up each person. SQLite cannot tell which is better, nor can PostgreSQL for own fields, so Search counts first.

// walked is the number of people from which Search walks along the order.
const walked = 2000

// countsFirst reports whether the filter asks for rows of which the database cannot estimate the number.
func (d *Directory) countsFirst(f *Filter) bool {
	if key, _, _ := f.oneOwn(); key != "" {
		return true
	}
	ofEvents := f.EventID != "" || f.Speaking != nil || len(f.Roles)+len(f.TrackIDs)+len(f.TagIDs)+len(f.Statuses) > 0
	return d.Store().Embedded() && (d.IsPart() || ofEvents)
}

// inRows narrows a query to contacts whose id is in a column of some rows.
func inRows(db, rows *gorm.DB, column string, walks bool) *gorm.DB {
	if walks {
		return db.Where("EXISTS (?)", rows.Where(column+" = contacts.id").Select("1"))
	}
	return db.Where("contacts.id IN (?)", rows.Select(column))
}

// passing selects the people of this directory who pass a clean filter; walks says that the query walks along an order.
func (d *Directory) passing(ctx context.Context, f *Filter, walks bool) *gorm.DB {
	db := d.Read(ctx).Model(&models.Contact{}).Where("contacts.organization_id = ?", d.ID)
	switch {
	case d.Event() != nil:
		db = inRows(db, d.hereRows(ctx, f), "h.contact_id", walks)
	case d.IsPart():
		db = inRows(db, d.Read(ctx).Table("event_contacts h").Where("h.event_id IN ?", d.Events()), "h.contact_id", walks)
	}
	db = d.matching(db, store.SearchWords(f.Text), "contacts.search")
	if f.Company != "" {
		db = db.Where("contacts.company_key = ?", store.Searchable(f.Company))
	}
	db = d.matching(db, store.SearchWords(f.JobTitle), "contacts.job_key")
	if f.NoEmail {
		db = db.Where("contacts.email_key = ''")
	}
	if d.Event() == nil {
		db = d.eventsFilter(ctx, db, f, walks)
	} else if len(f.TagIDs) > 0 {
		db = inRows(db, d.Read(ctx).Table("contact_tags t").Where("t.event_id = ? AND t.tag_id IN ?", d.Event().ID, f.TagIDs),
			"t.contact_id", walks)
	}
	db = d.WithoutStrangers(d.WithoutBeginners(db), "contacts.id")
	db = d.ownFilter(d.sessionFilter(ctx, db, f, walks), f, walks)
	if f.ofOwn() && !d.Reach().IsEverybody() { // or the filter would reveal hidden values
		db = db.Where("NOT EXISTS (?)", d.Guests(d.Read(ctx)).Where("h.contact_id = contacts.id").Select("1"))
	}
	return db.Session(&gorm.Session{})
}

// matching narrows a query to rows that have all words in a column. PostgreSQL finds contacts by trigrams; SQLite reads
// the index of the list's order.
func (d *Directory) matching(db *gorm.DB, words store.Words, column string) *gorm.DB {
	for _, word := range words {
		if utf8.RuneCountInString(word) >= models.Trigram && !d.Store().Embedded() {
			db = db.Where(models.Contains(column), store.LikePattern(word))
		} else {
			db = models.Has(db, store.Words{word}, column)
		}
	}
	return db
}

// eventsFilter applies the filter's conditions on events for a handle without an event.
func (d *Directory) eventsFilter(ctx context.Context, db *gorm.DB, f *Filter, walks bool) *gorm.DB {
	if f.EventID != "" && d.IsPart() && !slices.Contains(d.Events(), f.EventID) {
		return db.Where("1 = 0") // the reader may not know who is there
	}
	if f.EventID != "" || len(f.Statuses) > 0 {
		db = inRows(db, d.atSuchEvents(ctx, f), "e.contact_id", walks)
	}
	if len(f.TagIDs) > 0 {
		db = inRows(db, d.tagged(ctx, f), "t.contact_id", walks)
	}
	if f.Returns {
		db = db.Where("contacts.id IN (?)", d.returning(ctx))
	}
	if f.Returned {
		db = db.Where("contacts.id IN (?)", d.returned(ctx))
	}
	return db
}

// ofEvents narrows rows to the events of a filter: the one that it names, or all that the reader sees.
func (d *Directory) ofEvents(db *gorm.DB, column string, f *Filter) *gorm.DB {
	switch {
	case f.EventID != "":
		return db.Where(column+" = ?", f.EventID)
	case d.IsPart():
		return db.Where(column+" IN ?", d.Events())
	}
	return db.Where(column+" IN (SELECT id FROM events WHERE organization_id = ?)", d.ID)
}

// atSuchEvents selects the rows of contacts at the events of a filter, with the statuses that it asks for.
func (d *Directory) atSuchEvents(ctx context.Context, f *Filter) *gorm.DB {
	at := d.ofEvents(d.Read(ctx).Table("event_contacts e").Where("e.organization_id = ?", d.ID), "e.event_id", f)
	if len(f.Statuses) > 0 {
		at = at.Where("e.workflow_status IN ?", f.statuses())
	}
	return at
}

// statuses returns the filter's statuses in their stored form.
func (f *Filter) statuses() []string {
	statuses := slices.Clone(f.Statuses)
	if i := slices.Index(statuses, NoStatus); i >= 0 {
		statuses[i] = ""
	}
	return statuses
}

// tagged selects the tags that the filter asks for, at its events.
func (d *Directory) tagged(ctx context.Context, f *Filter) *gorm.DB {
	return d.ofEvents(d.Read(ctx).Table("contact_tags t").Where("t.tag_id IN ?", f.TagIDs), "t.event_id", f)
}

// returning selects the ids of people who are at more than one event.
func (d *Directory) returning(ctx context.Context) *gorm.DB {
	return d.atEvents(ctx).Group("contact_id").Having("count(*) > 1").Select("contact_id")
}

// returned selects the ids of people who are on live sessions of more than one event.
func (d *Directory) returned(ctx context.Context) *gorm.DB {
	return d.onSessions(ctx).Group("p.contact_id").Having("count(DISTINCT p.event_id) > 1").Select("p.contact_id")
}

// atEvents selects the rows of contacts at the events that the reader sees, without strangers.
func (d *Directory) atEvents(ctx context.Context) *gorm.DB {
	db := d.WithoutStrangers(d.Read(ctx).Table("event_contacts").Where("organization_id = ?", d.ID), "contact_id")
	if d.Event() == nil && d.IsPart() {
		db = db.Where("event_id IN ?", d.Events())
	}
	return db
}

// onSessions selects the participants of live sessions, without drafts of submissions, of the handle's event or of all
// events that the reader sees.
func (d *Directory) onSessions(ctx context.Context) *gorm.DB {
	db := d.Read(ctx).Table("participants p").Joins("JOIN sessions s ON s.id = p.session_id").Where("s.deleted_at IS NULL AND NOT (s.is_abstract AND s.status = 'draft')")
	switch {
	case d.Event() != nil:
		return db.Where("p.event_id = ?", d.Event().ID)
	case d.IsPart():
		return db.Where("p.event_id IN ?", d.Events())
	}
	return db.Where("p.event_id IN (SELECT id FROM events WHERE organization_id = ?)", d.ID)
}

// sessionFilter applies the filter's conditions on sessions.
func (d *Directory) sessionFilter(ctx context.Context, db *gorm.DB, f *Filter, walks bool) *gorm.DB {
	if f.Speaking != nil && !*f.Speaking {
		db = db.Where("contacts.id NOT IN (?)", d.onSessions(ctx).Select("p.contact_id"))
	}
	if !f.ofSessions() {
		return db
	}
	return inRows(db, d.onSuchSessions(ctx, f), "p.contact_id", walks)
}

// onSuchSessions selects the participants with the roles and tracks that the filter asks for.
func (d *Directory) onSuchSessions(ctx context.Context, f *Filter) *gorm.DB {
	on := d.onSessions(ctx)
	if len(f.Roles) > 0 {
		on = on.Where("p.role IN ?", f.Roles)
	}
	if len(f.TrackIDs) > 0 {
		on = on.Where("s.track_id IN ?", f.TrackIDs)
	}
	if d.Event() == nil && f.EventID != "" {
		on = on.Where("p.event_id = ?", f.EventID)
	}
	return models.ComingTo(on, f.Coming)
}

// hereRows selects the rows of contacts at the handle's event that meet the filter's conditions on them.
func (d *Directory) hereRows(ctx context.Context, f *Filter) *gorm.DB {
	here := d.Read(ctx).Table("event_contacts h").Where("h.event_id = ?", d.Event().ID)
	if len(f.Statuses) > 0 {
		here = here.Where("h.workflow_status IN ?", f.statuses())
	}
	if f.NoTravel && !d.ReadsConfidentialAt(d.Event().ID) {
		return here.Where("1 = 0")
	}
	if f.NoTravel {
		here = here.Where("h.arrival IS NULL AND h.departure IS NULL AND h.arrival_details = '' AND " +
			"h.departure_details = '' AND h.travel_notes = ''")
	}
	return here
}
