package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// PublicAgenda is all of an event's programme that is public. Its sessions are those that IsShown reports. None of
// its types has a field for an e-mail address, a note or an answer.
type PublicAgenda struct {
	ID, Name, Slug, Timezone string
	StartsOn, EndsOn         string // "" where nobody said
	Rooms                    []PublicRoom
	Tracks                   []PublicTrack
	Formats, Levels, Tags    []PublicLabel    // that a session has
	Sessions                 []*PublicSession // by their starts
	Unplaced                 []*PublicSession // public, and not placed yet, by their titles
	People                   []*PublicPerson  // who is on a session, by what they are sorted under
	GonePages                map[string]bool  // of people who are on no session but such as were shown once
	Breaks                   []PublicBreak    // by their starts
	Cancelled                []PublicEntry    // sessions that were shown once, as they were last
}

// PublicRoom is a room of a public session or break.
type PublicRoom struct {
	ID, Name string
	Capacity *int
}

// PublicTrack is a track of a public session.
type PublicTrack struct{ ID, Name, Color string }

// PublicLabel is a format, a level or a tag.
type PublicLabel struct{ ID, Name string }

// PublicEntry is a session as calendars show it.
type PublicEntry struct {
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

// PublicSession is a public session. Those in Unplaced have a zero start.
type PublicSession struct {
	PublicEntry
	Description string // sanitised HTML
	Format      string // its name, "" for none
	IsPlenary   bool   // nothing is beside it
	FormatID    *string
	LevelID     *string
	TagIDs      []string
	People      []PublicSpeaker
	Parts       []PublicPart // of a session that is composed of several
	Materials   []PublicMaterial
	row         publicRow
}

// PublicSpeaker is a person on a session, with their role.
type PublicSpeaker struct {
	*PublicPerson
	Role     Role
	position int
}

// PublicPerson is what is public about a person on a public session. People without a name are left out.
type PublicPerson struct {
	ID                string // of the contact, which only callers with a key can look up
	Page              string // names their page, and tells nothing else
	Name, SortedUnder string
	JobTitle, Company string
	About             string // sanitised HTML
	Photo             string // its address, "" for none
	Website, Linkedin string
	searched          string // SortedUnder
	row               publicRow
}

// PublicPart is one part of a session composed of several.
type PublicPart struct {
	Title   string
	Minutes *int
}

// PublicBreak is a break or a blocker.
type PublicBreak struct {
	ID               string
	Kind             BreakKind
	Title            string
	StartsAt, EndsAt store.Time
	RoomID           *string // nil for all rooms
	IsPlenary        bool    // nothing is beside it, in whichever room
	Sequence         int
	UpdatedAt        store.Time
}

// All iterates over all public sessions: by time, then those without one.
func (a *PublicAgenda) All(yield func(*PublicSession) bool) {
	for _, some := range [][]*PublicSession{a.Sessions, a.Unplaced} {
		for _, s := range some {
			if !yield(s) {
				return
			}
		}
	}
}

// AgendaState changes whenever the PublicAgenda may change, so caches are keyed by it.
type AgendaState struct {
	event, slug        string
	updated            store.Time
	sessions, metadata store.Version
}

// AgendaState is the state of the event as this handle read it.
func (p *Programme) AgendaState() AgendaState {
	return AgendaState{p.event.ID, p.event.Slug, p.event.UpdatedAt, p.sessionsVersion(), p.metadataVersion()}
}

var errNoAgenda = store.Missing("This event has no public agenda yet.")

// PublicAgenda returns the public programme. It is shared and must not be written. It answers NotFound for an event
// that never showed a session.
func (p *Programme) PublicAgenda(ctx context.Context) (*PublicAgenda, error) {
	kept := p.store.caches.agendas
	return kept.Get(ctx, p.event.ID, p.AgendaState(), func() (a *PublicAgenda, err error) {
		last, _ := kept.Last(p.event.ID)
		err = p.store.Snapshot(ctx, func(db *gorm.DB) error {
			a, err = p.readAgenda(db, last)
			return err
		})
		return a, err
	})
}

// HasPublicAgenda reports whether PublicAgenda would find one, without reading it.
func (p *Programme) HasPublicAgenda(ctx context.Context) (bool, error) {
	var found int64
	err := p.Read(ctx).Raw(`SELECT count(*) FROM (SELECT 1 FROM calendar_entries e JOIN sessions s ON s.id = e.session_id
			WHERE e.event_id = ? AND (e.is_cancelled OR `+shownIs+`)
		UNION ALL SELECT 1 FROM sessions s WHERE s.event_id = ? AND `+unplacedIs+` LIMIT 1) found`, p.event.ID, p.event.ID).
		Scan(&found).Error
	return found > 0, err
}
