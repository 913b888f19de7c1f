package models

import (
	"cmp"
	"slices"

	"gorm.io/gorm"
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

// loadParticipants puts the participants of all sessions on them, in one query.
func loadParticipants(db *gorm.DB, eventID string, sessions map[string]*Session) error {
	rows, err := db.Table("participants p").Joins("JOIN contacts c ON c.id = p.contact_id").
		Select("p.session_id, p.contact_id, c.email, c.full_name, c.company_name, c.about, c.photo_url, p.role, p.position").
		Where("p.event_id = ? AND p.session_id IN ?", eventID, keys(sessions)).Rows()
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		x := &Participant{}
		if err := rows.Scan(&x.SessionID, &x.ContactID, &x.Email, &x.FullName, &x.CompanyName, &x.About, &x.PhotoURL, &x.Role, &x.Position); err != nil {
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

// reindexSessions refreshes the search text of a contact's sessions, which
// contains the contact's name. It is no change of the sessions themselves.
func (p *Programme) reindexSessions(tx *Tx, contactID string) error {
	var sessions []*Session
	if err := tx.Select(shown).Where("id IN (SELECT session_id FROM participants WHERE contact_id = ?)", contactID).
		Find(&sessions).Error; err != nil || len(sessions) == 0 {
		return err
	}
	events := map[string]map[string]*Session{}
	for _, s := range sessions {
		if events[s.EventID] == nil {
			events[s.EventID] = map[string]*Session{}
		}
		events[s.EventID][s.ID] = s
	}
	for event, own := range events {
		if err := loadParticipants(tx.Session(&gorm.Session{NewDB: true}), event, own); err != nil {
			return err
		}
		tx.touch(event)
	}
	for _, s := range sessions {
		s.index()
		if err := tx.Model(&Session{}).Where("id = ?", s.ID).UpdateColumn("search", s.Search).Error; err != nil {
			return err
		}
	}
	return nil
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
