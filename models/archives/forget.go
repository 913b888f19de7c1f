package archives

import (
	"time"

	"lectern/models"
	"lectern/models/store"
)

// shelvesLock is the class of the advisory locks of organizations' archives.
const shelvesLock = 7201939

// own makes those wait for each other who ask for an archive of the organization and who erase somebody: an archive is
// asked for before the erasure, which then sees it, or after it, when nothing has them any more.
func own(tx *store.Tx, organizationID string) error {
	if tx.Store.Embedded() {
		return nil
	}
	return tx.Exec("SELECT pg_advisory_xact_lock(?, hashtext(?))", shelvesLock, organizationID).Error
}

// Forget lets go of all archives of an organization, because somebody in them is erased, until the transaction ends;
// who wants one asks anew. One in the making begins anew by itself: its worker knows it by its id.
func Forget(tx *store.Tx, organizationID string) error {
	if err := own(tx, organizationID); err != nil {
		return err
	}
	var all []*Archive
	if err := tx.Lock().Where("organization_id = ?", organizationID).Order("id").Find(&all).Error; err != nil {
		return err
	}
	if err := letGo(tx, organizationID); err != nil { // after whoever was about to end one
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

// letGo has the bytes go with the next sweep that have everybody of an organization: archives that were made, and those
// that staff brought.
func letGo(tx *store.Tx, organizationID string) error {
	return tx.Table("file_leftovers").Where(`key IN (SELECT file_key FROM archives WHERE organization_id = ?
		UNION ALL SELECT file_key FROM moves WHERE organization_id = ? AND kind = 'archive')`, organizationID, organizationID).
		UpdateColumn("since", store.At(tx.Now.Add(-models.LeftoverAge-time.Second))).Error
}
