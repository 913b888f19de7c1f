package models_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"lectern/models"
	"lectern/models/store"
)

// publishOperations publish, place, take off and release.
func (r *race) publishOperations() map[string]func(context.Context, *models.Programme, *rand.Rand) error {
	return map[string]func(context.Context, *models.Programme, *rand.Rand) error{
		"publish": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			_, _, err := p.Publish(ctx, one(random, r.sessions), models.Publishing{Reason: "R"})
			return err
		},
		"unpublish": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			_, _, err := p.Unpublish(ctx, one(random, r.sessions))
			return err
		},
		"release": func(ctx context.Context, p *models.Programme, random *rand.Rand) error {
			at := store.Some(onDay(random.IntN(20), random.IntN(60)))
			if _, err := p.UpdateSession(ctx, one(random, r.sessions),
				models.SessionChange{SessionInput: models.SessionInput{StartsAt: at, EndsAt: at}}); err != nil {
				return err
			}
			_, err := p.ReleaseAgenda(ctx, models.Release{Name: fmt.Sprint(random.Int()), Subject: "S", Body: "{{changes}}"})
			return err
		},
	}
}
