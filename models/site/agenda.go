// Package site is the programme as everybody may read it: what the public pages, feeds, calendars and embeds show of
// an event. None of its types has a field for an e-mail address, a note or an answer. It stands on top of the
// programme.
package site

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/changes"
	"lectern/models/store"
)

// Agenda is the public programme of an event: the sessions that IsShown reports. None of its types has a field for an
// e-mail address, a note or an answer.
type Agenda struct {
	ID, Name, Slug, Timezone string
	StartsOn, EndsOn         string // "" if not set
	Rooms                    []Room
	Tracks                   []Track
	Formats, Levels, Tags    []Label             // those that a session has
	Sessions                 []*Session          // by start
	Unplaced                 []*Session          // public but not placed yet, by title
	People                   []*Person           // those on a session, by SortedUnder
	WasOn                    map[string][]string // ids of sessions that were shown once, by the pages of their people
	Breaks                   []Break             // by start
	Cancelled                []Entry             // sessions that were shown once, in their last form
	Gone                     []Entry             // sessions that were public once, and had no time while they were

	at       changes.Cursor // the position in the feed of changes when it was read
	metadata store.Version
	were     map[string][]string // ids of contacts by session, for sessions that were shown once
}

// Room is a room of a public session or break.
type Room struct {
	ID, Name string
	Capacity *int
}

// Track is a track of a public session.
type Track struct{ ID, Name, Color string }

// Label is a format, a level or a tag.
type Label struct{ ID, Name string }

// Entry is a session as calendars show it.
type Entry struct {
	ID        string
	Number    int // of its friendly id
	Title     string
	StartsAt  store.Time
	EndsAt    *store.Time
	TrackID   *string
	RoomID    *string
	Sequence  int
	UpdatedAt store.Time
}

// Session is a public session. Those in Unplaced have a zero start.
type Session struct {
	Entry
	Description string // sanitised HTML
	Format      string // the name, "" for none
	IsPlenary   bool   // nothing runs beside it
	FormatID    *string
	LevelID     *string
	TagIDs      []string
	People      []Speaker
	Parts       []Part // if it is composed of several
	Materials   []Material
}

// Speaker is a person on a session, with their role.
type Speaker struct {
	*Person
	Role     models.Role
	position int
}

// Person is what is public about a person on a public session. People without a name are left out.
type Person struct {
	ID                string // the contact's, which only callers with a key can look up
	Page              string // id of their page, which reveals nothing else
	Name, SortedUnder string
	JobTitle, Company string
	About             string // sanitised HTML
	Photo             string // its address, "" for none
	Website, Linkedin string
	searched          string // SortedUnder, folded for sorting
}

// Part is one part of a session composed of several.
type Part struct {
	Title   string
	Minutes *int
}

// Break is a break or a blocker.
type Break struct {
	ID               string
	Kind             models.BreakKind
	Title            string
	StartsAt, EndsAt store.Time
	RoomID           *string // nil for all rooms
	IsPlenary        bool    // nothing runs beside it, in any room
	Sequence         int
	UpdatedAt        store.Time
}

// All iterates over all public sessions: by start, then those without one.
func (a *Agenda) All(yield func(*Session) bool) {
	for _, some := range [][]*Session{a.Sessions, a.Unplaced} {
		for _, s := range some {
			if !yield(s) {
				return
			}
		}
	}
}

// Changed returns when the agenda changed last.
func (a *Agenda) Changed() (latest store.Time) {
	note := func(at store.Time) {
		if at.After(latest.Time) {
			latest = at
		}
	}
	for s := range a.All {
		note(s.UpdatedAt)
		for _, m := range s.Materials {
			note(m.UpdatedAt)
		}
	}
	for _, b := range a.Breaks {
		note(b.UpdatedAt)
	}
	for _, e := range slices.Concat(a.Cancelled, a.Gone) {
		note(e.UpdatedAt)
	}
	return latest
}

// keptAgendas is how many events' agendas are cached; each may take megabytes.
const keptAgendas = 32

// kept returns a process's cache of agendas.
func kept(s *models.Store) *store.Cache[string, models.AgendaState, *Agenda] {
	return store.Singleton(s.Store, func() *store.Cache[string, models.AgendaState, *Agenda] {
		return store.NewCache[string, models.AgendaState, *Agenda](keptAgendas)
	})
}

var errNoAgenda = store.Missing("This event has no public agenda yet.")

// Agenda returns the public programme. It is shared and must not be written. It answers NotFound for an event that
// never showed a session.
func (pub *Programme) Agenda(ctx context.Context) (*Agenda, error) {
	agendas := kept(pub.p.Store())
	return agendas.Get(ctx, pub.p.Event().ID, pub.p.AgendaState(), func() (a *Agenda, err error) {
		last, _ := agendas.Last(pub.p.Event().ID)
		err = pub.p.Store().Snapshot(ctx, func(db *gorm.DB) error {
			a, err = pub.read(db, last)
			return err
		})
		return a, err
	})
}

