package people

import (
	"lectern/models"
	"lectern/models/store"
)

// Forget deletes somebody with all rows of theirs, as if they had never been there. It is only for strangers, whose
// sessions the caller has deleted before. It records and emits nothing.
func (d *Directory) Forget(tx *store.Tx, contactID string) error {
	if err := models.ForgetAnswers(tx, d.ID, "a.contact_id = ?", contactID); err != nil {
		return err
	}
	contact, err := store.One[models.Contact](tx.Where("organization_id = ? AND id = ?", d.ID, contactID), models.ErrNoPerson)
	if err != nil {
		return err
	}
	if err := models.DropPhoto(tx, contact); err != nil {
		return err
	}
	var events []string
	if err := tx.Model(&models.EventContact{}).Where("contact_id = ?", contactID).Order("event_id").
		Pluck("event_id", &events).Error; err != nil {
		return err
	}
	for _, id := range events {
		models.TouchSpeakers(tx, id)
	}
	for _, t := range contactTables {
		if err := tx.Exec("DELETE FROM "+t.table+" WHERE "+t.theirs(), contactID).Error; err != nil {
			return err
		}
	}
	return tx.Exec("DELETE FROM contacts WHERE organization_id = ? AND id = ?", d.ID, contactID).Error
}
