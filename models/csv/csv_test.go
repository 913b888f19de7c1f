package csv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// opened opens a file with this content.
func opened(t *testing.T, content string, as Reading) *File {
	t.Helper()
	f, err := Open(strings.NewReader(content), as)
	if err != nil {
		t.Fatalf("%.80q: %v", content, err)
	}
	return f
}

func rowsOf(t *testing.T, f *File) (rows []*Row) {
	t.Helper()
	for row, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	if len(rows) != f.Count {
		t.Fatalf("%d rows, counted %d", len(rows), f.Count)
	}
	return rows
}

// cellsOf returns the heading and the rows of a file.
func cellsOf(t *testing.T, f *File) (cells [][]string) {
	t.Helper()
	cells = append(cells, namesOf(f))
	for _, row := range rowsOf(t, f) {
		cells = append(cells, row.Cells)
	}
	return cells
}

func namesOf(f *File) (names []string) {
	for _, c := range f.Columns {
		names = append(names, c.Name)
	}
	return names
}

const people = "Vorname;Nachname;Firma\r\nZoë;Müller;Łódź & Söhne\r\nJosé;Ñandú;\r\n"

func encoded(t *testing.T, text string, e encoding.Encoding) string {
	t.Helper()
	out, err := encoding.ReplaceUnsupported(e.NewEncoder()).String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTheEncodingIsFoundOut(t *testing.T) {
	t.Parallel()
	western := strings.ReplaceAll(people, "Łódź", "Lodz €")
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	japanese := "姓,名,会社\n山田,花子,記録工房\n佐藤,健,\n鈴木,一郎,港湾会議\n"
	for name, test := range map[string]struct {
		content, text string
		want          Encoding
	}{
		"UTF-8":                     {people, people, UTF8},
		"UTF-8 with a mark":         {mark + people, people, UTF8},
		"ASCII":                     {"a,b\n1,2\n", "a,b\n1,2\n", UTF8},
		"Japanese":                  {japanese, japanese, UTF8},
		"Windows-1252":              {encoded(t, western, charmap.Windows1252), western, Windows1252},
		"UTF-16LE with a mark":      {encoded(t, mark+people, little), people, UTF16LE},
		"UTF-16BE with a mark":      {encoded(t, mark+people, big), people, UTF16BE},
		"UTF-16LE":                  {encoded(t, people, little), people, UTF16LE},
		"UTF-16BE":                  {encoded(t, people, big), people, UTF16BE},
		"UTF-16LE in Japanese":      {encoded(t, japanese, little), japanese, UTF16LE},
		"a letter on a chunk's end": {"a,b\n" + strings.Repeat("x", buffered-5) + ",\n" + western, "", UTF8},
		"one late letter that only Windows-1252 has": {strings.Repeat("a,b\n", 30_000) + "Zo\xeb,b\n", "", Windows1252},
	} {
		if name == "a letter on a chunk's end" { // é begins one byte before
			test.content = "a,b\n" + strings.Repeat("x", 30_000) + "," + strings.Repeat("x", buffered-30_006) + "é,b\n"
		}
		f := opened(t, test.content, Reading{})
		if f.Encoding != test.want {
			t.Errorf("%s is taken for %s", name, f.Encoding)
		}
		if test.text == "" {
			continue
		}
		if want := cellsOf(t, opened(t, test.text, Reading{Encoding: UTF8})); !reflect.DeepEqual(cellsOf(t, f), want) {
			t.Errorf("%s: %q, want %q", name, cellsOf(t, f), want)
		}
	}
}

func TestAWrongGuessOfTheEncodingCanBeOverridden(t *testing.T) {
	t.Parallel()
	const content = "Name,Company\nZo\xc3\xab,x\n" // Zoë, or ZoÃ«
	for e, want := range map[Encoding]string{UTF8: "Zoë", Windows1252: "ZoÃ«"} {
		if f := opened(t, content, Reading{Encoding: e}); f.Sample[0][0] != want || f.Encoding != e {
			t.Errorf("as %s: %q", e, f.Sample)
		}
	}
	// Among many letters of UTF-8 a few that are not are damaged ones.
	f := opened(t, "Nachname;Vorname\nWiśniewski;Zoë\nM\xfcller;Jérôme\nx\x81y;a\nSm�th;b\n"+"ok;\xe2\x82\n", Reading{})
	var got []Fault
	for _, row := range rowsOf(t, f) {
		for _, fault := range row.Faults {
			got = append(got, *fault)
		}
	}
	want := []Fault{
		{3, 1, `M\xfcller`, "A letter is not UTF-8. Perhaps it is ü?"},
		{4, 1, `x\x81y`, "A letter is not UTF-8."},
		{5, 1, "Sm�th", "A letter got lost (�)."},
		{6, 2, `\xe2\x82`, "A letter is not UTF-8. Perhaps it is â?"},
	}
	if f.Encoding != UTF8 || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %+v, want %+v", f.Encoding, got, want)
	}
	if cells := cellsOf(t, f); cells[2][0] != "M�ller" {
		t.Errorf("%q", cells)
	}
	if f := opened(t, "Nachname;Vorname\nM\xfcller;Zo\xeb\n", Reading{Encoding: UTF8}); len(rowsOf(t, f)[0].Faults) != 2 {
		t.Error("letters that are not UTF-8 pass, when UTF-8 was asked for")
	}
}

