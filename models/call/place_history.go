package call

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models"
	"lectern/models/store"
)

// Happening is something that happened to a submission or session, as its people see it.
type Happening struct {
	At   store.Time
	What What
	Of   string // the id of the letter, or the decision
}

// What is a kind of happening.
type What string

// These are the kinds of happenings.
const (
	WasBegun     What = "begun"
	WasSubmitted What = "submitted"
	WasEdited    What = "edited" // by its people; the last edit only
	WasDecided   What = "decided"
	WasWithdrawn What = "withdrawn"
	WasAnswered  What = "answered" // said whether they come
	GotLetter    What = "letter"
	CallClosed   What = "closed"
)

// mostSteps is how many changes of a submission are searched for its last edit and its beginning.
const mostSteps = 500

// History returns what happened to an OwnSession so far, the latest first.
func (pl *Place) History(ctx context.Context, m *OwnSession, letters []*models.Letter) ([]Happening, error) {
	var all []Happening
	add := func(at *store.Time, what What, of string) {
		if at != nil {
			all = append(all, Happening{*at, what, of})
		}
	}
	add(m.Standing.SubmittedAt, WasSubmitted, "")
	add(m.Standing.WithdrawnAt, WasWithdrawn, "")
	if m.Answer != nil {
		add(&m.Answer.AnsweredAt, WasAnswered, m.Answer.Answer)
	}
	if closes := m.Event.CFPClosesAt; m.IsAbstract && closes != nil && closes.Before(pl.store.Now().Time) {
		add(closes, CallClosed, "")
	}
	for _, l := range letters {
		add(l.SentAt, GotLetter, l.ID)
	}
	var decisions []*models.Decision
	if err := pl.read(ctx).Where("event_id = ? AND session_id = ?", m.EventID, m.ID).Find(&decisions).Error; err != nil {
		return nil, err
	}
	for _, d := range decisions {
		add(&d.CreatedAt, WasDecided, string(d.Decision))
	}
	var lines []*store.Activity
	if err := pl.read(ctx).Where("event_id = ? AND subject = 'session' AND subject_id = ? AND door = 'call'", m.EventID, m.ID).
		Where("action IN ('created', 'updated')").Order("created_at DESC, id DESC").Limit(mostSteps).Find(&lines).Error; err != nil {
		return nil, err
	}
	edited := false
	for _, line := range lines {
		switch submitted := m.Standing.SubmittedAt; {
		case line.Action == "created":
			add(&line.CreatedAt, WasBegun, "")
		case !edited && (submitted == nil || line.CreatedAt.After(submitted.Time)):
			edited = true
			add(&line.CreatedAt, WasEdited, "")
		}
	}
	slices.SortStableFunc(all, func(a, b Happening) int { return b.At.Compare(a.At.Time) })
	return all, nil
}

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
