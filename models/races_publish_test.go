package models_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/letters"
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
		"release": func(ctx context.Context, p *models.Programme, random *rand.Rand) (err error) {
			for range len(r.sessions) { // until one is neither deleted nor unpublished meanwhile
				id, at := one(random, r.sessions), store.Some(store.At(time.Date(2027, 5, 20, random.IntN(20),
					random.IntN(60), 0, 0, time.UTC)))
				_, err = p.UpdateSession(ctx, id, models.SessionChange{SessionInput: models.SessionInput{
					Status: new(models.Accepted), StartsAt: at, EndsAt: at}})
				if err == nil {
					_, _, err = p.Publish(ctx, id, models.Publishing{Reason: "R"})
				}
				if err == nil {
					news := agenda.Release{Name: fmt.Sprint(random.Int())}
					if random.IntN(2) == 0 { // there may be nobody to write to
						news.Subject, news.Body = "S", "{{changes}}"
					}
					_, err = letters.Of(p).ReleaseAgenda(ctx, news)
				}
				if err == nil || !ofTheDomain(err) {
					break
				}
			}
			return err
		},
	}
}
