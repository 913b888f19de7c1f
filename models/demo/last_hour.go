package demo

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// lastHour tells the changes that are delivered when the demonstration starts, one of each kind.
func (s *story) lastHour(e *edition) {
	minute := 60
	soon := func(what string, do func(ctx context.Context, p *models.Programme) error) {
		minute -= 2
		s.at(s.minutesAgo(minute), what, func(ctx context.Context) error { return do(ctx, e.by(s.staff.Beatriz)) })
	}
	change := func(title string, session bool, c models.SessionChange) {
		soon("changing "+title, func(ctx context.Context, p *models.Programme) error {
			id := e.entries[title].row.ID
			if session {
				id = e.entries[title].session.ID
			}
			_, err := p.UpdateSession(ctx, id, c)
			return err
		})
	}
	to := func(status models.Status) models.SessionChange {
		return models.SessionChange{SessionInput: models.SessionInput{Status: &status}}
	}
	change("Restoring a backup in front of an audience", false, to(models.Accepted))
	change("Як ми перенесли архів порту за одну зиму", false, to(models.AcceptQueue))
	change("My framework in ten minutes", false, to(models.Declined))
	for _, title := range []string{"A format is a promise", "Pagers people can live with", "Reading query plans aloud",
		"A compiler older than its maintainer", "Screen reader first", "Four thousand metres, four bars",
		"Streets without names", "Deleting a million lines", "Paying maintainers, on time"} {
		change(title, true, models.SessionChange{IsPublic: new(true)})
	}
	change("Screen reader first", true, models.SessionChange{Title: new("Screen reader first, screen last")})
	change("Moving forty years of ledgers on a Sunday", true,
		models.SessionChange{SessionInput: models.SessionInput{Capacity: store.Some(32)}})
	var spare *models.Session
	soon("entering a spare talk", func(ctx context.Context, p *models.Programme) (err error) {
		spare, err = p.CreateSession(ctx, models.NewSession{Title: "Spare talk, in case of fog"})
		return err
	})
	soon("entering it twice", func(ctx context.Context, p *models.Programme) error {
		twice, err := p.CreateSession(ctx, models.NewSession{Title: spare.Title})
		if err == nil {
			_, err = p.DeleteSession(ctx, twice.ID)
		}
		return err
	})
	s.at(s.minutesAgo(4), "a review of today", func(ctx context.Context) error {
		return e.by(s.staff.Zofia).GiveReview(ctx, s.staff.Zofia, e.entries["Letters from the database"].row.ID,
			models.Opinion{Score: 4, Comment: "I answer one of those paragraphs every morning. Let her show twenty of them."})
	})
}
