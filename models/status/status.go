// Package status tells whoever runs an installation how it does: database, disk, mail, deliveries, jobs and processes.
// No question costs more with a larger backlog, and each has its own deadline, so that one that hangs hides no other.
package status

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"time"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/outbox"
	"lectern/models/store"
)

// limit is how long each query may take.
const limit = 2 * time.Second

// Status is the state of each part of the server. A part that could not be read has its error.
type Status struct {
	Database  Answer[Database]
	Disk      Answer[Disk]
	Mail      Answer[models.LetterCondition]
	Webhooks  Answer[outbox.Backlog]
	Jobs      Answer[[]Job]
	Processes Answer[[]store.Process]
	Leader    Answer[string] // the process that delivers; "" while none does
	HasMail   bool
	Now       store.Time
}

// Answer is an answer, or the error in place of it.
type Answer[T any] struct {
	Is  T
	Err error
}

// Database is the database in use, with this process's connections to it.
type Database struct {
	store.Facts
	Dialect string
	Pool    sql.DBStats
}

// Disk is how much the files take, and how much space is left.
type Disk struct {
	Files     FileSizes
	Elsewhere bool         // files are in a bucket, whose space is not known
	Room      *files.Space // where the files are; nil where not known
	Database  *files.Space // where an SQLite database is; nil for PostgreSQL
}

// Job is one kind of background work.
type Job struct {
	Kind   string // batches, imports, moves or archives
	Open   int64  // counted up to a limit
	Oldest *store.Time
}

// Read asks for the state of everything, for an organization.
func Read(ctx context.Context, s *models.Store, t *store.Tenant) *Status {
	return &Status{
		Database: ask(ctx, func(ctx context.Context) (Database, error) {
			facts, err := s.Facts(ctx)
			return Database{facts, s.Dialect(), s.Stats()}, err
		}),
		Disk: ask(ctx, func(ctx context.Context) (Disk, error) { return diskOf(ctx, s, t) }),
		Mail: ask(ctx, s.LetterCondition),
		Webhooks: ask(ctx, func(ctx context.Context) (outbox.Backlog, error) {
			return s.Outbox.Webhooks(t).Backlog(ctx)
		}),
		Jobs:      ask(ctx, func(ctx context.Context) ([]Job, error) { return Jobs(ctx, s) }),
		Processes: ask(ctx, s.Processes), Leader: ask(ctx, s.Outbox.Leader), HasMail: s.Options.HasMail, Now: s.Now(),
	}
}

func ask[T any](ctx context.Context, ask func(context.Context) (T, error)) (a Answer[T]) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	a.Is, a.Err = ask(ctx)
	return a
}

// diskOf adds up what files take, and reads the space that is left.
func diskOf(ctx context.Context, s *models.Store, t *store.Tenant) (d Disk, err error) {
	space := func(of files.Space, err error) (*files.Space, error) {
		if errors.Is(err, errors.ErrUnsupported) {
			return nil, nil
		}
		return &of, err
	}
	if disk, is := s.Options.Files.(*files.Disk); is {
		if d.Room, err = space(disk.Space()); err != nil {
			return d, err
		}
	} else {
		d.Elsewhere = s.Options.Files != nil
	}
	if s.Embedded() {
		facts, err := s.Facts(ctx)
		if err != nil {
			return d, err
		}
		if d.Database, err = space(files.SpaceAt(filepath.Dir(facts.Path))); err != nil {
			return d, err
		}
	}
	d.Files, err = fileTotal(ctx, s, t)
	return d, err
}

// Jobs returns the kinds of background work of all organizations, with the open work of each.
func Jobs(ctx context.Context, s *models.Store) (jobs []Job, err error) {
	const open = "SELECT ? AS kind, count(*) AS open, min(created_at) AS oldest FROM (SELECT created_at FROM "
	const some = " ORDER BY created_at LIMIT ?) "
	most := outbox.CountedUpTo + 1
	err = s.Read(ctx).Raw(open+"batches WHERE state = 'running' AND NOT prepared"+some+"b UNION ALL "+
		open+"contact_imports WHERE state IN ('waiting', 'running')"+some+"i UNION ALL "+
		open+"moves WHERE state IN ('looking', 'bringing', 'undoing')"+some+"m UNION ALL "+
		open+"archives WHERE state = 'making'"+some+"a",
		"batches", most, "imports", most, "moves", most, "archives", most).Scan(&jobs).Error
	return jobs, err
}

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
