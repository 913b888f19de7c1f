package csv

import (
	"bufio"
	"encoding/csv"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/store"
)

// Writer writes a table that spreadsheets open as it is: UTF-8 with a mark that says so, and no cell a formula.
// What it wrote is read back the same by Open, with \n for each line break.
type Writer struct{ out *csv.Writer }

// lineBreaks makes each one \n; the encoder would lose a \r alone.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// NewWriter begins a table. It holds back what it writes until Flush.
func NewWriter(w io.Writer) *Writer {
	buffer := bufio.NewWriterSize(w, buffered)
	buffer.WriteString(mark)
	out := csv.NewWriter(buffer) // which takes this buffer for its own
	out.UseCRLF = true
	return &Writer{out}
}

// Write adds a row. What could not be written, a later call or Flush answers.
func (w *Writer) Write(cells []string) error {
	row := store.Map(cells, func(cell string) string { return inert(lineBreaks.Replace(cell)) })
	return w.out.Write(row)
}

// Flush ends the table.
func (w *Writer) Flush() error {
	w.out.Flush()
	return w.out.Error()
}

// inert keeps a spreadsheet from taking a text for a formula, by an apostrophe in front. A text that has one already
// gets another, so that bared gives it back.
func inert(text string) string {
	if isFormula(strings.TrimLeft(text, "'")) {
		return "'" + text
	}
	return text
}

// bared takes off the apostrophe of inert, which others put before such texts too.
func bared(text string) string {
	if rest, found := strings.CutPrefix(text, "'"); found && isFormula(strings.TrimLeft(rest, "'")) {
		return rest
	}
	return text
}

// calls is how a function is called by what begins with another sign than =.
var calls = regexp.MustCompile(`^[@+\-＠＋－][@+\-\s]*\pL[\pL\d_.]*[(|]`)

// calculates tells of a cell that is a formula as it is read: what begins with =, or calls a function after @, + or -.
// It is refused, since what it would say nobody knows. Other cells with such a sign are texts that people write, as
// +49 30 and @ana are; isFormula, which is for writing, takes no risk.
func calculates(cell string) bool {
	begin := strings.TrimSpace(cell)
	return strings.HasPrefix(begin, "=") || strings.HasPrefix(begin, "＝") || calls.MatchString(begin)
}

// isFormula tells what spreadsheets may take for a formula, of which the wide forms of East Asian keyboards begin
// one too.
func isFormula(text string) bool {
	if text != "" && strings.ContainsRune("\t\r\n", rune(text[0])) {
		return true
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, unicode.IsSpace))
	return first != utf8.RuneError && strings.ContainsRune("=+-@＝＋－＠", first)
}
