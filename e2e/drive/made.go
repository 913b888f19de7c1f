package drive

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/agenda"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/files"
	"lectern/models/modelstest"
	"lectern/models/store"
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
	m := modelstest.Must(models.Open(context.Background(), address, store.Options{Now: time.Now,
		SecretKey: make([]byte, store.SecretKeySize), Files: files.NewDisk(filepath.Join(s.Data, "files"))}))(s.T)
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
	modelstest.Fine(s.T, err)
}

// OpenCall opens a call in the event Harbour for a week.
func (s *Site) OpenCall() {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		for _, row := range []struct {
			family models.Family
			name   string
		}{{models.Formats, "Talk"}, {models.Formats, "Workshop"}, {models.Tracks, "Systems"}, {models.Tracks, "People"}} {
			if _, err := p.CreateMetadata(ctx, row.family, models.NewMetadata{Name: row.name}); err != nil {
				return err
			}
		}
		cfp := call.Of(p)
		if err := cfp.Start(ctx); err != nil {
			return err
		}
		form, err := cfp.Form(ctx)
		if err != nil {
			return err
		}
		workshop := form.Offered(form.Question("format"))[1].Value
		for i, q := range []call.QuestionInput{
			{Key: "bring", Label: "What do people need to bring?", Type: field.Text, Required: call.Required, MaxWords: new(40),
				AskedIf: call.Condition{Formats: []string{workshop}}, SeenBy: call.Reviewers},
			{Key: "slides", Label: "Slides", Type: field.File, Required: call.Optional, SeenBy: call.Reviewers},
		} {
			if _, err := cfp.AddQuestion(ctx, form.Parts[i].ID, q); err != nil {
				return err
			}
		}
		if err := cfp.Change(ctx, call.SettingsChange{Agreement: new("I can be in Lisbon on both days."), MaxProposals: store.Some(3)}); err != nil {
			return err
		}
		_, err = p.UpdateEvent(ctx, models.EventChange{CFPOpensAt: store.Some(store.At(p.Now().Add(-time.Hour))),
			CFPClosesAt: store.Some(store.At(p.Now().Add(7 * 24 * time.Hour)))})
		return err
	})
}

// AskTravel starts a call whose form asks each speaker in a section of its own how they arrive.
func (s *Site) AskTravel() {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		cfp := call.Of(p)
		if err := cfp.Start(ctx); err != nil {
			return err
		}
		part, err := cfp.AddPart(ctx, call.PartInput{Title: "Travel"})
		if err == nil {
			_, err = cfp.AddQuestion(ctx, part.ID, call.QuestionInput{Label: "How do you arrive?", Type: "text",
				Required: call.Later, AskedOf: call.OfSpeaker, SeenBy: call.Reviewers})
		}
		return err
	})
}

// SetQuestionsTo sets the address to which speakers send questions.
func (s *Site) SetQuestionsTo(address string) {
	s.T.Helper()
	s.prepare(func(ctx context.Context, p *models.Programme) error {
		return call.Of(p).Change(ctx, call.SettingsChange{QuestionsTo: &address})
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
	event := modelstest.Must(m.EventBy(ctx, "harbour"))(s.T)
	begun := modelstest.Must(call.Begin(ctx, m, event, call.Beginning{Name: "Ada", Email: "ada@example.org", Title: "Tides"},
		store.CommandLine))(s.T)
	login := modelstest.Must(call.LoginBy(ctx, m, begun.Token))(s.T)
	modelstest.Must(call.PlaceOf(m, login, store.CommandLine).AttachFile(ctx, event, begun.Session.ID, "slides",
		models.Upload{Name: name, Content: []byte("%PDF-1.7 tides")}))(s.T)
}

// Block blocks a room of an event for some time.
func (s *Site) Block(slug, room string, from, until time.Time) {
	s.T.Helper()
	s.prepareAt(slug, func(ctx context.Context, p *models.Programme) error {
		_, err := agenda.Of(p).AddBreak(ctx, models.NewBreak{Kind: models.Blocker, Title: "Repairs", RoomID: &room,
			StartsAt: store.At(from), EndsAt: store.At(until)})
		return err
	})
}
