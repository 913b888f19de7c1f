package drive

import (
	"context"
	"lectern/models"
	"lectern/models/cfp"
	"lectern/models/field"
	"lectern/models/files"
	"lectern/models/store"
	"path/filepath"
	"strings"
	"time"
)

// models opens the site's database, to prepare data for a test.
func (s *Site) models() *models.Store {
	s.T.Helper()
	address := "sqlite://" + filepath.Join(s.Data, "lectern.db")
	for _, setting := range s.Env {
		if value, found := strings.CutPrefix(setting, "LECTERN_DATABASE_URL="); found {
			address = value
		}
	}
	m, err := models.Open(context.Background(), address, store.Options{Now: time.Now,
		SecretKey: make([]byte, store.SecretKeySize), Files: files.NewDisk(filepath.Join(s.Data, "files"))})
	if err != nil {
		s.T.Fatal(err)
	}
	return m
}

// prepare changes the event Harbour for a test.
func (s *Site) prepare(do func(context.Context, *models.Programme) error) {
	s.T.Helper()
	s.prepareAt("harbour", do)
}

// prepareAt changes the event with this slug for a test.
func (s *Site) prepareAt(slug string, do func(context.Context, *models.Programme) error) {
	s.T.Helper()
	ctx, m := context.Background(), s.models()
	defer m.Close()
	event, err := m.EventBy(ctx, slug)
	if err == nil {
		err = do(ctx, m.Programme(event, store.CommandLine))
	}
	if err != nil {
		s.T.Fatal(err)
	}
}

// OpenCall opens a call in the event Harbour for a week.
func (s *Site) OpenCall() {
	s.T.Helper()
	ctx, m := context.Background(), s.models()
	defer m.Close()
	event, err := m.EventBy(ctx, "harbour")
	if err != nil {
		s.T.Fatal(err)
	}
	p := m.Programme(event, store.CommandLine)
	for _, row := range []struct {
		family models.Family
		name   string
	}{{models.Formats, "Talk"}, {models.Formats, "Workshop"}, {models.Tracks, "Systems"}, {models.Tracks, "People"}} {
		if _, err := p.CreateMetadata(ctx, row.family, models.NewMetadata{Name: row.name}); err != nil {
			s.T.Fatal(err)
		}
	}
	if err := cfp.Of(p).Start(ctx); err != nil {
		s.T.Fatal(err)
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
			q.ID, q.EventID, q.Position, q.SeenBy = store.NewID(), event.ID, 50+i, cfp.Reviewers
			q.AskedOf, q.CreatedAt, q.UpdatedAt = cfp.OfProposal, tx.Now, tx.Now
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
		s.T.Fatal(err)
	}
}

// Asks sets the address to which speakers send questions.
func (s *Site) Asks(address string) {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		return cfp.Of(p).Change(ctx, cfp.SettingsChange{QuestionsTo: &address})
	})
}

// Speaks adds a speaker with an accepted, public session.
func (s *Site) Speaks(title, first, last, email string) {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		made, err := p.CreateSession(ctx, models.NewSession{Title: title, SessionInput: models.SessionInput{Status: new(models.Accepted)},
			People: []models.Participation{{New: &models.NewContact{FirstName: first, LastName: last, Email: email}}}})
		if err == nil {
			_, err = p.UpdateSession(ctx, made.ID, models.SessionChange{IsPublic: new(true), PublishOverride: true})
		}
		return err
	})
}

// AnswerByFile begins a proposal of Ada's to an open call, and answers a question with a file.
func (s *Site) AnswerByFile(name string) {
	s.T.Helper()
	ctx, m := context.Background(), s.models()
	defer m.Close()
	event, err := m.EventBy(ctx, "harbour")
	if err != nil {
		s.T.Fatal(err)
	}
	begun, err := cfp.Begin(ctx, m, event, cfp.Beginning{Name: "Ada", Email: "ada@example.org", Title: "Tides"},
		store.CommandLine)
	if err != nil {
		s.T.Fatal(err)
	}
	login, err := cfp.LoginBy(ctx, m, begun.Token)
	if err != nil {
		s.T.Fatal(err)
	}
	if _, err := cfp.PlaceOf(m, login, store.CommandLine).AttachFile(ctx, event, begun.Session.ID, "slides",
		models.Upload{Name: name, Content: []byte("%PDF-1.7 tides")}); err != nil {
		s.T.Fatal(err)
	}
}
