// Package arrival brings into an event what comes from elsewhere: a schedule as a whole, or a conference of another
// system in parts. It can also undo what a move brought. It stands on top of the programme.
package arrival

import (
	"context"

	"lectern/models"
)

// Arrivals is the handle for bringing things into one event.
type Arrivals struct{ p *models.Programme }

// Of returns the arrivals of a programme.
func Of(p *models.Programme) *Arrivals { return &Arrivals{p} }

// Rows are the structs of this package's tables; a test compares them with the schema.
var Rows = map[string]any{"imported": imported{}}

// MadeBy counts by kind the rows that a move made and that still count as its own; metadata by family.
func (in *Arrivals) MadeBy(ctx context.Context, move string) (map[string]int, error) {
	var rows []struct {
		Kind string
		N    int
	}
	err := in.p.Read(ctx).Raw(`SELECT i.kind, count(*) AS n FROM imported i WHERE i.event_id = ? AND i.made_by = ?
		AND i.kind <> 'metadata' GROUP BY i.kind
		UNION ALL SELECT m.family, count(*) FROM imported i JOIN metadata m ON m.event_id = i.event_id AND m.id = i.record_id
		WHERE i.event_id = ? AND i.made_by = ? AND i.kind = 'metadata' GROUP BY m.family`,
		in.p.Event().ID, move, in.p.Event().ID, move).Scan(&rows).Error
	made := make(map[string]int, len(rows))
	for _, row := range rows {
		made[row.Kind] = row.N
	}
	return made, err
}

// CountAllRuns corrects the counts of a resumed move: what an earlier run of it made counts as created, not as unchanged.
func (s *Summary) CountAllRuns(made map[string]int) {
	s.Sessions.CountAllRuns(made["session"])
	s.Abstracts.CountAllRuns(made["abstract"])
	s.Contacts.CountAllRuns(made["contact"])
	s.Breaks.CountAllRuns(made["break"])
	for family, created := range s.labels() {
		*created = max(*created, made[string(family)])
	}
}

// CountAllRuns counts made rows as created in all, taking the difference from those unchanged.
func (c *Counts) CountAllRuns(made int) {
	if more := made - c.Created; more > 0 {
		c.Created = made
		c.Unchanged = max(0, c.Unchanged-more)
	}
}
