package cfp

import (
	"lectern/models/store"
)

// reopenTasks reopens the tasks that the answers had completed and that now lack a required answer. Tasks belong to a
// package on top (models/task): this writes only their state.
func (pl *Place) reopenTasks(tx *store.Tx, a *OwnAnswers) error {
	var done []struct{ ID, Title, PartID string }
	if err := tx.Table("tasks").Where("event_id = ? AND kind = 'form' AND part_id IS NOT NULL AND id IN (SELECT task_id FROM "+
		"deliverables WHERE contact_id = ? AND state = 'done')", a.Event.ID, a.ContactID).Order("position, id").
		Select("id, title, part_id").Scan(&done).Error; err != nil {
		return err
	}
	for _, t := range done {
		if len(a.MissingIn(t.PartID)) == 0 {
			continue
		}
		if err := tx.Exec("UPDATE deliverables SET state = 'open', words = '', state_at = ?, updated_at = ? "+
			"WHERE task_id = ? AND contact_id = ? AND state = 'done'", tx.Now, tx.Now, t.ID, a.ContactID).Error; err != nil {
			return err
		}
		if err := pl.in(a.Event).Record(tx, store.Change{Subject: "contact", ID: a.ContactID, Action: "task",
			Before: map[string]any{"state": "done"}, After: map[string]any{"state": "open", "task": t.Title, "task_id": t.ID}}); err != nil {
			return err
		}
	}
	return nil
}
