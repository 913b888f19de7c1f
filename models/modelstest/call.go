package modelstest

import (
	"strings"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/call"
	"lectern/models/field"
	"lectern/models/store"
)

// Called is an open call for papers, with what its form offers.
type Called struct {
	Event          *models.Event
	Talk, Workshop string // formats, by id
	Systems        string // a track
	Closes         time.Time
}

// OpenCall opens a call of the event under test, from yesterday until in ten days. Its form asks for a title, an
// abstract of at most five words, a format, a track, a biography, what to bring to a workshop, help of several kinds,
// slides and, once accepted, a phone number.
func OpenCall(t testing.TB, f *Fixture) *Called {
	t.Helper()
	p, now := f.Programme(), f.Clock.Now()
	row := func(family models.Family, name string) string {
		return Must(p.CreateMetadata(t.Context(), family, models.NewMetadata{Name: name}))(t).ID
	}
	c := &Called{Closes: now.Add(10 * 24 * time.Hour), Talk: row(models.Formats, "Talk"), Workshop: row(models.Formats,
		"Workshop"),
		Systems: row(models.Tracks, "Systems")}
	questions := []*call.Question{
		{Standard: call.Title, Type: field.Text, Label: "Title", Required: call.Required, MaxLength: new(100)},
		{Standard: call.Description, Type: field.LongText, Label: "Abstract", Required: call.Required, MaxWords: new(5)},
		{Standard: call.Format, Type: field.Choice, Label: "Format", Required: call.Required},
		{Standard: call.Track, Type: field.Choice, Label: "Track", Required: call.Optional},
		{Standard: call.Biography, Type: field.LongText, Label: "Biography", Required: call.Optional},
		{Key: "bring", Type: field.Text, Label: "What do people bring?", Required: call.Required,
			AskedIf: call.Condition{Formats: []string{c.Workshop}}},
		{Key: "help", Type: field.Choices, Label: "Help", Required: call.Optional,
			Options: []call.Choice{{Value: "Money"}, {Value: "Visa"}}},
		{Key: "slides", Type: field.File, Label: "Slides", Required: call.Optional},
		{Key: "phone", Type: field.Text, Label: "Phone", Required: call.Later},
	}
	Fine(t, f.Store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.Model(&models.Event{}).Where("id = ?", f.Event.ID).Updates(map[string]any{
			"cfp_opens_at": store.At(now.Add(-24 * time.Hour)), "cfp_closes_at": store.At(c.Closes)}).Error; err != nil {
			return err
		}
		if err := tx.Create(&call.Settings{EventID: f.Event.ID, MaxSpeakers: 3, CreatedAt: tx.Now, UpdatedAt: tx.Now}).
			Error; err != nil {
			return err
		}
		parts := []*call.Part{
			{ID: store.NewID(), EventID: f.Event.ID, Title: "Your session", Position: 1},
			{ID: store.NewID(), EventID: f.Event.ID, Title: "Practical", Position: 2},
		}
		if err := tx.Create(parts).Error; err != nil {
			return err
		}
		for i, q := range questions {
			q.ID, q.EventID, q.Position, q.SeenBy = store.NewID(), f.Event.ID, i, call.Reviewers
			q.AskedOf = call.OfProposal
			q.PartID, q.CreatedAt, q.UpdatedAt = &parts[0].ID, tx.Now, tx.Now
			q.FileKinds = []call.FileKind{}
			if q.Options == nil {
				q.Options = []call.Choice{}
			}
			if q.Standard != "" {
				q.Key = string(q.Standard)
			} else {
				q.PartID = &parts[1].ID
			}
		}
		return tx.Create(questions).Error
	}))
	c.Event = Must(f.EventBy(t.Context(), f.Event.ID))(t)
	return c
}

// Begin starts a proposal of somebody new, and returns it with their place.
func (c *Called) Begin(t testing.TB, f *Fixture, name, title string) (*call.Place, *models.Session) {
	t.Helper()
	begun := Must(call.Begin(t.Context(), f.Store, c.Event, call.Beginning{Name: name, Email: mailOf(name), Title: title},
		store.By{Door: "call"}))(t)
	login := Must(call.LoginBy(t.Context(), f.Store, begun.Token))(t)
	return call.PlaceOf(f.Store, login, store.By{Door: "call"}), begun.Session
}

// Prove opens a link that was mailed to the address of a place, and returns the place as it is opened from then on.
func (c *Called) Prove(t testing.TB, f *Fixture, pl *call.Place) *call.Place {
	t.Helper()
	link := Must(store.Make(t.Context(), f.Store.Write, func(tx *store.Tx) (string, error) {
		return call.NewLink(tx, call.LinkTo{OrganizationID: c.Event.OrganizationID, AccountID: pl.Account().ID})
	}))(t)
	opened := Must(call.OpenLink(t.Context(), f.Store, c.Event.OrganizationID, link, call.Browser{}, nil))(t)
	login := Must(call.LoginBy(t.Context(), f.Store, opened.Token))(t)
	return call.PlaceOf(f.Store, login, store.By{Door: "call"})
}

// AskSpeakers adds questions for each speaker to the call: what they eat (required), what else if that is something
// else, a pass and, once accepted, a shirt. It returns the ids of the questions by key.
func (c *Called) AskSpeakers(t testing.TB, f *Fixture) map[string]string {
	t.Helper()
	ctx, cfp := t.Context(), call.Of(f.Programme())
	part, ids := Must(cfp.Form(ctx))(t).Parts[1].ID, map[string]string{}
	choices := func(values ...string) (all []call.Choice) {
		for _, value := range values {
			all = append(all, call.Choice{Value: value})
		}
		return all
	}
	for _, in := range []call.QuestionInput{
		{Key: "eats", Type: field.Choice, Label: "What do you eat?", Options: choices("Anything", "Vegan", "Else"),
			Required: call.Required},
		{Key: "else", Type: field.Text, Label: "What else?", Required: call.Required, MaxWords: new(3),
			AskedIf: call.Condition{Question: "eats", Answers: []string{"Else"}}},
		{Key: "pass", Type: field.File, Label: "Your pass", Required: call.Optional},
		{Key: "shirt", Type: field.Choices, Label: "Shirt", Options: choices("S", "M", "L"), Required: call.Later},
	} {
		in.AskedOf, in.SeenBy = call.OfSpeaker, call.Reviewers
		ids[in.Key] = Must(cfp.AddQuestion(ctx, part, in))(t).ID
	}
	return ids
}

func mailOf(name string) string { return strings.ReplaceAll(name, " ", ".") + "@example.org" }