func TestTheDelimiterIsFoundOutsideOfQuotes(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]rune{
		"a,b\n1,2\n":      ',',
		"a;b\n1;2\n":      ';',
		"a\tb\n1\t2\n":    '\t',
		"E-mail\na@b.c\n": ',',
		"Name;\"Firma, Ort, Land\";E-Mail\nx;\"a, b, c\";d\n":        ';',
		"Name;Firma, Ort;E-Mail\nx;a, b;d\ny;c;d\n":                  ';',
		"name,email,tags\nx,y,\"a;b;c\"\nz,w,\"a;b;c;d\"\n":          ',',
		"name,tags;more\nx,a;b;c\nz,a\n":                             ',',
		"Name\tNotes\nx\t1, 2, 3; 4\ny\t\"a\nb, c\"\n":               '\t',
		"a;b;c;d\n1;2\n1;2\n1;2;3;4\n":                               ';', // Excel leaves out empty ends of rows
		"sep=;\r\na,x;b\r\n1;2\r\n":                                  ';',
		"\"sep=\t\"\na,x;b\tc\n1\t2\n":                               '\t',
		mark + "SEP=,\ra;x,b\r1,2\r":                                 ',',
		"a;b\n\"" + strings.Repeat("line,\n", 7_000) + "\";2\n3;4\n": ';', // a cell longer than what is looked at
	} {
		f := opened(t, content, Reading{})
		if f.Delimiter != want {
			t.Errorf("%.40q is split at %q", content, f.Delimiter)
		}
		if f.Columns[0].Header == "" || strings.Contains(strings.ToLower(f.Columns[0].Header), "sep=") {
			t.Errorf("%.40q has the columns %q", content, namesOf(f))
		}
	}
	if f := opened(t, "a;b\n1;2\n", Reading{Delimiter: ','}); len(f.Columns) != 1 || f.Delimiter != ',' {
		t.Errorf("%q, although a comma was asked for", namesOf(f))
	}
}

func TestRowsAreNumberedAsASpreadsheetShowsThem(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r\n", "\r"} {
		content := strings.Join([]string{``, `Name,Bio,Note`, `Ana,"two`, `lines, ""quoted""",x`, ``, ` , ,""`,
			`Ben,"",`, `Jean "JJ" Dupont, "b, c" ,5" disk`, `"Cy"x`, `D`}, end)
		f := opened(t, content, Reading{})
		want := []*Row{
			{Number: 3, Cells: []string{"Ana", "two\nlines, \"quoted\"", "x"}},
			{Number: 6, Cells: []string{"Ben", "", ""}},
			{Number: 7, Cells: []string{`Jean "JJ" Dupont`, "b, c ", `5" disk`}},
			{Number: 8, Cells: []string{"Cyx", "", ""}},
			{Number: 9, Cells: []string{"D", "", ""}},
		}
		if got := rowsOf(t, f); !reflect.DeepEqual(got, want) {
			for _, row := range got {
				t.Errorf("%q: %+v", end, row)
			}
		}
		if !reflect.DeepEqual(rowsOf(t, f), rowsOf(t, f)) {
			t.Error("a second reading finds something else")
		}
	}
}

func TestColumnsHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	f := opened(t, "\"'=Name\";E-Mail ; e-mail;E-Mail;;\"Two\nlines\";E-Mail (2);"+strings.Repeat("x", 500)+";;;;\n"+
		"a;b;c;d;e;f;g;h;;;\n;;;;;;;;i;;\n", Reading{})
	want := []string{"=Name", "E-Mail", "e-mail", "E-Mail (2)", "Column 5", "Two lines", "E-Mail (2) (2)",
		strings.Repeat("x", cut) + "…", "Column 9"}
	if got := namesOf(f); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if f.Columns[4].Header != "" || f.Columns[3].Header != "E-Mail" || len(f.Sample[0]) != len(want) {
		t.Errorf("%q, %q", f.Columns, f.Sample)
	}
}

