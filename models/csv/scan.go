package csv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"
)

// scanner reads rows. encoding/csv does not fit: it keeps a row of any size, counts lines instead of rows, skips empty
// ones, does not know lines that end in \r, and either refuses a quote in the middle of a cell or accepts one that
// never closes.
type scanner struct {
	in     *bufio.Reader
	commas string // the delimiter; all of them while it is unknown
	number int    // of the row, from 1; empty rows count

	text  []byte // of the row's cells, concatenated
	ends  []int  // where each cell ends in text
	count int    // of all its cells; at most MaxColumns are kept
	last  int    // number of the last cell with content, from 1
	ran   int    // line breaks within a quote that closed in the middle of a cell
	size  int    // of the current cell, in characters
	held  bool   // the current cell is more than space
}

// rows returns the remaining rows with content.
func (s *scanner) rows(columns []Column) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		for {
			err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !s.blank() && !yield(s.row(len(columns)), nil) {
				return
			}
		}
	}
}

// next reads a row, or returns io.EOF.
func (s *scanner) next() error {
	if _, err := s.in.Peek(1); err != nil {
		return err
	}
	s.number++
	s.text, s.ends, s.count, s.last, s.ran = s.text[:0], s.ends[:0], 0, 0, 0
	for {
		end, err := s.cell()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		s.count++
		if s.held {
			s.last = s.count
		}
		if s.count <= MaxColumns {
			s.ends = append(s.ends, len(s.text))
		}
		if err != nil || end == '\n' {
			return nil
		}
	}
}

// cell reads a cell, and returns what ends it: a delimiter, a line break or io.EOF.
func (s *scanner) cell() (end byte, err error) {
	s.size, s.held = 0, false
	begin, opened := len(s.text), false
	for {
		c, err := s.read()
		switch {
		case err != nil:
			return 0, err
		case c == '\n' || strings.IndexByte(s.commas, c) >= 0:
			return c, nil
		case c == '"' && !s.held && !opened:
			s.text, opened = s.text[:begin], true
			err = s.quoted()
		default:
			err = s.add(c)
		}
		if err != nil {
			return 0, err
		}
	}
}

// quoted reads the rest of a quoted text.
func (s *scanner) quoted() error {
	lines := 0
	for {
		c, err := s.read()
		switch {
		case err == nil:
		case errors.Is(err, io.EOF):
			return s.fault("A quote opens here and never closes. Close it, or delete it, and upload the file again.")
		default:
			return err
		}
		if c == '"' {
			next, err := s.in.Peek(1)
			if err != nil && !errors.Is(err, io.EOF) {
				return err
			}
			if len(next) == 0 || next[0] != '"' {
				// A spreadsheet adds the rest to the cell. After a line break the quote more likely belongs to the next cell.
				if len(next) > 0 && !bytes.ContainsAny(next, s.commas+"\r\n ") {
					s.ran += lines
				}
				return nil
			}
			s.in.Discard(1)
		}
		if c == '\n' {
			lines++
		}
		if err := s.add(c); err != nil {
			return err
		}
	}
}

// read returns the next byte, with every line break as one \n.
func (s *scanner) read() (byte, error) {
	c, err := s.in.ReadByte()
	if c != '\r' {
		return c, err
	}
	if next, _ := s.in.Peek(1); len(next) > 0 && next[0] == '\n' {
		s.in.Discard(1)
	}
	return '\n', err
}

// add adds a byte to the cell.
func (s *scanner) add(c byte) error {
	if c == 0 {
		return s.fault("There is a NUL character, which no text has. Is this a CSV file?")
	}
	if utf8.RuneStart(c) {
		if s.size++; s.size > maxCell {
			return s.fault("The cell has more than 50,000 characters. Shorten it; or does a quote in it never close?")
		}
	}
	s.held = s.held || c > ' '
	if s.count < MaxColumns {
		s.text = append(s.text, c)
	}
	return nil
}

// fault returns a Fault of the current cell.
func (s *scanner) fault(message string) error {
	return &Fault{Row: s.number, Column: s.count + 1, Message: message}
}

// blank reports whether all cells of the row are empty.
func (s *scanner) blank() bool { return s.last == 0 }

// cells returns the row's cells.
func (s *scanner) cells() []string {
	text, from := string(s.text), 0 // one allocation for all
	cells := make([]string, len(s.ends))
	for i, end := range s.ends {
		cells[i], from = text[from:end], end
	}
	return cells
}

// row returns the row with as many cells as there are columns. Missing ones become empty: Excel omits empty cells at
// the end of a row.
func (s *scanner) row(columns int) *Row {
	row := &Row{Number: s.number, Cells: make([]string, columns)}
	copy(row.Cells, s.cells())
	if s.ran > 0 {
		row.add(0, "", ranTogether(s.ran))
	}
	if s.last > columns {
		row.add(0, "", fmt.Sprintf("The row has %d cells, the heading %d. A text with the delimiter in it needs quotes.",
			s.last, columns))
	}
	for i, cell := range row.Cells {
		if strings.ContainsRune(cell, utf8.RuneError) { // it also stands for invalid bytes
			row.Cells[i] = strings.ToValidUTF8(cell, "�")
			row.add(i+1, shorten(escaped(cell)), damaged(cell))
		}
		if calculates(cell) {
			row.add(i+1, shorten(row.Cells[i]), "It begins like a formula. Put an apostrophe in front if it is a text.")
		}
		row.Cells[i] = bared(row.Cells[i])
	}
	return row
}

func (r *Row) add(column int, text, message string) {
	r.Faults = append(r.Faults, &Fault{Row: r.Number, Column: column, Text: text, Message: message})
}

func ranTogether(lines int) string {
	return fmt.Sprintf("A quote opens in this row and closes in the middle of a later one; %d rows ran together. "+
		"Close the quote where it should end.", lines+1)
}

// escaped shows invalid bytes as \x….
func escaped(cell string) string {
	var out strings.Builder
	for i, r := range cell {
		if _, size := utf8.DecodeRuneInString(cell[i:]); r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&out, `\x%02x`, cell[i])
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// damaged says what is wrong with the letters of a cell, and guesses the first wrong one.
func damaged(cell string) string {
	at := strings.IndexRune(cell, utf8.RuneError)
	if _, size := utf8.DecodeRuneInString(cell[at:]); size > 1 {
		return "A letter got lost (�)."
	}
	guess, err := io.ReadAll(Windows1252.decoded(strings.NewReader(cell[at : at+1])))
	if err != nil || guess[0] == 0xC2 && guess[1] < 0xA0 || string(guess) == "�" { // a control character is no letter
		return "A letter is not UTF-8."
	}
	return fmt.Sprintf("A letter is not UTF-8. Perhaps it is %s?", guess)
}
