package models

import (
	"lectern/models/store"
)

// ReviewRound is a period of reviews, of all submissions or of assigned ones. Each event starts with a round of all
// submissions, whose id is the event's. The operations on rounds are in models/review.
type ReviewRound struct {
	ID        string
	EventID   string
	Name      string
	GivesAll  bool
	IsBlind   bool        // its reviewers see no names, as long as it is not over
	OpensAt   *store.Time // nil for at once
	ClosesAt  *store.Time // nil for not yet known
	CreatedAt store.Time
	UpdatedAt store.Time // the concurrency token
}

// IsOpen reports whether reviews can be given at a moment.
func (r *ReviewRound) IsOpen(now store.Time) bool { return !r.IsEarly(now) && !r.IsOver(now) }

// IsEarly reports whether the round opens later.
func (r *ReviewRound) IsEarly(now store.Time) bool {
	return r.OpensAt != nil && now.Before(r.OpensAt.Time)
}

// IsOver reports whether the round has closed.
func (r *ReviewRound) IsOver(now store.Time) bool {
	return r.ClosesAt != nil && !now.Before(r.ClosesAt.Time)
}

// NotOpen answers Invalid, in words, unless reviews are given at a moment.
func (r *ReviewRound) NotOpen(now store.Time) error {
	switch {
	case r.IsEarly(now):
		return &store.Error{Kind: store.Invalid, Message: "This round has not opened yet. Nothing was saved."}
	case r.IsOver(now):
		return &store.Error{Kind: store.Invalid, Message: "This round is closed. Nothing was saved."}
	}
	return nil
}

// allSubmissions is the round with which an event starts.
func allSubmissions(e *Event, now store.Time) *ReviewRound {
	return &ReviewRound{ID: e.ID, EventID: e.ID, Name: "All submissions", GivesAll: true, CreatedAt: now, UpdatedAt: now}
}

// allOpen answers Invalid unless the round of all submissions is open.
func (p *Programme) allOpen(tx *store.Tx) error {
	round, err := store.One[ReviewRound](tx.Where("event_id = ? AND id = ?", p.event.ID, p.event.ID),
		store.NoSuch("round"))
	if err != nil {
		return err
	}
	return round.NotOpen(tx.Now)
}
