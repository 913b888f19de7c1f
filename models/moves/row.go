package moves

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"lectern/models/moving"
)

// rowOf are columns as the database has them: previews and reports as JSON.
func rowOf(columns map[string]any) (map[string]any, error) {
	row := map[string]any{}
	for name, value := range columns {
		switch value.(type) {
		case *Seen, *Told:
			text, err := json.Marshal(value)
			if err != nil {
				return nil, err
			}
			value = string(text)
		}
		row[name] = value
	}
	return row, nil
}

// sentence begins with a capital and ends with a full stop.
func sentence(text string) string {
	text = strings.TrimSpace(text)
	first, size := utf8.DecodeRuneInString(text)
	if text = string(unicode.ToUpper(first)) + text[size:]; strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// wholly counts in a report what the whole move made, where it was begun more than once.
func (w *worker) wholly(ctx context.Context, r *moving.Report) error {
	made, err := w.p.MadeBy(ctx, w.move.ID)
	if err != nil {
		return err
	}
	r.Whole(made)
	return nil
}
