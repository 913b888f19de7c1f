package agenda

import (
	"cmp"
	"context"
	"slices"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// state is everything on which the agenda depends: it changes with any session, its people, the metadata or the event.
type state struct {
	models.AgendaState
	speakers store.Version
}

func (ag *Agenda) state() state { return state{ag.p.AgendaState(), ag.p.SpeakersVersion()} }

// kept are a process's caches of agendas in use.
type kept struct {
	placed    *store.Cache[string, state, placed]
	conflicts *store.Cache[string, state, *Conflicts]
}

// These are how many events are cached: a thousand sessions with their people take about 2 MB, conflicts a few names.
const (
	keptAgendas   = 64
	keptConflicts = 256
)

func (ag *Agenda) kept() *kept {
	return store.Singleton(ag.p.Store().Store, func() *kept {
		return &kept{store.NewCache[string, state, placed](keptAgendas), store.NewCache[string, state, *Conflicts](keptConflicts)}
	})
}

// placed are the sessions that take a place, by start, as of a position in the feed of changes.
type placed struct {
	sessions []*models.Session
	at       changes.Cursor
	metadata store.Version
}

// keptChanges is the number of changes above which reading all sessions again costs less.
const keptChanges = 200

// placed returns the sessions that take a place, by start, with the columns of cards. It reads only those changed since
// the last call. They are shared and must not be written.
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
	if known && last.metadata == next.metadata { // the feed does not list the sessions that a change of metadata affects
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

// placedWithin returns the placed sessions that take place within a time.
func (ag *Agenda) placedWithin(ctx context.Context, from, until store.Time) (sessions []*models.Session, err error) {
	placed, err := ag.placed(ctx)
	for _, s := range placed {
		if s.StartsAt.Before(until.Time) && (!s.StartsAt.Before(from.Time) || s.EndsAt != nil && s.EndsAt.After(from.Time)) {
			sessions = append(sessions, s)
		}
	}
	return sessions, err
}

// byStart orders placed sessions.
func byStart(a, b *models.Session) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}
