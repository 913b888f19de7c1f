package desk

import (
	"context"
	"maps"
	"slices"
	"strings"

	"lectern/models/store"
)

// ActivityFilter narrows the activity of an event. Empty fields narrow nothing.
type ActivityFilter struct {
	Subject   string // session, contact, track, event …
	SubjectID string
	ActorID   string // the actor: a user or an API key
}

// ActivityLog returns a page of the event's activity, newest first, in a fixed number of statements. An import of
// people is one line, unless the filter names one record. It answers Invalid for a page beyond the limits; an id of
// another event finds no lines.
func (on *Desk) ActivityLog(
	ctx context.Context, f ActivityFilter, page store.Page,
) ([]*store.ActivityEntry, store.Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, store.Pagination{}, err
	}
	query := on.p.VisibleActivity(on.p.Read(ctx).Model(&store.Activity{}).Where("event_id = ?", on.p.Event().ID))
	if f.SubjectID == "" {
		query = query.Where("part_of = ''")
	}
	if f.Subject != "" {
		query = query.Where("subject = ?", f.Subject)
	}
	if f.SubjectID != "" {
		query = query.Where("subject_id = ?", f.SubjectID)
	}
	if f.ActorID != "" {
		query = query.Where("actor_id = ?", f.ActorID)
	}
	lines, pagination, err := store.Newest[store.Activity](query, page)
	if err != nil {
		return nil, store.Pagination{}, err
	}
	entries, err := on.entries(ctx, lines)
	return entries, pagination, err
}

// LatestActivity returns the newest lines of the event's activity; an import of people is one line.
func (on *Desk) LatestActivity(ctx context.Context, limit int) ([]*store.ActivityEntry, error) {
	var lines []*store.Activity
	if err := on.p.VisibleActivity(on.p.Read(ctx)).Where("event_id = ? AND part_of = ''",
		on.p.Event().ID).Order("created_at DESC, id DESC").Limit(limit).Find(&lines).Error; err != nil {
		return nil, err
	}
	return on.entries(ctx, lines)
}

// entries resolves the ids in activity lines to names.
func (on *Desk) entries(ctx context.Context, lines []*store.Activity) ([]*store.ActivityEntry, error) {
	entries, names := store.EntriesOf(lines)
	if err := on.nameAll(ctx, names); err != nil {
		return nil, err
	}
	gone, err := on.nameGone(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		e.SubjectName, e.Gone = names[e.SubjectID], gone[e.SubjectID]
	}
	return entries, on.p.Directory().MaskActivity(on.p.Read(ctx), entries)
}

// nameAll fills in the name of each id that is metadata, a session, a task or an import of this event, or a contact or
// member of staff of its organization.
func (on *Desk) nameAll(ctx context.Context, names map[string]string) error {
	if len(names) == 0 {
		return nil
	}
	set, err := on.p.Metadata(ctx)
	if err != nil {
		return err
	}
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(names)) { // ids sort by age
		if m := set[id]; m != nil {
			names[id] = m.Name
		} else if id == on.p.Event().ID {
			names[id] = on.p.Event().Name
		} else if len(unknown) < store.MaxNamed {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	var parts []string
	var values []any
	for _, from := range []struct{ table, id, name, scope, owner string }{
		{"sessions", "id", "friendly_id || ' ' || title", "event_id", on.p.Event().ID},
		{"contacts", "id", "full_name", "organization_id", on.p.Event().OrganizationID},
		{"users", "id", "name", "organization_id", on.p.Event().OrganizationID},
		{"contact_imports", "id", "name", "event_id", on.p.Event().ID},
		{"review_rounds", "id", "name", "event_id", on.p.Event().ID},
		{"contact_fields", "key", "label", "organization_id", on.p.Event().OrganizationID},
		{"agenda_breaks", "id", "title", "deleted_at IS NULL AND event_id", on.p.Event().ID},
		{"tasks", "id", "title", "event_id", on.p.Event().ID},
	} {
		parts = append(parts, "SELECT "+from.id+" AS id, "+from.name+" AS name FROM "+from.table+
			" WHERE "+from.scope+" = ? AND "+from.id+" IN ?")
		values = append(values, from.owner, unknown)
	}
	var rows []struct{ ID, Name string }
	if err := on.p.Read(ctx).Raw(strings.Join(parts, " UNION ALL "), values...).Scan(&rows).Error; err != nil {
		return err
	}
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return nil
}

// nameGone names deleted metadata and tasks by their last name and says which ids it found.
func (on *Desk) nameGone(ctx context.Context, names map[string]string) (gone map[string]bool, err error) {
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(names)) {
		if names[id] == "" && len(unknown) < store.MaxNamed {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil, nil
	}
	gone = map[string]bool{}
	var lines []*store.Activity
	err = on.p.Read(ctx).Select("subject_id, before").
		Where("event_id = ? AND subject_id IN ? AND action = 'deleted'", on.p.Event().ID, unknown).
		Where("subject IN ('track', 'room', 'tag', 'format', 'level', 'break', 'task')").Find(&lines).Error
	for _, line := range lines {
		gone[line.SubjectID] = true
		facts := store.ReadFacts(line.Before)
		if names[line.SubjectID], _ = facts["name"].(string); facts["title"] != nil {
			names[line.SubjectID], _ = facts["title"].(string)
		}
	}
	return gone, err
}
