package task

import (
	"context"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// handIn stores a file or a link as the latest version. It answers Invalid, for file or url, for what the task does not
// accept, and NotFound if the owner does not have it; the file is not kept then.
func (a actor) handIn(ctx context.Context, taskID, ownerID string, v Version) error {
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		if err := d.takes(&v); err != nil {
			return err
		}
		if v.File != nil {
			if err := models.KeepFile(tx, a.p.Event().OrganizationID, v.File); err != nil {
				return err
			}
			v.FileID = &v.File.ID
		}
		if err := d.of(tx.Model(&Version{})).Where("is_chosen").UpdateColumn("is_chosen", false).Error; err != nil {
			return err
		}
		v.ID, v.EventID, v.TaskID, v.SessionID, v.ContactID = store.NewID(), d.EventID, d.TaskID, d.SessionID, d.ContactID
		v.AuthorID, v.ByName = a.author()
		v.CreatedAt = tx.Now
		if err := tx.Create(&v).Error; err != nil {
			return err
		}
		a.bringTo(tx, d, Done, "")
		d.isTold = true
		return a.recordActivity(tx, d, "handed_in", nil, v.said())
	})
}

// said returns what the activity records of a version.
func (v *Version) said() map[string]any {
	if v.File == nil {
		return map[string]any{}
	}
	return map[string]any{"file": v.File.Name, "file_id": v.File.ID}
}

// makeLatest makes an earlier version the one that counts.
func (a actor) makeLatest(ctx context.Context, taskID, ownerID, versionID string) error {
	return a.change(ctx, taskID, ownerID, func(tx *store.Tx, d *Deliverable) error {
		v, err := store.OneByID[Version](d.of(tx.DB), versionID, errNoFile)
		if err != nil {
			return err
		}
		if err := d.isFixed(); err != nil {
			return err
		}
		if err := d.of(tx.Model(&Version{})).UpdateColumn("is_chosen", gorm.Expr("id = ?", v.ID)).Error; err != nil {
			return err
		}
		a.bringTo(tx, d, Done, "")
		d.isTold = true
		if v.FileID != nil {
			if v.File, err = models.FileOf(tx.DB, a.p.Event().OrganizationID, models.DeliverableFile, *v.FileID); err != nil {
				return err
			}
		}
		return a.recordActivity(tx, d, "made_latest", nil, v.said())
	})
}

// takes answers Invalid for a version that a deliverable does not accept.
func (d *Deliverable) takes(v *Version) error {
	switch {
	case d.Task.Kind == File && v.File == nil, d.Task.Kind == Link && v.URL == "", !d.Task.Kind.HasVersions():
		return store.Invalidf("task", "does not take that: it was changed meanwhile. Look at it again")
	}
	return d.isFixed()
}

// isFixed answers Invalid for a deliverable that was approved or waived: nothing changes until staff reopen it.
func (d *Deliverable) isFixed() error {
	switch d.State {
	case Approved:
		return errApproved
	case Waived:
		return errWaived
	}
	return nil
}

// cleanLink checks and normalizes a link.
func cleanLink(url string) (string, error) {
	url, err := store.CleanURL("url", url, store.MaxURL)
	if err == nil && url == "" {
		err = store.Invalidf("url", "is empty. Paste the address of what you hand in")
	}
	return url, err
}
