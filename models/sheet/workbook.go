package sheet

import (
	"bytes"
	write "encoding/csv"
	"errors"
	"io"

	"github.com/xuri/excelize/v2"

	"lectern/models/csv"
)

// maxUnpacked is how many bytes may be packed in a workbook.
const maxUnpacked = 10 * csv.MaxBytes

// reading says how cells become text: as a spreadsheet shows them, but for dates, which are written in one way whatever
// the country.
var reading = excelize.Options{ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: csv.MaxBytes}

// isWorkbook tells of the beginning of a file whether it is packed as XLSX is.
func isWorkbook(content []byte) bool { return bytes.HasPrefix(content, []byte("PK\x03\x04")) }

// workbook is the first worksheet of an XLSX file that is shown and holds something, as a table of CSV. Formulas
// are what they came to when the file was saved; of merged cells the first holds the text. It answers a *csv.Fault for what is
// no workbook, is locked by a password or is too large.
func workbook(src io.Reader) (io.ReadSeeker, error) {
	content, err := io.ReadAll(io.LimitReader(src, csv.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(content) > csv.MaxBytes {
		return nil, &csv.Fault{Message: "The file is larger than 20 MB. Split it, and import the parts one by one."}
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
		out, err := worksheet(book, name)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimLeft(out, ",\r\n \"")) > 0 {
			return bytes.NewReader(out), nil
		}
	}
	return nil, &csv.Fault{Message: "The file has no worksheet that holds something."}
}

// noWorkbook is why a file cannot be read.
func noWorkbook(err error) error {
	switch {
	case errors.Is(err, excelize.ErrWorkbookPassword), errors.Is(err, excelize.ErrWorkbookFileFormat):
		return &csv.Fault{Message: "The file is locked by a password, or it is no XLSX file. " +
			"Save it as XLSX without a password, or as CSV."}
	}
	return &csv.Fault{Message: "The file cannot be read as an XLSX file. Open it in a spreadsheet, and save it as XLSX or CSV."}
}

// worksheet writes a worksheet as CSV, of which it takes no more than a file may have.
func worksheet(book *excelize.File, name string) ([]byte, error) {
	rows, err := book.Rows(name)
	if err != nil {
		return nil, noWorkbook(err)
	}
	defer rows.Close()
	var out bytes.Buffer
	w := write.NewWriter(&out)
	for rows.Next() {
		cells, err := rows.Columns(reading)
		if err != nil {
			return nil, noWorkbook(err)
		}
		if len(cells) == 0 {
			cells = []string{""} // so that rows keep their numbers
		}
		if err := w.Write(cells[:min(len(cells), csv.MaxColumns+1)]); err != nil {
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
