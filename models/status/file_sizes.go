package status

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// FileSizes is the number and size in bytes of an organization's files.
type FileSizes struct {
	Files, Bytes int64
	Events       []EventFiles `gorm:"-"` // those with answers and deliverables that are files, the largest first
}

// EventFiles is the number and size in bytes of the files among an event's answers and deliverables.
type EventFiles struct {
	Name         string
	Files, Bytes int64
}

const manyBytes = "count(*) AS files, coalesce(sum(f.size), 0) AS bytes"

// fileTotal counts all files of an organization.
func fileTotal(ctx context.Context, s *models.Store, t *store.Tenant) (sizes FileSizes, err error) {
	err = s.Read(ctx).Table("files f").Select(manyBytes).Where("f.organization_id = ?", t.ID).Scan(&sizes).Error
	return sizes, err
}

// FilesOf counts the files of an organization: in all, and per event.
func FilesOf(ctx context.Context, s *models.Store, t *store.Tenant) (sizes FileSizes, err error) {
	if sizes, err = fileTotal(ctx, s, t); err != nil {
		return sizes, err
	}
	err = s.Read(ctx).Table("(SELECT event_id, file_id FROM proposal_files UNION ALL SELECT event_id, file_id FROM speaker_answers "+
		"WHERE file_id IS NOT NULL UNION ALL SELECT event_id, file_id FROM deliverable_versions WHERE file_id IS NOT NULL) x").Joins("JOIN files f ON f.id = x.file_id").
		Joins("JOIN events e ON e.id = x.event_id").Select("e.name, "+manyBytes).
		Where("e.organization_id = ?", t.ID).Group("e.id, e.name").Order("bytes DESC, e.name, e.id").Scan(&sizes.Events).Error
	return sizes, err
}
