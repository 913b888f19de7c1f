// Package demo is a conference to look at: Tideline 2027, on software that
// lasts, with the awkward cases that real programmes have.
package demo

import (
	"context"
	"fmt"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Fill makes the conference in an empty store, through the operations staff use.
func Fill(ctx context.Context, db *models.Store) (*models.Event, error) {
	event, err := db.CreateEvent(ctx, models.NewEvent{Name: "Tideline 2027", Slug: "tideline", Timezone: "Europe/Lisbon"})
	if err != nil {
		return nil, err
	}
	b := &builder{ctx: ctx, Programme: db.Programme(event, store.By{Door: "cli", ActorName: "demonstration"})}
	reviews := func() error { return b.reviews(db) }
	for _, step := range []func() error{b.metadata, b.contacts, b.submissions, reviews, b.sessions, b.extras} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return event, db.Analyze(ctx)
}

// builder is one filling at work.
type builder struct {
	*models.Programme
	ctx       context.Context
	ids       map[models.Family][]string // of metadata
	people    []string
	abstracts []*models.Session
	composed  []*models.Session
}

func (b *builder) metadata() error {
	b.ids = map[models.Family][]string{}
	for _, family := range models.Families {
		for _, n := range labels[family] {
			row, err := b.CreateMetadata(b.ctx, family, n)
			if err != nil {
				return err
			}
			b.ids[family] = append(b.ids[family], row.ID)
		}
	}
	return nil
}

func (b *builder) contacts() error {
	for i, p := range people {
		n := notes[i]
		n.FirstName, n.LastName, n.CompanyName, n.JobTitle = p[0], p[1], p[2], p[3]
		n.About = "<p>" + p[4] + "</p>"
		if i != withoutEmail {
			n.Email = fmt.Sprintf("speaker%02d@tideline.example", i+1)
		}
		c, err := b.CreateContact(b.ctx, n)
		if err != nil {
			return err
		}
		b.people = append(b.people, c.ID)
	}
	return nil
}

func (b *builder) submissions() error {
	for i, s := range submissions {
		n := models.NewSession{Title: s.title, IsAbstract: true}
		n.Status, n.Description = &s.status, &s.text
		n.TrackID = store.Some(b.ids[models.Tracks][i%len(b.ids[models.Tracks])])
		n.FormatID = store.Some(b.ids[models.Formats][1+i%3])
		n.LevelID = store.Some(b.ids[models.Levels][i%len(b.ids[models.Levels])])
		n.TagIDs = &[]string{b.ids[models.Tags][i%len(b.ids[models.Tags])]}
		n.CustomFields = &models.AnswersInput{
			{Key: "Have you given this talk before?", Value: []string{"No", "Once, at a meetup",
				"Yes; the recording is linked in my notes"}[i%3]},
			{Key: "Anything we should know?", Value: []string{"", "I bring my own adapter.",
				"I would like a session in the morning."}[i%3]},
		}
		made, err := b.CreateSession(b.ctx, n)
		if err != nil {
			return err
		}
		speakers := []models.Participation{{ContactID: b.people[i%len(b.people)]}}
		if i%7 == 3 {
			speakers = append(speakers, models.Participation{ContactID: b.people[(i+11)%len(b.people)]})
		}
		if made, err = b.SetParticipants(b.ctx, made.ID, speakers); err != nil {
			return err
		}
		b.abstracts = append(b.abstracts, made)
	}
	return nil
}

// sessions fills the slots: with accepted abstracts, whose letters are sent for
// the most part, or with what the slot itself says.
func (b *builder) sessions() error {
	next := 0
	for i, slot := range slots {
		var s *models.Session
		var err error
		if slot.title == "" {
			sources := []string{b.abstracts[next].ID}
			next++
			if next == 14 { // one session of two abstracts
				sources = append(sources, b.abstracts[next].ID)
				next++
			}
			if s, err = b.Compose(b.ctx, sources, ""); err == nil {
				b.composed = append(b.composed, s)
			}
		} else {
			s, err = b.CreateSession(b.ctx, models.NewSession{Title: slot.title})
		}
		if err != nil {
			return err
		}
		change := models.SessionChange{SessionInput: models.SessionInput{FormatID: store.Some(b.ids[models.Formats][slot.format])}}
		if slot.day >= 0 {
			start := time.Date(2027, 5, 20+slot.day, 0, slot.at, 0, 0, b.Event().Location())
			change.StartsAt = store.Some(store.At(start))
			change.EndsAt = store.Some(store.At(start.Add(time.Duration(slot.minutes) * time.Minute)))
			change.RoomID = store.Some(b.ids[models.Rooms][slot.room])
			if i%4 == 0 {
				change.Capacity = store.Some(*labels[models.Rooms][slot.room].Capacity - 10)
			}
		}
		if _, err = b.UpdateSession(b.ctx, s.ID, change); err != nil {
			return err
		}
	}
	return nil
}

// extras are letters, published sessions, a detached pair, a moderator, and a session in the trash.
func (b *builder) extras() error {
	for i, abstract := range b.abstracts[:26] {
		state := models.LetterSent
		if i >= 18 {
			state = models.LetterDraft
		}
		if err := b.SetLetter(b.ctx, abstract.ID, state); err != nil {
			return err
		}
	}
	yes := true
	for _, s := range b.composed[:12] {
		if _, err := b.UpdateSession(b.ctx, s.ID, models.SessionChange{IsPublic: &yes}); err != nil {
			return err
		}
	}
	if _, err := b.Detach(b.ctx, b.composed[15].ID); err != nil {
		return err
	}
	if _, err := b.UpdateSession(b.ctx, b.composed[15].ID,
		models.SessionChange{Title: new("Clocks and calendars")}); err != nil {
		return err
	}
	panel := b.composed[6]
	people := []models.Participation{{ContactID: b.people[46], Role: models.Moderator}}
	for _, x := range panel.Participants {
		people = append(people, models.Participation{ContactID: x.ContactID})
	}
	if _, err := b.SetParticipants(b.ctx, panel.ID, people); err != nil {
		return err
	}
	trashed, err := b.CreateSession(b.ctx, models.NewSession{Title: "A talk that was entered twice"})
	if err != nil {
		return err
	}
	_, err = b.DeleteSession(b.ctx, trashed.ID)
	return err
}
