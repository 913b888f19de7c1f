package sheet

import (
	"archive/zip"
	"bytes"
	write "encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"lectern/models/csv"
)

// maxUnpacked is how many bytes a workbook may have uncompressed.
const maxUnpacked = 10 * csv.MaxBytes

// reading says how cells become text: as a spreadsheet shows them, except that dates have one format whatever the
// country.
var reading = excelize.Options{ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: csv.MaxBytes}

// isWorkbook reports whether a file begins like XLSX.
func isWorkbook(content []byte) bool { return bytes.HasPrefix(content, []byte("PK\x03\x04")) }

// workbook returns the first visible worksheet with content of an XLSX file, as CSV. Formulas have their saved results;
// cells merged over rows have their text in each row. It returns a *csv.Fault for a file that is no workbook, has a
// password or is too large.
func workbook(src io.Reader) (io.ReadSeeker, error) {
	content, err := io.ReadAll(io.LimitReader(src, csv.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > csv.MaxBytes {
		return nil, &csv.Fault{Message: "The file is larger than 20 MB. Split it, and import the parts one by one."}
	}
	packed, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, noWorkbook(err)
	}
	if unpacks(packed) > maxUnpacked {
		return nil, &csv.Fault{Message: fmt.Sprintf("The file unpacks to more than %d MB, and is not read. Take out what is no table, "+
			"such as pictures, or save it as CSV.", maxUnpacked>>20)}
	}
	book, err := excelize.OpenReader(bytes.NewReader(content), reading)
	if err != nil {
		return nil, noWorkbook(err)
	}
	defer book.Close()
	for _, name := range book.GetSheetList() {
		if shown, err := book.GetSheetVisible(name); err != nil || !shown {
			continue
		}
		cells, err := mergedIn(packed, book, name)
		if err != nil {
			return nil, noWorkbook(err)
		}
		out, err := worksheet(book, name, &filling{merged: cells, below: map[int]held{}})
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimLeft(out, ",\r\n \"")) > 0 {
			return bytes.NewReader(out), nil
		}
	}
	return nil, &csv.Fault{Message: "The file has no worksheet that holds something."}
}

// unpacks returns how many bytes a file claims to have uncompressed.
func unpacks(packed *zip.Reader) (all uint64) {
	for _, part := range packed.File {
		if part.UncompressedSize64 > maxUnpacked {
			return part.UncompressedSize64
		}
		all += part.UncompressedSize64
	}
	return all
}

// noWorkbook returns the Fault of a file that cannot be read.
func noWorkbook(err error) error {
	if fault, is := errors.AsType[*csv.Fault](err); is {
		return fault
	}
	switch {
	case errors.Is(err, excelize.ErrWorkbookPassword), errors.Is(err, excelize.ErrWorkbookFileFormat):
		return &csv.Fault{Message: "The file is locked by a password, or it is no XLSX file. " +
			"Save it as XLSX without a password, or as CSV."}
	}
	return &csv.Fault{Message: "The file cannot be read as an XLSX file. Open it in a spreadsheet, and save it as XLSX or CSV."}
}

// worksheet writes a worksheet as CSV, up to the limits of a file.
func worksheet(book *excelize.File, name string, f *filling) ([]byte, error) {
	rows, err := book.Rows(name)
	if err != nil {
		return nil, noWorkbook(err)
	}
	defer rows.Close()
	var out bytes.Buffer
	w := write.NewWriter(&out)
	for row := 1; rows.Next(); row++ {
		cells, err := rows.Columns(reading)
		if err != nil {
			return nil, noWorkbook(err)
		}
		if at := slices.IndexFunc(cells[min(csv.MaxColumns, len(cells)):], isText); at >= 0 {
			return nil, tooWide(row, csv.MaxColumns+at+1)
		}
		if cells = f.fill(row, cells[:min(csv.MaxColumns, len(cells))]); len(cells) == 0 {
			cells = []string{""} // so that rows keep their numbers
		}
		if err := w.Write(cells); err != nil {
			return nil, err
		}
		if w.Flush(); out.Len() > csv.MaxBytes {
			return nil, &csv.Fault{Message: "The worksheet holds more than 20 MB of text. Split it, and import the parts one by one."}
		}
	}
	if err := rows.Error(); err != nil {
		return nil, noWorkbook(err)
	}
	return out.Bytes(), nil
}

func isText(cell string) bool { return strings.TrimSpace(cell) != "" }

// tooWide returns the Fault of a cell beyond the columns that a table may have.
func tooWide(row, column int) error {
	cell, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return err
	}
	return &csv.Fault{Message: fmt.Sprintf("The worksheet has more than %d columns: cell %s holds something. Delete what stands there, "+
		"or save the table alone.", csv.MaxColumns, cell)}
}
