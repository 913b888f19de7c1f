package archive

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Taken is an event, or everything of an organization, as it was at one moment: its rows in a temporary file, which
// Close removes, and where the bytes of its files are.
type Taken struct {
	s        *models.Store
	of       scope
	spool    *os.File
	files    []*models.File
	manifest Manifest
}

// Take reads an event in one snapshot of the database, which is open only that long. It needs temporary space for the
// compressed rows. Because addresses leave with it, it notes that in the security log.
func Take(ctx context.Context, p *models.Programme) (*Taken, error) {
	p.Note(store.PeopleExported, p.Event().Slug+" archive")
	return take(ctx, p.Store(), ofEvent(p.Event().ID))
}

// TakeAll is Take for all events of an organization, and for its people even if they are at no event.
func TakeAll(ctx context.Context, s *models.Store, of *store.Tenant) (*Taken, error) {
	s.Note(store.Incident{Event: store.PeopleExported, By: of.By, OrganizationID: of.ID,
		Facts: map[string]any{"of": "archive of all events"}})
	return take(ctx, s, scope{organization: of.ID})
}

func take(ctx context.Context, s *models.Store, of scope) (*Taken, error) {
	spool, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return nil, err
	}
	t := &Taken{s: s, of: of, spool: spool}
	if err := t.take(ctx); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Bytes estimates the size of the archive.
func (t *Taken) Bytes() int64 {
	var n int64
	if there, err := t.spool.Stat(); err == nil {
		n = there.Size()
	}
	for _, f := range t.files {
		n += f.Size
	}
	return n
}

// Close deletes the temporary file.
func (t *Taken) Close() error {
	return errors.Join(t.spool.Close(), os.Remove(t.spool.Name()))
}

func (t *Taken) take(ctx context.Context) error {
	out := &packing{Writer: zip.NewWriter(t.spool), manifest: &t.manifest}
	err := t.s.Snapshot(ctx, func(db *gorm.DB) error {
		if err := patient(t.s, db); err != nil {
			return err
		}
		if err := t.describe(db); err != nil {
			return err
		}
		if err := out.add(readmeName, func(w io.Writer) (int, error) { return 0, writeAll(w, []byte(readme)) }); err != nil {
			return err
		}
		var err error
		if out.called, err = namesOf(db, t.of); err != nil {
			return err
		}
		for _, table := range tables {
			if err := out.table(db, table, t.of); err != nil {
				return err
			}
		}
		return t.of.rows(db, tableOf("files")).Order("id").Find(&t.files).Error
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// describe fills in the manifest, and reads the events of an organization.
func (t *Taken) describe(db *gorm.DB) error {
	schema, err := t.s.SchemaVersion(db)
	if err != nil {
		return err
	}
	t.manifest = Manifest{Form: Form, Schema: schema, TakenAt: t.s.Now(), From: t.s.Options.BaseURL}
	events, err := t.of.eventsIn(db)
	if err != nil {
		return err
	}
	organization := &store.Organization{ID: t.of.organization}
	if organization.ID == "" {
		organization.ID, t.manifest.Event = events[0].OrganizationID, &Named{events[0].ID, events[0].Name, events[0].Slug}
	} else {
		t.of.events = nil
		for _, e := range events {
			t.of.events = append(t.of.events, e.ID)
			t.manifest.Events = append(t.manifest.Events, Named{e.ID, e.Name, e.Slug})
		}
	}
	if err := db.Where("id = ?", organization.ID).Take(organization).Error; err != nil {
		return err
	}
	t.manifest.Organization = Named{ID: organization.ID, Name: organization.Name}
	return nil
}

// eventsIn returns the events by creation. It answers NotFound for one that is gone.
func (of scope) eventsIn(db *gorm.DB) (all []*models.Event, err error) {
	db = db.Select("id, organization_id, name, slug").Order("created_at, id")
	if of.organization != "" {
		return all, db.Where("organization_id = ?", of.organization).Find(&all).Error
	}
	if err = db.Where("id IN ?", of.events).Find(&all).Error; err == nil && len(all) == 0 {
		err = store.Missing("There is no event with this id or slug.")
	}
	return all, err
}

// patient removes the time limit for statements in a transaction.
func patient(s *models.Store, db *gorm.DB) error {
	if s.Embedded() {
		return nil
	}
	return db.Exec("SET LOCAL statement_timeout = 0").Error
}

// WriteTo streams the archive: the rows, then the files one by one, so that memory does not grow with them. It holds no
// transaction. If it fails, what was written does not open as an archive.
func (t *Taken) WriteTo(ctx context.Context, to io.Writer) error {
	size, err := t.spool.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	packed, err := zip.NewReader(t.spool, size)
	if err != nil {
		return err
	}
	whole := t.manifest
	whole.Parts = slices.Clone(whole.Parts)
	out := &packing{Writer: zip.NewWriter(files.Writer(ctx, to)), manifest: &whole}
	for _, entry := range packed.File {
		if err := out.Copy(entry); err != nil {
			return err
		}
	}
	for _, f := range t.files {
		if err := out.file(ctx, t.s, f); err != nil {
			return err
		}
	}
	says, err := json.MarshalIndent(whole, "", "  ")
	if err != nil {
		return err
	}
	w, err := out.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: whole.TakenAt.Time})
	if err != nil {
		return err
	}
	if err := writeAll(w, says); err != nil {
		return err
	}
	return out.Close()
}
