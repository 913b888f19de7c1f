package moves

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/csv"
	"lectern/models/files"
	"lectern/models/sheet"
	"lectern/models/store"
)

// isTable distinguishes a table, CSV or XLSX, from JSON or a web page.
func isTable(content []byte) bool {
	text := bytes.TrimLeft(content, "\ufeff \t\r\n")
	return len(text) > 0 && !strings.ContainsRune("{[<", rune(text[0]))
}

// Column is a column of a move's table.
type Column struct {
	Name    string
	Samples []string
	Holds   string // a name of sheet.Fields
	IsSure  bool   // its heading or its values are clear
}

// readTable reads the columns of a file and guesses what they hold, unless an earlier move with the same columns says
// it.
func (e *AtEvent) readTable(ctx context.Context, m *Move, kind *Kind, a Asked) error {
	leave, err := store.RunsOf(e.p.Store().Store).Alone(ctx)
	if err != nil {
		return err
	}
	defer leave()
	table, err := sheet.Open(bytes.NewReader(a.File.Content))
	if fault, is := errors.AsType[*csv.Fault](err); is {
		return store.Invalidf("file", "cannot be read. %s", fault)
	}
	if err != nil {
		return err
	}
	m.Choices.As = strings.TrimSpace(a.As)
	if m.Choices.As == "" {
		m.Choices.As = "sessions"
		if kind.Name == "sessionize" {
			m.Choices.As = kind.Name
		}
	}
	if strings.Contains(m.Choices.As, "/") || len(m.Choices.As) > store.MaxName {
		return store.Invalidf("as", "must be a short name without a slash")
	}
	m.Kind = "sheet"
	for _, column := range table.Columns {
		m.Choices.Headings = append(m.Choices.Headings, column.Name)
	}
	if m.Choices.Held, err = e.heldBefore(ctx, m); err != nil || m.Choices.Held != nil {
		return err
	}
	m.Choices.Held = sheet.Guess(table)
	return nil
}

// heldBefore returns the choices of the last move of a table with the same headings, nil for none. Columns that
// WriteFaults adds do not count.
func (e *AtEvent) heldBefore(ctx context.Context, m *Move) (held []string, err error) {
	all, err := e.All(ctx)
	for _, before := range all {
		if before.Kind != m.Kind || before.State == Choosing || len(before.Choices.Held) != len(before.Choices.Headings) {
			continue
		}
		known := map[string]string{}
		for i, heading := range before.Choices.Headings {
			known[heading] = before.Choices.Held[i]
		}
		if !slices.Equal(ofSessions(before.Choices.Headings), ofSessions(m.Choices.Headings)) {
			continue
		}
		for _, heading := range m.Choices.Headings {
			held = append(held, known[heading])
		}
		return held, nil
	}
	return nil, err
}

// ofSessions returns headings without those that WriteFaults adds.
func ofSessions(headings []string) []string {
	return slices.DeleteFunc(slices.Clone(headings), csv.IsBeside)
}

// samples is how many values of a column are shown.
const samples = 3

// Columns returns the columns of a move's table with what they hold, and the number of rows.
func (e *AtEvent) Columns(ctx context.Context, m *Move) ([]Column, int, error) {
	leave, err := store.RunsOf(e.p.Store().Store).Alone(ctx)
	if err != nil {
		return nil, 0, err
	}
	defer leave()
	content, err := content(ctx, e.p.Store(), m)
	if err != nil {
		return nil, 0, err
	}
	table, err := sheet.Open(bytes.NewReader(content))
	if err != nil {
		return nil, 0, errUnread(err)
	}
	guessed := sheet.Guess(table)
	columns := make([]Column, min(len(table.Columns), len(m.Choices.Held)))
	for i := range columns {
		c := Column{Name: table.Columns[i].Name, Holds: m.Choices.Held[i],
			IsSure: guessed[i] == m.Choices.Held[i] && guessed[i] != sheet.Kept}
		for _, row := range table.Sample[:min(samples, len(table.Sample))] {
			if i < len(row) {
				c.Samples = append(c.Samples, row[i])
			}
		}
		columns[i] = c
	}
	return columns, table.Count, nil
}

// Choose sets what the columns hold, and reads the rows. It answers NotFound, Stale for a move that is further on, and
// Invalid for the field columns.
func (e *AtEvent) Choose(ctx context.Context, id string, held []string) (*Move, error) {
	return e.change(ctx, id, func(_ *store.Tx, m *Move) error {
		if m.State != Choosing && m.State != Looked && !(m.State == Stopped && m.StoppedIn == Looking) {
			return errElsewhere
		}
		if err := checkHeld(held, len(m.Choices.Headings)); err != nil {
			return err
		}
		m.Choices.Held = held
		m.again(Looking)
		return e.hasAll(m)
	})
}

// checkHeld answers Invalid for choices that a table cannot have.
func checkHeld(held []string, columns int) error {
	if len(held) != columns {
		return store.Invalidf("columns", "are others than the file has")
	}
	fields, chosen := sheet.Fields(), map[string]bool{}
	for _, name := range held {
		at := slices.IndexFunc(fields, func(f sheet.Field) bool { return f.Name == name })
		switch {
		case at < 0:
			return store.Invalidf("columns", "may hold what the page offers")
		case name == "" || name == sheet.Kept:
		case chosen[name]:
			return store.Invalidf("columns", "hold “%s” twice; choose one of them", fields[at].Label)
		}
		chosen[name] = true
	}
	if !chosen["title"] {
		return store.Invalidf("columns", "have no title; choose the one in which titles stand")
	}
	return nil
}

var errFileGone = &store.Error{Kind: store.Invalid,
	Message: "The file is kept for a day, and no longer. Begin again, and choose it once more."}

// content returns the file of a move, nil if it has none. It answers Invalid where the file is no longer stored.
func content(ctx context.Context, s *models.Store, m *Move) ([]byte, error) {
	if m.FileKey == "" {
		return nil, nil
	}
	in, err := s.Options.Files.Open(ctx, m.FileKey)
	if errors.Is(err, files.ErrMissing) {
		return nil, errFileGone
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, csv.MaxBytes+1))
}
