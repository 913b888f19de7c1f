// Package csv reads tables as spreadsheets and other systems really write them, guesses what their columns hold, and
// writes tables that spreadsheets open safely.
package csv

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
)

// These are limits of a file. Characters are runes; rows are those with content, without the heading.
const (
	MaxBytes   = 20 << 20
	MaxRows    = 50_000
	MaxColumns = 200
	maxCell    = 50_000
)

// sampled is how many rows a File keeps as a sample, cut how many characters it keeps of their cells and of the
// columns' names.
const (
	sampled = 50
	cut     = 200
)

// Reading says how to read a file. Zero fields are found out from the file.
type Reading struct {
	Encoding  Encoding
	Delimiter rune // one of Delimiters
}

// File is a table whose first row with content is its heading. It keeps only a sample of the rows, and reads its source
// again each time that Rows is called.
type File struct {
	Reading // as requested or found out
	Columns []Column
	Count   int        // number of rows with content
	Sample  [][]string // the cells of the first rows, cut

	src     io.ReadSeeker
	heading int // the number of its row
}

// Column is a column of a file.
type Column struct {
	Header string // as written, without surrounding space; may be empty or occur twice
	Name   string // never empty, and unique
}

// Row is a row with content.
type Row struct {
	Number int      // as a spreadsheet shows it; a heading at the top is 1
	Cells  []string // one per column, valid UTF-8, with \n for each line break
	Faults []*Fault // why some cells cannot be used; those of a column that is left out do not matter
}

// Fault is what is wrong with a file, a row or a cell.
type Fault struct {
	Row, Column int    // from 1; 0 for none
	Text        string // of the cell, with \x for bytes that are no letters; "" when it does not help
	Message     string // a sentence or two
}

// Error says where the fault is, and what it is.
func (f *Fault) Error() string {
	switch {
	case f.Row == 0:
		return f.Message
	case f.Column == 0:
		return fmt.Sprintf("Row %d: %s", f.Row, f.Message)
	}
	return fmt.Sprintf("Row %d, column %d: %s", f.Row, f.Column, f.Message)
}

// Open looks through the whole file, one row at a time; Rows reads it again. It returns a *Fault when nothing of it can
// be used: it is no text table, empty, larger than the limits, or has a quote that never closes. Both Open and Rows
// take linear time.
func Open(src io.ReadSeeker, as Reading) (*File, error) {
	f := &File{Reading: as, src: src}
	if err := f.look(); err != nil {
		return nil, err
	}
	if f.Delimiter == 0 {
		if err := f.findDelimiter(); err != nil {
			return nil, err
		}
	}
	s, err := f.scanner()
	if err != nil {
		return nil, err
	}
	if err := f.readHeading(s); err != nil {
		return nil, err
	}
	if err := f.readRows(s); err != nil {
		return nil, err
	}
	return f, nil
}

// readRows reads the rows below the heading, and drops empty columns at the end.
func (f *File) readRows(s *scanner) error {
	used := s.last
	for row, err := range s.rows(f.Columns) {
		if err != nil {
			return err
		}
		if f.Count++; f.Count > MaxRows {
			return &Fault{Message: "The file has more than 50,000 rows. Split it, and import the parts one by one."}
		}
		if f.Count <= sampled {
			f.Sample = append(f.Sample, shortened(row.Cells))
		}
		used = max(used, s.last)
	}
	if f.Count == 0 {
		return &Fault{Message: "The file has a heading, but no rows below it."}
	}
	f.Columns = f.Columns[:min(used, len(f.Columns))]
	for i := range f.Sample {
		f.Sample[i] = f.Sample[i][:len(f.Columns)]
	}
	return nil
}

// Rows reads all rows with content below the heading. It can be called again once the reading before has ended. An
// error ends it; after Open succeeded, only the source can cause one.
func (f *File) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		s, err := f.scanner()
		for err == nil && s.number < f.heading {
			err = s.next()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		s.rows(f.Columns)(yield)
	}
}

// scanner returns a scanner at the start of the file.
func (f *File) scanner() (*scanner, error) {
	text, err := f.text()
	if err != nil {
		return nil, err
	}
	_, err = skipHint(text)
	return &scanner{in: text, commas: string(f.Delimiter)}, err
}

// readHeading reads up to and including the heading, and names the columns.
func (f *File) readHeading(s *scanner) error {
	for blank := true; blank; blank = s.blank() {
		if err := s.next(); errors.Is(err, io.EOF) {
			return &Fault{Message: "The file is empty."}
		} else if err != nil {
			return err
		}
	}
	f.heading = s.number
	if s.last > MaxColumns {
		return &Fault{Row: s.number, Message: fmt.Sprintf(
			"The file has %d columns; at most %d can be read. Delete those that say nothing of people.", s.last, MaxColumns)}
	}
	if s.ran > 0 {
		return &Fault{Row: s.number, Message: ranTogether(s.ran)}
	}
	names := map[string]bool{}
	for i, header := range s.cells() {
		header = strings.Join(strings.Fields(strings.ToValidUTF8(bared(header), "�")), " ")
		name := shorten(header)
		if name == "" {
			name = fmt.Sprintf("Column %d", i+1)
		}
		unique := name
		for n := 2; names[unique]; n++ {
			unique = fmt.Sprintf("%s (%d)", name, n)
		}
		names[unique] = true
		f.Columns = append(f.Columns, Column{Header: header, Name: unique})
	}
	return nil
}

// shortened returns the beginnings of cells.
func shortened(cells []string) []string {
	short := make([]string, len(cells))
	for i, cell := range cells {
		short[i] = strings.Clone(shorten(cell)) // cloned, so that it does not keep the whole row alive
	}
	return short
}

func shorten(text string) string {
	n := 0
	for at := range text {
		if n++; n > cut {
			return text[:at] + "…"
		}
	}
	return text
}

// buffered is how many bytes of a file are read at once.
const buffered = 64 << 10

// text returns a reader of the file as UTF-8, without its byte order mark.
func (f *File) text() (*bufio.Reader, error) {
	if _, err := f.src.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("reading: %w", err)
	}
	in := bufio.NewReaderSize(f.Encoding.decoded(io.LimitReader(f.src, MaxBytes)), buffered)
	if begin, _ := in.Peek(len(mark)); string(begin) == mark {
		in.Discard(len(mark))
	}
	return in, nil
}
