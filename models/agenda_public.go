package models

import (
	"context"

	"gorm.io/gorm"

	"lectern/models/store"
)

// PublicAgenda is what everybody may know of an event's programme: of sessions those that are shown alone. No type of
// it has a place for an e-mail address, a note or an answer.
type PublicAgenda struct {
	ID, Name, Slug, Timezone string
	StartsOn, EndsOn         string // "" where nobody said
	Rooms                    []PublicRoom
	Tracks                   []PublicTrack
	Sessions                 []PublicSession // by their starts
	Breaks                   []PublicBreak   // by their starts
	Cancelled                []PublicEntry   // sessions that were shown once, as they were last
}

// PublicRoom is a room that a session which is shown or a break is in.
type PublicRoom struct {
	ID, Name string
	Capacity *int
}

// PublicTrack is a track that a session which is shown belongs to.
type PublicTrack struct{ ID, Name, Color string }

// PublicEntry is what calendars say of a session.
type PublicEntry struct {
	ID        string
	Title     string
	StartsAt  store.Time
	EndsAt    *store.Time
	TrackID   *string
	RoomID    *string
	Sequence  int
	UpdatedAt store.Time
}

// PublicSession is a session that is shown.
type PublicSession struct {
	PublicEntry
	Number      int
	Description string // sanitised HTML
	Format      string // its name, "" for none
	People      []PublicPerson
}

// PublicPerson is somebody on a session that is shown. Who has no name is not told of.
type PublicPerson struct {
	ID, Name string
	Role     Role
}

// PublicBreak is a break or a blocker.
type PublicBreak struct {
	ID               string
	Kind             BreakKind
	Title            string
	StartsAt, EndsAt store.Time
	RoomID           *string // nil for all rooms
	Sequence         int
	UpdatedAt        store.Time
}

// AgendaState is another one once what a PublicAgenda says may be another.
type AgendaState struct {
	event, slug        string
	updated            store.Time
	sessions, metadata store.Version
}

// AgendaState is that of the event as the handle was read.
func (p *Programme) AgendaState() AgendaState {
	return AgendaState{p.event.ID, p.event.Slug, p.event.UpdatedAt, p.sessionsVersion(), p.metadataVersion()}
}

var errNoAgenda = store.Missing("This event has no public agenda yet.")

// PublicAgenda returns what everybody may know of the programme. It is shared and must not be written. It answers
// NotFound for an event of which no session was ever shown.
func (p *Programme) PublicAgenda(ctx context.Context) (*PublicAgenda, error) {
	return p.store.caches.agendas.Get(ctx, p.event.ID, p.AgendaState(), func() (a *PublicAgenda, err error) {
		err = p.store.Snapshot(ctx, func(db *gorm.DB) error {
			a, err = p.readAgenda(db)
			return err
		})
		return a, err
	})
}

func (p *Programme) readAgenda(db *gorm.DB) (*PublicAgenda, error) {
	a := &PublicAgenda{ID: p.event.ID, Name: p.event.Name, Slug: p.event.Slug, Timezone: p.event.Timezone,
		StartsOn: valueOf(p.event.StartsOn), EndsOn: valueOf(p.event.EndsOn)}
	var entries []*calendarEntry
	if err := db.Where("event_id = ?", p.event.ID).Order("starts_at, session_id").Find(&entries).Error; err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, errNoAgenda
	}
	refs, err := p.loadMetadata(db)
	if err != nil {
		return nil, err
	}
	sessions, err := p.shownSessions(db)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		public := PublicEntry{e.SessionID, e.Title, e.StartsAt, e.EndsAt, e.TrackID, e.RoomID, e.Sequence, e.UpdatedAt}
		if s := sessions[e.SessionID]; s != nil && !e.IsCancelled {
			a.Sessions = append(a.Sessions, s.public(public, refs))
		} else if e.IsCancelled {
			a.Cancelled = append(a.Cancelled, public)
		}
	}
	var breaks []*Break
	if err := p.breaks(db).Order("starts_at, id").Limit(maxBreaks).Find(&breaks).Error; err != nil {
		return nil, err
	}
	for _, b := range breaks {
		a.Breaks = append(a.Breaks,
			PublicBreak{b.ID, b.Kind, b.Title, b.StartsAt, b.EndsAt, b.RoomID, b.Sequence, b.UpdatedAt})
	}
	a.label(refs)
	return a, nil
}

// shownSession is what is read of a session that is shown.
type shownSession struct {
	ID          string
	Number      int
	Description string
	FormatID    *string
	UpdatedAt   store.Time
	people      []PublicPerson
}

// shownIs is the condition of sessions s that are shown: IsShown in SQL.
var shownIs = "s.is_public = true AND " + takesPlace

// shownSessions are those that are shown, with their people, by their ids.
func (p *Programme) shownSessions(db *gorm.DB) (map[string]*shownSession, error) {
	var rows []*shownSession
	if err := db.Table("sessions s").Select("s.id, s.number, s.description, s.format_id, s.updated_at").
		Where("s.event_id = ? AND "+shownIs, p.event.ID).Find(&rows).Error; err != nil {
		return nil, err
	}
	sessions := make(map[string]*shownSession, len(rows))
	for _, s := range rows {
		sessions[s.ID] = s
	}
	people, err := db.Table("participants x").Joins("JOIN sessions s ON s.id = x.session_id").
		Joins("JOIN contacts c ON c.id = x.contact_id").Select("x.session_id, c.id, c.full_name, x.role").
		Where("x.event_id = ? AND s.event_id = ? AND c.full_name <> '' AND "+shownIs, p.event.ID, p.event.ID).
		Order("x.session_id, x.position, c.id").Rows()
	if err != nil {
		return nil, err
	}
	defer people.Close()
	for people.Next() {
		var sessionID string
		var person PublicPerson
		if err := people.Scan(&sessionID, &person.ID, &person.Name, &person.Role); err != nil {
			return nil, err
		}
		if s := sessions[sessionID]; s != nil {
			s.people = append(s.people, person)
		}
	}
	return sessions, people.Err()
}

// public is the session with what calendars say of it. One without an end has its format's length.
func (s *shownSession) public(e PublicEntry, refs metadataSet) PublicSession {
	out := PublicSession{PublicEntry: e, Number: s.Number, Description: s.Description, People: s.people}
	if out.UpdatedAt.Before(s.UpdatedAt.Time) {
		out.UpdatedAt = s.UpdatedAt
	}
	if s.FormatID != nil && refs[*s.FormatID] != nil {
		out.Format = refs[*s.FormatID].Name
	}
	return out
}

// label lists the rooms and tracks that are named.
func (a *PublicAgenda) label(refs metadataSet) {
	rooms, tracks := map[string]bool{}, map[string]bool{}
	note := func(named map[string]bool, id *string) {
		if id != nil && refs[*id] != nil {
			named[*id] = true
		}
	}
	for _, s := range a.Sessions {
		note(rooms, s.RoomID)
		note(tracks, s.TrackID)
	}
	for _, b := range a.Breaks {
		note(rooms, b.RoomID)
	}
	for _, m := range refs.of(Rooms) {
		if rooms[m.ID] {
			a.Rooms = append(a.Rooms, PublicRoom{m.ID, m.Name, m.Capacity})
		}
	}
	for _, m := range refs.of(Tracks) {
		if tracks[m.ID] {
			a.Tracks = append(a.Tracks, PublicTrack{m.ID, m.Name, *m.Color})
		}
	}
}
