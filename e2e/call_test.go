package e2e

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/files"
	"lectern/models/store"
)

// models opens what the site stands on, for what a test prepares there.
func (s *site) models() *models.Store {
	s.t.Helper()
	address := "sqlite://" + filepath.Join(s.data, "lectern.db")
	for _, setting := range s.env {
		if value, found := strings.CutPrefix(setting, "LECTERN_DATABASE_URL="); found {
			address = value
		}
	}
	m, err := models.Open(context.Background(), address, store.Options{Now: time.Now,
		SecretKey: make([]byte, store.SecretKeySize), Files: files.NewDisk(filepath.Join(s.data, "files"))})
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// openCall opens a call of the site's event, for a week.
func (s *site) openCall() {
	s.t.Helper()
	ctx, m := context.Background(), s.models()
	defer m.Close()
	event, err := m.EventBy(ctx, "harbour")
	if err != nil {
		s.t.Fatal(err)
	}
	p := m.Programme(event, store.CommandLine)
	for family, names := range map[models.Family][]string{models.Formats: {"Talk", "Workshop"}, models.Tracks: {"Systems", "People"}} {
		for _, name := range names {
			if _, err := p.CreateMetadata(ctx, family, models.NewMetadata{Name: name}); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	if err := cfp.Of(p).Start(ctx); err != nil {
		s.t.Fatal(err)
	}
	err = m.Write(ctx, func(tx *store.Tx) error {
		form, err := cfp.Of(p).Form(tx.Within(ctx))
		if err != nil {
			return err
		}
		workshop := form.Offered(form.Question("format"))[1].Value
		parts := form.Parts
		for i, q := range []*cfp.Question{
			{Key: "bring", Label: "What do people need to bring?", Type: field.Text, Required: cfp.Required, MaxWords: new(40),
				AskedIf: cfp.Condition{Formats: []string{workshop}}, PartID: &parts[0].ID},
			{Key: "slides", Label: "Slides", Type: field.File, Required: cfp.Optional, PartID: &parts[1].ID},
		} {
			q.ID, q.EventID, q.Position, q.SeenBy, q.CreatedAt, q.UpdatedAt = store.NewID(), event.ID, 50+i, cfp.Reviewers, tx.Now, tx.Now
			q.Options, q.FileKinds = []cfp.Choice{}, []cfp.FileKind{}
			if err := tx.Create(q).Error; err != nil {
				return err
			}
		}
		if err := tx.Exec("UPDATE calls SET agreement = 'I can be in Lisbon on both days.', max_proposals = 3").Error; err != nil {
			return err
		}
		return tx.Exec("UPDATE events SET cfp_opens_at = ?, cfp_closes_at = ?", store.At(tx.Now.Add(-time.Hour)),
			store.At(tx.Now.Add(7*24*time.Hour))).Error
	})
	if err != nil {
		s.t.Fatal(err)
	}
}

// answerByFile has somebody begin a proposal to an open call, and answer a question of it by a file.
func (s *site) answerByFile(name string) {
	s.t.Helper()
	ctx, m := context.Background(), s.models()
	defer m.Close()
	event, err := m.EventBy(ctx, "harbour")
	if err != nil {
		s.t.Fatal(err)
	}
	begun, err := cfp.Begin(ctx, m, event, cfp.Beginning{Name: "Ada", Email: "ada@example.org", Title: "Tides"},
		store.CommandLine)
	if err != nil {
		s.t.Fatal(err)
	}
	login, err := cfp.LoginBy(ctx, m, begun.Token)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := cfp.PlaceOf(m, login, store.CommandLine).AttachFile(ctx, event, begun.Session.ID, "slides",
		models.Upload{Name: name, Content: []byte("%PDF-1.7 tides")}); err != nil {
		s.t.Fatal(err)
	}
}

func TestAProposalIsWrittenAndSubmitted(t *testing.T) {
	journey(t, func(t *testing.T, s *site) {
		s.owner()
		s.openCall()
		ada := s.window()
		ada.visit("/events/harbour/call")
		ada.sees("7 days left", "Workshop", "How it goes")
		ada.accessible("call")
		ada.follow("Start a proposal")
		ada.sees("A title is enough to begin")
		ada.accessible("call-start")
		ada.fill("Title", "Harbour pilots and other distributed systems")
		ada.fill("Your name", "Ingrid Sørlie")
		ada.fill("E-mail address", "ingrid@example.org")
		time.Sleep(2 * time.Second) // as long as a person takes
		ada.press("Start")
		ada.sees("Your proposal", "Your draft is kept")
		ada.accessible("proposal")
		ada.press("Check my answers")
		ada.sees("before you can submit", "has no answer yet")
		ada.accessible("proposal-unfinished")
		ada.fill("Abstract", "Every ship that enters a Norwegian harbour is handed over: from a captain who knows the ship "+
			"to a pilot who knows the water.")
		ada.tick("Systems")
		ada.tick("Workshop")
		if ada.scripts {
			ada.sees("Asked because you chose Workshop", "Saved ")
		}
		ada.fill("What do people need to bring?", "A pencil. We draw on sea charts.")
		ada.fill("Name", "نور الدين منصور")
		ada.fill("E-mail address", "nour@example.org")
		ada.press("Invite")
		ada.sees("An invitation goes to nour@example.org once you have opened the link in our mail to you.", "Not invited yet")
		if got := ada.value("What do people need to bring?"); got != "A pencil. We draw on sea charts." {
			t.Errorf("the invitation lost what was typed: %q", got)
		}
		ada.accessible("proposal-people")
		ada.press("Check my answers")
		ada.sees("Check your answers", "A pencil.", "Not invited yet", "I can be in Lisbon")
		ada.accessible("proposal-check")
		ada.press("Submit proposal")
		ada.sees("Tick that you agree")
		ada.tick("I can be in Lisbon")
		ada.press("Submit proposal")
		ada.sees("Thank you, we have it.", "A-1", "has not confirmed yet", "1 of 3 used")
		ada.accessible("proposal-done")
	})
}
