package models

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// seedBatch is how many rows one statement of a bulk insert carries.
const seedBatch = 200

// Seed fills the event with synthetic data for measuring: the same for the same
// numbers, three fifths abstracts and two fifths scheduled sessions. A few rows
// contain the word SeedRareWord. It emits nothing.
func (p *Programme) Seed(ctx context.Context, sessions, contacts int) error {
	if sessions < 0 || contacts < 1 {
		return invalid("contacts", "must be at least 1, and sessions not negative")
	}
	err := p.write(ctx, func(tx *Tx) error {
		g := &seeder{Programme: p, tx: tx, random: rand.New(rand.NewPCG(2024, 7))}
		if err := g.labels(); err != nil {
			return err
		}
		if err := g.people(contacts); err != nil {
			return err
		}
		return g.rows(sessions)
	})
	if err != nil {
		return err
	}
	return p.store.Analyze(ctx)
}

// Analyze refreshes what the database knows of its tables, after a bulk load.
func (s *Store) Analyze(ctx context.Context) error {
	statement := "ANALYZE"
	if !s.Embedded() {
		statement = "VACUUM ANALYZE" // counts read the index alone once pages are known to be visible
	}
	_, err := s.sql.ExecContext(ctx, statement)
	return err
}

// SeedRareWord stands in one of about 3,000 sessions.
const SeedRareWord = "quokka"

const seedWords = `system harbour network query kernel release community protocol garden compiler signal memory library
 language scheduler festival water light stone bridge cloud ocean graph vector engine mirror window paper archive
 museum reliable open simple distributed secure friendly ancient quiet modern Überraschung façade niño 東京 данные`

type seeder struct {
	*Programme
	tx                          *Tx
	random                      *rand.Rand
	families                    map[Family][]*Metadata
	contacts                    []*Contact
	words                       []string
	lastAbstract, lastProgramme int
}

func (g *seeder) labels() error {
	g.families = map[Family][]*Metadata{}
	counts := map[Family]int{Tracks: 8, Rooms: 12, Formats: 5, Levels: 4, Tags: 10}
	for _, family := range Families {
		for i := range counts[family] {
			n := NewMetadata{Name: fmt.Sprintf("%s %d", family.Singular(), i+1)}
			row, err := g.insertMetadata(g.tx, family, n)
			if err != nil {
				return err
			}
			g.families[family] = append(g.families[family], row)
		}
	}
	return nil
}

func (g *seeder) people(count int) error {
	first := strings.Fields("Ada Béla Chen Dagny Emeka Fatima Grace Hedy Ines Jürgen Katherine Li Mary Noor Olga Priya Quentin Rosa Søren Tim")
	last := strings.Fields("Abara Brandt Castro Demir Eriksen Fournier García Haddad Ito Jensen Kowalski Lindqvist Moreau Nakamura Okafor")
	var earlier int64
	if err := g.tx.Model(&EventContact{}).Where("event_id = ?", g.event.ID).Count(&earlier).Error; err != nil {
		return err
	}
	var attached []*EventContact
	for i := range count {
		n := NewContact{
			Email:     fmt.Sprintf("person%d@%s.example.org", int(earlier)+i+1, g.event.Slug),
			FirstName: first[g.random.IntN(len(first))], LastName: last[g.random.IntN(len(last))],
			CompanyName: g.text(2), About: "<p>" + g.text(25) + "</p>",
		}
		c := n.row(g.event.OrganizationID, g.tx.now)
		g.contacts = append(g.contacts, c)
		attached = append(attached, g.attached(c, g.tx.now))
	}
	if err := g.tx.CreateInBatches(g.contacts, seedBatch).Error; err != nil {
		return err
	}
	return g.tx.CreateInBatches(attached, seedBatch).Error
}

func (g *seeder) rows(count int) error {
	var numbers Event
	if err := g.tx.Select("last_abstract, last_session").Take(&numbers, "id = ?", g.event.ID).Error; err != nil {
		return err
	}
	g.lastAbstract, g.lastProgramme = numbers.LastAbstract, numbers.LastSession
	for from := 0; from < count; from += 10 * seedBatch {
		var rows []*Session
		for i := from; i < min(count, from+10*seedBatch); i++ {
			rows = append(rows, g.session(i))
		}
		if err := g.tx.CreateInBatches(rows, seedBatch).Error; err != nil {
			return err
		}
		if err := g.insertLinks(g.tx, rows...); err != nil {
			return err
		}
	}
	g.tx.touch(g.event.ID)
	return g.tx.Model(&Event{}).Where("id = ?", g.event.ID).
		UpdateColumns(map[string]any{"last_abstract": g.lastAbstract, "last_session": g.lastProgramme}).Error
}

func (g *seeder) session(i int) *Session {
	s := &Session{
		Title: g.title(), Description: "<p>" + g.text(30+g.random.IntN(50)) + "</p><p>" + g.text(20) + "</p>",
		IsAbstract: i%5 < 3, Status: Accepted,
		TrackID: g.pick(Tracks), FormatID: g.pick(Formats), LevelID: g.pick(Levels),
	}
	if i%3000 == 7 {
		s.Title += " " + SeedRareWord
	}
	number := &g.lastProgramme
	if s.IsAbstract {
		number = &g.lastAbstract
		s.Status = Statuses[g.random.IntN(len(Statuses))]
		s.CustomFields = Answers{{Key: "Prior knowledge", Value: g.text(6)}, {Key: "First time", Value: "yes"}}
	} else {
		s.RoomID = g.pick(Rooms)
		start := time.Date(2027, 5, 20+g.random.IntN(5), 8+g.random.IntN(10), 15*g.random.IntN(4), 0, 0, time.UTC)
		s.StartsAt, s.EndsAt = new(At(start)), new(At(start.Add(45*time.Minute)))
	}
	for _, tag := range g.families[Tags] {
		if g.random.IntN(8) == 0 {
			s.Tags = append(s.Tags, &Tag{tag.Label()})
		}
	}
	from, count := g.random.IntN(len(g.contacts)), min(len(g.contacts), 1+g.random.IntN(3))
	for position := range count {
		c := g.contacts[(from+position*7)%len(g.contacts)]
		if slices.ContainsFunc(s.Participants, func(x *Participant) bool { return x.ContactID == c.ID }) {
			continue
		}
		s.Participants = append(s.Participants, &Participant{ContactID: c.ID, FullName: c.FullName, Role: Speaking, Position: position})
	}
	*number++
	g.identify(s, *number, g.tx.now)
	s.CreatedAt = At(g.tx.now.Add(-time.Duration(i) * time.Minute))
	s.UpdatedAt = s.CreatedAt
	return s
}

func (g *seeder) pick(family Family) *string {
	return &g.families[family][g.random.IntN(len(g.families[family]))].ID
}

func (g *seeder) title() string {
	return "On " + g.text(4+g.random.IntN(6))
}

func (g *seeder) text(words int) string {
	if g.words == nil {
		g.words = strings.Fields(seedWords)
	}
	out := make([]string, words)
	for i := range out {
		out[i] = g.words[g.random.IntN(len(g.words))]
	}
	return strings.Join(out, " ")
}
