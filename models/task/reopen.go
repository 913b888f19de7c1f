package task

import (
	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
)

func init() { cfp.AfterAnswers = reopen }

// reopen opens the forms again that somebody said were done, and that lack a required answer since.
func reopen(tx *store.Tx, p *models.Programme, a *cfp.OwnAnswers) error {
	var done []*Task
	if err := tx.Where("event_id = ? AND kind = ? AND part_id IS NOT NULL AND id IN (SELECT task_id FROM deliverables "+
		"WHERE contact_id = ? AND state = ?)", p.Event().ID, Form, a.ContactID, Done).Order("position, id").Find(&done).Error; err != nil {
		return err
	}
	who := actor{p: p}
	for _, t := range done {
		if len(a.MissingIn(*t.PartID)) == 0 {
			continue
		}
		d, err := who.hold(tx, t.ID, a.ContactID)
		if err != nil {
			return err
		}
		before := *d
		who.bringTo(tx, d, Open, "")
		if err := who.keep(tx, &before, d); err != nil {
			return err
		}
	}
	return nil
}
