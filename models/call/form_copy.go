package call

import (
	"context"
	"fmt"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Copied is the result of copying a form: the number of its questions, and the names of the other event's tracks,
// formats and levels that this event does not have.
type Copied struct {
	Questions int
	Unmatched []string
}

var errHasAnswers = &store.Error{Kind: store.Invalid,
	Message: "This call has proposals or answers already, so its form is not " +
		"replaced. Change it question by question."}

// CopyForm replaces the form by that of another event of the organization: texts, limits, parts and questions with
// their keys, but no window, codes or day of answers. Tracks, formats and levels are matched by name; those that this
// event does not have are left out and returned. It starts a call if there is none. It answers NotFound for an event
// without a call, or of another organization, and Invalid once there are proposals or speakers' answers.
func (c *Call) CopyForm(ctx context.Context, from *models.Programme) (copied *Copied, err error) {
	if from.Event().OrganizationID != c.p.Event().OrganizationID || from.Event().ID == c.p.Event().ID {
		return nil, errNoCall
	}
	err = c.p.Write(ctx, func(tx *store.Tx) error {
		ctx := tx.Within(ctx)
		theirs, err := Of(from).Form(ctx)
		if err != nil {
			return err
		}
		if err := c.Start(ctx); err != nil {
			return err
		}
		copied = &Copied{}
		return c.change(ctx, nil, func(tx *store.Tx, f *Form) (store.Change, error) {
			for _, rows := range []any{&proposal{}, &models.SpeakerAnswer{}} {
				if err := store.Unless(c.of(tx.Model(rows)), errHasAnswers); err != nil {
					return store.Change{}, err
				}
			}
			if err := c.clear(tx); err != nil {
				return store.Change{}, err
			}
			settings := theirs.Settings
			settings.EventID, settings.AnswersOn, settings.CreatedAt = f.EventID, nil, f.CreatedAt
			if err := tx.Select("*").Updates(&settings).Error; err != nil {
				return store.Change{}, err
			}
			m := &matching{from: theirs, to: f, copied: copied, said: map[string]bool{}}
			return store.Change{Action: "copied", After: map[string]any{"form_of": from.Event().Name}}, c.copyParts(tx, m)
		})
	})
	return copied, err
}

// clear deletes all parts and questions, which must have no answers.
func (c *Call) clear(tx *store.Tx) error {
	if err := c.of(tx.DB).Delete(&Question{}).Error; err != nil {
		return err
	}
	return c.of(tx.DB).Delete(&Part{}).Error
}

func (c *Call) copyParts(tx *store.Tx, m *matching) error {
	for _, part := range m.from.Parts {
		copied := &Part{ID: store.NewID(), EventID: m.to.EventID, Title: part.Title, Help: part.Help, Position: part.Position}
		if err := tx.Create(copied).Error; err != nil {
			return err
		}
		for _, q := range part.Questions {
			row := *q
			row.ID, row.EventID, row.PartID = store.NewID(), m.to.EventID, &copied.ID
			m.match(&row)
			if _, err := c.insert(tx, &row, ""); err != nil {
				return err
			}
			m.copied.Questions++
		}
	}
	return nil
}

// matching finds the rows of one event that have the names of another's.
type matching struct {
	from, to *Form
	copied   *Copied
	said     map[string]bool
}

// match replaces the other event's rows by this event's in a question's choices and condition.
func (m *matching) match(q *Question) {
	if q.Family() != "" {
		var options []Choice
		for _, o := range q.Options {
			if o.Value = m.row(o.Value); o.Value != "" {
				options = append(options, o)
			}
		}
		q.Options = options
	}
	q.AskedIf.Formats, q.AskedIf.Tracks = m.rows(q.AskedIf.Formats), m.rows(q.AskedIf.Tracks)
	if on := m.from.Known(q.AskedIf.Question); on != nil && on.Family() != "" {
		q.AskedIf.Answers = m.rows(q.AskedIf.Answers)
	}
}

// rows returns the ids of this event's rows. If none matches, it returns the other's: a condition without names would
// always hold.
func (m *matching) rows(ids []string) (out []string) {
	for _, id := range ids {
		if match := m.row(id); match != "" {
			out = append(out, match)
		}
	}
	if len(out) == 0 {
		return ids
	}
	return out
}

// row returns the id of this event's row of that name, or "", which it notes.
func (m *matching) row(id string) string {
	theirs := m.from.row(id)
	if theirs == nil {
		return ""
	}
	for _, row := range m.to.Rows {
		if row.Family == theirs.Family && row.NameKey == theirs.NameKey {
			return row.ID
		}
	}
	if !m.said[id] {
		m.said[id] = true
		m.copied.Unmatched = append(m.copied.Unmatched, fmt.Sprintf("the %s “%s”", theirs.Family.Singular(), theirs.Name))
	}
	return ""
}

// Forms returns the other events of the organization that have a call, the newest first.
func (c *Call) Forms(ctx context.Context) (events []*models.Event, err error) {
	err = c.p.Read(ctx).Raw(`SELECT id, organization_id, name, slug, timezone, starts_on, ends_on FROM events
		WHERE organization_id = ? AND id <> ? AND id IN (SELECT event_id FROM calls)
		ORDER BY starts_on DESC, name, id`, c.p.Event().OrganizationID, c.p.Event().ID).Scan(&events).Error
	return events, err
}

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
		f, err := c.Form(tx.Within(ctx))
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
