package cfp

import (
	"context"
	"slices"

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
