package sheet_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"lectern/models/csv"
	"lectern/models/modelstest"
	"lectern/models/sheet"
)

// saved returns a workbook as a file.
func saved(t *testing.T, book *excelize.File) []byte {
	t.Helper()
	var out bytes.Buffer
	modelstest.Must(book.WriteTo(&out))(t)
	return out.Bytes()
}

// written returns a workbook whose rows hold these texts.
func written(t *testing.T, rows ...[]any) *excelize.File {
	t.Helper()
	book := excelize.NewFile()
	for i := range rows {
		at := modelstest.Must(excelize.CoordinatesToCellName(1, i+1))(t)
		modelstest.Fine(t, book.SetSheetRow("Sheet1", at, &rows[i]))
	}
	return book
}

func TestAWorksheetIsReadAsItLooks(t *testing.T) {
	t.Parallel()
	f := modelstest.Open(t, "sqlite")
	book := excelize.NewFile()
	put := func(at string, value any, format int) {
		style := modelstest.Must(book.NewStyle(&excelize.Style{NumFmt: format}))(t)
		modelstest.Fine(t, book.SetCellValue("Sheet1", at, value))
		modelstest.Fine(t, book.SetCellStyle("Sheet1", at, at, style))
	}
	for i, heading := range []string{"Title", "Start", "End", "Room", "Seats wanted", "Sum", "Link"} {
		put(string(rune('A'+i))+"2", heading, 0)
	}
	start := time.Date(2027, 5, 20, 9, 30, 0, 0, time.UTC)
	put("A3", "Dated", 0)
	put("B3", start, 22)
	put("C3", start.Add(time.Hour), 20)
	put("D3", "Dock", 0)
	put("E3", 120, 0)
	put("F3", 162, 0)
	modelstest.Fine(t, book.SetCellFormula("Sheet1", "F3", "E3+42"))
	modelstest.Fine(t, book.SetCellFormula("Sheet1", "G3", `HYPERLINK("http://x")`)) // which nobody calculated
	put("A4", "A plain number", 0)
	put("B4", 46527.5, 0)
	put("C4", "13:15", 0)
	file := saved(t, book)
	if report := brings(t, f, file); report.Sessions.Created != 2 || len(report.Skipped) != 0 {
		t.Errorf("%+v", report)
	}
	wants(t, "sessions", told(t, f, false), []string{"A plain number|accepted|-|-|20 May 12:00 to 13:15|",
		"Dated|accepted|-|Dock|20 May 09:30 to 10:30|"})
	_, kept := saidBy(t, read(t, f, file))
	wants(t, "answers", kept, []string{"Seats wanted: 120", "Sum: 162"})
}

// TestMergedCellsHoldTheirTextInEachRow, except for headings, for cells beside each other, and in rows that hold
// nothing else.
func TestMergedCellsHoldTheirTextInEachRow(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, f *modelstest.Fixture) {
		book := written(t, []any{"Title", "Room", "Track", "Speaker", "Note"}, []any{"Tides", "Dock", "Data", "Ada Ng", "A boat"},
			[]any{"", "", "", "Bo Li"}, []any{"Ships", "", "", "Cy Roe", "Wide"}, []any{}, []any{"Late", "", "", "Dee Ito"},
			[]any{}, []any{"Beyond", "", "", "Eve Om"})
		for _, area := range [][2]string{{"A2", "A3"}, {"B2", "B4"}, {"C2", "C6"}, {"E4", "F4"}, {"D1", "D2"}, {"B6", "B9"}} {
			modelstest.Fine(t, book.MergeCell("Sheet1", area[0], area[1]))
		}
		if report := brings(t, f, saved(t, book)); report.Abstracts.Created != 4 || len(report.Skipped) != 0 {
			t.Errorf("%+v", report)
		}
		wants(t, "submissions", told(t, f, true), []string{"Beyond|pending|-|-|-|Eve Om", "Late|pending|Data|-|-|Dee Ito",
			"Ships|pending|Data|-|-|Cy Roe", "Tides|pending|Data|-|-|Bo Li"})
	})
}

// bomb returns an XLSX file with a part that is this large once it is unpacked.
func bomb(t *testing.T, bytesWithin int64) string {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	part := modelstest.Must(w.Create("xl/worksheets/sheet1.xml"))(t)
	modelstest.Must(io.CopyN(part, endless{}, bytesWithin))(t)
	modelstest.Fine(t, w.Close())
	return out.String()
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, bytes.Repeat([]byte(" "), len(p))), nil }

func TestOddFilesAreRefusedInWords(t *testing.T) {
	t.Parallel()
	wide := written(t, []any{"Title"}, []any{"One"})
	modelstest.Fine(t, wide.SetCellValue("Sheet1", "GT2", "lost"))
	merged := written(t, []any{"Title"})
	rows := modelstest.Must(merged.NewStreamWriter("Sheet1"))(t)
	modelstest.Fine(t, rows.SetRow("A1", []any{"Title"}))
	for i := range csv.MaxRows + 1 {
		modelstest.Fine(t, rows.MergeCell(fmt.Sprint("A", 2*i+2), fmt.Sprint("A", 2*i+3)))
	}
	modelstest.Fine(t, rows.Flush())
	for name, c := range map[string]struct{ file, want string }{
		"no title":    {"Room,When\nA,B\n", "title"},
		"nothing":     {"", "The file is empty."},
		"no workbook": {"PK\x03\x04 nothing", "The file cannot be read as an XLSX file."},
		"a bomb":      {bomb(t, 201<<20), "unpacks to more than 200 MB"},
		"too wide":    {string(saved(t, wide)), "more than 200 columns: cell GT2 holds something"},
		"all merged":  {string(saved(t, merged)), "more than 50000 merged cells"},
		"locked":      {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 nothing", "Save it as"},
	} {
		file, err := sheet.Open(strings.NewReader(c.file))
		if err == nil {
			_, err = sheet.Read(file, "sessions", sheet.Guess(file), time.UTC)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
