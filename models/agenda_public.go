package models

import (
	"cmp"
	"context"
	"slices"

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
	IsPlenary   bool   // nothing is beside it
	People      []PublicPerson
}

// PublicPerson is somebody on a session that is shown. Who has no name is not told of.
type PublicPerson struct {
	ID, Name string
	Role     Role
	position int
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
	refs, err := p.loadMetadata(db)
	if err != nil {
		return nil, err
	}
	if err := p.readEntries(db, a, refs); err != nil {
		return nil, err
	}
	if len(a.Sessions)+len(a.Cancelled) == 0 {
		return nil, errNoAgenda
	}
	if err := p.readPeople(db, a); err != nil {
		return nil, err
	}
	var breaks []*Break
	if err := p.breaks(db).Order("starts_at, id").Limit(maxBreaks).Find(&breaks).Error; err != nil {
		return nil, err
	}
	for _, b := range breaks {
		a.Breaks = append(a.Breaks,
			PublicBreak{b.ID, b.Kind, b.Title, b.StartsAt, b.EndsAt, b.RoomID, b.IsPlenary, b.Sequence, b.UpdatedAt})
	}
	a.label(refs)
	return a, nil
}

// shownIs is the condition of sessions s that are shown: IsShown in SQL.
var shownIs = "s.is_public = true AND " + takesPlace

// readEntries reads what calendars say, and of sessions that are shown what is said besides. What calendars have leads
// to them; the condition holds whatever that says.
func (p *Programme) readEntries(db *gorm.DB, a *PublicAgenda, refs metadataSet) error {
	rows, err := db.Table("calendar_entries e JOIN sessions s ON s.id = e.session_id").
		Select(`e.session_id, e.title, e.starts_at, e.ends_at, e.track_id, e.room_id, e.sequence, e.is_cancelled,
			CASE WHEN e.updated_at < s.updated_at AND NOT e.is_cancelled THEN s.updated_at ELSE e.updated_at END,
			s.number, CASE WHEN e.is_cancelled THEN '' ELSE s.description END, s.format_id, s.is_plenary`).
		Where("e.event_id = ? AND (e.is_cancelled OR "+shownIs+")", p.event.ID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var s PublicSession
		var isCancelled bool
		var formatID *string
		if err := rows.Scan(&s.ID, &s.Title, &s.StartsAt, &s.EndsAt, &s.TrackID, &s.RoomID, &s.Sequence, &isCancelled, &s.UpdatedAt,
			&s.Number, &s.Description, &formatID, &s.IsPlenary); err != nil {
			return err
		}
		if isCancelled {
			a.Cancelled = append(a.Cancelled, s.PublicEntry)
			continue
		}
		if formatID != nil && refs[*formatID] != nil {
			s.Format = refs[*formatID].Name
		}
		a.Sessions = append(a.Sessions, s)
	}
	// In Go, because a database would carry the texts through its sorting.
	slices.SortFunc(a.Cancelled, byStart)
	slices.SortFunc(a.Sessions, func(x, y PublicSession) int { return byStart(x.PublicEntry, y.PublicEntry) })
	return rows.Err()
}

func byStart(a, b PublicEntry) int {
	return cmp.Or(a.StartsAt.Compare(b.StartsAt.Time), cmp.Compare(a.ID, b.ID))
}

// readPeople puts the people on the sessions that are shown.
func (p *Programme) readPeople(db *gorm.DB, a *PublicAgenda) error {
	rows, err := db.Table("calendar_entries e JOIN participants x ON x.session_id = e.session_id").
		Joins("JOIN contacts c ON c.id = x.contact_id").Select("x.session_id, x.position, c.id, c.full_name, x.role").
		Where("e.event_id = ? AND e.is_cancelled = false AND c.full_name <> ''", p.event.ID).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	sessions := make(map[string]*PublicSession, len(a.Sessions))
	for i := range a.Sessions {
		sessions[a.Sessions[i].ID] = &a.Sessions[i]
	}
	for rows.Next() {
		var sessionID string
		var person PublicPerson
		if err := rows.Scan(&sessionID, &person.position, &person.ID, &person.Name, &person.Role); err != nil {
			return err
		}
		if s := sessions[sessionID]; s != nil {
			s.People = append(s.People, person)
		}
	}
	for _, s := range sessions {
		slices.SortFunc(s.People, func(a, b PublicPerson) int {
			return cmp.Or(cmp.Compare(a.position, b.position), cmp.Compare(a.ID, b.ID))
		})
	}
	return rows.Err()
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
