package moves

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/csv"
	"lectern/models/fetch"
	"lectern/models/moving"
	"lectern/models/sheet"
	"lectern/models/store"
)

// notOpened is the error, in words for people, that a conference cannot be read.
type notOpened struct{ error }

// reasonOf returns the cause as a sentence for people.
func reasonOf(cause error) string {
	var (
		theirs   *fetch.Fault
		unread   notOpened
		ofTable  *csv.Fault
		notGiven moving.NotGiven
		refused  *store.Error
	)
	switch {
	case errors.As(cause, &theirs):
		return sentence(theirs.Error())
	case errors.As(cause, &unread):
		return sentence(unread.Error())
	case errors.As(cause, &ofTable):
		return sentence(ofTable.Error())
	case errors.As(cause, &notGiven):
		return sentence(notGiven.Error())
	case errors.As(cause, &refused):
		return sentence(refused.Message)
	}
	return "Something went wrong on our side."
}

// ours returns causes that whoever asked for the move cannot fix, nil for others.
func ours(cause error) error {
	if reasonOf(cause) != "Something went wrong on our side." {
		return nil
	}
	return cause
}

// sentence makes text begin with a capital and end with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	if text = string(unicode.ToUpper(first)) + text[size:]; strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

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
