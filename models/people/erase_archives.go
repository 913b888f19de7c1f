package people

import (
	"lectern/models"
	"lectern/models/store"
)

// archives lets go of the archives that are kept, also of those that somebody brought to be looked at, which have them;
// who wants one makes it anew. One in the making begins anew by itself.
func (e *eraser) archives() error {
	var kept []struct{ ID, State, FileKey string }
	if err := e.tx.Lock().Table("archives").Where("organization_id = ?", e.ID).Order("id").Find(&kept).Error; err != nil {
		return err
	}
	var brought []string
	if err := e.tx.Table("moves").Where("organization_id = ? AND kind = 'archive' AND file_key <> ''", e.ID).Order("id").
		Pluck("file_key", &brought).Error; err != nil {
		return err
	}
	for _, key := range brought {
		if err := models.LetGo(e.tx, key); err != nil {
			return err
		}
	}
	for _, a := range kept {
		row := e.tx.Table("archives").Where("id = ?", a.ID)
		if a.State == "making" { // its worker knows it by its id
			err := row.UpdateColumns(map[string]any{"id": store.NewID(), "claims": 0, "claimed_until": nil}).Error
			if err != nil {
				return err
			}
			continue
		}
		if a.FileKey != "" {
			if err := models.LetGo(e.tx, a.FileKey); err != nil {
				return err
			}
		}
		if err := row.Delete(nil).Error; err != nil {
			return err
		}
	}
	return nil
}
