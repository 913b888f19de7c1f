// Package agenda is how staff place sessions and publish where they are: a day with its grid, the next free start,
// suggestions of places, breaks, and versions with the changes between them. It stands on top of the programme, which
// knows what collides.
package agenda

import (
	"cmp"
	"context"
	"slices"
	"time"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// Agenda is the handle of one event's agenda.
type Agenda struct{ p *models.Programme }

// Of returns the agenda of a programme.
func Of(p *models.Programme) *Agenda { return &Agenda{p} }

// Rows are the structs of this package's tables, by table.
var Rows = map[string]any{"agenda_versions": Version{}, "agenda_version_sessions": versionSession{},
	"agenda_version_people": versionPerson{}}

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
