package csv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// delimiters are the delimiters that are recognised, the usual one first.
var delimiters = []rune{',', ';', '\t'}

// tried is how many rows are looked at to find the delimiter.
const tried = 50

// findDelimiter chooses the delimiter by which most of the first rows have as many cells as the heading, and many.
func (f *File) findDelimiter() error {
	text, err := f.text()
	if err != nil {
		return err
	}
	hint, err := skipHint(text)
	if err != nil || hint != 0 {
		f.Delimiter = hint
		return err
	}
	begin, err := text.Peek(buffered)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	widths := widthsOf(begin)
	best := -1.0
	for _, delimiter := range delimiters {
		if fit := widths.fit(byte(delimiter)); fit > best {
			f.Delimiter, best = delimiter, fit
		}
	}
	return nil
}

// widths are the numbers of delimiters outside of quotes, per row.
type widths []map[byte]int

// widthsOf counts the delimiters in the first rows of a file. A quote may open after any of them.
func widthsOf(begin []byte) (rows widths) {
	s := &scanner{in: bufio.NewReader(bytes.NewReader(begin)), commas: string(delimiters)}
	row, held := map[byte]int{}, false
	for len(rows) < tried {
		end, err := s.cell()
		held = held || s.held
		if err == nil && end != '\n' {
			row[end]++
			continue
		}
		if held || len(row) > 0 {
			rows = append(rows, row)
		}
		if err != nil {
			break // the last row may be incomplete
		}
		s.text, row, held = s.text[:0], map[byte]int{}, false
	}
	return rows
}

// fit returns how well the rows match a delimiter.
func (w widths) fit(delimiter byte) float64 {
	if len(w) == 0 {
		return 0
	}
	alike := 0
	for _, row := range w {
		if row[delimiter] == w[0][delimiter] {
			alike++
		}
	}
	return float64(w[0][delimiter]) * float64(alike) / float64(len(w))
}

// skipHint skips a first line sep=; by which Excel is told the delimiter, and returns the delimiter. Excel does not
// count that line.
func skipHint(text *bufio.Reader) (rune, error) {
	begin, err := text.Peek(len(`"sep=;"`) + len("\r\n"))
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	line, _, found := strings.Cut(strings.ReplaceAll(string(begin), "\r", "\n"), "\n")
	for _, delimiter := range delimiters {
		if hint := "sep=" + string(delimiter); found && strings.EqualFold(strings.Trim(line, `"`), hint) {
			text.Discard(len(line) + 1)
			if strings.HasPrefix(string(begin[len(line):]), "\r\n") {
				text.Discard(1)
			}
			return delimiter, nil
		}
	}
	return 0, nil
}
