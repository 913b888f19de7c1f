package csv

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// Encoding is a character encoding, by the name that people know.
type Encoding string

const (
	UTF8        Encoding = "UTF-8"
	UTF16LE     Encoding = "UTF-16LE"
	UTF16BE     Encoding = "UTF-16BE"
	Windows1252 Encoding = "Windows-1252"
)

// Encodings are all encodings that are read.
var Encodings = []Encoding{UTF8, Windows1252, UTF16LE, UTF16BE}

// mark is the byte order mark in UTF-8.
const mark = "\uFEFF"

// decoded returns a reader that converts from the encoding to UTF-8.
func (e Encoding) decoded(r io.Reader) io.Reader {
	switch e {
	case UTF16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Reader(r)
	case UTF16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewDecoder().Reader(r)
	case Windows1252:
		return charmap.Windows1252.NewDecoder().Reader(r)
	}
	return r
}

// others are files that people mistake for CSV: how they begin, perhaps after space, what their first bytes contain,
// and what they are.
var others = []struct{ begin, has, is string }{
	{"PK\x03\x04", "opendocument.spreadsheet", "a LibreOffice spreadsheet"},
	{"PK\x03\x04", "xl/", "an Excel workbook"},
	{"PK\x03\x04", "word/", "a Word document"},
	{"PK\x03\x04", "[Content_Types].xml", "an Excel workbook"},
	{"PK\x03\x04", ".iwa", "a Numbers spreadsheet"},
	{"PK\x03\x04", "", "a ZIP archive"},
	{"\xD0\xCF\x11\xE0", "", "an Excel workbook"},
	{"%PDF-", "", "a PDF"},
	{"\x1F\x8B", "", "a compressed file"},
	{"\x89PNG", "", "a picture"},
	{"\xFF\xD8\xFF", "", "a picture"},
	{"GIF8", "", "a picture"},
	{"{\\rtf", "", "a text document"},
	{"<!DOCTYPE", "", "a web page"},
	{"<!doctype", "", "a web page"},
	{"<html", "", "a web page"},
	{"<HTML", "", "a web page"},
	{"<?xml", "", "an XML file"},
}

// headSize is how many bytes are looked at to recognise a file; for a workbook they contain the names of its first
// parts.
const headSize = 8 << 10

// look refuses what is too large or no CSV file, and detects the encoding.
func (f *File) look() error {
	if _, err := f.src.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if f.Encoding != "" && !slices.Contains(Encodings, f.Encoding) {
		return &Fault{Message: "Letters can be read as UTF-8, UTF-16 or Windows-1252 alone."}
	}
	if f.Delimiter != 0 && !slices.Contains(delimiters, f.Delimiter) {
		return &Fault{Message: "Cells can be separated by commas, semicolons or tabs alone."}
	}
	var seen letters
	in := io.LimitReader(f.src, MaxBytes+1)
	buffer := make([]byte, buffered)
	size := 0
	for first := true; ; first = false {
		n, err := io.ReadFull(in, buffer)
		if size += n; size > MaxBytes {
			return &Fault{Message: "The file is larger than 20 MB. Split it, and import the parts one by one."}
		}
		if first {
			if is := otherThanCSV(buffer[:min(n, headSize)]); is != "" {
				return &Fault{Message: "This is " + is + ". Save it as CSV first."}
			}
			seen.begin(buffer[:n])
		}
		seen.add(buffer[:n])
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if f.Encoding == "" {
		f.Encoding = seen.encoding()
	}
	return nil
}

func otherThanCSV(head []byte) string {
	begin := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(mark)), " \t\r\n")
	for _, other := range others {
		if bytes.HasPrefix(begin, []byte(other.begin)) && bytes.Contains(head, []byte(other.has)) {
			return other.is
		}
	}
	return ""
}

// letters counts the signs of an encoding.
type letters struct {
	sure  Encoding // from a byte order mark, or from zeros as in UTF-16
	left  []byte   // an incomplete letter at the end of what was added
	whole int      // valid UTF-8 letters of more than one byte
	odd   int      // bytes that are invalid in UTF-8
}

// begin looks at a file's first bytes.
func (l *letters) begin(head []byte) {
	switch {
	case bytes.HasPrefix(head, []byte(mark)):
		l.sure = UTF8
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		l.sure = UTF16LE
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		l.sure = UTF16BE
	default:
		l.sure = withoutMark(head)
	}
}

// withoutMark detects UTF-16 by its zero bytes: in any language, line breaks and delimiters have one, and all zeros are
// in the same half. It returns "" for other encodings.
func withoutMark(head []byte) Encoding {
	var zeros, breaks [2]int // by the half that is zero
	for i, b := range head {
		if b != 0 {
			continue
		}
		zeros[i%2]++
		if other := i ^ 1; other < len(head) && strings.IndexByte("\r\n,;\t", head[other]) >= 0 {
			breaks[i%2]++
		}
	}
	for half, e := range []Encoding{UTF16BE, UTF16LE} {
		if breaks[half] > 0 && zeros[half] > 10*zeros[1-half] && zeros[half]*16 > len(head)/2 {
			return e
		}
	}
	return ""
}

func (l *letters) add(b []byte) {
	if l.sure != "" {
		return
	}
	if len(l.left) > 0 {
		b = append(l.left, b...)
	}
	for len(b) > 0 && (b[0] < utf8.RuneSelf || utf8.FullRune(b)) {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			l.odd++
		case size > 1:
			l.whole++
		}
		b = b[size:]
	}
	l.left = bytes.Clone(b)
}

// encoding returns the likeliest encoding. A few invalid letters among many valid UTF-8 ones were damaged on their way;
// a few valid ones among many invalid are a coincidence.
func (l *letters) encoding() Encoding {
	switch odd := l.odd + len(l.left); {
	case l.sure != "":
		return l.sure
	case odd > l.whole:
		return Windows1252
	}
	return UTF8
}

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
