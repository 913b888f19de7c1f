package cfp

import (
	"context"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// Happening is something that became of a submission or session, as its people hear of it.
type Happening struct {
	At   store.Time
	What What
	Of   string // the letter, or the decision
}

// What is a kind of happening.
type What string

// The kinds.
const (
	WasBegun     What = "begun"
	WasSubmitted What = "submitted"
	WasEdited    What = "edited" // by whose place it is, the last time
	WasDecided   What = "decided"
	WasWithdrawn What = "withdrawn"
	WasAnswered  What = "answered" // whether they come
	GotLetter    What = "letter"
	CallClosed   What = "closed"
)

// History is what became of one of Mine so far, the latest first.
func (pl *Place) History(ctx context.Context, m *Mine, letters []*models.Letter) ([]Happening, error) {
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
	if err := pl.read(ctx).Where("event_id = ? AND subject = 'session' AND subject_id = ? AND actor_id = ? AND door = 'call'",
		m.EventID, m.ID, pl.contactID).Where("action IN ('created', 'updated')").Order("created_at DESC, id DESC").Limit(1).
		Find(&lines).Error; err != nil {
		return nil, err
	}
	for _, line := range lines {
		what := WasEdited
		if line.Action == "created" {
			what = WasBegun
		}
		if m.Standing.SubmittedAt == nil || !line.CreatedAt.Equal(m.Standing.SubmittedAt.Time) {
			add(&line.CreatedAt, what, "")
		}
	}
	slices.SortStableFunc(all, func(a, b Happening) int { return b.At.Compare(a.At.Time) })
	return all, nil
}
