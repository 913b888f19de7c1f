package sheet

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"lectern/models/csv"
)

// merged are the cells of a worksheet that are merged over several rows, by their first row: the column (the first one,
// which has the text) and the last row.
type merged map[int][]span

type span struct{ column, last int }

// maxMerged is how many merged cells a worksheet may have.
const maxMerged = csv.MaxRows

// mergeCell matches the start of the XML element of merged cells, after its bracket.
var mergeCell = regexp.MustCompile(`^(?:\w+:)?mergeCell\s[^>]*\bref\s*=\s*["']([A-Z0-9:]+)["']`)

// maxElement is how many bytes of that element are looked at.
const maxElement = 200

// mergedIn reads which cells of a worksheet are merged. excelize only tells for a worksheet that is completely in
// memory, and an XML decoder takes as long as for all cells, so it searches for the elements' brackets, which do not
// occur in texts.
func mergedIn(packed *zip.Reader, book *excelize.File, sheet string) (merged, error) {
	name, err := partOf(packed, book, sheet)
	if errors.Is(err, fs.ErrNotExist) { // excelize found it elsewhere; all but its merged cells is read
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	part, err := packed.Open(name)
	if err != nil {
		return nil, err
	}
	defer part.Close()
	all, in := merged{}, bufio.NewReaderSize(io.LimitReader(part, maxUnpacked), 64<<10)
	for n := 0; n <= maxMerged; {
		switch _, err := in.ReadSlice('<'); {
		case err == io.EOF:
			return all, nil
		case err != nil && err != bufio.ErrBufferFull:
			return nil, err
		}
		begin, _ := in.Peek(maxElement)
		if !bytes.Contains(begin[:min(len(begin), len("prefix:mergeCell"))], []byte("mergeCell")) {
			continue
		}
		if found := mergeCell.FindSubmatch(begin); found != nil {
			n++
			all.add(string(found[1]))
		}
	}
	return nil, &csv.Fault{Message: fmt.Sprintf("The worksheet has more than %d merged cells. Unmerge them, or save it as CSV.", maxMerged)}
}

// add adds an area such as D3:E5, unless it is within one row.
func (m merged) add(area string) {
	from, to, _ := strings.Cut(area, ":")
	column, row, err := excelize.CellNameToCoordinates(from)
	if err != nil {
		return
	}
	if _, last, err := excelize.CellNameToCoordinates(to); err == nil && last > row && column <= csv.MaxColumns {
		m[row] = append(m[row], span{column - 1, last})
	}
}

// partOf returns the name of a worksheet's part in the file, or fs.ErrNotExist.
func partOf(packed *zip.Reader, book *excelize.File, sheet string) (string, error) {
	id := ""
	for _, s := range book.WorkBook.Sheets.Sheet {
		if s.Name == sheet {
			id = s.ID
		}
	}
	at := slices.IndexFunc(packed.File, func(f *zip.File) bool {
		is, _ := path.Match("xl/_rels/workbook*.xml.rels", f.Name)
		return is
	})
	if at < 0 {
		return "", fs.ErrNotExist
	}
	in, err := packed.File[at].Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	var of struct {
		Relationship []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		}
	}
	d := xml.NewDecoder(io.LimitReader(in, csv.MaxBytes))
	d.CharsetReader = book.CharsetReader
	if err := d.Decode(&of); err != nil {
		return "", err
	}
	for _, r := range of.Relationship {
		if r.ID != id {
			continue
		}
		name := path.Join("/xl", r.Target)
		if path.IsAbs(r.Target) {
			name = path.Clean(r.Target)
		}
		_, err := fs.Stat(packed, name[1:])
		return name[1:], err
	}
	return "", fs.ErrNotExist
}

// filling repeats the text of merged cells in the rows below the first. It does not repeat headings, and leaves rows
// empty that contain nothing else.
type filling struct {
	merged
	below    map[int]held // by column
	hasBegun bool         // the heading was read
}

// held is a text and the last row that it covers.
type held struct {
	text string
	last int
}

// fill completes the cells of a row; rows are numbered from 1.
func (f *filling) fill(row int, cells []string) []string {
	if !slices.ContainsFunc(cells, isText) {
		return cells
	}
	for column, above := range f.below {
		if above.last < row {
			delete(f.below, column)
			continue
		}
		for len(cells) <= column {
			cells = append(cells, "")
		}
		cells[column] = above.text
	}
	for _, s := range f.merged[row] {
		if f.hasBegun && s.column < len(cells) {
			f.below[s.column] = held{cells[s.column], s.last}
		}
	}
	f.hasBegun = true
	return cells
}
