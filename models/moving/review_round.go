package moving

import (
	"context"

	"lectern/models/arrival"
	"lectern/models/reviews"
	"lectern/models/store"
)

// reviewRound is the round that the reviews come into, with its criteria by name.
type reviewRound struct {
	*reviews.Round
	criteria map[string]*reviews.Criterion
}

// round returns the round for the reviews, which the first move makes.
func (m *Move) round(ctx context.Context, scales scales) (*reviewRound, error) {
	key := m.frame.Prefix + "reviews"
	known, err := m.arrival.Known(ctx, arrival.Rounds, []string{key})
	if err != nil {
		return nil, err
	}
	r := &reviewRound{criteria: map[string]*reviews.Criterion{}}
	if r.Round, err = m.rounds.Round(ctx, known[key].RecordID); store.KindOf(err) == store.NotFound {
		r.Round, err = m.newRound(ctx, key, known[key].RecordID, scales)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range r.Card {
		r.criteria[c.Name] = c
	}
	return r, nil
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
