package metadata

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/store"
)

// Usage counts the live records that use a metadata row.
type Usage struct {
	Submissions int `json:"submissions"`
	Sessions    int `json:"sessions"`
	People      int `json:"contacts" doc:"Tags alone"`
	Breaks      int `json:"breaks" doc:"Rooms alone"`
}

// String lists the numbers, such as "3 submissions, 1 break".
func (u Usage) String() string {
	var parts []string
	for _, of := range []struct {
		n    int
		noun string
	}{{u.Submissions, "submission"}, {u.Sessions, "session"}, {u.People, "contact"}, {u.Breaks, "break"}} {
		switch {
		case of.n == 1:
			parts = append(parts, "1 "+of.noun)
		case of.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", of.n, of.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// Total returns the sum of all numbers.
func (u Usage) Total() int { return u.Submissions + u.Sessions + u.People + u.Breaks }

// Usage returns by row how many live sessions use it and, for tags, how many contacts, for rooms, how many breaks.
// Unused rows are left out. It answers Invalid for an unknown family.
func (m *Metadata) Usage(ctx context.Context, family models.Family) (map[string]Usage, error) {
	if !slices.Contains(models.Families, family) {
		return nil, store.Invalidf("family", "must be one of tracks, rooms, tags, formats, levels")
	}
	return m.usage(m.p.Read(ctx), family)
}

func (m *Metadata) usage(db *gorm.DB, family models.Family) (map[string]Usage, error) {
	column := family.Singular() + "_id"
	used := `SELECT ` + column + ` AS id, is_abstract, 0 AS people, 0 AS breaks FROM sessions
		WHERE event_id = ? AND ` + column + ` IS NOT NULL AND deleted_at IS NULL`
	values := []any{m.p.Event().ID}
	switch family {
	case models.Rooms:
		used += ` UNION ALL SELECT room_id, NULL, 0, 1 FROM agenda_breaks
			WHERE event_id = ? AND room_id IS NOT NULL AND deleted_at IS NULL`
		values = append(values, m.p.Event().ID)
	case models.Tags:
		used = `SELECT t.tag_id AS id, s.is_abstract, 0 AS people, 0 AS breaks FROM session_tags t
			JOIN sessions s ON s.event_id = t.event_id AND s.id = t.session_id WHERE t.event_id = ? AND s.deleted_at IS NULL
			UNION ALL SELECT tag_id, NULL, 1, 0 FROM contact_tags WHERE event_id = ?`
		values = append(values, m.p.Event().ID)
	}
	query := db.Raw(`SELECT id, sum(CASE WHEN is_abstract THEN 1 ELSE 0 END) AS submissions,
			sum(CASE WHEN NOT is_abstract THEN 1 ELSE 0 END) AS sessions, sum(people) AS people, sum(breaks) AS breaks
		FROM (`+used+") AS used GROUP BY id", values...)
	var rows []struct {
		ID string
		Usage
	}
	err := query.Scan(&rows).Error
	usage := make(map[string]Usage, len(rows))
	for _, row := range rows {
		usage[row.ID] = row.Usage
	}
	return usage, err
}

// Delete deletes a row. Sessions that use it, deleted ones too, get the row reassign instead, or none when it is nil,
// and so do contacts that have the tag; the sessions' tokens move on, and each live one gets a line of activity. It
// answers NotFound for a row of another family or event, and Invalid when reassign is the row itself or belongs to
// another family or event.
//
// It emits nothing: the contract has no webhook event for metadata, and session.updated is for edits of the session.
func (m *Metadata) Delete(ctx context.Context, family models.Family, id string, reassign *string) error {
	return m.remove(ctx, family, id, reassign, func(*store.Tx) error { return nil })
}

// Remove is Delete that returns how much used the row. It answers Invalid if anything did and reassign is not set.
func (m *Metadata) Remove(ctx context.Context, family models.Family, id string,
	reassign store.Optional[string]) (used Usage, err error) {
	err = m.remove(ctx, family, id, reassign.Value, func(tx *store.Tx) error {
		usage, err := m.usage(tx.DB, family)
		if used = usage[id]; err == nil && !reassign.Set && used.Total() > 0 {
			err = store.Invalidf("reassign", "must name another %s, or none: this one is used by %s", family.Singular(), used)
		}
		return err
	})
	return used, err
}

func (m *Metadata) remove(ctx context.Context, family models.Family, id string, reassign *string,
	check func(*store.Tx) error) error {
	return m.p.Write(ctx, func(tx *store.Tx) error {
		if err := m.p.OwnMetadata(tx); err != nil {
			return err
		}
		row, other, err := m.replacement(tx, family, id, reassign)
		if err != nil {
			return err
		}
		if err := check(tx); err != nil {
			return err
		}
		return m.take(tx, row, other)
	})
}

func (m *Metadata) take(tx *store.Tx, row, other *models.Metadata) error {
	sessions, err := m.replace(tx, row, other)
	if err != nil {
		return err
	}
	if err := m.p.MoveBreaks(tx, row, other); err != nil {
		return err
	}
	if err := m.p.CountMetadata(tx); err != nil { // the event's counters, locked after its sessions
		return err
	}
	if err := tx.Clauses(clause.Returning{}).Where("event_id = ?", m.p.Event().ID).Delete(row).Error; err != nil {
		return err
	}
	if err := m.closeRanks(tx, row.Family, row.ID, math.MaxInt32); err != nil {
		return err
	}
	return m.p.Record(tx, store.Change{Subject: row.Family.Singular(), ID: row.ID, Action: "deleted", Before: factsOf(row),
		After: map[string]any{"reassigned_to": store.Fact(other.Ref()), "sessions": sessions}})
}

// replacement returns a row and its replacement, which may be nil. Neither can be deleted while the operation owns the
// event's metadata.
func (m *Metadata) replacement(tx *store.Tx, family models.Family, id string, reassign *string) (row,
	other *models.Metadata, err error) {
	if row, err = m.MetadataIn(tx.DB, family, id); err != nil || reassign == nil {
		return row, nil, err
	}
	if *reassign == id {
		return nil, nil, store.Invalidf("reassign", "must be another %s", family.Singular())
	}
	if other, err = m.MetadataIn(tx.DB, family, *reassign); store.KindOf(err) == store.NotFound {
		err = store.Invalidf("reassign", "is not a %s of this event", family.Singular())
	}
	return row, other, err
}

// replace puts other, which may be nil, in the place of row wherever it is used, in a fixed number of statements, and
// returns how many sessions it changed. It does not commit them one by one: they may be thousands, and only their
// activity tells of the change.
func (m *Metadata) replace(tx *store.Tx, row, other *models.Metadata) (int, error) {
	column := row.Family.Singular() + "_id"
	where, args := column+" = ?", []any{row.ID}
	if row.Family == models.Tags {
		where, args = "id IN (SELECT session_id FROM session_tags WHERE event_id = ? AND tag_id = ?)",
			[]any{m.p.Event().ID, row.ID}
	}
	used := func(db *gorm.DB) *gorm.DB { return db.Where("event_id = ?", m.p.Event().ID).Where(where, args...) }
	var sessions []*models.Session
	if err := used(tx.Lock()).Select("id, updated_at, deleted_at").Order(models.SessionOrder).Find(&sessions).Error; err != nil {
		return 0, err
	}
	var lines []*store.Activity
	if len(sessions) > 0 {
		var err error
		if lines, err = m.replaced(tx, sessions, row, other); err != nil {
			return 0, err
		}
		// All sessions get one token, later than any of theirs.
		latest := slices.MaxFunc(sessions, func(a, b *models.Session) int { return a.UpdatedAt.Compare(b.UpdatedAt.Time) })
		set := map[string]any{"updated_at": tx.Now.Following(latest.UpdatedAt)}
		if row.Family != models.Tags {
			set[column] = other.Ref()
		}
		if err := used(tx.Model(&models.Session{})).UpdateColumns(set).Error; err != nil {
			return 0, err
		}
		models.Touch(tx, m.p.Event().ID)
		if err := m.p.Reenter(tx, row, other); err != nil {
			return 0, err
		}
	}
	if row.Family == models.Tags {
		if err := m.retag(tx, "session_tags", "session_id", row, other); err != nil {
			return 0, err
		}
		if err := m.retag(tx, "contact_tags", "contact_id", row, other); err != nil {
			return 0, err
		}
	}
	return len(sessions), store.InsertInto(tx, "activity", lines)
}

// retag replaces the tag row by other in a table.
func (m *Metadata) retag(tx *store.Tx, table, owner string, row, other *models.Metadata) error {
	if other != nil {
		if err := tx.Exec("INSERT INTO "+table+" (event_id, "+owner+", tag_id) SELECT event_id, "+owner+", ? FROM "+table+
			" WHERE event_id = ? AND tag_id = ? ON CONFLICT DO NOTHING", other.ID, m.p.Event().ID, row.ID).Error; err != nil {
			return err
		}
	}
	return tx.Exec("DELETE FROM "+table+" WHERE event_id = ? AND tag_id = ?", m.p.Event().ID, row.ID).Error
}

// replaced returns the lines of activity of the live sessions that get other in place of row.
func (md *Metadata) replaced(tx *store.Tx, sessions []*models.Session, row,
	other *models.Metadata) ([]*store.Activity, error) {
	field := row.Family.Singular() + "_id"
	change := func(string) (was, is any) { return row.ID, store.Fact(other.Ref()) }
	if row.Family == models.Tags {
		tags, err := md.tagsBeside(tx, row)
		if err != nil {
			return nil, err
		}
		field, change = "tag_ids", func(sessionID string) (was, is any) {
			before := tags[sessionID]
			after := slices.DeleteFunc(slices.Clone(before), func(m *models.Metadata) bool {
				return m.ID == row.ID || (other != nil && m.ID == other.ID)
			})
			if other != nil {
				after = append(after, other)
			}
			return idsInOrder(before), idsInOrder(after)
		}
	}
	var lines []*store.Activity
	for _, s := range sessions {
		if s.DeletedAt != nil {
			continue
		}
		was, is := change(s.ID)
		line, err := store.Change{Subject: "session", ID: s.ID, Action: "updated", Before: map[string]any{field: was},
			After: map[string]any{field: is}}.
			ActivityRow(md.p.Event().OrganizationID, &md.p.Event().ID, md.p.By(), tx.Now)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// tagsBeside returns all tags of the sessions that have the tag row.
func (m *Metadata) tagsBeside(tx *store.Tx, row *models.Metadata) (map[string][]*models.Metadata, error) {
	var links []struct {
		SessionID, TagID string
		Position         int
	}
	err := tx.Raw(`SELECT t.session_id, t.tag_id, m.position FROM session_tags t
		JOIN session_tags r ON r.event_id = t.event_id AND r.session_id = t.session_id AND r.tag_id = ?
		JOIN metadata m ON m.event_id = t.event_id AND m.id = t.tag_id WHERE t.event_id = ?`, row.ID, m.p.Event().ID).Scan(&links).Error
	tags := map[string][]*models.Metadata{}
	for _, link := range links {
		tags[link.SessionID] = append(tags[link.SessionID], &models.Metadata{ID: link.TagID, Position: link.Position})
	}
	return tags, err
}

// idsInOrder returns ids in the order in which a session shows the rows.
func idsInOrder(rows []*models.Metadata) []string {
	slices.SortFunc(rows, models.InOrder)
	return store.Map(rows, func(m *models.Metadata) string { return m.ID })
}
