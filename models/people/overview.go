package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Overview counts the people of a directory.
type Overview struct {
	People, NoEmail int64
	Returning       int64            // at more than one event
	Returned        int64            // on live sessions of more than one event
	Events          map[string]int64 // people at each event, by its id
	Companies       []CompanyCount   // the most frequent
}

// CompanyCount says how many people of a directory name a company.
type CompanyCount struct {
	Name  string
	Count int64
}

// topCompanies is how many companies an overview names.
const topCompanies = 10

// Overview counts the people of this directory, with six SQL statements.
func (d *Directory) Overview(ctx context.Context) (o Overview, err error) {
	for _, count := range []struct {
		into   *int64
		filter Filter
	}{{&o.People, Filter{}}, {&o.Returning, Filter{Returns: true}}, {&o.Returned, Filter{Returned: true}},
		{&o.NoEmail, Filter{NoEmail: true}}} {
		if *count.into, err = d.Count(ctx, count.filter); err != nil {
			return o, err
		}
	}
	if o.Events, err = countBy(d.atEvents(ctx), "event_id"); err != nil {
		return o, err
	}
	// An index groups by company; only the names that are shown are read.
	most := d.passing(ctx, &Filter{}, false).Where("company_key <> ''").Select("company_key, count(*) AS count").
		Group("company_key").Order("count DESC, company_key").Limit(topCompanies)
	err = d.Read(ctx).Table("(?) AS most", most).Select("count, (SELECT min(company_name) FROM contacts c "+
		"WHERE c.organization_id = ? AND c.company_key = most.company_key) AS name", d.ID).
		Order("count DESC, company_key").Scan(&o.Companies).Error
	return o, err
}

// countBy counts the rows of a query by a column.
func countBy(db *gorm.DB, column string) (map[string]int64, error) {
	var rows []struct {
		Of    string
		Count int64
	}
	err := db.Select(column + ` AS "of", count(*) AS count`).Group(column).Scan(&rows).Error
	counts := map[string]int64{}
	for _, row := range rows {
		counts[row.Of] = row.Count
	}
	return counts, err
}

// EventsOf returns the ids of the events that contacts are at, by contact id, out of the given events.
func (d *Directory) EventsOf(ctx context.Context, contactIDs, eventIDs []string) (map[string][]string, error) {
	var rows []models.EventContact
	err := d.Read(ctx).Select("event_id, contact_id").Where("organization_id = ? AND contact_id IN ? AND event_id IN ?",
		d.ID, contactIDs, eventIDs).Find(&rows).Error
	events := map[string][]string{}
	for _, row := range rows {
		events[row.ContactID] = append(events[row.ContactID], row.EventID)
	}
	for _, ids := range events {
		slices.Sort(ids)
	}
	return events, err
}

// RowsOfEvents returns the tracks and tags of all events that the reader sees, by name.
func (d *Directory) RowsOfEvents(ctx context.Context) (rows []*models.Metadata, err error) {
	return rows, d.ofEvents(d.Read(ctx).Model(&models.Metadata{}), "event_id", &Filter{}).
		Where("family IN ?", []models.Family{models.Tracks, models.Tags}).Order("name_key, name, id").Find(&rows).Error
}

// Attendance is somebody's status at an event.
type Attendance struct{ EventID, WorkflowStatus string }

// AttendanceOf returns a contact's statuses at those of the given events that they are at.
func (d *Directory) AttendanceOf(ctx context.Context, contactID string, eventIDs []string) ([]Attendance, error) {
	var at []Attendance
	err := d.Read(ctx).Model(&models.EventContact{}).Where("organization_id = ? AND contact_id = ? AND event_id IN ?",
		d.ID, contactID, eventIDs).Order("event_id").Scan(&at).Error
	return at, err
}

// History returns the activity of a contact, newest first, at most 200: changes of the profile that belong to no event,
// and what happened at some events of the organization. For a guest it returns the latter alone.
func (d *Directory) History(ctx context.Context, contactID string, eventIDs []string) ([]*store.ActivityEntry, error) {
	var lines []*store.Activity
	guest, err := d.IsGuest(ctx, contactID)
	if err == nil {
		err = d.linesOf(ctx, contactID, eventIDs, guest).Limit(200).Find(&lines).Error
	}
	if err != nil {
		return nil, err
	}
	entries, _ := store.EntriesOf(lines)
	return entries, d.MaskActivity(d.Read(ctx), entries)
}

// linesOf selects the activity of a contact at some events and, unless they are a guest, at none; the newest first.
func (d *Directory) linesOf(ctx context.Context, contactID string, eventIDs []string, isGuest bool) *gorm.DB {
	where := d.Read(ctx).Where("event_id IN ?", eventIDs)
	if !isGuest {
		where = where.Or("event_id IS NULL")
	}
	return d.Read(ctx).Where("organization_id = ? AND subject = 'contact' AND subject_id = ?", d.ID, contactID).
		Where(where).Order("created_at DESC, id DESC")
}