func TestWhatIsWrongInARowDoesNotConcernTheOthers(t *testing.T) {
	t.Parallel()
	f := opened(t, "Name;E-Mail;Note\nAna;a@b.c;x;more\nBen;b@b.c;y;;\nCy;c@b.c\nDee;=HYPERLINK(\"x\");'=1+1\n"+
		"Eve;e@b.c;\"opened\nFay;f@b.c;x\nGil;\"g@b.c\";x\nHal;h@b.c;+49 30\n", Reading{})
	rows := rowsOf(t, f)
	faults := map[int][]string{}
	for _, row := range rows {
		for _, fault := range row.Faults {
			faults[row.Number] = append(faults[row.Number], fault.Error()+"|"+fault.Text)
		}
	}
	want := map[int][]string{
		2: {"Row 2: The row has 4 cells, the heading 3. A text with the delimiter in it needs quotes.|"},
		5: {"Row 5, column 2: It begins like a formula. Put an apostrophe in front if it is a text.|=HYPERLINK(\"x\")"},
		6: {"Row 6: A quote opens in this row and closes in the middle of a later one; 3 rows ran together. " +
			"Close the quote where it should end.|", "Row 6: The row has 4 cells, the heading 3. A text with the delimiter in it needs quotes.|"},
	}
	if !reflect.DeepEqual(faults, want) {
		t.Errorf("%v", faults)
	}
	if last := rows[len(rows)-1]; last.Number != 7 || last.Cells[2] != "+49 30" || rows[3].Cells[2] != "=1+1" {
		t.Errorf("%+v", last)
	}
}

