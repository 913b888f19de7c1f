package models

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models/frab"
	"lectern/models/store"
)

// Undo takes back what a move made, some rows at a time, in small transactions, as long as nobody changed it since.
// What a move met and wrote on stays as it is.
type Undo struct {
	load
	move string
}

// Undo is the handle of a move's undoing.
func (p *Programme) Undo(move string) *Undo { return &Undo{load{Programme: p}, move} }

// changed are the conditions of rows that somebody else than the move changed or built on, by the kinds of what it
// made. x is the row, i what is known of it; @move is the move.
var changed = []struct {
	kinds                  string
	table, name            string
	where, deleted, reason string
}{
	{"'session', 'abstract'", "sessions", "x.title", bySomebody + ` OR x.is_public
		OR EXISTS (SELECT 1 FROM letters l WHERE l.session_id = x.id)
		OR EXISTS (SELECT 1 FROM sessions s WHERE s.event_id = x.event_id AND s.composed_into = x.id AND NOT EXISTS
			(SELECT 1 FROM imported o WHERE o.made_by = @move AND o.made_by <> ''
			AND o.kind = 'abstract' AND o.record_id = s.id))
		OR EXISTS (SELECT 1 FROM reviews r WHERE r.event_id = x.event_id AND r.session_id = x.id AND NOT EXISTS (SELECT 1
			FROM imported o WHERE o.made_by = @move AND o.made_by <> '' AND o.kind = 'review'
			AND o.record_id = r.session_id || '/' || r.user_id))`,
		"x.deleted_at IS NOT NULL", "was changed, reviewed, written about or published here"},
	{"'contact'", "contacts", "x.full_name", bySomebody + ` OR EXISTS (SELECT 1 FROM letters l
		WHERE l.contact_id = x.id)`, "", "was changed or written to here"},
	{"'break'", "agenda_breaks", "x.title", bySomebody, "x.deleted_at IS NOT NULL", "was changed here"},
	{"'metadata'", "metadata", "x.name", bySomebody, "", "was changed here"},
}

// bySomebody is that the activity tells of a change that was not the move's.
const bySomebody = "EXISTS (SELECT 1 FROM activity a WHERE a.subject_id = x.id AND a.request_id <> @move)"

// changedShown is how many rows of each kind Changed names.
const changedShown = 20

// Changed are rows that the move made and somebody changed since, at most twenty of each kind.
func (u *Undo) Changed(ctx context.Context) (all []frab.Skipped, err error) {
	for _, c := range changed {
		where := "(" + c.where + ")"
		if c.deleted != "" {
			where = "(" + c.where + " OR " + c.deleted + ")"
		}
		var rows []struct{ Key, Name string }
		if err := u.Read(ctx).Raw("SELECT i.key, "+c.name+" AS name FROM imported i JOIN "+c.table+
			" x ON x.id = i.record_id WHERE i.event_id = @event AND i.made_by = @move AND i.kind IN ("+c.kinds+") AND "+where+
			" ORDER BY "+c.name+", i.key LIMIT @limit", map[string]any{"event": u.event.ID, "move": u.move,
			"limit": changedShown}).Scan(&rows).Error; err != nil {
			return nil, err
		}
		for _, row := range rows {
			all = append(all, frab.Skipped{ID: row.Key, Title: row.Name, Reason: c.reason})
		}
	}
	return all, nil
}

// made are ids of what the move made of some kinds, at most stepRows.
func (u *Undo) made(db *gorm.DB, kinds ...string) (ids []string, err error) {
	return ids, db.Model(&importedKey{}).Where("event_id = ? AND made_by = ? AND kind IN ?", u.event.ID, u.move, kinds).
		Order("key").Limit(stepRows).Pluck("record_id", &ids).Error
}

// forget drops what is known of rows that are taken back, so that they come anew when they are brought again.
func (u *Undo) forget(tx *store.Tx, ids []string, kinds ...string) error {
	return tx.Where("event_id = ? AND kind IN ? AND record_id IN ?", u.event.ID, kinds, ids).Delete(&importedKey{}).Error
}

// some takes back rows of some kinds until there are none, or keep says that they stay.
func (u *Undo) some(ctx context.Context, take func(*store.Tx, []string) error, kinds ...string) (n int, err error) {
	for more := true; more && err == nil; {
		err = u.step(ctx, func(tx *store.Tx) error {
			ids, err := u.made(tx.DB, kinds...)
			if more = len(ids) > 0; !more || err != nil {
				return err
			}
			if err := take(tx, ids); err != nil {
				return err
			}
			n += len(ids)
			return u.forget(tx, ids, kinds...)
		})
	}
	return n, err
}

