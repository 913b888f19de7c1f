package drive

import (
	"context"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/store"
	"lectern/models/task"
)

// AskForSlides accepts all sessions, and asks each session for slides, a PDF by tomorrow, and each speaker for photo
// and biography.
func (s *Site) AskForSlides() {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		err := p.EachSession(ctx, models.SessionSearch{}, func(some []*models.Session) error {
			for _, one := range some {
				if _, err := p.UpdateSession(ctx, one.ID, models.SessionChange{
					SessionInput: models.SessionInput{Status: new(models.Accepted)}}); err != nil {
					return err
				}
			}
			return nil
		})
		for _, c := range []task.Change{
			{Title: new("Your slides"), Kind: new(task.File), AskedOf: new(task.OfSession), FileKinds: &[]cfp.FileKind{"pdf"},
				DueAt: new(new(store.At(p.Now().Add(24 * time.Hour))))},
			{Title: new("Photo and biography")},
		} {
			if err == nil {
				_, err = task.Of(p).Create(ctx, c)
			}
		}
		return err
	})
}

// AskTravel starts a call whose form asks each speaker in a section of its own how they arrive.
func (s *Site) AskTravel() {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		call := cfp.Of(p)
		if err := call.Start(ctx); err != nil {
			return err
		}
		part, err := call.AddPart(ctx, cfp.PartInput{Title: "Travel"})
		if err == nil {
			_, err = call.AddQuestion(ctx, part.ID, cfp.QuestionInput{Label: "How do you arrive?", Type: "text", Required: cfp.Later,
				AskedOf: cfp.OfSpeaker, SeenBy: cfp.Reviewers})
		}
		return err
	})
}
