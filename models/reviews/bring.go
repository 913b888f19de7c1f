package reviews

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lectern/models"
	"lectern/models/store"
)

// ImportedReview is a review that was given in another system.
type ImportedReview struct {
	SessionID, UserID string
	Answers           map[string]string // by criterion id; some may be missing
	Comment           string
}

// ImportReviews stores reviews that were given elsewhere in a round, as if they had been assigned, replacing earlier
// reviews by the same authors. Neither the round need be open nor the submission still under review. It answers
// NotFound for an unknown round or submission, and Invalid for an answer that does not fit; then it stores none of
// them. It emits nothing, and returns the time that is stored as that of the reviews.
func (r *Rounds) ImportReviews(ctx context.Context, roundID string, reviews []ImportedReview) (at store.Time, err error) {
	reviews = slices.SortedFunc(slices.Values(reviews), func(a, b ImportedReview) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.UserID, b.UserID))
	})
	err = r.p.Write(ctx, func(tx *store.Tx) error {
		at = tx.Now
		round, err := r.hold(tx, roundID)
		if err != nil {
			return err
		}
		var card Card
		if err := tx.Where("round_id = ?", roundID).Order("position").Find(&card).Error; err != nil {
			return err
		}
		if err := r.holdSubmissions(tx, reviews); err != nil {
			return err
		}
		for _, b := range reviews {
			if err := tx.Exec(`INSERT INTO review_assignments (event_id, round_id, session_id, user_id, created_at)
				VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
				round.EventID, roundID, b.SessionID, b.UserID, tx.Now).Error; err != nil {
				return err
			}
			review := &models.Review{RoundID: roundID, SessionID: b.SessionID, UserID: b.UserID}
			given := Verdict{State: models.Scored, Answers: b.Answers, Comment: b.Comment}
			if err := given.clean(card.answered(b.Answers), review); err != nil {
				return err
			}
			review.State = models.Scored
			if err := r.p.KeepReview(tx, review); err != nil {
				return err
			}
		}
		return nil
	})
	return at, err
}

// holdSubmissions locks the reviewed submissions. It answers NotFound if one is no live submission of the event.
func (r *Rounds) holdSubmissions(tx *store.Tx, reviews []ImportedReview) error {
	var ids, held []string
	for _, b := range reviews {
		ids = append(ids, b.SessionID)
	}
	err := tx.Lock().Model(&models.Session{}).Where("event_id = ? AND is_abstract AND deleted_at IS NULL AND id IN ?",
		r.p.Event().ID, ids).Order("id").Pluck("id", &held).Error
	if err == nil && len(held) < len(slices.Compact(ids)) {
		err = store.NoSuch("submission")
	}
	return err
}

// answered returns the criteria that have an answer.
func (c Card) answered(answers map[string]string) Card {
	return slices.DeleteFunc(slices.Clone(c), func(one *Criterion) bool { return answers[one.ID] == "" })
}

// Answer is the answer of a review to one criterion of its scorecard.
type Answer struct{ Question, Text string }

// Answers returns, for each of the given reviews of the event, its answers to the criteria of its round, in their
// order. Whoever may read the reviews may read these.
func (r *Rounds) Answers(ctx context.Context, reviews []*models.Review) ([][]Answer, error) {
	said := make([][]Answer, len(reviews))
	var rounds []string
	for _, review := range reviews {
		if len(review.Answers) > 0 {
			rounds = append(rounds, review.RoundID)
		}
	}
	if len(rounds) == 0 {
		return said, nil
	}
	var card Card
	err := r.p.Read(ctx).Where("event_id = ? AND round_id IN ?", r.p.Event().ID, rounds).Order("round_id, position").
		Find(&card).Error
	for i, review := range reviews {
		for _, c := range card {
			if answer := review.Answers[c.ID]; answer != "" {
				said[i] = append(said[i], Answer{c.Name, c.inWords(answer)})
			}
		}
	}
	return said, err
}

// inWords returns an answer for readers who do not see the form: "4 of 5".
func (c *Criterion) inWords(answer string) string {
	if c.Kind == Number {
		return fmt.Sprintf("%s of %d", answer, *c.High)
	}
	return answer
}