func TestAFileThatCannotBeUsedSaysWhy(t *testing.T) {
	t.Parallel()
	const workbook = "This is an Excel workbook. Save it as CSV first."
	wide := func(n int) string { return strings.Repeat("a,", n-1) + "a\n" }
	for name, test := range map[string]struct{ content, want string }{
		"empty":            {"", "The file is empty."},
		"a mark alone":     {mark, "The file is empty."},
		"blank":            {"\r\n;;;\n \n", "The file is empty."},
		"a hint alone":     {"sep=;\n", "The file is empty."},
		"a heading alone":  {"Name,E-mail\n\n,\n", "The file has a heading, but no rows below it."},
		"xlsx":             {"PK\x03\x04\x14\x00[Content_Types].xml\x00", workbook},
		"xls":              {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\x00", workbook},
		"ods":              {"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "This is a LibreOffice spreadsheet. Save it as CSV first."},
		"docx":             {"PK\x03\x04[Content_Types].xml word/document.xml", "This is a Word document. Save it as CSV first."},
		"zip":              {"PK\x03\x04people.csv", "This is a ZIP archive. Save it as CSV first."},
		"pdf":              {"%PDF-1.7\n", "This is a PDF. Save it as CSV first."},
		"html":             {mark + "\n<!DOCTYPE HTML><table>", "This is a web page. Save it as CSV first."},
		"a NUL":            {"a,b\n1,2\n3,x\x00\n", "Row 3, column 2: There is a NUL character, which no text has. Is this a CSV file?"},
		"an open quote":    {"a,b\n1,2\n3,\"x\n4,5\n", "Row 3, column 2: A quote opens here and never closes. Close it, or delete it, and upload the file again."},
		"a heading's":      {"a,\"b\n1,2\n3,4", "Row 1, column 2: A quote opens here and never closes. Close it, or delete it, and upload the file again."},
		"a heading's end":  {"a,\"b\n1,2\n3,\"4\",5\n6,7\n", "Row 1: A quote opens in this row and closes in the middle of a later one; 3 rows ran together. Close the quote where it should end."},
		"2,000 columns":    {wide(2000) + wide(2000), "Row 1: The file has 2000 columns; at most 200 can be read. Delete those that say nothing of people."},
		"a huge cell":      {"a,b\n1," + strings.Repeat("é", maxCell) + "\n1,\"" + strings.Repeat("é", maxCell+1), "Row 3, column 2: The cell has more than 50,000 characters. Shorten it; or does a quote in it never close?"},
		"too many rows":    {"a\n" + strings.Repeat("1\n", MaxRows+1), "The file has more than 50,000 rows. Split it, and import the parts one by one."},
		"too many bytes":   {"a\n" + strings.Repeat("\n", MaxBytes-1), "The file is larger than 20 MB. Split it, and import the parts one by one."},
		"empty in UTF-16":  {"\xFF\xFE", "The file is empty."},
		"a picture":        {"\x89PNG\r\n\x1a\n", "This is a picture. Save it as CSV first."},
		"something binary": {"\x00\x01\x02\x03", "Row 1, column 1: There is a NUL character, which no text has. Is this a CSV file?"},
	} {
		f, err := Open(strings.NewReader(test.content), Reading{})
		if fault, ok := errors.AsType[*Fault](err); f != nil || !ok || fault.Error() != test.want {
			t.Errorf("%s: %v, want %s", name, err, test.want)
		}
	}
	for _, as := range []Reading{{Encoding: "EBCDIC"}, {Delimiter: '|'}, {Delimiter: 'ⰻ'}} {
		if _, err := Open(strings.NewReader(people), as); err == nil {
			t.Errorf("%v is read", as)
		}
	}
	if f := opened(t, wide(200)+strings.Repeat("1,", 1999)+"\n", Reading{}); len(f.Columns) != 200 || len(rowsOf(t, f)[0].Faults) != 1 {
		t.Errorf("%d columns of 200", len(f.Columns))
	}
	if f := opened(t, "a,b"+strings.Repeat(",", 16_000)+"\n1,2"+strings.Repeat(",", 16_000)+"\n", Reading{}); len(f.Columns) != 2 {
		t.Errorf("%d columns of 2, with many that are empty", len(f.Columns))
	}
	if f := opened(t, "a\n"+strings.Repeat("1\n", MaxRows)+strings.Repeat("\n", 1000), Reading{}); f.Count != MaxRows {
		t.Errorf("%d rows", f.Count)
	}
}

func TestAnEndlessStreamEndsAtTheBound(t *testing.T) {
	t.Parallel()
	file, err := os.Open("/dev/zero")
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	if _, err := Open(file, Reading{}); err == nil || !strings.Contains(err.Error(), "larger than 20 MB") {
		t.Error(err)
	}
}

// broken is a source that fails in one of its readings, at once or after so many bytes.
type broken struct {
	*strings.Reader
	reading, fails, after int
}

func (b *broken) Seek(offset int64, whence int) (int64, error) {
	if b.reading++; b.reading == b.fails && b.after < 0 {
		return 0, io.ErrClosedPipe
	}
	return b.Reader.Seek(offset, whence)
}

func (b *broken) Read(p []byte) (int, error) {
	done := int(b.Reader.Size()) - b.Reader.Len()
	if b.reading == b.fails {
		if done >= b.after {
			return 0, io.ErrClosedPipe
		}
		p = p[:min(len(p), b.after-done)]
	}
	return b.Reader.Read(p)
}

func TestASourceThatFailsIsNotTakenForItsEnd(t *testing.T) {
	t.Parallel()
	begin := "a,b\n1,\"x\""
	content := begin + strings.Repeat("\r\n1,\"x\n\"", 20_000)
	// It is read to know the letters, the delimiter, the rows, and the rows again.
	for fails := 1; fails <= 4; fails++ {
		for _, after := range []int{-1, 0, 3, len(begin) - 1, len(begin), len(begin) + 1, 100_000} {
			if fails == 2 && after == 100_000 {
				continue // more than the delimiter needs
			}
			f, err := Open(&broken{Reader: strings.NewReader(content), fails: fails, after: after}, Reading{})
			if fails == 4 && err == nil {
				for _, err = range f.Rows() {
				}
			}
			if !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("reading %d, after %d bytes: %v", fails, after, err)
			}
		}
	}
}

// Not parallel: it measures what the process allocates.
func TestAHostileFileFillsNoMemory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "hostile.csv")
	for what, content := range map[string]func() []byte{
		"one row of commas":    func() []byte { return bytes.Repeat([]byte(","), MaxBytes) },
		"cells in one row":     func() []byte { return append([]byte("a,b\n"), bytes.Repeat([]byte("x,"), MaxBytes/2-10)...) },
		"empty lines":          func() []byte { return append([]byte("a,b\n"), bytes.Repeat([]byte("\n"), MaxBytes-10)...) },
		"quotes":               func() []byte { return bytes.Repeat([]byte(`"`), MaxBytes) },
		"one cell that closes": func() []byte { return append(append([]byte(`a,"`), bytes.Repeat([]byte("x"), MaxBytes-10)...), '"') },
		"bytes that are no letters": func() []byte {
			return append([]byte("a,b\n"), bytes.Repeat([]byte("\xff\xff\xff\xff,\xe2\x82\n"), 50_000)...)
		},
	} {
		if err := os.WriteFile(name, content(), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f, err := Open(file, Reading{})
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 16 {
			t.Errorf("%s: %d MB, read as %v, %v", what, mb, f, err)
		}
		file.Close()
	}
}

func TestWhatOneReadingLeavesOffAnotherFinds(t *testing.T) {
	t.Parallel()
	f := opened(t, "a\n1\n2\n3\n", Reading{})
	for row, err := range f.Rows() {
		if err != nil || row.Cells[0] != "1" {
			t.Fatal(row, err)
		}
		break
	}
	if got := fmt.Sprint(cellsOf(t, f)); got != "[[a] [1] [2] [3]]" {
		t.Error(got)
	}
}
