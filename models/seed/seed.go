// Package seed fills an event with synthetic data for measuring. It stands on top of the programme.
package seed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/store"
)

// Fill fills the event with synthetic data for measuring: always the same for the same numbers, three fifths abstracts
// and two fifths scheduled sessions. A few rows contain the RareWord. It emits nothing. Like an import it commits in
// small steps; if it ends early it keeps what it made, and the next one adds to it.
func Fill(ctx context.Context, p *models.Programme, sessions, contacts int) error {
	if sessions < 0 || contacts < 1 {
		return store.Invalidf("contacts", "must be at least 1, and sessions not negative")
	}
	g := &seeder{Load: models.Load{Programme: p}, now: p.Now(), random: rand.New(rand.NewPCG(2024, 7))}
	if err := g.Step(ctx, g.labels); err != nil {
		return err
	}
	if err := g.people(ctx, contacts); err != nil {
		return err
	}
	if err := g.rows(ctx, sessions); err != nil {
		return err
	}
	return p.Store().Analyze(ctx)
}

// RareWord occurs in about one of 3,000 sessions.
const RareWord = "quokka"

const fillerWords = `system harbour network query kernel release community protocol garden compiler signal memory library
 language scheduler festival water light stone bridge cloud ocean graph vector engine mirror window paper archive
 museum reliable open simple distributed secure friendly ancient quiet modern Überraschung façade niño 東京 данные`

type seeder struct {
	models.Load
	now      store.Time
	random   *rand.Rand
	families map[models.Family][]*models.Metadata
	contacts []*models.Contact
	filler   []string
}

func (g *seeder) labels(tx *store.Tx) error {
	g.families = map[models.Family][]*models.Metadata{}
	counts := map[models.Family]int{models.Tracks: 8, models.Rooms: 12, models.Formats: 5, models.Levels: 4,
		models.Tags: 10}
	for _, family := range models.Families {
		for i := range counts[family] {
			n := models.NewMetadata{Name: fmt.Sprintf("%s %d", family.Singular(), i+1)}
			row, err := g.InsertMetadata(tx, family, n)
			if err != nil {
				return err
			}
			g.families[family] = append(g.families[family], row)
		}
	}
	return nil
}

func (g *seeder) people(ctx context.Context, count int) error {
	for ; count > 0; count -= models.StepRows {
		people := make([]models.NewContact, min(count, models.StepRows))
		for i := range people {
			people[i] = g.person()
		}
		var rows []*models.Contact
		err := g.Step(ctx, func(tx *store.Tx) (err error) {
			rows, err = g.insertPeople(tx, people)
			return err
		})
		if err != nil {
			return err
		}
		g.contacts = append(g.contacts, rows...)
	}
	return nil
}

// insertPeople gives people the next addresses of the event, and inserts them.
func (g *seeder) insertPeople(tx *store.Tx, people []models.NewContact) ([]*models.Contact, error) {
	if err := g.OwnMetadata(tx); err != nil { // so that two seeds never use the same address
		return nil, err
	}
	var earlier int64
	if err := tx.Model(&models.EventContact{}).Where("event_id = ?", g.Event().ID).Count(&earlier).Error; err != nil {
		return nil, err
	}
	rows, attached := make([]*models.Contact, len(people)), make([]*models.EventContact, len(people))
	for i, n := range people {
		n.Email = fmt.Sprintf("person%d@%s.example.org", int(earlier)+i+1, g.Event().Slug)
		rows[i] = n.Row(g.Event().OrganizationID, tx.Now)
		attached[i] = g.Attached(rows[i], tx.Now)
	}
	if _, err := models.InsertContacts(tx, rows...); err != nil {
		return nil, err
	}
	return rows, tx.Create(attached).Error
}

var (
	firstNames = strings.Fields(`Ada Béla Chen Dagny Emeka Fatima Grace Hedy Ines Jürgen Katherine Li Mary Noor Olga
		Priya Quentin Rosa Søren Tim`)
	lastNames = strings.Fields(`Abara Brandt Castro Demir Eriksen Fournier García Haddad Ito Jensen Kowalski Lindqvist
		Moreau Nakamura Okafor`)
)

func (g *seeder) person() models.NewContact {
	return models.NewContact{
		FirstName:   firstNames[g.random.IntN(len(firstNames))],
		LastName:    lastNames[g.random.IntN(len(lastNames))],
		CompanyName: g.text(2), About: "<p>" + g.text(25) + "</p>",
	}
}

func (g *seeder) rows(ctx context.Context, count int) error {
	for from := 0; from < count; from += models.StepRows {
		var rows []*models.Session
		for i := from; i < min(count, from+models.StepRows); i++ {
			rows = append(rows, g.session(i))
		}
		err := g.Step(ctx, func(tx *store.Tx) error {
			if err := g.ShareMetadata(tx); err != nil {
				return err
			}
			return g.AddLoaded(tx, rows...)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *seeder) session(i int) *models.Session {
	s := &models.Session{
		Title: g.title(), Description: "<p>" + g.text(30+g.random.IntN(50)) + "</p><p>" + g.text(20) + "</p>",
		IsAbstract: i%5 < 3, Status: models.Accepted,
		TrackID: g.pick(models.Tracks), FormatID: g.pick(models.Formats), LevelID: g.pick(models.Levels),
	}
	if i%3000 == 7 {
		s.Title += " " + RareWord
	}
	if s.IsAbstract {
		s.Status = models.Statuses[g.random.IntN(len(models.Statuses))]
		s.CustomFields = models.Answers{{Key: "Prior knowledge", Value: g.text(6)}, {Key: "First time", Value: "yes"}}
	} else {
		s.RoomID = g.pick(models.Rooms)
		start := time.Date(2027, 5, 20+g.random.IntN(5), 8+g.random.IntN(10), 15*g.random.IntN(4), 0, 0, time.UTC)
		s.StartsAt, s.EndsAt = new(store.At(start)), new(store.At(start.Add(45*time.Minute)))
	}
	for _, tag := range g.families[models.Tags] {
		if g.random.IntN(8) == 0 {
			s.Tags = append(s.Tags, &models.Tag{Label: tag.Label()})
		}
	}
	from, count := g.random.IntN(len(g.contacts)), min(len(g.contacts), 1+g.random.IntN(3))
	for position := range count {
		c := g.contacts[(from+position*7)%len(g.contacts)]
		if slices.ContainsFunc(s.Participants, func(x *models.Participant) bool { return x.ContactID == c.ID }) {
			continue
		}
		s.Participants = append(s.Participants, &models.Participant{ContactID: c.ID, FullName: c.FullName,
			Role:     models.Speaking,
			Position: position})
	}
	s.CreatedAt = store.At(g.now.Add(-time.Duration(i) * time.Minute))
	return s
}

func (g *seeder) pick(family models.Family) *string {
	return &g.families[family][g.random.IntN(len(g.families[family]))].ID
}

func (g *seeder) title() string {
	return "On " + g.text(4+g.random.IntN(6))
}

func (g *seeder) text(words int) string {
	if g.filler == nil {
		g.filler = strings.Fields(fillerWords)
	}
	out := make([]string, words)
	for i := range out {
		out[i] = g.filler[g.random.IntN(len(g.filler))]
	}
	return strings.Join(out, " ")
}
