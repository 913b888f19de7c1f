package arrival

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/frab"
	"lectern/models/metadata"
	"lectern/models/store"
)

// Undo takes back what a move made and nobody changed since, in small transactions. Records that the move found here
// and updated stay as they are.
type Undo struct {
	models.Load
	move    string
	Stayed  []frab.Skipped // rows that the move made and that remain
	staying []frab.Skipped // the same, for the transaction in progress
}

// Undo returns a handle for undoing a move.
func (in *Arrivals) Undo(move string) *Undo {
	return &Undo{Load: models.Load{Programme: in.p}, move: move}
}

// made returns ids of at most models.StepRows rows of some kinds that the move made.
func (u *Undo) made(db *gorm.DB, kinds ...string) (ids []string, err error) {
	return ids, db.Model(&imported{}).Where("event_id = ? AND made_by = ? AND kind IN ?", u.Event().ID, u.move, kinds).
		Order("key").Limit(models.StepRows).Pluck("record_id", &ids).Error
}

// forget deletes what was stored about rows that are taken back, so that bringing them again makes them anew.
func (u *Undo) forget(tx *store.Tx, ids []string, kinds ...string) error {
	return tx.Where("event_id = ? AND kind IN ? AND record_id IN ?", u.Event().ID, kinds, ids).Delete(&imported{}).Error
}

// settle forgets the rows that are gone, and no longer counts the others as made by the move.
func (u *Undo) settle(tx *store.Tx, ids, gone []string, kinds ...string) error {
	if err := u.forget(tx, gone, kinds...); err != nil {
		return err
	}
	return tx.Model(&imported{}).Where("event_id = ? AND made_by = ? AND kind IN ? AND record_id IN ?", u.Event().ID,
		u.move, kinds, ids).UpdateColumn("made_by", "").Error
}

// some takes back rows of a kind until none are left. Rows that take does not return as gone stay.
func (u *Undo) some(ctx context.Context, take func(*store.Tx, []string) ([]string, error), kind string) (
	n int, err error) {
	for more := true; more && err == nil; {
		var gone []string
		err = u.Step(ctx, func(tx *store.Tx) error {
			ids, err := u.made(tx.DB, kind)
			if more = len(ids) > 0; !more || err != nil {
				return err
			}
			if gone, err = take(tx, ids); err != nil {
				return err
			}
			return u.settle(tx, ids, gone, kind)
		})
		if err == nil {
			n += len(gone)
			u.Note()
		}
	}
	return n, err
}

