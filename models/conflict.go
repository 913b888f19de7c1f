package models

import (
	"cmp"
	"context"
	"slices"

	"lectern/models/store"
)

// Conflict is a collision from the view of one of its sessions, with the rows that describe it.
type Conflict struct {
	Need Need
	ID   string   // of the room or the person
	Name string   // of the room or the person
	Of   *Session // the session that sees it
	With *Session // the other session, with its room but without rows of other tables; nil if there is none
	Span          // the time that is concerned
	Away Span     // how long the person is away; set for NeedsPresence alone
	// Seats is the capacity of the room, smaller than Of.Capacity; set for NeedsSeats alone.
	Seats int
	Break *Break // the plenary break; set for NeedsPlenary alone, where With is nil
}

// maxConflicting limits how many colliding sessions are read; further ones are not reported.
const maxConflicting = 5000

// Conflicts returns the collisions of the given sessions with any session of the event and with its bounds, by
// session id, in the order of Collisions. It runs one SQL statement, one more after an availability changed, and none
// if no session takes a place.
func (p *Programme) Conflicts(ctx context.Context, sessions ...*Session) (map[string][]Conflict, error) {
	var placed []*Session
	var ids []string
	var within Span // of all of them
	for _, s := range sessions {
		slot, takes := s.Slot()
		if !takes {
			continue
		}
		if len(placed) == 0 || slot.Start.Before(within.From.Time) {
			within.From = slot.Start
		}
		if len(placed) == 0 || slot.End.After(within.Until.Time) {
			within.Until = slot.End
		}
		placed, ids = append(placed, s), append(ids, s.ID)
	}
	if len(placed) == 0 {
		return nil, nil
	}
	near, err := p.near(ctx, ids, within)
	if err != nil {
		return nil, err
	}
	all, err := p.ConflictsAmong(ctx, placed, near)
	return all.BySession(), err
}

// SessionConflicts returns the collisions of one session. It answers NotFound.
func (p *Programme) SessionConflicts(ctx context.Context, id string) ([]Conflict, error) {
	s, err := p.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	of, err := p.Conflicts(ctx, s)
	return of[s.ID], err
}

// WouldConflict returns the collisions that a session would have with the people, the room or the times in s, which
// need not be stored. It runs two SQL statements at most. It reads of s what Slot does, its Room and the names of its
// people.
func (p *Programme) WouldConflict(ctx context.Context, s *Session) ([]Conflict, error) {
	slot, takes := s.Slot()
	if !takes {
		return nil, nil
	}
	near, err := p.NearTo(ctx, &slot)
	if err != nil {
		return nil, err
	}
	return p.ConflictsAmong(ctx, []*Session{s}, near)
}

// conflicts is a list of conflicts in the order of Collisions.
type conflicts []Conflict

// BySession groups conflicts by session.
func (all conflicts) BySession() map[string][]Conflict {
	by := map[string][]Conflict{}
	for _, c := range all {
		by[c.Of.ID] = append(by[c.Of.ID], c)
	}
	return by
}

// ConflictsAmong describes the collisions of sessions with others, whose rooms must be filled in, and with their
// bounds.
func (p *Programme) ConflictsAmong(ctx context.Context, of, among []*Session) (all conflicts, err error) {
	within, set, err := p.Bounds(ctx)
	if err != nil {
		return nil, err
	}
	others, known := slotsOf(among)
	own, sees := others, known
	if !slices.Equal(of, among) {
		own, sees = slotsOf(of)
	}
	for _, c := range Collisions(own, others, within) {
		told := Conflict{Need: c.Need, ID: c.ID, Of: sees[c.Of], With: known[c.With], Span: c.Span}
		told.Name = told.Of.NameOf(c.ID)
		if room := set[c.ID]; room != nil {
			told.Name = room.Name
		}
		switch c.Need {
		case NeedsPlenary:
			if told.With == nil {
				told.Break = within.pause(c.ID)
				told.Name = told.Break.Title
			} else {
				told.Name = told.With.Title
			}
		case NeedsPresence:
			told.Away = within.away(c)
		case NeedsSeats:
			told.Seats = within.Seats[c.ID]
		}
		all = append(all, told)
	}
	return all, p.namePeople(ctx, all)
}

// namedAtOnce limits how many names one statement reads.
const namedAtOnce = 5000

// namePeople fills in the names of people whose sessions were read without them.
func (p *Programme) namePeople(ctx context.Context, all conflicts) error {
	var ids []string
	for _, c := range all {
		if c.Name == "" {
			ids = append(ids, c.ID)
		}
	}
	slices.Sort(ids)
	names := map[string]string{}
	for some := range slices.Chunk(slices.Compact(ids), namedAtOnce) {
		var people []Contact
		if err := p.Read(ctx).Model(&Contact{}).Select("id, full_name").
			Where("organization_id = ? AND id IN ?", p.event.OrganizationID, some).Find(&people).Error; err != nil {
			return err
		}
		for _, person := range people {
			names[person.ID] = person.FullName
		}
	}
	for i, c := range all {
		all[i].Name = cmp.Or(c.Name, names[c.ID])
	}
	return nil
}

