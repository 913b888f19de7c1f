package call

import (
	"context"
	"encoding/json"
	"slices"

	"gorm.io/gorm"
	sql "gorm.io/gorm/clause"

	"lectern/models"
	"lectern/models/field"
	"lectern/models/store"
)

// Filled is a form, or the part of it that is asked of somebody, with its answers.
type Filled struct {
	Form   *Form
	Values Values                  // the stored answers, as values of the form
	Files  map[string]*models.File // by question key
}

// Answered returns f, for types that embed it.
func (f *Filled) Answered() *Filled { return f }

// Words returns the answer to a question in words, "" without one; prose stays plain text.
func (f *Filled) Words(q *Question) string { return f.Form.InWords(q, f.Values[q.Key], f.Files[q.Key]) }

// asks reports whether the form asks a question, given these answers.
func (f *Filled) asks(q *Question) bool { return slices.Contains(f.Form.Asked(f.Values), q) }

// OwnAnswers are somebody's answers to the questions that an event asks of each speaker. Only they and staff read them.
type OwnAnswers struct {
	Filled
	Event      *models.Event
	ContactID  string
	IsAccepted bool   // something of theirs is accepted, so they owe the answers that are needed later
	Why        string // why nothing may be changed, in a sentence
}

// Token returns a token that changes with each change of the answers.
func (a *OwnAnswers) Token() string {
	text, _ := json.Marshal(a.Values) // texts alone
	return store.HashKey(string(text))[:16]
}

// IsElsewhere reports false: all these questions are answered here.
func (a *OwnAnswers) IsElsewhere(*Question) bool { return false }

// IsAsked reports whether the event asks anything of each speaker.
func (a *OwnAnswers) IsAsked() bool { return len(a.Form.Parts) > 0 }

// Missing returns the answers that they owe by now.
func (a *OwnAnswers) Missing() []Fault {
	missing := a.Form.Unfinished(a.Values)
	if a.IsAccepted {
		missing = append(missing, a.Form.Owed(a.Values)...)
	}
	return missing
}

// MissingIn returns the questions of a part that need an answer and have none, whenever they are due.
func (a *OwnAnswers) MissingIn(partID string) []Fault {
	part := a.Form.Part(&partID)
	if part == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Concat(a.Form.Unfinished(a.Values), a.Form.Owed(a.Values)), func(f Fault) bool {
		return !slices.ContainsFunc(part.Questions, func(q *Question) bool { return q.Key == f.Key })
	})
}

// Incomplete returns the error, by the keys of questions, for missing answers.
func Incomplete(missing []Fault) error { return invalid(missing) }

var errNotAsked = store.Missing("There are no questions for you at this event.")

// OwnAnswers returns the answers of the place's owner at an event. It answers NotFound if the event has no call, and
// for somebody who neither proposes nor speaks there.
func (pl *Place) OwnAnswers(ctx context.Context, event *models.Event) (*OwnAnswers, error) {
	if !pl.OpensAt(event) {
		return nil, errNotAsked
	}
	form, err := Of(pl.At(event)).Form(ctx)
	if err != nil {
		return nil, err
	}
	return pl.ownAnswers(ctx, event, form.Of(OfSpeaker))
}

// OwnBeside returns the answers of the place's owner at the event of a form; nil if that asks nothing of each speaker,
// and for somebody who neither proposes nor speaks there.
func (pl *Place) OwnBeside(ctx context.Context, event *models.Event, form *Form) (*OwnAnswers, error) {
	if form = form.Of(OfSpeaker); len(form.Parts) == 0 {
		return nil, nil
	}
	a, err := pl.ownAnswers(ctx, event, form)
	if store.KindOf(err) == store.NotFound {
		return nil, nil
	}
	return a, err
}

// unfinished returns the missing answers as a speaker that keep the place's owner from submitting.
func (pl *Place) unfinished(ctx context.Context, event *models.Event, form *Form) ([]Fault, error) {
	own, err := pl.OwnBeside(ctx, event, form)
	if own == nil || err != nil {
		return nil, err
	}
	return own.Form.Unfinished(own.Values), nil
}

func (pl *Place) ownAnswers(ctx context.Context, event *models.Event, form *Form) (*OwnAnswers, error) {
	a := &OwnAnswers{Filled: Filled{Form: form}, Event: event, ContactID: pl.contactID}
	if err := pl.stands(ctx, a); err != nil {
		return nil, err
	}
	if !a.IsAsked() {
		a.Values, a.Files = Values{}, map[string]*models.File{}
		return a, nil
	}
	var err error
	a.Values, a.Files, err = answersOf(pl.read(ctx), form, event.ID, pl.contactID)
	return a, err
}

