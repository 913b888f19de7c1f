// Package sheet reads a conference from a table of sessions: a CSV file or a worksheet with a row for each session, or
// for each of its speakers.
package sheet

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/arrival"
	"lectern/models/call"
	"lectern/models/csv"
	"lectern/models/field"
	"lectern/models/frab"
	"lectern/models/moving"
	"lectern/models/store"
)

// stepRows is how many rows are passed on at a time.
const stepRows = 100

// maxKey is how many bytes the id of a row may have.
const maxKey = 255

// Open reads a CSV or XLSX file. It returns a *csv.Fault for any other file.
func Open(src io.Reader) (*csv.File, error) {
	content, err := io.ReadAll(io.LimitReader(src, csv.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	var table io.ReadSeeker = bytes.NewReader(content)
	if isWorkbook(content) {
		if table, err = workbook(table); err != nil {
			return nil, err
		}
	}
	return csv.Open(table, csv.Reading{})
}

// Sheet is a table whose rows were read.
type Sheet struct {
	name     string
	file     *csv.File
	faults   faults
	frame    moving.Frame
	people   []*moving.Person
	sessions []*session
	byKey    map[string]*session
	known    map[string]*moving.Person
	calendar calendar
	labels   map[models.Family][]string // in order of appearance
	labelled map[string]bool            // keys of the labels
}

// Read reads the rows of a table; held says what each column holds (see Guess), and times are on the clock of zone. The
// name distinguishes the table from others of the event, whose rows may have the same ids. It answers Invalid if no
// column has titles. The frame lists what is wrong with rows, which do not come then.
func Read(file *csv.File, name string, held []string, zone *time.Location) (*Sheet, error) {
	if strings.Contains(name, "/") {
		return nil, store.Invalidf("as", "must have no slash")
	}
	if !slices.Contains(held, "title") {
		return nil, store.Invalidf("title", "is in no column. Call one of them Title")
	}
	s := &Sheet{name: name, file: file, faults: newFaults(), byKey: map[string]*session{}, known: map[string]*moving.Person{},
		calendar: calendar{zone: zone}, labels: map[models.Family][]string{}, labelled: map[string]bool{}}
	s.frame = moving.Frame{System: "the sheet", Prefix: s.key(""), Name: name}
	s.frame.IsPart = slices.ContainsFunc(file.Columns, func(c csv.Column) bool { return c.Header == csv.RowColumn })
	rows, err := s.rows(file, held)
	if err != nil {
		return nil, err
	}
	var days []string
	for _, r := range rows {
		days = append(days, r.cells["date"], r.cells["start"], r.cells["end"])
	}
	s.calendar.learn(days)
	for _, r := range rows {
		s.add(r)
	}
	s.describe(file, held)
	return s, nil
}

// key returns a permanent key.
func (s *Sheet) key(rest string) string { return "sheet/" + store.Fold(s.name) + "/" + rest }

// rows returns the usable rows of the table.
func (s *Sheet) rows(file *csv.File, held []string) (all []row, err error) {
	for r, err := range file.Rows() {
		if err != nil {
			return nil, err
		}
		one := row{number: r.Number, cells: map[string]string{}}
		for i, name := range held {
			text := ""
			if i < len(r.Cells) {
				text = strings.TrimSpace(r.Cells[i])
			}
			switch name {
			case "":
			case Kept:
				one.kept = append(one.kept, text)
			default:
				one.cells[name] = text
			}
		}
		s.faults.take(one)
		if len(r.Faults) > 0 {
			s.skip(one, r.Faults[0].Message)
			continue
		}
		all = append(all, one)
	}
	return all, nil
}

// skip records that a row does not come.
func (s *Sheet) skip(r row, reason string) { s.fault(r, r.cells["title"], reason) }

// fault records something in a row that does not come.
func (s *Sheet) fault(r row, title, reason string) {
	s.frame.Skipped = append(s.frame.Skipped, frab.Skipped{ID: fmt.Sprint("row ", r.number), Title: title, Reason: reason})
	s.faults.add(r.number, reason)
}

// add reads a row: a new session, or a further speaker of an earlier one.
func (s *Sheet) add(r row) {
	title := store.OneLine(r.cells["title"])
	if title == "" {
		s.skip(r, "has no title")
		return
	}
	if len(r.cells["key"]) > maxKey {
		s.skip(r, fmt.Sprintf("has an id of more than %d characters", maxKey))
		return
	}
	one := &session{row: r, key: s.keyOf(r, title), seated: map[string]bool{}}
	err := one.place(&s.calendar)
	if err == nil {
		one.status, err = statusIn(r.cells["status"], !one.start.IsZero())
	}
	if there := s.byKey[one.key]; there != nil {
		if there.isOther(r) {
			s.skip(r, fmt.Sprintf("has the id of row %d, which is another session or held at another time", there.number))
			return
		}
		if there.isRefused {
			if err == nil {
				err = fmt.Errorf("belongs to row %d, which does not come", there.number)
			}
			s.skip(r, err.Error())
			return
		}
		there.keep(r)
		s.seat(there, r)
		return
	}
	// A faulty row takes its key too: once it is corrected, it must not be mistaken for a later one.
	s.byKey[one.key] = one
	if err != nil {
		one.isRefused = true
		s.skip(r, err.Error())
		s.frame.Still = append(s.frame.Still, one.key)
		return
	}
	s.sessions = append(s.sessions, one)
	s.seat(one, r)
	for _, label := range []struct {
		family models.Family
		names  []string
	}{{models.Tracks, one.one("track")}, {models.Formats, one.one("format")}, {models.Levels, one.one("level")},
		{models.Rooms, one.one("room")}, {models.Tags, several(r.cells["tags"])}} {
		for _, name := range label.names {
			if key := s.label(label.family, name); !s.labelled[key] {
				s.labelled[key] = true
				s.faults.firsts[key] = r.number
				s.labels[label.family] = append(s.labels[label.family], name)
			}
		}
	}
}

// keyOf returns the key of a row, by its id or else by its title: a second session of that title at another time gets
// another key.
func (s *Sheet) keyOf(r row, title string) string {
	if id := r.cells["key"]; id != "" {
		return s.key("id/" + store.Fold(id))
	}
	first := s.key("title/" + store.Fold(title))
	key := first
	for n := 2; s.byKey[key] != nil && s.byKey[key].isOther(r); n++ {
		key = fmt.Sprint(first, "#", n)
	}
	return key
}

// one returns the name in a cell that holds one, nothing if it is empty.
func (r *row) one(name string) []string {
	if text := store.OneLine(r.cells[name]); text != "" {
		return []string{text}
	}
	return nil
}

// describe fills in the frame with what the rows refer to.
func (s *Sheet) describe(file *csv.File, held []string) {
	for _, family := range models.Families {
		for _, name := range s.labels[family] {
			s.frame.Labels = append(s.frame.Labels, arrival.Label{Key: s.label(family, name), Family: family,
				NewMetadata: models.NewMetadata{Name: name}})
		}
	}
	asked := map[string]bool{}
	for i, name := range held {
		if name == Kept {
			heading := file.Columns[i].Name
			for n := 2; asked[store.Searchable(heading)]; n++ { // headings that differ only in case
				heading = fmt.Sprintf("%s (%d)", file.Columns[i].Name, n)
			}
			asked[store.Searchable(heading)] = true
			key := s.key("column/" + strings.ReplaceAll(store.Fold(heading), "/", " "))
			s.frame.Questions = append(s.frame.Questions, moving.Question{Key: key,
				AskedOf: call.OfProposal, Type: field.LongText, Label: heading, IsRetired: true})
		}
	}
	for _, one := range s.sessions {
		if one.start.IsZero() {
			continue
		}
		day := one.start.In(s.calendar.zone).Format(time.DateOnly)
		if s.frame.Starts == "" || day < s.frame.Starts {
			s.frame.Starts = day
		}
		s.frame.Ends = max(s.frame.Ends, day)
	}
}

func (s *Sheet) label(family models.Family, name string) string {
	return s.key(string(family) + "/" + name)
}

// Counts are how many rows of each kind a table would bring.
type Counts struct {
	Sessions  int            `json:"sessions"`
	Scheduled int            `json:"scheduled"`
	People    int            `json:"people"`
	Tracks    int            `json:"tracks"`
	Rooms     int            `json:"rooms"`
	StartsOn  string         `json:"starts_on,omitempty"`
	EndsOn    string         `json:"ends_on,omitempty"`
	Skipped   []frab.Skipped `json:"skipped"` // what is wrong with which rows
}

// Count returns what the table would bring.
func (s *Sheet) Count() Counts {
	c := Counts{Sessions: len(s.sessions), People: len(s.people), Tracks: len(s.labels[models.Tracks]),
		Rooms: len(s.labels[models.Rooms]), StartsOn: s.frame.Starts, EndsOn: s.frame.Ends,
		Skipped: append([]frab.Skipped{}, s.frame.Skipped...)}
	for _, one := range s.sessions {
		if !one.start.IsZero() {
			c.Scheduled++
		}
	}
	return c
}
