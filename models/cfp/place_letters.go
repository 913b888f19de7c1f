package cfp

import (
	"context"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// lettersShown is how many letters a place shows.
const lettersShown = 100

// sent are the letters that went out to whose place it is, at the events of the organization.
const sent = `letters.contact_id = ? AND letters.state = 'sent'
	AND letters.event_id IN (SELECT id FROM events WHERE organization_id = ?)`

// Letters are those that went out to whose place it is, the newest first.
func (pl *Place) Letters(ctx context.Context) (letters []*models.Letter, err error) {
	return letters, pl.read(ctx).Where(sent, pl.contactID, pl.organizationID).Order("sent_at DESC, id DESC").
		Limit(lettersShown).Find(&letters).Error
}

// LettersAbout are those of Letters about one submission or session of an event.
func (pl *Place) LettersAbout(ctx context.Context, event *models.Event, id string) (letters []*models.Letter,
	err error) {
	return letters, pl.read(ctx).Where(sent, pl.contactID, pl.organizationID).
		Where("letters.event_id = ? AND (letters.session_id = ? OR letters.about_id = ?)", event.ID, id, id).
		Order("sent_at DESC, id DESC").Limit(lettersShown).Find(&letters).Error
}

// Letter is one of Letters, of an event. It answers NotFound for any other.
func (pl *Place) Letter(ctx context.Context, event *models.Event, id string) (*models.Letter, error) {
	missing := store.Missing("There is no such letter.")
	if !store.IsID(id) {
		return nil, missing
	}
	return store.One[models.Letter](pl.read(ctx).Where(sent, pl.contactID, pl.organizationID).
		Where("letters.event_id = ? AND letters.id = ?", event.ID, id), missing)
}

// ShownHere is a letter's text as its reader sees it in their place, where the link leads.
func ShownHere(l *models.Letter) string {
	return strings.ReplaceAll(l.Shown(), models.PlaceLinkShown, "(the link to this place)")
}
