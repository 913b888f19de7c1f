package store

import (
	"context"
	"maps"
	"slices"
)

// securityRows are the activity of an organization that matters to who guards it,
// in the words of the index activity_security.
const securityRows = "organization_id = ? AND subject IN ('access', 'api_key', 'invitation', 'organization', 'user')"

// SecurityEntry is a line of activity that matters to who guards the organization.
type SecurityEntry struct {
	*ActivityEntry
	Event   SecurityEvent // "" of a kind that is no more
	Address string        // of the network where the actor was, "" when nobody knows
}

// SecurityLog returns a page of what happened to the organization's sign-ins, staff and API keys, newest first;
// events narrow it unless there are none. It answers Invalid for a page beyond the limits.
func (t *Tenant) SecurityLog(
	ctx context.Context, events []SecurityEvent, page Page,
) ([]*SecurityEntry, Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, Pagination{}, err
	}
	query := t.Read(ctx).Model(&Activity{}).Where(securityRows, t.ID)
	if len(events) > 0 {
		var kinds []string
		for _, event := range events {
			kind := kindOfEvent(event)
			kinds = append(kinds, kind.subject+" "+kind.action)
		}
		query = query.Where("subject || ' ' || action IN ?", kinds)
	}
	lines, pagination, err := Newest[Activity](query, page)
	if err != nil {
		return nil, Pagination{}, err
	}
	read, names := EntriesOf(lines)
	if err := t.nameAll(ctx, names); err != nil {
		return nil, Pagination{}, err
	}
	entries := make([]*SecurityEntry, len(lines))
	for i, line := range lines {
		read[i].SubjectName = names[line.SubjectID]
		entries[i] = &SecurityEntry{ActivityEntry: read[i], Event: eventOfLine(line), Address: line.Address}
	}
	return entries, pagination, nil
}

func eventOfLine(line *Activity) SecurityEvent {
	for _, kind := range securityKinds {
		if kind.subject == line.Subject && kind.action == line.Action {
			return kind.event
		}
	}
	return ""
}

// nameAll fills in the names of the ids that are staff, events, identity providers or API keys of the organization.
func (t *Tenant) nameAll(ctx context.Context, names map[string]string) error {
	ids := slices.Sorted(maps.Keys(names))
	ids = ids[:min(len(ids), MaxNamed)]
	var rows []struct{ ID, Name string }
	err := t.Read(ctx).Raw(`SELECT id, name FROM users WHERE organization_id = ? AND id IN ?
		UNION ALL SELECT id, name FROM events WHERE organization_id = ? AND id IN ?
		UNION ALL SELECT id, name FROM identity_providers WHERE organization_id = ? AND id IN ?
		UNION ALL SELECT k.id, k.name FROM api_keys k JOIN events e ON e.id = k.event_id
			WHERE e.organization_id = ? AND k.id IN ?`,
		t.ID, ids, t.ID, ids, t.ID, ids, t.ID, ids).Scan(&rows).Error
	for _, row := range rows {
		names[row.ID] = row.Name
	}
	return err
}
