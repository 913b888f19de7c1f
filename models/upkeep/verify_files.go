package upkeep

import (
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"
	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
)

// filesReadAtOnce is how many files are read in parallel, for distant file stores.
const filesReadAtOnce = 8

// checkFiles reads every file and compares its checksum.
func checkFiles(s *models.Store, db *gorm.DB, c *Check) error {
	var rows []*models.File
	if err := db.Select("id, key, name, sha256").Order("key").Find(&rows).Error; err != nil {
		return err
	}
	c.Looked = int64(len(rows))
	place, ctx := s.Options.Files, db.Statement.Context
	wrong := make([]string, len(rows))
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(filesReadAtOnce)
	for i, f := range rows {
		reading.Go(func() error {
			sum, err := readWhole(ctx, place, f.Key, func(int, []byte) error { return nil })
			switch {
			case errors.Is(err, files.ErrMissing):
				wrong[i] = "is not there"
			case err == nil && sum != f.SHA256:
				wrong[i] = "has other bytes than were kept"
			default:
				return err
			}
			return nil
		})
	}
	if err := reading.Wait(); err != nil {
		return err
	}
	for i, f := range rows {
		if wrong[i] != "" {
			c.find("the file %s (%s, key %s) %s", f.ID, f.Name, f.Key, wrong[i])
		}
	}
	return noteUnknownFiles(s, db, rows, c)
}

// noteUnknownFiles counts the files in the file store that the database does not know, as after an older copy was
// restored.
func noteUnknownFiles(s *models.Store, db *gorm.DB, rows []*models.File, c *Check) error {
	known := make(map[string]bool, len(rows))
	for _, f := range rows {
		known[f.Key] = true
	}
	var leftovers []string
	if err := db.Table("file_leftovers").Pluck("key", &leftovers).Error; err != nil {
		return err
	}
	for _, key := range leftovers {
		known[key] = true
	}
	var count, size int64
	err := s.Options.Files.Each(db.Statement.Context, func(key string, bytes int64) error {
		if !known[key] {
			count, size = count+1, size+bytes
		}
		return nil
	})
	if count > 0 {
		c.Note = fmt.Sprintf("%s has %d more files (%d bytes) that this database does not know: they are newer than it, "+
			"or another's", s.Options.Files, count, size)
	}
	return err
}
