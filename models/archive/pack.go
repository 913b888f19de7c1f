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
	"strconv"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/files"
)

// packing is an archive that is being written.
type packing struct {
	*zip.Writer
	manifest *Manifest
	called   called
}

// counted counts and hashes what is written to a part.
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

// add writes a part and adds it to the manifest; write returns how many rows it has.
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

// table writes the rows of a table, for programs and for spreadsheets. It leaves out an empty table.
func (p *packing) table(db *gorm.DB, t *table, of scope) error {
	columns, kept := t.archived(), every
	if t.kept != "" {
		kept = t.kept
	}
	each := func(take func(row) error) (rows int, err error) {
		err = t.rows(db, columns, of, kept, func(one row) error {
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

// archived returns the columns of a table that an archive contains.
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

// blank clears the secret columns of a row.
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
			line.Truncate(line.Len() - 1) // the encoder's line break
		}
		if err != nil {
			return err
		}
	}
	line.WriteString("}\n")
	return writeAll(w, line.Bytes())
}

// file writes the bytes of a file uncompressed, as most are compressed already, or records that they are missing.
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

// called maps the ids of records to names for people.
type called map[string]string

// naming are the tables whose records have names, with the SQL for the name.
var naming = []struct{ table, name string }{
	{"users", "name"}, {"files", "name"}, {"contacts", "full_name"}, {"sourcing_stages", "name"}, {"metadata", "name"},
	{"call_parts", "title"}, {"call_questions", "label"}, {"call_codes", "code"}, {"review_rounds", "name"},
	{"tasks", "title"}, {"sessions", "friendly_id || ' ' || title"}, {"agenda_versions", "name"}, {"mailings", "subject"},
}

// namesOf reads the names of records.
func namesOf(db *gorm.DB, whose scope) (called, error) {
	names := called{}
	for _, of := range naming {
		var rows []struct{ ID, Name string }
		err := whose.rows(db.Table(of.table), tableOf(of.table)).Select("id, " + of.name + " AS name").Scan(&rows).Error
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names[row.ID] = row.Name
		}
	}
	return names, nil
}

// writeSheet writes rows for a spreadsheet: their columns, with the record's name after each id.
func (n called) writeSheet(w io.Writer, columns []column, each func(func(row) error) (int, error)) (int, error) {
	sheet := csv.NewWriter(w)
	var head []string
	named := make([]bool, len(columns))
	for i, c := range columns {
		name, is := strings.CutSuffix(c.name, "_id")
		named[i] = is && at(columns, name) < 0
		if head = append(head, c.name); named[i] {
			head = append(head, name)
		}
	}
	sheet.Write(head)
	rows, err := each(func(one row) error {
		cells := make([]string, 0, len(head))
		for i, v := range one {
			cell := cellOf(v)
			if cells = append(cells, cell); named[i] {
				cells = append(cells, n[cell])
			}
		}
		return sheet.Write(cells)
	})
	return rows, errors.Join(err, sheet.Flush())
}

func cellOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
