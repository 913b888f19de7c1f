package store

import (
	"context"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"
)

// securityRows selects an organization's activity that matters to its security, in the words of the index
// activity_security.
const securityRows = `organization_id = ? AND (subject IN ('access', 'api_key', 'invitation', 'organization', 'user')
	OR subject = 'event' AND action = 'updated' OR subject = 'contact' AND action = 'erased')`

// SecurityEntry is a line of the organization's security log.
type SecurityEntry struct {
	*ActivityEntry
	Event     SecurityEvent // "" for a kind that no longer exists
	Address   string        // the network address of the actor; "" when unknown
	RequestID string
}

// SecurityFilter narrows the log; its zero value narrows nothing.
type SecurityFilter struct {
	Events       []SecurityEvent
	Person       string    // the id of the actor or of whom it is about
	From, Before time.Time // the zero time means no bound
}

// SecurityLog returns a page of what happened to the organization's sign-ins, staff, keys, settings and people, newest
// first. It answers Invalid for a page beyond the limits.
func (t *Tenant) SecurityLog(
	ctx context.Context, filter SecurityFilter, page Page,
) ([]*SecurityEntry, Pagination, error) {
	if err := page.Clean(); err != nil {
		return nil, Pagination{}, err
	}
	lines, pagination, err := Newest[Activity](t.securityLines(ctx, filter), page)
	if err != nil {
		return nil, Pagination{}, err
	}
	entries, err := t.securityEntries(ctx, lines)
	return entries, pagination, err
}

// logStep is how many lines EachSecurityEntry reads at once.
const logStep = 500

// EachSecurityEntry passes the whole log to each, newest first and in batches, and holds no transaction in between.
// What happens meanwhile is not included.
func (t *Tenant) EachSecurityEntry(
	ctx context.Context, filter SecurityFilter, each func([]*SecurityEntry) error,
) error {
	query := t.securityLines(ctx, filter).Session(&gorm.Session{})
	for last := (*Activity)(nil); ; {
		step := query
		if last != nil {
			step = step.Where("(created_at, id) < (?, ?)", last.CreatedAt, last.ID)
		}
		var lines []*Activity
		err := step.Order("created_at DESC, id DESC").Limit(logStep).Find(&lines).Error
		if err != nil || len(lines) == 0 {
			return err
		}
		entries, err := t.securityEntries(ctx, lines)
		if err == nil {
			err = each(entries)
		}
		if err != nil || len(lines) < logStep {
			return err
		}
		last = lines[len(lines)-1]
	}
}

func (t *Tenant) securityLines(ctx context.Context, filter SecurityFilter) *gorm.DB {
	query := t.Read(ctx).Model(&Activity{}).Where(securityRows, t.ID)
	if len(filter.Events) > 0 {
		var kinds []string
		for _, event := range filter.Events {
			kind := kindOfEvent(event)
			kinds = append(kinds, kind.subject+" "+kind.action)
		}
		query = query.Where("subject || ' ' || action IN ?", kinds)
	}
	if filter.Person != "" {
		query = query.Where("(actor_id = ? OR subject_id = ?)", filter.Person, filter.Person)
	}
	if !filter.From.IsZero() {
		query = query.Where("created_at >= ?", At(filter.From))
	}
	if !filter.Before.IsZero() {
		query = query.Where("created_at < ?", At(filter.Before))
	}
	return query
}

func (t *Tenant) securityEntries(ctx context.Context, lines []*Activity) ([]*SecurityEntry, error) {
	read, names := EntriesOf(lines)
	if err := t.nameAll(ctx, names); err != nil {
		return nil, err
	}
	entries := make([]*SecurityEntry, len(lines))
	for i, line := range lines {
		read[i].SubjectName = names[line.SubjectID]
		entries[i] = &SecurityEntry{ActivityEntry: read[i], Event: eventOfLine(line), Address: line.Address,
			RequestID: line.RequestID}
	}
	return entries, nil
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