// slotsOf returns the slots of sessions that take a place, and the sessions by id.
func slotsOf(sessions []*Session) (slots []Slot, byID map[string]*Session) {
	slots, byID = make([]Slot, len(sessions)), make(map[string]*Session, len(sessions))
	for i, s := range sessions {
		slots[i], _ = s.Slot()
		byID[s.ID] = s
	}
	return slots, byID
}

// NameOf returns the name of one of the session's people, or "".
func (s *Session) NameOf(contactID string) string {
	for _, person := range s.Participants {
		if person.ContactID == contactID {
			return person.FullName
		}
	}
	return ""
}

// away returns the absence that a collision is about.
func (b Bounds) away(c Collision) Span {
	at := slices.IndexFunc(b.Away[c.ID], c.Meets)
	return b.Away[c.ID][at]
}

// pause returns the plenary break with this id, which must exist.
func (b Bounds) pause(id string) *Break {
	return b.Plenary[slices.IndexFunc(b.Plenary, func(p *Break) bool { return p.ID == id })]
}

// Bounds returns the event's bounds, that is, seats of rooms, absences of people and plenary breaks, and the metadata
// that describes conflicts. Both are shared by callers and cached until an availability changes.
func (p *Programme) Bounds(ctx context.Context) (Bounds, MetadataSet, error) {
	set, err := p.Metadata(ctx)
	if err != nil {
		return Bounds{}, nil, err
	}
	within := Bounds{Seats: map[string]int{}}
	for id, m := range set {
		if m.Capacity != nil {
			within.Seats[id] = *m.Capacity
		}
	}
	kept, err := p.store.caches.absences.Get(ctx, p.event.ID, p.calendarState(), func() (b Bounds, err error) {
		if b.Away, err = p.absences(ctx); err != nil {
			return b, err
		}
		err = p.BreaksIn(p.Read(ctx)).Where("is_plenary").Order("starts_at, id").Limit(MaxBreaks).Find(&b.Plenary).Error
		return b, err
	})
	within.Away, within.Plenary = kept.Away, kept.Plenary
	return within, set, err
}

// calendarState is the state on which cached absences depend: the version of the sessions, which changes of
// availability raise too, and the event's calendar.
type calendarState struct {
	sessions          store.Version
	zone, first, last string
}

func (p *Programme) calendarState() calendarState {
	return calendarState{p.sessionsVersion(), p.event.Timezone, store.ValueOf(p.event.StartsOn),
		store.ValueOf(p.event.EndsOn)}
}

// absences returns when the event's people are away, by contact.
func (p *Programme) absences(ctx context.Context) (map[string][]Span, error) {
	var rows []struct{ ContactID, Away string }
	err := p.Read(ctx).Model(&EventContact{}).Select("contact_id, away").
		Where("event_id = ? AND away <> ''", p.event.ID).Find(&rows).Error
	away := map[string][]Span{}
	for _, row := range rows {
		away[row.ContactID] = p.event.away(row.Away)
	}
	return away, err
}

// withAbsent returns the ids of sessions with somebody who is away at the time, in one statement.
func (p *Programme) withAbsent(ctx context.Context) (ids []string, err error) {
	var rows []struct {
		ID, ContactID, Away string
		StartsAt, EndsAt    store.Time
	}
	err = p.Read(ctx).Table("event_contacts h").Joins("JOIN participants x ON x.event_id = h.event_id AND "+
		"x.contact_id = h.contact_id").Joins("JOIN sessions s ON s.id = x.session_id").
		Select("s.id, x.contact_id, h.away, s.starts_at, coalesce(s.ends_at, s.starts_at) AS ends_at").
		Where("h.event_id = ? AND h.away <> '' AND s.event_id = ? AND "+TakesPlace, p.event.ID, p.event.ID).
		Order("s.id").Find(&rows).Error
	within := Bounds{Away: map[string][]Span{}}
	for _, row := range rows {
		if _, known := within.Away[row.ContactID]; !known {
			within.Away[row.ContactID] = p.event.away(row.Away)
		}
		slot := Slot{SessionID: row.ID, ContactIDs: []string{row.ContactID}, Start: row.StartsAt, End: row.EndsAt}
		if len(within.brokenBy(&slot)) > 0 && (len(ids) == 0 || ids[len(ids)-1] != row.ID) {
			ids = append(ids, row.ID)
		}
	}
	return ids, err
}
