package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// withPeople filters sessions by who is on them.
func (p *Programme) withPeople(db *gorm.DB, f *SessionFilter) *gorm.DB {
	const on = "id IN (SELECT session_id FROM participants WHERE event_id = ? AND contact_id IN "
	if len(f.ContactIDs) > 0 {
		db = db.Where(on+"?)", p.event.ID, f.ContactIDs)
	}
	words := store.SearchWords(f.Speaker)
	switch {
	case store.IsID(f.Speaker):
		db = db.Where(on+"?)", p.event.ID, []string{f.Speaker})
	case len(words) > 0:
		named := Has(db.Session(&gorm.Session{NewDB: true}).Model(&Contact{}), words, p.firstLine())
		db = db.Where(on+"(?))", p.event.ID, named.Select("id").Where("organization_id = ?", p.event.OrganizationID))
	}
	return db
}

// happening filters sessions by the day on which they start and the moment at which they take place; one without an
// end does at its start alone.
func (p *Programme) happening(db *gorm.DB, f *SessionFilter) *gorm.DB {
	var day SessionFilter
	if day.Day(f.OnDay, p.event.Location()) {
		db = db.Where("starts_at > ? AND starts_at < ?", day.StartsAfter, day.StartsBefore)
	}
	if f.RunsAt != nil {
		db = db.Where("starts_at <= ? AND (ends_at > ? OR starts_at = ?)", f.RunsAt, f.RunsAt, f.RunsAt)
	}
	return db
}

// Passing narrows a query of sessions to those that pass a filter. It answers Invalid for a filter that breaks a rule.
func (p *Programme) Passing(ctx context.Context, of *gorm.DB, f SessionFilter) (*gorm.DB, error) {
	q := SessionSearch{Filter: f}
	if err := p.cleanSearch(ctx, &q); err != nil {
		return nil, err
	}
	return p.filter(of, &q.Filter), nil
}
