package models

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// ActivityFilter narrows the activity of an event; what is empty does not.
type ActivityFilter struct {
	Subject   string // session, contact, track, event …
	SubjectID string
}

// ActivityEntry is a line of activity with the names of what it tells of.
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
	// Before and After are the fields that the line keeps, as in JSON; numbers are
	// json.Number.
	Before, After map[string]any
	Names         map[string]string // of the ids in it; what it shares with other lines may be more
}

// ActivityLog returns a page of what happened in the event, newest first, in a
// number of statements that does not depend on the number of lines. It answers
// Invalid for a page beyond the limits; an id of another event has no lines.
func (p *Programme) ActivityLog(
	ctx context.Context, f ActivityFilter, page Page,
) ([]*ActivityEntry, Pagination, error) {
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
	err := query.Order("created_at DESC, id DESC").Limit(page.Size).Offset(page.offset()).Find(&lines).Error
	if err != nil {
		return nil, Pagination{}, err
	}
	total := int64(page.offset() + len(lines))
	if len(lines) == page.Size || (len(lines) == 0 && page.Number > 1) {
		// Only a page that is not the last one leaves the count open.
		if err := query.Count(&total).Error; err != nil {
			return nil, Pagination{}, err
		}
	}
	entries, names := entriesOf(lines)
	if err := p.nameAll(ctx, names); err != nil {
		return nil, Pagination{}, err
	}
	gone, err := p.nameGone(ctx, names)
	if err != nil {
		return nil, Pagination{}, err
	}
	for _, e := range entries {
		e.SubjectName, e.Gone = names[e.SubjectID], gone[e.SubjectID]
	}
	return entries, page.Of(total), nil
}

// entriesOf reads lines, and the ids in them, which are to be named.
func entriesOf(lines []*Activity) ([]*ActivityEntry, map[string]string) {
	entries, names := make([]*ActivityEntry, len(lines)), map[string]string{}
	for i, line := range lines {
		e := &ActivityEntry{
			ID: line.ID, At: line.CreatedAt, Actor: line.ActorName, Door: line.Door, Action: line.Action,
			Subject: line.Subject, SubjectID: line.SubjectID,
			Before: readFacts(line.Before), After: readFacts(line.After), Names: names,
		}
		noteIDs(names, line.SubjectID)
		noteIDs(names, e.Before)
		noteIDs(names, e.After)
		entries[i] = e
	}
	return entries, names
}

// readFacts reads what activity keeps of one side; nil is of what is no object.
func readFacts(text string) (facts map[string]any) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&facts) != nil {
		return nil
	}
	return facts
}

// noteIDs notes the ids in a value as not yet named.
func noteIDs(names map[string]string, value any) {
	switch value := value.(type) {
	case string:
		if IsID(value) {
			names[value] = ""
		}
	case []any:
		for _, item := range value {
			noteIDs(names, item)
		}
	case map[string]any:
		for key, item := range value {
			noteIDs(names, key) // roles at events stand under their ids
			noteIDs(names, item)
		}
	}
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

// nameGone calls metadata that was deleted what it was called then, and tells
// which it is.
func (p *Programme) nameGone(ctx context.Context, names map[string]string) (gone map[string]bool, err error) {
	var unknown []string
	for _, id := range slices.Sorted(maps.Keys(names)) {
		if names[id] == "" && len(unknown) < maxNamed {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) == 0 {
		return nil, nil
	}
	gone = map[string]bool{}
	var lines []*Activity
	err = p.read(ctx).Select("subject_id, before").
		Where("event_id = ? AND subject_id IN ? AND action = 'deleted'", p.event.ID, unknown).
		Where("subject IN ('track', 'room', 'tag', 'format', 'level')").Find(&lines).Error
	for _, line := range lines {
		gone[line.SubjectID] = true
		names[line.SubjectID], _ = readFacts(line.Before)["name"].(string)
	}
	return gone, err
}
