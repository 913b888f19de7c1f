package models

import (
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

func (q *SessionSearch) clean() error {
	var f store.Faults
	f.Clean(store.CleanText, "filters.text", &q.Filter.Text, store.MaxSearchText)
	f.Clean(store.CleanText, "filters.speaker", &q.Filter.Speaker, store.MaxSearchText)
	q.Filter.checkIDs(&f)
	if day := q.Filter.OnDay; day != "" && !new(SessionFilter).Day(day, time.UTC) {
		f.Add(store.Invalidf("filters.day", "must be a date such as 2027-05-20"))
	}
	if q.Filter.Needs != "" && !slices.Contains(Needs(), q.Filter.Needs) {
		f.Add(store.Invalidf("filters.needs",
			"must be one of room, person, away, seats, plenary, accept_queue, decline_queue, letter, session, place, people"))
	}
	if _, known := sortColumns[q.Sort]; q.Sort != "" && !known {
		f.Add(store.Invalidf("sort.order", "must be one of createdAt, updatedAt, startsAt, title, friendlyId, status, score"))
	}
	if q.Sort == ByRound && !store.IsID(q.RoundID) {
		f.Add(store.Invalidf("sort.round_id", "must be an id"))
	}
	if slices.ContainsFunc(q.Filter.Without, func(family Family) bool { return !slices.Contains(Families, family) }) {
		f.Add(store.Invalidf("filters.without", "must be any of track, room, format, level, tag"))
	}
	if len(q.Filter.Numbers) > MaxNumbers {
		f.Add(store.Invalidf("filters.numbers", "has %d items; at most %d are allowed", len(q.Filter.Numbers), MaxNumbers))
	}
	f.Add(q.Page.Clean())
	return f.Err()
}

// checkIDs checks the filter's ids, and how many rows it names.
func (f *SessionFilter) checkIDs(faults *store.Faults) {
	for _, of := range append(f.labels(), idsOf{"id", f.IDs}, idsOf{"tag_id", f.TagIDs}, idsOf{"contact_id", f.ContactIDs}) {
		if len(of.ids) > store.MaxTags || slices.ContainsFunc(of.ids, func(id string) bool { return !store.IsID(id) }) {
			faults.Add(store.Invalidf("filters."+of.name, "must be an id or a list of at most %d ids", store.MaxTags))
		}
	}
	for _, of := range []struct{ name, id string }{
		{"reviewed_by", f.ReviewedBy}, {"awaits_review_by", f.AwaitsReviewBy},
	} {
		if of.id != "" && !store.IsID(of.id) {
			faults.Add(store.Invalidf("filters."+of.name, "must be an id"))
		}
	}
	for _, of := range f.named() {
		if name := of.family.Singular(); len(*of.rows) > store.MaxTags {
			faults.Add(store.Invalidf("filters."+name, "must be a %s or a list of at most %d", name, store.MaxTags))
		}
	}
}

// rowsOf holds the rows of a family that a filter names, by id or name.
type rowsOf struct {
	family Family
	rows   *[]string
}

func (f *SessionFilter) named() []rowsOf {
	return []rowsOf{{Tracks, &f.Tracks}, {Rooms, &f.Rooms}, {Formats, &f.Formats}, {Levels, &f.Levels}, {Tags, &f.Tags}}
}

// cleanSearch checks a search and turns the tracks, rooms and so on of its filter into ids. It answers Invalid for one
// that the event does not have, because an empty result would look like an answer.
func (p *Programme) cleanSearch(ctx context.Context, q *SessionSearch) error {
	f := &q.Filter
	if err := q.clean(); err != nil {
		return err
	}
	if err := p.cleanTarget(ctx, f); err != nil {
		return err
	}
	isNamed := func(of rowsOf) bool { return len(*of.rows) > 0 }
	if !slices.ContainsFunc(f.named(), isNamed) {
		return nil
	}
	set, err := p.Metadata(ctx)
	if err != nil {
		return err
	}
	for _, of := range f.named() {
		if *of.rows, err = set.idsOf(of.family, *of.rows); err != nil {
			return err
		}
	}
	return nil
}

// cleanTarget replaces the session whose parts a filter finds by its id. It answers Invalid if there is no such
// session.
func (p *Programme) cleanTarget(ctx context.Context, f *SessionFilter) (err error) {
	named := f.ComposedInto
	if named == "" {
		return nil
	}
	f.ComposedInto, err = p.SessionID(ctx, named)
	if store.KindOf(err) == store.NotFound || err == nil && !store.IsID(f.ComposedInto) {
		return store.Invalidf("filters.composed_into", "names no session of this event: %q", named)
	}
	return err
}

// idsOf returns the sorted ids of the rows of a family that have these ids or names. It answers Invalid.
func (set MetadataSet) idsOf(family Family, rows []string) (ids []string, err error) {
	for _, row := range rows {
		found := set.Named(family, row)
		for _, m := range found {
			ids = append(ids, m.ID)
		}
		if name := family.Singular(); len(found) == 0 {
			return nil, store.Invalidf("filters."+name, "names no %s of this event: %q", name, row)
		}
	}
	slices.Sort(ids)
	return ids, nil
}
