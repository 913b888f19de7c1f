package models

import (
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"
)

// ActivityFilter narrows the activity of an event; what is empty does not.
type ActivityFilter struct {
	Subject   string // session, contact, track, event …
	SubjectID string
}

// ActivityEntry is a line of activity as people read it.
type ActivityEntry struct {
	ID          string
	At          Time
	Actor       string
	Door        string // api, admin, cli or import
	Action      string // created, updated, deleted …
	Subject     string // session, contact, track, event …
	SubjectID   string
	SubjectName string // "" when nothing is known of it
	Gone        bool   // it was deleted for good
	Changes     []FieldChange
}

// FieldChange is one field before and after, in words; times are in the event's
// time zone, and rows that the event knows stand there by name.
type FieldChange struct{ Field, Before, After string }

// ActivityLog returns a page of what happened in the event, newest first, in a
// number of statements that does not depend on the number of lines. It answers
// Invalid for a page beyond the limits; an id of another event has no lines.
func (p *Programme) ActivityLog(ctx context.Context, f ActivityFilter, page Page) ([]*ActivityEntry, Pagination, error) {
	if err := page.clean(); err != nil {
		return nil, Pagination{}, err
	}
	query := p.read(ctx).Model(&Activity{}).Where("event_id = ?", p.event.ID)
	if f.Subject != "" {
		query = query.Where("subject = ?", f.Subject)
	}
	if f.SubjectID != "" {
		query = query.Where("subject_id = ?", f.SubjectID)
	}
	query = query.Session(&gorm.Session{})
	var lines []*Activity
	if err := query.Order("created_at DESC, id DESC").Limit(page.Size).Offset(page.offset()).Find(&lines).Error; err != nil {
		return nil, Pagination{}, err
	}
	total := int64(page.offset() + len(lines))
	if len(lines) == page.Size || (len(lines) == 0 && page.Number > 1) {
		// Only a page that is not the last one leaves the count open.
		if err := query.Count(&total).Error; err != nil {
			return nil, Pagination{}, err
		}
	}
	words := &activityWords{zone: p.event.Location(), names: map[string]string{}, gone: map[string]bool{}}
	for _, line := range lines {
		words.read(line)
	}
	if err := p.nameAll(ctx, words.names); err != nil {
		return nil, Pagination{}, err
	}
	if err := p.nameGone(ctx, words); err != nil {
		return nil, Pagination{}, err
	}
	entries := make([]*ActivityEntry, len(lines))
	for i, line := range lines {
		entries[i] = words.entry(line)
	}
	return entries, page.Of(total), nil
}

// maxNamed is how many ids of one page are looked up; the rest stay ids.
const maxNamed = 5000

// nameAll fills in the names of the ids that are metadata or sessions of this
// event, or contacts or staff of its organization.
func (p *Programme) nameAll(ctx context.Context, names map[string]string) error {
	if len(names) == 0 {
		return nil
	}
	set, err := p.metadata(ctx)
	if err != nil {
		return err
	}
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(names)) { // the ids sort by age
		if m := set.byID[id]; m != nil {
			names[id] = m.Name
		} else if id == p.event.ID {
			names[id] = p.event.Name
		} else if len(unknown) < maxNamed {
			unknown = append(unknown, id)
		}
	}
	for _, from := range []struct{ table, name, scope, owner string }{
		{"sessions", "friendly_id || ' ' || title", "event_id", p.event.ID},
		{"contacts", "full_name", "organization_id", p.event.OrganizationID},
		{"users", "name", "organization_id", p.event.OrganizationID},
	} {
		var rows []struct{ ID, Name string }
		if err := p.read(ctx).Table(from.table).Select("id, "+from.name+" AS name").
			Where(from.scope+" = ? AND id IN ?", from.owner, unknown).Find(&rows).Error; err != nil {
			return err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return nil
}

// nameGone calls metadata that was deleted what it was called then.
func (p *Programme) nameGone(ctx context.Context, words *activityWords) error {
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(words.names)) {
		if words.names[id] == "" && len(unknown) < maxNamed {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	var lines []*Activity
	err := p.read(ctx).Select("subject_id, before").Where("event_id = ? AND subject_id IN ? AND action = 'deleted' AND subject IN ('track', 'room', 'tag', 'format', 'level')",
		p.event.ID, unknown).Find(&lines).Error
	for _, line := range lines {
		words.gone[line.SubjectID] = true
		words.names[line.SubjectID], _ = words.facts(line.Before)["name"].(string)
	}
	return err
}
