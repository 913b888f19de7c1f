package moves

import (
	"context"
	"encoding/json"

	"lectern/models/arrival"
	"lectern/models/moving"
)

// rowOf encodes columns for the database: previews and reports as JSON.
func rowOf(columns map[string]any) (map[string]any, error) {
	row := map[string]any{}
	for name, value := range columns {
		switch value.(type) {
		case *StoredPreview, *StoredReport:
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

// countAllRuns counts in a report what all runs of the move made.
func (w *worker) countAllRuns(ctx context.Context, r *moving.Report) error {
	made, err := arrival.Of(w.p).MadeBy(ctx, w.move.ID)
	if err != nil {
		return err
	}
	r.CountAllRuns(made)
	return nil
}
