package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
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

// accessLines keeps refusals in memory until KeepAccess writes them.
type accessLines struct {
	mu    sync.Mutex
	lines []*Activity
}

// note keeps a line of activity, if there is room.
func (a *accessLines) note(line *Activity) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.lines) < SeenSize {
		a.lines = append(a.lines, line)
	}
}

// KeepAccess writes the refusals since the last time. Those of nobody known go to the organization of this
// installation, and are dropped before there is one. What could not be written is kept for the next time.
func (s *Store) KeepAccess(ctx context.Context) error {
	s.access.mu.Lock()
	lines := s.access.lines
	s.access.lines = nil
	s.access.mu.Unlock()
	if len(lines) == 0 {
		return nil
	}
	err := s.Write(ctx, func(tx *Tx) error {
		here, err := TheOrganization(tx.DB)
		if err != nil || here == nil {
			return err
		}
		for _, line := range lines {
			line.OrganizationID = cmp.Or(line.OrganizationID, here.ID)
		}
		return tx.CreateInBatches(lines, 100).Error
	})
	if err != nil {
		s.access.mu.Lock()
		defer s.access.mu.Unlock()
		s.access.lines = append(lines, s.access.lines...)
	}
	return err
}

// accessAge is how long the activity keeps refusals, and everything else that strangers can cause.
const accessAge = 90 * 24 * time.Hour

// strangersRows selects the activity that strangers can cause, in the words of the index activity_access.
const strangersRows = "subject = 'access' AND action NOT IN ('signed in', 'people exported', 'log exported')"

// forgottenAtOnce is how many lines of an organization's log one sweep deletes; the next sweeps delete the rest.
const forgottenAtOnce = 10000

// ForgetAccess deletes what strangers caused before accessAge, and of each organization's log what is older than its
// owners want it kept. The history of events stays, and so does who was erased, which a restored backup needs.
func ForgetAccess(tx *Tx) error {
	before := At(tx.Now.Add(-accessAge))
	if err := tx.Where(strangersRows+" AND created_at <= ?", before).Delete(&Activity{}).Error; err != nil {
		return err
	}
	var organizations []*Organization
	if err := tx.Where("log_days > 0").Order("id").Find(&organizations).Error; err != nil {
		return err
	}
	for _, o := range organizations {
		old := tx.Model(&Activity{}).Select("id").Where(securityRows, o.ID).
			Where("subject NOT IN ('event', 'contact') AND created_at <= ?", At(tx.Now.AddDate(0, 0, -o.LogDays))).
			Order("created_at, id").Limit(forgottenAtOnce)
		if err := tx.Where("id IN (?)", old).Delete(&Activity{}).Error; err != nil {
			return err
		}
	}
	return nil
}
