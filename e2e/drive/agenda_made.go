package drive

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/store"
)

// Block blocks a room of an event for some time.
func (s *Site) Block(slug, room string, from, until time.Time) {
	s.T.Helper()
	s.prepareAt(slug, func(ctx context.Context, p *models.Programme) error {
		_, err := agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Blocker, Title: "Repairs", RoomID: &room,
			StartsAt: store.At(from), EndsAt: store.At(until)})
		return err
	})
}