// stands sets whether something of theirs is accepted, and why they may change nothing. It answers NotFound for
// somebody with nothing at the event; staff who fill in need them only to be at the event.
func (pl *Place) stands(ctx context.Context, a *OwnAnswers) error {
	if !store.IsID(pl.contactID) {
		return errNotAsked
	}
	var found struct{ Here, All, Live, Accepted int }
	err := pl.read(ctx).Raw(`SELECT (SELECT count(*) FROM event_contacts WHERE event_id = @event AND contact_id = @contact) AS here,
			count(*) AS "all", coalesce(sum(CASE WHEN s.status NOT IN ('declined', 'withdrawn') THEN 1 ELSE 0 END), 0) AS live,
			coalesce(sum(CASE WHEN s.status = 'accepted' THEN 1 ELSE 0 END), 0) AS accepted
		FROM sessions s WHERE s.event_id = @event AND s.deleted_at IS NULL AND (s.is_abstract OR s.status <> 'draft')
			AND s.id IN (SELECT x.session_id FROM participants x WHERE x.contact_id = @contact
				UNION SELECT b.session_id FROM proposals b WHERE b.contact_id = @contact)`,
		map[string]any{"event": a.Event.ID, "contact": pl.contactID}).Scan(&found).Error
	a.IsAccepted = found.Accepted > 0
	switch {
	case err != nil:
		return err
	case found.Here == 0, found.All == 0 && !pl.isLent:
		return errNotAsked
	case found.Live == 0 && !pl.isLent:
		a.Why = "Nothing of yours is under way here any more, so your answers stay as they are."
	}
	return nil
}

// answersOf returns somebody's answers to the questions of a form for speakers, and the files among them, by key.
func answersOf(db *gorm.DB, form *Form, eventID, contactID string) (Values, map[string]*models.File, error) {
	var rows []struct {
		QuestionID, Value string
		File              models.File `gorm:"embedded"`
	}
	v, files := Values{}, map[string]*models.File{}
	err := db.Table("speaker_answers a").Joins("LEFT JOIN files f ON f.id = a.file_id").
		Select("a.question_id, a.value, f.*").Where("a.event_id = ? AND a.contact_id = ?", eventID,
		contactID).Find(&rows).Error
	for _, row := range rows {
		q := form.find(row.QuestionID)
		if q == nil {
			continue
		}
		v[q.Key] = row.Value
		if q.Type == field.File {
			files[q.Key] = new(row.File)
		}
	}
	return v, files, err
}

// ofSpeakers selects the answers to a question of each speaker.
func (c *Call) ofSpeakers(db *gorm.DB, q *Question) *gorm.DB {
	return c.of(db.Model(&models.SpeakerAnswer{})).Where("question_id = ?", q.ID)
}

// carryAnswers adapts the answers of speakers to a changed question: to renamed choices, and to another type.
func (c *Call) carryAnswers(tx *store.Tx, f *Form, before, q *Question, renamed map[string]string) error {
	if q.AskedOf != OfSpeaker || before.Type == q.Type && len(renamed) == 0 {
		return nil
	}
	var values []string
	if err := c.ofSpeakers(tx.DB, q).Distinct("value").Order("value").Pluck("value", &values).Error; err != nil {
		return err
	}
	for _, value := range values {
		row := models.SpeakerAnswer{Value: q.valueOf(before.answerOf(value))}
		if clean, err := f.clean(q, row.Value, ""); err == nil {
			row.Value = clean
		}
		if row.Value == value || q.Type == field.File {
			continue
		}
		row.Index(nil)
		if err := c.ofSpeakers(tx.DB, q).Where("value = ?", value).
			UpdateColumns(map[string]any{"value": row.Value, "search": row.Search}).Error; err != nil {
			return err
		}
	}
	return nil
}

// holdForm returns what an event asks of each speaker, locked against changes by staff until the transaction ends.
func (pl *Place) holdForm(ctx context.Context, tx *store.Tx, event *models.Event) (*Form, error) {
	held := tx.DB
	if !tx.Store.Embedded() {
		held = tx.Clauses(sql.Locking{Strength: "SHARE"})
	}
	if _, err := store.One[Settings](held.Where("event_id = ?", event.ID), errNoCall); err != nil {
		return nil, err
	}
	form, err := Of(pl.At(event)).Form(tx.Within(ctx))
	if err != nil {
		return nil, err
	}
	return form.Of(OfSpeaker), nil
}
