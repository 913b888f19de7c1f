package call

import (
	"context"
	"time"

	"gorm.io/gorm"

	"lectern/models/store"
)

// These are the limits of settings.
const (
	maxWelcome   = 20_000 // characters of the welcome and the success text
	maxAgreement = 2000
	mostEach     = 1000 // proposals of one person
	mostInAll    = 100_000
	mostSpeakers = 20
)

var errStaleForm = store.Outdated(
	"Someone else changed this form since you read it. Read it again, then repeat your change.")

// change runs an operation on the form, which is locked meanwhile. If do returns a change without an action, nothing is
// recorded. It answers NotFound if the event has no call, and Stale when the token is outdated; nil forces the write.
func (c *Call) change(ctx context.Context, token *store.Time, do func(*store.Tx, *Form) (store.Change, error)) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		f, err := c.hold(ctx, tx)
		if err != nil {
			return err
		}
		if token != nil && !token.Equal(f.UpdatedAt.Time) {
			return errStaleForm
		}
		change, err := do(tx, f)
		if err != nil || change.Action == "" {
			return err
		}
		return c.changed(tx, f, change)
	})
}

// hold locks the form against changes by others until the transaction ends, and reads it.
func (c *Call) hold(ctx context.Context, tx *store.Tx) (*Form, error) {
	event := c.p.Event().ID
	if _, err := store.One[Settings](tx.Lock().Where("event_id = ?", event), errNoCall); err != nil {
		return nil, err
	}
	return c.Form(tx.Within(ctx))
}

// changed raises the form's token and records the change.
func (c *Call) changed(tx *store.Tx, f *Form, change store.Change) error {
	f.UpdatedAt = tx.Now.Following(f.UpdatedAt)
	if err := tx.Model(&Settings{}).Where("event_id = ?", f.EventID).UpdateColumn("updated_at", f.UpdatedAt).
		Error; err != nil {
		return err
	}
	change.Subject, change.ID = "call", f.EventID
	return c.p.Record(tx, change)
}

// of restricts a query to the call's event.
func (c *Call) of(db *gorm.DB) *gorm.DB { return db.Where("event_id = ?", c.p.Event().ID) }

// SettingsChange is a partial change of a call's texts and limits. Nil, or an Optional that is not set, leaves a field
// alone.
type SettingsChange struct {
	Heading, Welcome, Success, Agreement, QuestionsTo *string
	AnswersOn                                         store.Optional[string]
	MaxProposals, MaxTotal                            store.Optional[int]
	MaxSpeakers                                       *int
	UpdatedAt                                         *store.Time // the form's token; nil forces the write
}

func (s *SettingsChange) clean() error {
	var f store.Faults
	text := func(clean func(field, s string, limit int) (string, error), field string, s **string, limit int) {
		if *s != nil {
			*s = new(**s)
			f.Clean(clean, field, *s, limit)
		}
	}
	text(store.CleanText, "heading", &s.Heading, store.MaxName)
	text(store.CleanHTML, "welcome", &s.Welcome, maxWelcome)
	text(store.CleanHTML, "success", &s.Success, maxWelcome)
	text(store.CleanText, "agreement", &s.Agreement, maxAgreement)
	if s.QuestionsTo != nil && *s.QuestionsTo != "" && !store.IsEmail(*s.QuestionsTo) {
		f.Add(store.Invalidf("questions_to", "must be an e-mail address, such as programme@example.org"))
	}
	if day := s.AnswersOn.Value; day != nil {
		if _, err := time.Parse(time.DateOnly, *day); err != nil {
			f.Add(store.Invalidf("answers_on", "must be a date such as 2027-05-20"))
		}
	}
	within := func(field string, n *int, most int) {
		if n != nil && (*n < 1 || *n > most) {
			f.Add(store.Invalidf(field, "must be between 1 and %d", most))
		}
	}
	within("max_proposals", s.MaxProposals.Value, mostEach)
	within("max_total", s.MaxTotal.Value, mostInAll)
	within("max_speakers", s.MaxSpeakers, mostSpeakers)
	return f.Err()
}

// facts returns the settings that can change.
func (s *Settings) facts() map[string]any {
	return map[string]any{
		"heading": s.Heading, "welcome": s.Welcome, "success": s.Success, "agreement": s.Agreement,
		"questions_to": s.QuestionsTo, "answers_on": store.Fact(s.AnswersOn), "max_proposals": store.Fact(s.MaxProposals),
		"max_total": store.Fact(s.MaxTotal), "max_speakers": s.MaxSpeakers,
	}
}

func (s *SettingsChange) apply(to *Settings) {
	for _, field := range []struct{ to, from *string }{
		{&to.Heading, s.Heading}, {&to.Welcome, s.Welcome}, {&to.Success, s.Success}, {&to.Agreement, s.Agreement},
		{&to.QuestionsTo, s.QuestionsTo},
	} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	to.AnswersOn = s.AnswersOn.Or(to.AnswersOn)
	to.MaxProposals, to.MaxTotal = s.MaxProposals.Or(to.MaxProposals), s.MaxTotal.Or(to.MaxTotal)
	if s.MaxSpeakers != nil {
		to.MaxSpeakers = *s.MaxSpeakers
	}
}

// Change changes the call's texts and limits. It emits nothing. It answers NotFound if the event has no call, Invalid
// for what breaks its rule, and Stale when the token is outdated.
func (c *Call) Change(ctx context.Context, s SettingsChange) error {
	if err := s.clean(); err != nil {
		return err
	}
	return c.change(ctx, s.UpdatedAt, func(tx *store.Tx, f *Form) (store.Change, error) {
		before := f.Settings
		s.apply(&f.Settings)
		was, is := store.Changes(before.facts(), f.Settings.facts())
		if len(is) == 0 {
			return store.Change{}, nil
		}
		err := tx.Model(&Settings{}).Where("event_id = ?", f.EventID).Select("heading", "welcome", "success",
			"agreement", "questions_to", "answers_on", "max_proposals", "max_total", "max_speakers").Updates(&f.Settings).Error
		return store.Change{Action: "updated", Before: was, After: is}, err
	})
}
