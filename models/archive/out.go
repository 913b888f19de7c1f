package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"os"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/files"
	"lectern/models/store"
)

// Taken is an event as it was at one moment, with all that is its own: rows in a file of their own, which is gone with
// Close, and where the bytes of its files are.
type Taken struct {
	p        *models.Programme
	spool    *os.File
	files    []*models.File
	manifest Manifest
}

// Take reads an event in one snapshot of the database, which it does not hold any longer than that. It needs as much
// room for temporary files as the rows take when they are packed. People leave with their addresses, so the security
// log is told.
func Take(ctx context.Context, p *models.Programme) (*Taken, error) {
	p.Note(store.PeopleExported, p.Event().Slug+" archive")
	spool, err := os.CreateTemp("", "lectern-*")
	if err != nil {
		return nil, err
	}
	t := &Taken{p: p, spool: spool}
	if err := t.take(ctx); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

// Close forgets what was read.
func (t *Taken) Close() error {
	return errors.Join(t.spool.Close(), os.Remove(t.spool.Name()))
}

func (t *Taken) take(ctx context.Context) error {
	s, out := t.p.Store(), &packing{Writer: zip.NewWriter(t.spool), manifest: &t.manifest}
	err := s.Snapshot(ctx, func(db *gorm.DB) error {
		if err := patient(s, db); err != nil {
			return err
		}
		if err := t.describe(db); err != nil {
			return err
		}
		if err := out.add(readmeName, func(w io.Writer) (int, error) { return 0, writeAll(w, []byte(readme)) }); err != nil {
			return err
		}
		var err error
		if out.called, err = namesOf(db, t.p.Event().ID); err != nil {
			return err
		}
		for _, table := range tables {
			if err := out.table(db, table, t.p.Event().ID); err != nil {
				return err
			}
		}
		mine := tableOf("files")
		return db.Where(mine.mine(), event(t.p.Event().ID)).Order("id").Find(&t.files).Error
	})
	if err != nil {
		return err
	}
	return out.Close()
}

// describe says in the manifest what the archive is of.
func (t *Taken) describe(db *gorm.DB) error {
	s, e := t.p.Store(), t.p.Event()
	schema, err := s.SchemaVersion(db)
	if err != nil {
		return err
	}
	var organization store.Organization
	if err := db.Where("id = ?", e.OrganizationID).Take(&organization).Error; err != nil {
		return err
	}
	t.manifest = Manifest{Form: Form, Schema: schema, TakenAt: s.Now(), From: s.Options.BaseURL,
		Organization: Named{ID: organization.ID, Name: organization.Name}, Event: Named{e.ID, e.Name, e.Slug}}
	return nil
}

// patient lets a statement of a snapshot take as long as it takes.
func patient(s *models.Store, db *gorm.DB) error {
	if s.Embedded() {
		return nil
	}
	return db.Exec("SET LOCAL statement_timeout = 0").Error
}

// WriteTo writes the archive: what was read, then the files, each as it is read, so that memory does not grow with it.
// Nothing of the database is held. What is not finished is no archive that opens.
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
	out := &packing{Writer: zip.NewWriter(to), manifest: &whole}
	for _, entry := range packed.File {
		if err := out.Copy(entry); err != nil {
			return err
		}
	}
	for _, f := range t.files {
		if err := out.file(ctx, t.p.Store(), f); err != nil {
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

// packing is an archive that is being written.
type packing struct {
	*zip.Writer
	manifest *Manifest
	called   called
}

// counted is what a part came to.
type counted struct {
	io.Writer
	sum   hash.Hash
	bytes int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.sum.Write(b[:n])
	c.bytes += int64(n)
	return n, err
}

func writeAll(w io.Writer, b []byte) error {
	_, err := w.Write(b)
	return err
}

// add writes a part, of which the function says how many rows it has, and notes it in the manifest.
func (p *packing) add(name string, write func(io.Writer) (int, error)) error {
	return p.addAs(zip.Deflate, name, write)
}

func (p *packing) addAs(method uint16, name string, write func(io.Writer) (int, error)) error {
	w, err := p.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: p.manifest.TakenAt.Time})
	if err != nil {
		return err
	}
	to := &counted{Writer: w, sum: sha256.New()}
	rows, err := write(to)
	if err != nil {
		return err
	}
	p.manifest.Parts = append(p.manifest.Parts,
		&Part{Name: name, Rows: rows, Bytes: to.bytes, SHA256: hex.EncodeToString(to.sum.Sum(nil))})
	return nil
}

// table writes an event's rows of a table, for programs and for spreadsheets. A table without any is left out.
func (p *packing) table(db *gorm.DB, t *table, eventID string) error {
	columns, kept := t.archived(), every
	if t.kept != "" {
		kept = t.kept
	}
	each := func(take func(row) error) (rows int, err error) {
		err = t.rows(db, columns, eventID, kept, func(one row) error {
			rows++
			t.blank(columns, one)
			return take(one)
		})
		return rows, err
	}
	err := p.add(t.data(), func(w io.Writer) (int, error) {
		return each(func(one row) error { return writeLine(w, columns, one) })
	})
	if err != nil {
		return err
	}
	return p.add(t.sheet(), func(w io.Writer) (int, error) {
		return p.called.writeSheet(w, columns, each)
	})
}

// archived are the columns of a table that an archive has.
func (t *table) archived() []column {
	all := columnsOf(t.name)
	if t.only == nil {
		return all
	}
	var some []column
	for _, name := range t.only {
		some = append(some, all[at(all, name)])
	}
	return some
}

// blank empties what does not leave.
func (t *table) blank(columns []column, one row) {
	for _, name := range t.secret {
		one[at(columns, name)] = ""
	}
}

// writeLine writes a row as a JSON object in one line, its members in the order of the columns.
func writeLine(w io.Writer, columns []column, one row) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	for i, c := range columns {
		line.WriteString(map[bool]string{true: `{"`, false: `,"`}[i == 0] + c.name + `":`)
		said, isText := one[i].(string)
		var err error
		if isText && c.kind == document {
			err = json.Compact(&line, []byte(said))
		} else {
			err = encoder.Encode(one[i])
			line.Truncate(line.Len() - 1) // its line break
		}
		if err != nil {
			return err
		}
	}
	line.WriteString("}\n")
	return writeAll(w, line.Bytes())
}

// file writes the bytes of a file, which are packed already mostly, or notes that they are missing.
func (p *packing) file(ctx context.Context, s *models.Store, f *models.File) error {
	content, err := s.OpenFile(ctx, f)
	if errors.Is(err, files.ErrMissing) {
		p.manifest.Missing = append(p.manifest.Missing, f.ID)
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	return p.addAs(zip.Store, filesFolder+f.ID, func(w io.Writer) (int, error) {
		_, err := io.Copy(w, content)
		return 0, err
	})
}