// HasAgenda reports whether Agenda would find one, without reading it.
func (pub *Programme) HasAgenda(ctx context.Context) (bool, error) {
	var found int64
	err := pub.p.Read(ctx).Raw(`SELECT count(*) FROM (SELECT 1 FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
			WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)
		UNION ALL SELECT 1 FROM sessions s WHERE s.event_id = ? AND (`+unplacedIs+` OR `+goneIs+`) LIMIT 1) found`,
		pub.p.Event().ID, pub.p.Event().ID).Scan(&found).Error
	return found > 0, err
}

// shownIs is IsShown as an SQL condition, for sessions s with a start.
var shownIs = "s.is_public = true AND s.status = '" + string(models.Accepted) + "' AND " + models.TakesPlace

// unplacedIs is the SQL condition of sessions s that are shown without a time.
const unplacedIs = "s.is_public = true AND s.status = 'accepted' AND s.is_abstract = false AND s.deleted_at IS NULL " +
	"AND s.starts_at IS NULL"

// goneIs is the SQL condition of sessions s that were public, had no time while they were, and are no longer shown.
// Those that had a time are in calendar entries.
const goneIs = "s.is_abstract = false AND (s.is_public = true OR s.published_at IS NOT NULL) " +
	"AND s.status IN ('accepted', 'declined', 'withdrawn') " + // with another status, nobody may ever have seen it
	"AND NOT (s.is_public = true AND s.status = 'accepted' AND s.deleted_at IS NULL) " +
	"AND NOT EXISTS (SELECT 1 FROM calendar_entries e WHERE e.session_id = s.id)"

// ofShown selects rows x of public sessions s. Join both by their event as well: a plan that begins with the sessions
// would otherwise read those of all events.
var ofShown = "(" + shownIs + " OR " + unplacedIs + ")"

// Programme is the handle of what everybody may read of one event.
type Programme struct{ p *models.Programme }

// Of returns the public side of a programme.
func Of(p *models.Programme) *Programme { return &Programme{p} }

// mostPlaces is how many sitemaps one index may list.
const mostPlaces = 50_000

// Places returns the slugs of the events of which something is public: sessions, or a call for papers.
func Places(ctx context.Context, s *models.Store) (slugs []string, err error) {
	err = s.Read(ctx).Raw(`SELECT e.slug FROM events e WHERE e.cfp_opens_at IS NOT NULL OR e.cfp_closes_at IS NOT NULL
		OR EXISTS (SELECT 1 FROM sessions s WHERE s.event_id = e.id AND `+ofShown+`) ORDER BY e.slug LIMIT ?`,
		mostPlaces).Scan(&slugs).Error
	return slugs, err
}

// Material is a file or a link that was handed in for a task, and that staff approved and show.
type Material struct {
	ID        string // of the version, part of its address
	Title     string // of the task, such as Slides
	URL       string // of a link, "" for a file
	FileID    string // "" for a link
	Ending    string // extension of the file's name, with its dot
	Size      int64  // of the file, in bytes
	UpdatedAt store.Time
}

// materials reads what is shown of the tasks of public sessions and their parts. It reads all of them, because a change
// of a task changes no session.
func (r *reading) materials() part {
	type row struct {
		sessionID, name string
		Material
	}
	var rows []*row
	query := r.db.Raw(`SELECT s.id, v.id, t.title, v.url, coalesce(f.id, ''), coalesce(f.name, ''), coalesce(f.size, 0), d.state_at
		FROM deliverables d JOIN tasks t ON t.id = d.task_id AND t.is_public
		JOIN sessions x ON x.event_id = d.event_id AND x.id = d.session_id AND x.deleted_at IS NULL AND x.status = 'accepted'
		JOIN sessions s ON s.event_id = x.event_id AND s.id = coalesce(x.composed_into, x.id)
		JOIN deliverable_versions v ON v.task_id = d.task_id AND v.session_id = d.session_id
			AND NOT EXISTS (SELECT 1 FROM deliverable_versions n WHERE n.task_id = v.task_id AND n.session_id = v.session_id
				AND (n.is_chosen, n.created_at, n.id) > (v.is_chosen, v.created_at, v.id))
		LEFT JOIN files f ON f.id = v.file_id
		WHERE d.event_id = ? AND d.state = 'approved' AND `+ofShown+` ORDER BY t.position, t.id, x.part_order, x.id`, r.p.Event().ID)
	targets := func() []any {
		x := &row{}
		rows = append(rows, x)
		return []any{&x.sessionID, &x.ID, &x.Title, &x.URL, &x.FileID, &x.name, &x.Size, &x.UpdatedAt}
	}
	return part{store.Asked{Query: query, Targets: targets}, func() {
		of := map[string][]Material{}
		for _, x := range rows {
			x.Ending = models.EndingOf(x.name)
			of[x.sessionID] = append(of[x.sessionID], x.Material)
		}
		for _, all := range [][]*Session{r.a.Sessions, r.a.Unplaced} {
			for i, s := range all {
				if !slices.Equal(s.Materials, of[s.ID]) {
					other := *s // the last agenda shares this session
					other.Materials = of[s.ID]
					all[i], r.sessions[s.ID] = &other, &other
				}
			}
		}
	}}
}
