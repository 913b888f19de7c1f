package people

import (
	"lectern/models"
	"lectern/models/store"
)

// PersonalRevision is a change that a person made to approved content and that waits for staff.
type PersonalRevision struct {
	Event       string     `json:"event"`
	Session     string     `json:"session"` // "" for the profile
	At          store.Time `json:"at"`
	Title       *string    `json:"title"`
	Description *string    `json:"description"`
	About       *string    `json:"about"`
	HasPhoto    bool       `json:"photo"` // the photo is in the archive
}

// revisions collects the person's waiting revisions.
func (g *gatherer) revisions() error {
	var found []struct {
		PersonalRevision
		EventID string
		PhotoID *string
	}
	if err := g.tx.Table("revisions r").Joins("LEFT JOIN sessions s ON s.id = r.session_id").
		Where("r.author_id = ? OR r.contact_id = ?", g.of.ID, g.of.ID).Order("r.created_at, r.id").
		Select("r.event_id, coalesce(s.friendly_id, '') AS session, r.updated_at AS at, r.title, r.description, r.about, r.photo_id").
		Scan(&found).Error; err != nil {
		return err
	}
	for _, r := range found {
		r.Event, r.HasPhoto = g.names[r.EventID], r.PhotoID != nil
		g.data.Revisions = append(g.data.Revisions, r.PersonalRevision)
		if r.HasPhoto {
			photo, err := models.FileOf(g.tx.DB, g.ID, models.PhotoFile, *r.PhotoID)
			if err != nil {
				return err
			}
			g.data.answers = append(g.data.answers, photo)
		}
	}
	return nil
}