// Sessions takes back submissions, then the sessions that they were part of. It answers Stale for one that was changed
// since.
func (u *Undo) Sessions(ctx context.Context) (n int, err error) {
	for _, kind := range []string{"abstract", "session"} {
		some, err := u.some(ctx, u.dropSessions, kind)
		if n += some; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (u *Undo) dropSessions(tx *store.Tx, ids []string) error {
	if err := u.holdSessions(tx, "id IN ?", ids); err != nil {
		return err
	}
	var n int64
	if err := tx.Raw("SELECT count(*) FROM imported i JOIN sessions x ON x.id = i.record_id WHERE i.event_id = @event "+
		"AND i.record_id IN @ids AND ("+changed[0].where+" OR x.deleted_at IS NOT NULL)",
		map[string]any{"event": u.event.ID, "ids": ids, "move": u.move}).Scan(&n).Error; err != nil {
		return err
	}
	if n > 0 {
		return store.Outdated("Something of it was changed meanwhile, and stays.")
	}
	// Who follows the changes is told of a deleted row, whose deletion alone tells nobody.
	if err := tx.Exec("UPDATE sessions SET deleted_at = ?, updated_at = ? WHERE event_id = ? AND id IN ?", tx.Now, tx.Now,
		u.event.ID, ids).Error; err != nil {
		return err
	}
	touchRows(tx, u.event.ID)
	TouchSpeakers(tx, u.event.ID)
	return tx.Exec("DELETE FROM sessions WHERE event_id = ? AND id IN ?", u.event.ID, ids).Error
}

// Reviews takes back the reviews of submissions that the move met.
func (u *Undo) Reviews(ctx context.Context) (int, error) {
	return u.some(ctx, func(tx *store.Tx, ids []string) error {
		for _, id := range ids {
			sessionID, userID, is := strings.Cut(id, "/")
			if !is {
				continue
			}
			const those = " WHERE event_id = ? AND session_id = ? AND user_id = ? AND round_id IN " +
				"(SELECT record_id FROM imported WHERE event_id = ? AND kind = 'round')"
			if err := u.holdSessions(tx, "id = ?", sessionID); err != nil {
				return err
			}
			for _, table := range []string{"reviews", "review_assignments"} {
				if err := tx.Exec("DELETE FROM "+table+those, u.event.ID, sessionID, userID, u.event.ID).Error; err != nil {
					return err
				}
			}
			if err := u.score(tx, sessionID); err != nil {
				return err
			}
		}
		return nil
	}, string(ArrivedReview))
}

// Breaks takes back breaks.
func (u *Undo) Breaks(ctx context.Context) (int, error) {
	return u.some(ctx, func(tx *store.Tx, ids []string) error {
		Touch(tx, u.event.ID)
		return tx.Where("event_id = ? AND id IN ?", u.event.ID, ids).Delete(&Break{}).Error
	}, "break")
}

// Labels takes back metadata that nothing uses any more; what is used stays.
func (u *Undo) Labels(ctx context.Context) (n int, err error) {
	for {
		var row struct {
			ID     string
			Family Family
		}
		found := u.Read(ctx).Raw(`SELECT m.id, m.family FROM imported i JOIN metadata m ON m.event_id = i.event_id
			AND m.id = i.record_id WHERE i.event_id = ? AND i.made_by = ? AND i.kind = 'metadata' ORDER BY i.key LIMIT 1`,
			u.event.ID, u.move).Scan(&row)
		if found.Error != nil || row.ID == "" {
			return n, found.Error
		}
		_, err := u.RemoveMetadata(ctx, row.Family, row.ID, store.Optional[string]{})
		if isUsed := store.KindOf(err) == store.Invalid; !isUsed && err != nil {
			return n, err
		} else if !isUsed {
			n++
		}
		if err := u.step(ctx, func(tx *store.Tx) error { return u.forget(tx, []string{row.ID}, "metadata") }); err != nil {
			return n, err
		}
	}
}

// Days takes the days back that the move gave the event.
func (u *Undo) Days(ctx context.Context, starts, ends string) error {
	if starts == "" {
		return nil
	}
	return u.step(ctx, func(tx *store.Tx) error {
		var e Event
		err := tx.Lock().Where("id = ?", u.event.ID).Take(&e).Error
		if err != nil || e.StartsOn == nil || *e.StartsOn != starts || e.EndsOn == nil || *e.EndsOn != ends {
			return err
		}
		return tx.Model(&e).UpdateColumns(map[string]any{"starts_on": nil, "ends_on": nil,
			"updated_at": tx.Now.Following(e.UpdatedAt)}).Error
	})
}

// Made are the ids of what a room on top made by its own operations, and of people, at most stepRows.
func (u *Undo) Made(ctx context.Context, kind string) ([]string, error) {
	return u.made(u.Read(ctx), kind)
}

// Forget drops what is known of such rows.
func (u *Undo) Forget(ctx context.Context, kind string, ids []string) error {
	return u.step(ctx, func(tx *store.Tx) error { return u.forget(tx, ids, kind) })
}

// End drops what is known beside rows that are gone, and tells in the activity that the move was undone.
func (u *Undo) End(ctx context.Context, facts map[string]any) error {
	return u.step(ctx, func(tx *store.Tx) error {
		if err := tx.Exec(`DELETE FROM imported WHERE event_id = ? AND kind = 'person' AND NOT EXISTS (SELECT 1
			FROM imported o WHERE o.event_id = imported.event_id AND o.kind = 'contact' AND o.key = imported.key)`,
			u.event.ID).Error; err != nil {
			return err
		}
		return u.record(tx, store.Change{Subject: "event", ID: u.event.ID, Action: "import undone", Before: facts})
	})
}
