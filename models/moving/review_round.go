package moving

import (
	"context"

	"lectern/models/arrival"
	"lectern/models/reviews"
	"lectern/models/store"
)

// round returns the round that the reviews come into, which the first move makes.
func (m *Move) round(ctx context.Context, scales scales) (*reviews.Round, error) {
	key := m.frame.Prefix + "reviews"
	known, err := m.arrival.Known(ctx, arrival.Rounds, []string{key})
	if err != nil {
		return nil, err
	}
	round, err := m.rounds.Round(ctx, known[key].RecordID)
	if store.KindOf(err) == store.NotFound {
		return m.newRound(ctx, key, known[key].RecordID, scales)
	}
	return round, err
}

// newRound makes the round; known is the id of an earlier one that is gone, or "".
func (m *Move) newRound(ctx context.Context, key, known string, scales scales) (*reviews.Round, error) {
	made, err := m.rounds.Create(ctx, reviews.Settings{Name: "Reviews of " + m.frame.System})
	if err != nil {
		return nil, err
	}
	if card := scales.card(); len(card) > 0 {
		if err := m.rounds.SetCard(ctx, made.ID, card); err != nil {
			return nil, err
		}
	}
	first, err := m.arrival.Claim(ctx, arrival.Rounds, key, known, made.ID)
	if err == nil && first != made.ID { // another move was faster
		err = m.rounds.Delete(ctx, made.ID)
	}
	if err != nil {
		return nil, err
	}
	return m.rounds.Round(ctx, first)
}
