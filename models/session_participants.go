package models

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"lectern/models/store"
)

// Role is what a participant does on a session.
type Role string

const (
	Speaking    Role = "speaker"
	Moderator   Role = "moderator"
	Chairperson Role = "chairperson"
)

// Participant is a contact on a session.
type Participant struct {
	ContactID   string  `json:"id" doc:"Contact id"`
	Email       string  `json:"email"`
	FullName    string  `json:"full_name"`
	CompanyName string  `json:"company_name"`
	About       string  `json:"about" doc:"Sanitised HTML"`
	PhotoURL    *string `json:"photo_url"`
	Role        Role    `json:"role" enum:"speaker,moderator,chairperson"`
	Position    int     `json:"order"`
	SessionID   string  `json:"-"`
}

// Participation puts a contact on a session.
type Participation struct {
	ContactID string
	Role      Role // speaker when empty
}

// SetParticipants replaces the participants of a session, in the order given. It answers NotFound for a session
// that is not live and Invalid for a contact that is not at this event or is there twice, and emits
// session.updated when anything changed.
func (p *Programme) SetParticipants(ctx context.Context, sessionID string, people []Participation) (*Session, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (*Session, error) {
		before, err := p.live(tx, sessionID)
		if err != nil {
			return nil, err
		}
		s := new(*before)
		if s.Participants, err = p.participants(tx, people); err != nil {
			return nil, err
		}
		return s, p.commit(tx, updating, change{before, s})
	})
}

// participants are the contacts of this event that people names.
func (p *Programme) participants(tx *store.Tx, people []Participation) ([]*Participant, error) {
	ids := make([]string, len(people))
	for i, x := range people {
		ids[i] = x.ContactID
	}
	var contacts []*Contact
	if err := tx.Where("id IN (SELECT contact_id FROM event_contacts WHERE event_id = ? AND contact_id IN ?)",
		p.event.ID, ids).Find(&contacts).Error; err != nil {
		return nil, err
	}
	byID := make(map[string]*Contact, len(contacts))
	for _, c := range contacts {
		byID[c.ID] = c
	}
	out := make([]*Participant, len(people))
	for i, x := range people {
		field := "participants[" + strconv.Itoa(i) + "]"
		c := byID[x.ContactID]
		if c == nil {
			return nil, store.Invalidf(field+".id", "is no contact of this event, or is there twice")
		}
		delete(byID, x.ContactID)
		role := cmp.Or(x.Role, Speaking)
		if role != Speaking && role != Moderator && role != Chairperson {
			return nil, store.Invalidf(field+".role", "must be speaker, moderator or chairperson")
		}
		out[i] = c.as(role, i)
	}
	return out, nil
}

// as is the contact on a session.
func (c *Contact) as(role Role, position int) *Participant {
	return &Participant{ContactID: c.ID, Email: c.Email, FullName: c.FullName, CompanyName: c.CompanyName, About: c.About,
		PhotoURL: c.PhotoURL, Role: role, Position: position}
}

func peopleFacts(people []*Participant) []map[string]any {
	facts := make([]map[string]any, len(people))
	for i, x := range people {
		facts[i] = map[string]any{"id": x.ContactID, "role": x.Role}
	}
	return facts
}

// loadParticipants puts the participants of all sessions on them, in one query.
func loadParticipants(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	rows, err := db.Table("participants p").Joins("JOIN contacts c ON c.id = p.contact_id").
		Select("p.session_id, p.contact_id, c.email, c.full_name, c.company_name, c.about, c.photo_url, p.role, p.position").
		Where("p.event_id = ? AND p.session_id IN ?", eventID, slices.Sorted(maps.Keys(sessions))).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		x := &Participant{}
		if err := rows.Scan(&x.SessionID, &x.ContactID, &x.Email, &x.FullName, &x.CompanyName, &x.About, &x.PhotoURL,
			&x.Role, &x.Position); err != nil {
			return err
		}
		s := sessions[x.SessionID]
		s.Participants = append(s.Participants, x)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, s := range sessions {
		sortParticipants(s.Participants)
	}
	return nil
}

func sortParticipants(participants []*Participant) {
	slices.SortFunc(participants, func(a, b *Participant) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), cmp.Compare(a.ContactID, b.ContactID))
	})
}

func samePeople(a, b []*Participant) bool {
	return slices.EqualFunc(a, b, func(a, b *Participant) bool {
		return a.ContactID == b.ContactID && a.Role == b.Role && a.Position == b.Position
	})
}

// reindexSessions refreshes the search text of the contacts' sessions, which contains their names. It is no
// change of the sessions themselves. The operation holds no session before.
func (p *Programme) reindexSessions(tx *store.Tx, contactIDs []string) error {
	var sessions []*Session
	if err := tx.Lock().Select(readColumns).
		Where("id IN (SELECT session_id FROM participants WHERE contact_id IN ?)", contactIDs).
		Order(sessionOrder).Find(&sessions).Error; err != nil || len(sessions) == 0 {
		return err
	}
	return reindex(tx, sessions)
}

// reindex refreshes the search text of sessions of any events, where it is another one.
func reindex(tx *store.Tx, sessions []*Session) error {
	events := map[string]map[string]*Session{}
	for _, s := range sessions {
		if events[s.EventID] == nil {
			events[s.EventID] = map[string]*Session{}
		}
		events[s.EventID][s.ID] = s
	}
	for _, event := range slices.Sorted(maps.Keys(events)) {
		if err := loadParticipants(tx.Session(&gorm.Session{NewDB: true}), event, events[event]); err != nil {
			return err
		}
	}
	for _, s := range sessions {
		was := s.Search
		if s.Index(); s.Search == was {
			continue
		}
		touch(tx, s.EventID)
		if err := tx.Model(&Session{}).Where("id = ?", s.ID).UpdateColumn("search", s.Search).Error; err != nil {
			return err
		}
	}
	return nil
}
