package cfp

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// lettersShown is how many letters a place shows.
const lettersShown = 100

// sent narrows to the letters that went out to whose place it is, at the events of the organization that it opens at.
func (pl *Place) sent(ctx context.Context) *gorm.DB {
	return pl.read(ctx).Where("letters.contact_id = ? AND letters.state = 'sent'", pl.contactID).
		Where("letters.event_id IN (SELECT id FROM events WHERE organization_id = ?)", pl.organizationID).
		Where("? = '' OR letters.event_id = ?", pl.only, pl.only)
}

// Letters are those that went out to whose place it is, the newest first.
func (pl *Place) Letters(ctx context.Context) (letters []*models.Letter, err error) {
	return letters, pl.sent(ctx).Order("sent_at DESC, id DESC").
		Limit(lettersShown).Find(&letters).Error
}

// LettersAbout are those of Letters about one submission or session of an event.
func (pl *Place) LettersAbout(ctx context.Context, event *models.Event, id string) (letters []*models.Letter,
	err error) {
	return letters, pl.sent(ctx).
		Where("letters.event_id = ? AND (letters.session_id = ? OR letters.about_id = ?)", event.ID, id, id).
		Order("sent_at DESC, id DESC").Limit(lettersShown).Find(&letters).Error
}

// Letter is one of Letters, of an event. It answers NotFound for any other.
func (pl *Place) Letter(ctx context.Context, event *models.Event, id string) (*models.Letter, error) {
	missing := store.Missing("There is no such letter.")
	if !store.IsID(id) {
		return nil, missing
	}
	return store.One[models.Letter](pl.sent(ctx).
		Where("letters.event_id = ? AND letters.id = ?", event.ID, id), missing)
}

// ShownHere is a letter's text as its reader sees it in their place, where the link leads.
func ShownHere(l *models.Letter) string {
	return strings.ReplaceAll(l.Shown(), models.PlaceLinkShown, "(the link to this place)")
}
