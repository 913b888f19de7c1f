package people

import (
	"context"
	"reflect"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
)

// counting returns a query that counts who passes a clean filter. A filter on one table is counted in that table alone:
// in a large directory the count would cost more than the page. Readers who see no drafts get the general count.
func (d *Directory) counting(ctx context.Context, f *Filter) *gorm.DB {
	ofGuests := f.ofOwn() && !d.Reach().IsEverybody() // guests' own fields must not count
	if alone := d.countingAlone(ctx, f); alone != nil && d.Organized() == nil && !ofGuests {
		return alone
	}
	walks := d.Store().Embedded() && f.Text+f.JobTitle != "" // the words leave few to look up
	return d.passing(ctx, f, walks).Select("count(*)")
}

// countingAlone returns a count over the rows of events, of sessions or of one own field if the filter asks for nothing
// else; nil otherwise. Everybody on a session is at its event.
func (d *Directory) countingAlone(ctx context.Context, f *Filter) *gorm.DB {
	if count := d.countingOfEvents(ctx, f); count != nil {
		return count
	}
	rest := *f
	rest.Statuses, rest.NoTravel, rest.Speaking, rest.EventID, rest.Own = nil, false, nil, "", nil
	rest.Roles, rest.TrackIDs, rest.Coming = nil, nil, ""
	key, own, many := f.oneOwn()
	switch {
	case !reflect.ValueOf(rest).IsZero(), many:
		return nil
	case d.Event() != nil && key == "":
		return d.narrowedHere(ctx, f).Select("count(*)")
	case d.Event() != nil:
		return d.countingOwn(ctx, f, own, key)
	case f.ofSessions(), f.Speaking != nil, d.IsPart() && (key != "" || f.EventID != ""),
		len(f.Statuses) > 0:
		return nil
	case d.IsPart():
		return d.atEvents(ctx).Select("count(DISTINCT contact_id)")
	case key != "" && f.EventID == "":
		return d.countingOwn(ctx, f, own, key)
	case key == "" && f.EventID != "":
		return d.atEvents(ctx).Where("event_id = ?", f.EventID).Select("count(*)")
	}
	return nil
}

// countingOfEvents returns a count of people by tags, by status or by several events, for a handle without an event;
// nil if the filter asks for more.
func (d *Directory) countingOfEvents(ctx context.Context, f *Filter) *gorm.DB {
	rest := *f
	rest.TagIDs, rest.Statuses, rest.EventID, rest.Own = nil, nil, "", nil
	key, _, _ := f.oneOwn()
	ofSeen := f.EventID == "" || !d.IsPart()
	if ids := d.returningAlone(ctx, f); ids != nil {
		return d.Read(ctx).Table("(?) AS people", ids).Select("count(*)")
	}
	switch {
	case d.Event() != nil, key != "", !ofSeen, !reflect.ValueOf(rest).IsZero():
		return nil
	case len(f.TagIDs) > 0 && len(f.Statuses) == 0:
		return d.tagged(ctx, f).Select("count(DISTINCT t.contact_id)")
	case len(f.Statuses) > 0 && len(f.TagIDs) == 0:
		return d.WithoutStrangers(d.atSuchEvents(ctx, f), "e.contact_id").Select("count(DISTINCT e.contact_id)")
	}
	return nil
}

// ofSessions reports whether the filter asks for people on sessions.
func (f *Filter) ofSessions() bool {
	return len(f.Roles)+len(f.TrackIDs) > 0 || f.Coming != "" || f.Speaking != nil && *f.Speaking
}

// returningAlone selects people at several events, or on sessions of several, if the filter asks for nothing else;
// nil otherwise.
func (d *Directory) returningAlone(ctx context.Context, f *Filter) *gorm.DB {
	rest := *f
	rest.Returns, rest.Returned = false, false
	switch {
	case d.Event() != nil, !reflect.ValueOf(rest).IsZero(), f.Returns == f.Returned:
		return nil
	case f.Returns:
		return d.returning(ctx)
	}
	return d.returned(ctx)
}

// narrowedHere selects rows of the handle's event, of people on sessions or on none, as the filter asks.
func (d *Directory) narrowedHere(ctx context.Context, f *Filter) *gorm.DB {
	rows := d.WithoutStrangers(d.hereRows(ctx, f), "h.contact_id")
	if f.ofSessions() {
		rows = rows.Where("h.contact_id IN (?)", d.onSuchSessions(ctx, f).Select("p.contact_id"))
	}
	if f.Speaking != nil && !*f.Speaking {
		rows = rows.Where("h.contact_id NOT IN (?)", d.onSessions(ctx).Select("p.contact_id"))
	}
	return rows
}

// oneOwn returns the only own field in a filter; many reports that there are more.
func (f *Filter) oneOwn() (key string, own OwnFilter, many bool) {
	for k, o := range f.Own {
		if o.IsOn() {
			many = many || key != ""
			key, own = k, o
		}
	}
	return key, own, many
}

// countingOwn returns a count of the values of an own field that pass. If no value passes too, it counts all people
// minus those with another value; nil for a filter of both kinds.
func (d *Directory) countingOwn(ctx context.Context, f *Filter, own OwnFilter, key string) *gorm.DB {
	everybody := d.WithoutStrangers(d.Read(ctx).Model(&models.Contact{}).Where("organization_id = ?", d.ID), "id")
	values := d.WithoutStrangers(d.valuesOf(own).of(d.Read(ctx), key), "contact_id")
	if d.Event() != nil {
		everybody = d.narrowedHere(ctx, f)
		values = values.Where("contact_id IN (?)", d.narrowedHere(ctx, f).Select("h.contact_id"))
	}
	options, patterns := own.options()
	switch {
	case !slices.Contains(own.Any, ""):
		if len(own.Any) > 0 {
			values = values.Where(options, patterns...)
		}
		return own.passing(d.Directory, values, key).Select("count(*)")
	case own.Words != "" || own.From+own.To != "" || own.Filled:
		return nil
	}
	return everybody.Select("count(*) - (?)", values.Where("NOT "+options, patterns...).Select("count(*)"))
}
