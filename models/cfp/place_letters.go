package cfp

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// lettersShown limits the letters that a place shows.
const lettersShown = 100

// sent selects the letters sent to the place's owner, at the events of the organization at which the place opens.
func (pl *Place) sent(ctx context.Context) *gorm.DB {
	return pl.read(ctx).Where("letters.contact_id = ? AND letters.state = 'sent'", pl.contactID).
		Where("letters.event_id IN (SELECT id FROM events WHERE organization_id = ?)", pl.organizationID).
		Where("? = '' OR letters.event_id = ?", pl.only, pl.only)
}

// Letters returns the letters sent to the place's owner, the newest first.
func (pl *Place) Letters(ctx context.Context) (letters []*models.Letter, err error) {
	return letters, pl.sent(ctx).Order("sent_at DESC, id DESC").
		Limit(lettersShown).Find(&letters).Error
}

// LettersAbout returns those of Letters about one submission or session of an event.
func (pl *Place) LettersAbout(ctx context.Context, event *models.Event, id string) (letters []*models.Letter,
	err error) {
	return letters, pl.sent(ctx).
		Where("letters.event_id = ? AND (letters.session_id = ? OR letters.about_id = ?)", event.ID, id, id).
		Order("sent_at DESC, id DESC").Limit(lettersShown).Find(&letters).Error
}

// Letter returns one of Letters, of an event. It answers NotFound for any other.
func (pl *Place) Letter(ctx context.Context, event *models.Event, id string) (*models.Letter, error) {
	missing := store.Missing("There is no such letter.")
	if !store.IsID(id) {
		return nil, missing
	}
	return store.One[models.Letter](pl.sent(ctx).
		Where("letters.event_id = ? AND letters.id = ?", event.ID, id), missing)
}

// ShownHere returns a letter's text as its reader sees it in their place, to which its link leads.
func ShownHere(l *models.Letter) string {
	return strings.ReplaceAll(l.Shown(), models.PlaceLinkShown, "(the link to this place)")
}
