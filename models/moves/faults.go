package moves

import (
	"bytes"
	"context"
	"io"

	"lectern/models/moving"
	"lectern/models/sheet"
	"lectern/models/store"
)

// HasRows reports whether the move has a table, whose faulty rows can be downloaded.
func (m *Move) HasRows() bool { return len(m.Choices.Headings) > 0 && m.State != Choosing }

// WriteFaults writes all rows of a table that cannot come, as a table to correct and bring again. It answers Invalid
// where the file is no longer stored, and NotFound for a move of another kind.
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
	preview, err := moving.Look(ctx, e.p, rows, nil) // anew, since a move stores only some of the skipped rows
	if err != nil {
		return err
	}
	return rows.WriteFaults(out, preview.Skipped)
}

// errUnread is the error for a stored file that can no longer be read, for instance after an upgrade with narrower
// limits.
func errUnread(err error) error { return store.Invalidf("file", "cannot be read any more: %s", err) }
