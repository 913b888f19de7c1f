package csv

import (
	"io"
	"strconv"
	"strings"
)

// RowColumn and ReasonColumn are the extra columns of faulty rows that are returned for correction. An import ignores
// them.
const (
	RowColumn    = "Row in the file"
	reasonColumn = "What is wrong"
)

// IsBeside reports whether a heading is one of the two extra columns.
func IsBeside(heading string) bool { return heading == RowColumn || heading == reasonColumn }

// WriteFaulty writes rows of the file as a table, each with its number and what is wrong with it, to be corrected and
// imported. It leaves out rows that are not in reasons; rows with an empty list are included.
func (f *File) WriteFaulty(out io.Writer, reasons map[int][]string) error {
	var kept []int
	var heading []string
	for i, column := range f.Columns {
		if !IsBeside(column.Header) {
			kept, heading = append(kept, i), append(heading, column.Header)
		}
	}
	w := NewWriter(out)
	if err := w.Write(append(heading, RowColumn, reasonColumn)); err != nil {
		return err
	}
	for row, err := range f.Rows() {
		if err != nil {
			return err
		}
		why, is := reasons[row.Number]
		if !is {
			continue
		}
		var cells []string
		for _, i := range kept {
			cells = append(cells, row.Cells[i])
		}
		if err := w.Write(append(cells, strconv.Itoa(row.Number), strings.Join(why, " "))); err != nil {
			return err
		}
	}
	return w.Flush()
}