// Sessions takes back submissions, then the sessions that they were part of.
func (u *Undo) Sessions(ctx context.Context) (n int, err error) {
	for _, kind := range []string{"abstract", "session"} {
		some, err := u.some(ctx, func(tx *store.Tx, ids []string) ([]string, error) {
			return u.dropSessions(tx, kind, ids)
		}, kind)
		if n += some; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (u *Undo) dropSessions(tx *store.Tx, kind string, ids []string) ([]string, error) {
	if err := u.HoldSessions(tx, "id IN ?", ids); err != nil {
		return nil, err
	}
	gone, err := u.Free(tx, kind, ids)
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	// Marking the rows as deleted first tells the feed of changes: deleting them alone does not.
	if err := tx.Exec("UPDATE sessions SET deleted_at = ?, updated_at = ? WHERE event_id = ? AND id IN ?", tx.Now, tx.Now,
		u.Event().ID, gone).Error; err != nil {
		return nil, err
	}
	models.TouchRows(tx, u.Event().ID)
	models.TouchSpeakers(tx, u.Event().ID)
	return gone, tx.Exec("DELETE FROM sessions WHERE event_id = ? AND id IN ?", u.Event().ID, gone).Error
}

// Reviews takes back reviews and their assignments.
func (u *Undo) Reviews(ctx context.Context) (int, error) {
	return u.some(ctx, func(tx *store.Tx, ids []string) ([]string, error) {
		var sessions []string
		for _, id := range ids {
			sessionID, _, _ := strings.Cut(id, "/")
			sessions = append(sessions, sessionID)
		}
		slices.Sort(sessions)
		sessions = slices.Compact(sessions)
		if err := u.HoldSessions(tx, "id IN ?", sessions); err != nil {
			return nil, err
		}
		gone, err := u.Free(tx, string(Reviews), ids)
		if err != nil || len(gone) == 0 {
			return nil, err
		}
		for _, table := range []string{"reviews", "review_assignments"} {
			if err := tx.Exec("DELETE FROM "+table+" WHERE event_id = ? AND session_id IN ? "+
				"AND session_id || '/' || user_id || '/' || round_id IN ?", u.Event().ID, sessions, gone).Error; err != nil {
				return nil, err
			}
		}
		for _, id := range sessions {
			if err := u.Rescore(tx, id); err != nil {
				return nil, err
			}
		}
		return gone, nil
	}, string(Reviews))
}

// Breaks takes back breaks.
func (u *Undo) Breaks(ctx context.Context) (int, error) {
	return u.some(ctx, func(tx *store.Tx, ids []string) ([]string, error) {
		var held []*models.Break
		if err := tx.Lock().Where("event_id = ? AND id IN ?", u.Event().ID, ids).Order("id").Find(&held).Error; err != nil {
			return nil, err
		}
		gone, err := u.Free(tx, "break", ids)
		if err != nil || len(gone) == 0 {
			return nil, err
		}
		models.Touch(tx, u.Event().ID)
		return gone, tx.Where("event_id = ? AND id IN ?", u.Event().ID, gone).Delete(&models.Break{}).Error
	}, "break")
}

// Labels takes back metadata that nothing uses any more; what is used stays.
func (u *Undo) Labels(ctx context.Context) (n int, err error) {
	for {
		var row struct {
			ID     string
			Family models.Family
		}
		found := u.Read(ctx).Raw(`SELECT m.id, m.family FROM imported i JOIN metadata m ON m.event_id = i.event_id
			AND m.id = i.record_id WHERE i.event_id = ? AND i.made_by = ? AND i.kind = 'metadata' ORDER BY i.key LIMIT 1`,
			u.Event().ID, u.move).Scan(&row)
		if found.Error != nil || row.ID == "" {
			return n, found.Error
		}
		free, err := u.free(u.Read(ctx), "metadata", []string{row.ID})
		if err == nil && len(free) > 0 {
			_, err = metadata.Of(u.Load.Programme).Remove(ctx, row.Family, row.ID, store.Optional[string]{})
		}
		if isUsed := store.KindOf(err) == store.Invalid; !isUsed && err != nil {
			return n, err
		} else if !isUsed && len(free) > 0 {
			n++
		}
		u.Note()
		if err := u.Step(ctx, func(tx *store.Tx) error { return u.forget(tx, []string{row.ID}, "metadata") }); err != nil {
			return n, err
		}
	}
}

// Days clears the days that the move gave the event, unless they were changed since.
func (u *Undo) Days(ctx context.Context, starts, ends string) error {
	if starts == "" {
		return nil
	}
	return u.Step(ctx, func(tx *store.Tx) error {
		var e models.Event
		err := tx.Lock().Where("id = ?", u.Event().ID).Take(&e).Error
		if err != nil || e.StartsOn == nil || *e.StartsOn != starts || e.EndsOn == nil || *e.EndsOn != ends {
			return err
		}
		return tx.Model(&e).UpdateColumns(map[string]any{"starts_on": nil, "ends_on": nil,
			"updated_at": tx.Now.Following(e.UpdatedAt)}).Error
	})
}

// Made returns ids of at most models.StepRows rows that the move made, of a kind that a room on top takes back.
func (u *Undo) Made(ctx context.Context, kind string) ([]string, error) {
	return u.made(u.Read(ctx), kind)
}

// Settle forgets those of Made's rows that are gone, and no longer counts the others as made by the move.
func (u *Undo) Settle(ctx context.Context, kind string, ids, gone []string) error {
	err := u.Step(ctx, func(tx *store.Tx) error { return u.settle(tx, ids, gone, kind) })
	if err == nil {
		u.Note()
	}
	return err
}

// End forgets leftovers about people who are gone, and records in the activity that the move was undone.
func (u *Undo) End(ctx context.Context, facts map[string]any) error {
	return u.Step(ctx, func(tx *store.Tx) error {
		if err := tx.Exec(`DELETE FROM imported WHERE event_id = ? AND kind = 'person' AND NOT EXISTS (SELECT 1
			FROM imported o WHERE o.event_id = imported.event_id AND o.kind = 'contact' AND o.key = imported.key)`,
			u.Event().ID).Error; err != nil {
			return err
		}
		return u.Record(tx, store.Change{Subject: "event", ID: u.Event().ID, Action: "import undone", Before: facts})
	})
}

// Gone is a submission, session or break that came before and that the other system no longer has.
type Gone struct {
	Key   string `json:"key"` // without the prefix
	Title string `json:"title"`
}

// UnmarshalJSON also reads reports of version 1.0, which have only the key.
func (g *Gone) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &g.Key) == nil {
		return nil
	}
	type plain Gone
	return json.Unmarshal(text, (*plain)(g))
}

// Gone returns the submissions, sessions and breaks under a prefix that came before, are still here and did not come in
// this run, by key.
func (a *Arrival) Gone(ctx context.Context, prefix string) (gone []Gone, err error) {
	var rows []struct{ Kind, Key, Title string }
	err = a.Read(ctx).Table("imported").Select("imported.kind, imported.key, coalesce(s.title, b.title) AS title").
		Joins("LEFT JOIN sessions s ON s.id = record_id AND s.deleted_at IS NULL").
		Joins("LEFT JOIN agenda_breaks b ON b.id = record_id AND b.deleted_at IS NULL").
		Where("imported.event_id = ? AND imported.kind IN ('abstract', 'session', 'break')", a.Event().ID).
		Where("s.id IS NOT NULL OR b.id IS NOT NULL").Order("imported.key").Scan(&rows).Error
	for _, row := range rows {
		if strings.HasPrefix(row.Key, prefix) && !a.seen[arrived{row.Kind, row.Key}] {
			gone = append(gone, Gone{strings.TrimPrefix(row.Key, prefix), row.Title})
		}
	}
	return slices.CompactFunc(gone, func(a, b Gone) bool { return a.Key == b.Key }), err
}
