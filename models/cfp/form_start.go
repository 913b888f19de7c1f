package cfp

import (
	"context"

	"lectern/models/field"
	"lectern/models/store"
)

// speakersAtFirst is the limit of speakers on a proposal until staff change it.
const speakersAtFirst = 3

// first holds the parts of a new call's form.
var first = []struct {
	title, help string
	asks        []StandardField
	own         *QuestionInput
}{
	{"Your session", "", []StandardField{Title, Description, Format, Track}, nil},
	{"You", "", []StandardField{Biography}, &QuestionInput{Type: field.Text, Label: "Have you given this talk before?",
		Help: "Where and when. A first time is welcome.", Required: Optional, SeenBy: Reviewers}},
}

var firstHelp = map[StandardField]string{
	Title:       "As it would stand in the programme.",
	Description: "What will people take home? This text is printed.",
	Biography:   "A few sentences for the programme. It stays in your profile.",
}

var firstWords = map[StandardField]int{Description: 300, Biography: 100}

// Start creates a call with a form of usual questions, unless the event has one. It does not open it: the window is set
// separately. It emits nothing.
func (c *Call) Start(ctx context.Context) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		event := c.p.Event().ID
		settings := &Settings{EventID: event, MaxSpeakers: speakersAtFirst, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		made := tx.Exec(`INSERT INTO calls (event_id, heading, welcome, success, agreement, questions_to, max_speakers,
			created_at, updated_at) VALUES (?, '', '', '', '', '', ?, ?, ?) ON CONFLICT DO NOTHING`,
			event, settings.MaxSpeakers, tx.Now, tx.Now)
		if made.Error != nil || made.RowsAffected == 0 {
			return made.Error
		}
		f, err := formOf(tx.Within(ctx), c.p)
		if err != nil {
			return err
		}
		for i, part := range first {
			if err := c.firstPart(tx, f, i); err != nil {
				return err
			}
			if part.own == nil {
				continue
			}
			q := &Question{ID: store.NewID(), EventID: event, PartID: &f.Parts[i].ID, Position: len(part.asks),
				Key: f.keyFor(part.own.Label)}
			part.own.onto(q)
			if _, err := c.insert(tx, q, ""); err != nil {
				return err
			}
		}
		return c.changed(tx, f, store.Change{Action: "started", After: map[string]any{"max_speakers": f.MaxSpeakers}})
	})
}

// firstPart inserts one of the first parts, with its standard questions.
func (c *Call) firstPart(tx *store.Tx, f *Form, i int) error {
	part := &Part{ID: store.NewID(), EventID: f.EventID, Title: first[i].title, Help: first[i].help, Position: i}
	f.Parts = append(f.Parts, part)
	if err := tx.Create(part).Error; err != nil {
		return err
	}
	for n, standard := range first[i].asks {
		q := NewStandard(standard)
		q.ID, q.EventID, q.PartID, q.Position, q.Help = store.NewID(), f.EventID, &part.ID, n, firstHelp[standard]
		if words := firstWords[standard]; words > 0 {
			q.MaxWords = &words
		}
		if _, err := c.insert(tx, q, ""); err != nil {
			return err
		}
	}
	return nil
}
