package agenda

import (
	"context"
	"slices"
	"time"

	"lectern/models"
)

// Conflicts are all conflicts of an event.
type Conflicts struct {
	All  []models.Conflict            // each once, by time; of two sessions, Of is the one that begins later
	Days map[string]int               // how many begin on each day of the event's time zone, such as 2027-05-20
	Of   map[string][]models.Conflict // the conflicts of each session, by its id
}

// KnownConflicts returns the cached conflicts if nothing changed since they were found; it makes no statement.
func (ag *Agenda) KnownConflicts(ctx context.Context) (all *Conflicts, known bool) {
	return ag.kept().conflicts.Find(ctx, ag.p.Event().ID, ag.state())
}

// ConflictsOf returns the conflicts of some sessions by their ids, as Programme.Conflicts does. If all conflicts are
// cached it makes no statement, and the result holds other sessions too.
func (ag *Agenda) ConflictsOf(ctx context.Context, sessions ...*models.Session) (map[string][]models.Conflict, error) {
	if all, known := ag.KnownConflicts(ctx); known {
		return all.Of, nil
	}
	return ag.p.Conflicts(ctx, sessions...)
}

// Conflicts finds all conflicts of the event. If nothing changed since the last call, it makes no statement. What it
// returns is shared and must not be written.
func (ag *Agenda) Conflicts(ctx context.Context) (*Conflicts, error) {
	return ag.kept().conflicts.Get(ctx, ag.p.Event().ID, ag.state(), func() (*Conflicts, error) {
		placed, err := ag.placed(ctx)
		if err != nil {
			return nil, err
		}
		found, err := ag.p.ConflictsAmong(ctx, placed, placed)
		if err != nil {
			return nil, err
		}
		a := &Conflicts{Days: map[string]int{}, Of: found.BySession()}
		for _, c := range found {
			if c.With == nil || byStart(c.Of, c.With) > 0 {
				a.All = append(a.All, c)
				a.Days[c.From.In(ag.p.Event().Location()).Format(time.DateOnly)]++
			}
		}
		slices.SortStableFunc(a.All, func(a, b models.Conflict) int { return a.From.Compare(b.From.Time) })
		return a, nil
	})
}
