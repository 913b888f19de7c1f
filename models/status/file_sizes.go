package models

import (
	"context"
	"time"

	"lectern/models/store"
)

// FileSizes are what the files of an organization take, in bytes.
type FileSizes struct {
	Files, Bytes int64
	Events       []EventFiles `gorm:"-"` // those with answers and deliverables that are files, the largest first
}

// EventFiles are what the answers to the call of an event and what its speakers hand in take.
type EventFiles struct {
	Name         string
	Files, Bytes int64
}

const manyBytes = "count(*) AS files, coalesce(sum(f.size), 0) AS bytes"

// FileTotal is what the files of an organization take in all.
func (s *Store) FileTotal(ctx context.Context, t *store.Tenant) (sizes FileSizes, err error) {
	err = s.Read(ctx).Table("files f").Select(manyBytes).Where("f.organization_id = ?", t.ID).Scan(&sizes).Error
	return sizes, err
}

// FileSizes are what the files of an organization take: in all, and at each event.
func (s *Store) FileSizes(ctx context.Context, t *store.Tenant) (sizes FileSizes, err error) {
	if sizes, err = s.FileTotal(ctx, t); err != nil {
		return sizes, err
	}
	err = s.Read(ctx).Table("(SELECT event_id, file_id FROM proposal_files UNION ALL SELECT event_id, file_id FROM speaker_answers "+
		"WHERE file_id IS NOT NULL UNION ALL SELECT event_id, file_id FROM deliverable_versions WHERE file_id IS NOT NULL) x").Joins("JOIN files f ON f.id = x.file_id").
		Joins("JOIN events e ON e.id = x.event_id").Select("e.name, "+manyBytes).
		Where("e.organization_id = ?", t.ID).Group("e.id, e.name").Order("bytes DESC, e.name, e.id").Scan(&sizes.Events).Error
	return sizes, err
}

// LetGoArchives has the bytes go with the next sweep that have everybody of an organization: archives that were made,
// and those that staff brought.
func LetGoArchives(tx *store.Tx, organizationID string) error {
	return tx.Model(&fileLeftover{}).Where(`key IN (SELECT file_key FROM archives WHERE organization_id = ?
		UNION ALL SELECT file_key FROM moves WHERE organization_id = ? AND kind = 'archive')`, organizationID, organizationID).
		UpdateColumn("since", store.At(tx.Now.Add(-LeftoverAge-time.Second))).Error
}
