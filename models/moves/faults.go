package moves

import (
	"bytes"
	"context"
	"io"

	"lectern/models/moving"
	"lectern/models/sheet"
	"lectern/models/store"
)

// HasRows tells whether the rows of a move that cannot come may be had as a file.
func (m *Move) HasRows() bool { return len(m.Choices.Headings) > 0 && m.State != Choosing }

// WriteFaults writes the rows of a table that cannot come, all of them, as a table to be corrected and brought. It
// answers Invalid where the file is kept no more, and NotFound for a move of something else.
func (e *AtEvent) WriteFaults(ctx context.Context, m *Move, out io.Writer) error {
	if !m.HasRows() {
		return store.NoSuch("file")
	}
	leave, err := store.RunsOf(e.p.Store().Store).Alone(ctx)
	if err != nil {
		return err
	}
	defer leave()
	content, err := content(ctx, e.p.Store(), m)
	if err != nil {
		return err
	}
	table, err := sheet.Open(bytes.NewReader(content))
	if err != nil {
		return errUnread(err)
	}
	rows, err := sheet.Read(table, m.Choices.As, m.Choices.Held, e.p.Event().Location())
	if err != nil {
		return err
	}
	preview, err := moving.Look(ctx, e.p, rows, nil) // since a move keeps no more than some of what it skipped
	if err != nil {
		return err
	}
	return rows.WriteFaults(out, preview.Skipped)
}

// errUnread is what is said of a file that came in and is not read any more, as after an upgrade with narrower limits.
func errUnread(err error) error { return store.Invalidf("file", "cannot be read any more: %s", err) }
