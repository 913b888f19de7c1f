package csv

import (
	"bufio"
	"encoding/csv"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/store"
)

// Writer writes a table that spreadsheets open correctly: UTF-8 with a byte order mark, and no cell that is a formula.
// Open reads back the same cells, with \n for each line break.
type Writer struct{ out *csv.Writer }

// lineBreaks turns each line break into \n; the encoder would lose a lone \r.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// NewWriter begins a table. It buffers output until Flush.
func NewWriter(w io.Writer) *Writer {
	buffer := bufio.NewWriterSize(w, buffered)
	buffer.WriteString(mark)
	out := csv.NewWriter(buffer) // it uses this buffer as its own
	out.UseCRLF = true
	return &Writer{out}
}

// Write adds a row. Errors of writing may be returned by a later call or Flush.
func (w *Writer) Write(cells []string) error {
	row := store.Map(cells, func(cell string) string { return inert(lineBreaks.Replace(cell)) })
	return w.out.Write(row)
}

// Flush ends the table.
func (w *Writer) Flush() error {
	w.out.Flush()
	return w.out.Error()
}

// inert prefixes a text that a spreadsheet would take for a formula with an apostrophe. If the text already has one it
// gets another, so that bared restores it.
func inert(text string) string {
	if isFormula(strings.TrimLeft(text, "'")) {
		return "'" + text
	}
	return text
}

// bared removes the apostrophe of inert, which other programs use too.
func bared(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && isFormula(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return text
}

// calls matches a function call that begins with a sign other than =.
var calls = regexp.MustCompile(`^[@+\-＠＋－][@+\-\s]*\pL[\pL\d_.]*[(|]`)

// calculates reports whether a cell is a formula on reading: it begins with =, or calls a function after @, + or -.
// Such cells are refused, since their result is unknown. Others with such a sign, like +49 30 and @ana, are ordinary
// texts; isFormula, which is for writing, takes no risk.
func calculates(cell string) bool {
	begin := strings.TrimSpace(cell)
	return strings.HasPrefix(begin, "=") || strings.HasPrefix(begin, "＝") || calls.MatchString(begin)
}

// isFormula reports whether spreadsheets may take a text for a formula, also if it begins with a full-width sign of
// East Asian keyboards.
func isFormula(text string) bool {
	if text != "" && strings.ContainsRune("\t\r\n", rune(text[0])) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unicode.IsSpace))
	return first != utf8.RuneError && strings.ContainsRune("=+-@＝＋－＠", first)
}

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
