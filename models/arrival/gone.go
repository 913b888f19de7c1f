package arrival

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// Gone is a submission, session or break that came before and that the other system no longer has.
type Gone struct {
	Key   string `json:"key"` // without the prefix
	Title string `json:"title"`
}

// UnmarshalJSON also reads reports of version 1.0, which have only the key.
func (g *Gone) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &g.Key) == nil {
		return nil
	}
	type plain Gone
	return json.Unmarshal(text, (*plain)(g))
}

// Gone returns the submissions, sessions and breaks under a prefix that came before, are still here and did not come in
// this run, by key.
func (a *Arrival) Gone(ctx context.Context, prefix string) (gone []Gone, err error) {
	var rows []struct{ Kind, Key, Title string }
	err = a.Read(ctx).Table("imported").Select("imported.kind, imported.key, coalesce(s.title, b.title) AS title").
		Joins("LEFT JOIN sessions s ON s.id = record_id AND s.deleted_at IS NULL").
		Joins("LEFT JOIN agenda_breaks b ON b.id = record_id AND b.deleted_at IS NULL").
		Where("imported.event_id = ? AND imported.kind IN ('abstract', 'session', 'break')", a.Event().ID).
		Where("s.id IS NOT NULL OR b.id IS NOT NULL").Order("imported.key").Scan(&rows).Error
	for _, row := range rows {
		if strings.HasPrefix(row.Key, prefix) && !a.seen[arrived{row.Kind, row.Key}] {
			gone = append(gone, Gone{strings.TrimPrefix(row.Key, prefix), row.Title})
		}
	}
	return slices.CompactFunc(gone, func(a, b Gone) bool { return a.Key == b.Key }), err
}
