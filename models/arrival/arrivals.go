// Package arrival brings into an event what comes from elsewhere: a schedule as a whole, or a conference of another
// system in parts. It stands on top of the programme, and takes back what a move brought.
package arrival

import (
	"context"

	"lectern/models"
)

// Arrivals is the handle on which all hangs that is brought into one event.
type Arrivals struct{ p *models.Programme }

// Of is the handle of a programme.
func Of(p *models.Programme) *Arrivals { return &Arrivals{p} }

// Rows are the structs of this package's tables, which are held against the schema.
var Rows = map[string]any{"imported": imported{}}

// MadeBy counts the rows that a move made and that are still known as its own, by their kinds; metadata by its family.
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

// Whole counts as created what a move made in all, also before it was cut short: what a run met of that is new.
func (s *Summary) Whole(made map[string]int) {
	s.Sessions.Whole(made["session"])
	s.Abstracts.Whole(made["abstract"])
	s.Contacts.Whole(made["contact"])
	s.Breaks.Whole(made["break"])
	for family, created := range s.labels() {
		*created = max(*created, made[string(family)])
	}
}

// Whole counts so many as created that a run met.
func (c *Counts) Whole(made int) {
	if more := made - c.Created; more > 0 {
		c.Created = made
		c.Unchanged = max(0, c.Unchanged-more)
	}
}
