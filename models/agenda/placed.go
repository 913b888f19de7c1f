package agenda

import (
	"cmp"
	"context"
	"slices"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// state is all that depends on what the agenda is made of: another one once a session, who is on it, a row of metadata
// or the event itself is another.
type state struct {
	models.AgendaState
	speakers store.Version
}

func (ag *Agenda) state() state { return state{ag.p.AgendaState(), ag.p.SpeakersVersion()} }

// kept is what the process keeps of the agendas in use.
type kept struct {
	placed    *store.Cache[string, state, placed]
	conflicts *store.Cache[string, state, *Conflicts]
}

// Of how many events they are kept: a thousand sessions with their people take about 2 MB, conflicts what they name.
const (
	keptAgendas   = 64
	keptConflicts = 256
)

func (ag *Agenda) kept() *kept {
	return store.Kept(ag.p.Store().Store, func() *kept {
		return &kept{store.NewCache[string, state, placed](keptAgendas), store.NewCache[string, state, *Conflicts](keptConflicts)}
	})
}

// placed are the sessions that take a place, by start, as they were at a place in the feed of changes.
type placed struct {
	sessions []*models.Session
	at       changes.Cursor
	metadata store.Version
}

// keptChanges is after how many changes all sessions are read anew, which costs less then.
const keptChanges = 200

// placed are the sessions that take a place, by start, with what cards show of them. Those that were changed since the
// last call are read. They are shared and must not be written.
func (ag *Agenda) placed(ctx context.Context) ([]*models.Session, error) {
	event, now, cache := ag.p.Event().ID, ag.state(), ag.kept().placed
	if all, known := cache.Find(ctx, event, now); known {
		return all.sessions, nil
	}
	set, err := ag.p.Metadata(ctx)
	if err != nil {
		return nil, err
	}
	next := placed{metadata: ag.p.MetadataVersion()}
	last, _ := cache.Last(event)
	ids, at, known, err := changes.Of(ag.p).Changed(ag.p.Read(ctx), last.at, changes.Session, keptChanges)
	if err != nil {
		return nil, err
	}
	next.at = at
	query := ag.p.Read(ctx).Table("sessions s").Where("s.event_id = ? AND "+models.TakesPlace, event)
	if known && last.metadata == next.metadata { // what a row of metadata means for many at once is not noted
		next.sessions = slices.DeleteFunc(slices.Clone(last.sessions),
			func(s *models.Session) bool { return slices.Contains(ids, s.ID) })
		query = query.Where("s.id ?", store.AnyOf(ids))
	}
	changed, err := scanCards(query)
	if err != nil {
		return nil, err
	}
	if err := ag.fillCards(ctx, set, changed); err != nil {
		return nil, err
	}
	next.sessions = append(next.sessions, changed...)
	slices.SortFunc(next.sessions, byStart)
	cache.Put(ctx, event, now, next)
	return next.sessions, nil
}

// placedWithin are those of them that take place within a time.
func (ag *Agenda) placedWithin(ctx context.Context, from, until store.Time) (sessions []*models.Session, err error) {
	placed, err := ag.placed(ctx)
	for _, s := range placed {
		if s.StartsAt.Before(until.Time) && (!s.StartsAt.Before(from.Time) || s.EndsAt != nil && s.EndsAt.After(from.Time)) {
			sessions = append(sessions, s)
		}
	}
	return sessions, err
}

// byStart orders sessions that take a place.
func byStart(a, b *models.Session) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}
