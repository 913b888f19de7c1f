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
	var rows []*Participant
	err := db.Table("participants p").Joins("JOIN contacts c ON c.id = p.contact_id").
		Select("p.session_id, p.contact_id, c.email, c.full_name, c.company_name, c.about, c.photo_url, p.role, p.position").
		Where("p.event_id = ? AND p.session_id IN ?", eventID, keys(sessions)).Find(&rows).Error
	if err != nil {
		return err
	}
	for _, row := range rows {
		s := sessions[row.SessionID]
		s.Participants = append(s.Participants, row)
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

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	return out
}
