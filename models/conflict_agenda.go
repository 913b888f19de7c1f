package models

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lectern/models/store"
)

// AgendaConflicts are all conflicts of an event.
type AgendaConflicts struct {
	All  []Conflict            // each once, in the order of time: of two sessions, Of is the one that begins later
	Days map[string]int        // how many begin on a day of the event's time zone, such as 2027-05-20
	Of   map[string][]Conflict // what each session sees, by its id
}

// conflictState is all that the conflicts of an event depend on.
type conflictState struct {
	calendarState
	metadata store.Version
}

func (p *Programme) conflictState() conflictState {
	return conflictState{p.calendarState(), p.metadataVersion()}
}

// KnownConflicts returns the cached conflicts if nothing changed since, without a statement.
func (p *Programme) KnownConflicts(ctx context.Context) (all *AgendaConflicts, known bool) {
	return p.store.caches.conflicts.Find(ctx, p.event.ID, p.conflictState())
}

// AgendaConflicts finds all conflicts of the event in at most four statements; in none if nothing changed since the
// last call. The result is shared and must not be written.
func (p *Programme) AgendaConflicts(ctx context.Context) (*AgendaConflicts, error) {
	return p.store.caches.conflicts.Get(ctx, p.event.ID, p.conflictState(), func() (*AgendaConflicts, error) {
		placed, err := p.Placed(ctx)
		if err != nil {
			return nil, err
		}
		all, err := p.ConflictsAmong(ctx, placed, placed)
		if err != nil {
			return nil, err
		}
		return all.agenda(p.event.Location()), nil
	})
}

// agenda groups the conflicts of all sessions.
func (all conflicts) agenda(zone *time.Location) *AgendaConflicts {
	a := &AgendaConflicts{Days: map[string]int{}, Of: all.BySession()}
	for _, c := range all {
		if c.With == nil || laterThan(c.Of, c.With) {
			a.All = append(a.All, c)
			a.Days[c.From.In(zone).Format(time.DateOnly)]++
		}
	}
	slices.SortStableFunc(a.All, func(a, b Conflict) int { return a.From.Compare(b.From.Time) })
	return a
}

// laterThan orders sessions that take a place by their start.
func laterThan(a, b *Session) bool {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID)) > 0
}

// Placed reads the sessions that take a place, by start, with the ids of their people and nothing else of other
// tables.
func (p *Programme) Placed(ctx context.Context) (sessions []*Session, err error) {
	var people map[string][]*Participant
	reads := store.Together(ctx)
	reads.Go(func() (err error) { sessions, err = p.placedAlone(ctx); return err })
	reads.Go(func() (err error) { people, err = p.placedPeople(ctx); return err })
	err = reads.Wait()
	for _, s := range sessions {
		s.Participants = people[s.ID]
	}
	return sessions, err
}

// placedAlone reads the sessions that take a place, by start, and nothing of other tables.
func (p *Programme) placedAlone(ctx context.Context) (sessions []*Session, err error) {
	placed := p.read(ctx).Table("sessions s").Where("s.event_id = ? AND "+TakesPlace, p.event.ID).Order("s.starts_at, s.id")
	err = store.EachRow(placed.Select(slotColumns), func() []any {
		s := &Session{}
		sessions = append(sessions, s)
		return s.slotTargets()
	})
	return sessions, err
}

// placedPeople reads who is on these sessions, in order, by id alone. It repeats the condition of the sessions:
// finding thousands again costs less than passing their ids.
func (p *Programme) placedPeople(ctx context.Context) (map[string][]*Participant, error) {
	var all []*Participant
	if err := store.EachRow(p.read(ctx).Table("participants x").Select("x.session_id, x.contact_id, x.position").
		Where("x.event_id = ? AND x.session_id IN (SELECT s.id FROM sessions s WHERE s.event_id = ? AND "+TakesPlace+")",
			p.event.ID, p.event.ID), func() []any {
		x := &Participant{}
		all = append(all, x)
		return []any{&x.SessionID, &x.ContactID, &x.Position}
	}); err != nil {
		return nil, err
	}
	people := map[string][]*Participant{}
	for _, x := range all {
		people[x.SessionID] = append(people[x.SessionID], x)
	}
	for _, some := range people {
		slices.SortFunc(some, func(a, b *Participant) int {
			return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ContactID, b.ContactID))
		})
	}
	return people, nil
}
