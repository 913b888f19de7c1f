package archives

import (
	"time"

	"lectern/models"
	"lectern/models/store"
)

// shelvesLock is the class of the advisory locks of organizations' archives.
const shelvesLock = 7201939

// own makes asking for an archive of the organization and erasing somebody wait for each other: an archive is asked for
// either before the erasure, which then sees it, or after it, when the person is gone.
func own(tx *store.Tx, organizationID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", shelvesLock, organizationID).Error
}

// Forget deletes all archives of an organization, because somebody in them is being erased, and keeps new ones from
// being asked for until the transaction ends. An archive in the making starts again: its worker notices that its row is
// gone.
func Forget(tx *store.Tx, organizationID string) error {
	if err := own(tx, organizationID); err != nil {
		return err
	}
	var all []*Archive
	if err := tx.Lock().Where("organization_id = ?", organizationID).Order("id").Find(&all).Error; err != nil {
		return err
	}
	if err := letGo(tx, organizationID); err != nil { // waits for a worker that is ending one
		return err
	}
	for _, a := range all {
		err := tx.Delete(a).Error
		if err == nil && a.State == Making {
			a.ID, a.Claims, a.ClaimedUntil = store.NewID(), 0, nil
			err = tx.Create(a).Error
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// letGo makes the next sweep delete the bytes that contain everybody of an organization: finished archives, and those
// that staff uploaded.
func letGo(tx *store.Tx, organizationID string) error {
	return tx.Table("file_leftovers").Where(`key IN (SELECT file_key FROM archives WHERE organization_id = ?
		UNION ALL SELECT file_key FROM moves WHERE organization_id = ? AND kind = 'archive')`, organizationID, organizationID).
		UpdateColumn("since", store.At(tx.Now.Add(-models.LeftoverAge-time.Second))).Error
}
