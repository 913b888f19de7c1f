package models

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"lectern/models/store"
)

// decide records the decision that a change of status means: it numbers it, drafts its letters and supersedes unsent
// letters of the decision before. The caller holds the session's row lock.
func (p *Programme) decide(tx *store.Tx, c change) error {
	s := c.after
	var previous Status
	if c.before != nil {
		if previous = c.before.Status; previous == s.Status {
			return p.holdBack(tx, c)
		}
		if previous.IsDecision() {
			if err := p.supersede(tx, s.ID); err != nil {
				return err
			}
		}
	}
	if !s.Status.IsDecision() {
		return nil
	}
	number, err := p.number(tx, s.ID, s.Status, previous)
	if err == nil && number > 1 && !previous.IsDecision() { // letters that took back the decision before
		err = p.supersede(tx, s.ID)
	}
	if err == nil {
		_, err = p.draftTo(tx, s, number, LetterKind(s.Status), s.withAddress())
	}
	return err
}

// holdBack makes drafts of the queued letters of an abstract that is being deleted.
func (p *Programme) holdBack(tx *store.Tx, c change) error {
	if c.before.DeletedAt != nil || c.after.DeletedAt == nil || !c.after.Status.IsDecision() {
		return nil
	}
	return ChangeLetters(tx, map[string]any{"state": LetterDraft, "due_at": nil, "updated_at": tx.Now},
		"event_id = ? AND session_id = ? AND state = 'queued'", p.event.ID, c.after.ID).Error
}

// supersede ends the letters of an abstract's decision. Letters being sent or already sent keep their state.
func (p *Programme) supersede(tx *store.Tx, sessionID string) error {
	return tx.Later().Exec(`UPDATE letters SET is_current = false, updated_at = ?, due_at = NULL,
		state = CASE WHEN state IN ('draft', 'queued', 'failed') THEN 'superseded' ELSE state END
		WHERE id IN (?)`, tx.Now, LockLetters(tx, "event_id = ? AND session_id = ? AND is_current", p.event.ID, sessionID)).Error
}

// number records a decision about an abstract, or the undoing of one, and returns its number.
func (p *Programme) number(tx *store.Tx, sessionID string, decision, previous Status) (int, error) {
	var number int
	err := tx.Raw(`INSERT INTO decisions (event_id, session_id, number, decision, previous, by_name, created_at)
		SELECT ?, ?, coalesce(max(number), 0) + 1, ?, ?, ?, ? FROM decisions WHERE session_id = ? RETURNING number`,
		p.event.ID, sessionID, decision, previous, p.by.ActorName, tx.Now, sessionID).Scan(&number).Error
	return number, err
}

// withAddress returns those of a session's people who have an e-mail address.
func (s *Session) withAddress() []*Participant {
	return slices.DeleteFunc(slices.Clone(s.Participants), func(x *Participant) bool { return x.Email == "" })
}

// draft drafts letters of an abstract's present decision to those of its people who have an address and no letter of it
// yet. It returns the decision's number, and how many letters it drafted.
func (p *Programme) draft(tx *store.Tx, s *Session) (number, drafted int, err error) {
	err = tx.Raw("SELECT coalesce(max(number), 0) FROM decisions WHERE session_id = ?", s.ID).Scan(&number).Error
	if err == nil && number == 0 { // an import brought it in decided
		number, err = p.number(tx, s.ID, s.Status, "")
	}
	if err != nil {
		return 0, 0, err
	}
	var written []string
	if err := tx.Model(&Letter{}).Where("session_id = ? AND number = ?", s.ID, number).
		Pluck("contact_id", &written).Error; err != nil {
		return 0, 0, err
	}
	to := slices.DeleteFunc(s.withAddress(), func(x *Participant) bool { return slices.Contains(written, x.ContactID) })
	drafted, err = p.draftTo(tx, s, number, LetterKind(s.Status), to)
	return number, drafted, err
}

// draftTo drafts letters of a numbered decision to people and returns how many it drafted.
func (p *Programme) draftTo(tx *store.Tx, s *Session, number int, kind LetterKind, people []*Participant) (int, error) {
	if len(people) == 0 {
		return 0, nil
	}
	template, err := p.Template(tx, kind)
	if err != nil {
		return 0, err
	}
	letters := make([]*Letter, len(people))
	for i, x := range people {
		letters[i] = &Letter{ID: store.NewID(), EventID: &p.event.ID, SessionID: &s.ID, Number: &number, Kind: kind,
			ContactID: x.ContactID, State: LetterDraft, IsCurrent: true, CreatedAt: tx.Now, UpdatedAt: tx.Now}
		letters[i].Write(template, &LetterFacts{Event: p.event, Session: s,
			Contact: &Contact{FirstName: x.FirstName, FullName: x.FullName, CompanyName: x.CompanyName}})
	}
	Touch(tx, p.event.ID) // invalidates cached counts that depend on letters
	return len(letters), store.InsertInto(tx, "letters", letters)
}

// DraftLetters drafts letters of an abstract's decision to those of its people who have none, such as people who were
// added or whose address was found later, and returns how many it drafted. It answers NotFound for a row that is not
// live and Invalid for one that is no abstract or not decided.
func (p *Programme) DraftLetters(ctx context.Context, abstractID string) (int, error) {
	return store.Make(ctx, p.Write, func(tx *store.Tx) (int, error) {
		s, err := p.decided(tx, abstractID)
		if err != nil {
			return 0, err
		}
		_, drafted, err := p.draft(tx, s)
		return drafted, err
	})
}

// decided returns, locked, a live abstract that stands on a decision. It answers NotFound and Invalid.
func (p *Programme) decided(tx *store.Tx, id string) (*Session, error) {
	s, err := p.Live(tx, id)
	if err == nil && (!s.IsAbstract || !s.Status.IsDecision()) {
		err = store.Invalidf("status", "is no decision, so there is no letter")
	}
	return s, err
}

// followPeople supersedes the unsent letters of a decision to people who are no longer on the abstract, and makes
// drafts again of the superseded letters to people who are back on it.
func (p *Programme) followPeople(tx *store.Tx, s *Session) error {
	if !s.IsAbstract || !s.Status.IsDecision() {
		return nil
	}
	if err := LockLetters(tx, "event_id = ? AND session_id = ?", p.event.ID, s.ID).Find(&[]string{}).Error; err != nil {
		return err
	}
	if err := tx.Exec(`UPDATE letters SET state = 'superseded', is_current = false, due_at = NULL, updated_at = ?
		WHERE event_id = ? AND session_id = ? AND is_current AND state IN ('draft', 'queued', 'failed')
		AND contact_id NOT IN (SELECT contact_id FROM participants WHERE session_id = ?)`,
		tx.Now, p.event.ID, s.ID, s.ID).Error; err != nil {
		return err
	}
	return tx.Exec(`UPDATE letters SET state = 'draft', is_current = true, answer = '', updated_at = ?
		WHERE event_id = ? AND session_id = ? AND state = 'superseded'
		AND number = (SELECT max(number) FROM decisions WHERE session_id = ?)
		AND contact_id IN (SELECT contact_id FROM participants WHERE session_id = ?)`,
		tx.Now, p.event.ID, s.ID, s.ID, s.ID).Error
}

// OutdatedLetters narrows letters to the drafts that an older template made and nobody edited.
func (p *Programme) OutdatedLetters(db *gorm.DB) *gorm.DB {
	versions := "CASE letters.kind"
	var values []any
	for _, d := range LetterDefaults {
		versions += " WHEN ? THEN coalesce((SELECT version FROM letter_templates t WHERE t.event_id = ? AND t.kind = ?), ?)"
		values = append(values, d.Kind, p.event.ID, d.Kind, d.Version)
	}
	return db.Where("letters.event_id = ? AND letters.state = 'draft' AND NOT letters.is_edited AND letters.session_id IS NOT NULL",
		p.event.ID).Where("letters.template_version <> "+versions+" END", values...)
}

// LetterTemplate is the text from which letters of a kind are written. Its letters store its Version, by which outdated
// drafts are found; an unchanged default has the ID "".
type LetterTemplate struct {
	ID        string
	EventID   string
	Kind      LetterKind
	Name      string // of a free letter's template
	Subject   string
	Body      string
	Version   int
	ByName    string
	CreatedAt store.Time
	UpdatedAt store.Time
}

// LetterDefaults are the templates of decisions and their undoing until staff change them.
var LetterDefaults = []LetterTemplate{
	{Kind: LetterAccepted, Version: 2, Subject: "{{event}}: yes to “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We would be glad to have it at {{event}}.

You will hear from us again once there is a time and a room for it. Please tell us whether you can come. This link opens your place, where you find all that is yours:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterDeclined, Version: 2, Subject: "{{event}}: about “{{session_title}}”", Body: `Dear {{first_name}},

thank you for sending us “{{session_title}}” ({{session_id}}). We read it with care and could not find a place for it at {{event}} this time.

We had far more proposals than hours, and said no to many that we liked. We hope to see you at {{event}} all the same.

What you sent us stays in your place, which this link opens:

{{place_link}}

The programme committee of {{event}}`},
	{Kind: LetterUndone, Version: 1, Subject: "{{event}}: please set our last letter aside", Body: `Dear {{first_name}},

our last letter about “{{session_title}}” ({{session_id}}) went out by mistake. Please set it aside: we have not decided yet.

We are sorry for the confusion, and will write to you again as soon as there is a decision.

The programme committee of {{event}}`},
}

// Template returns the template of a decision's letters. A batch reads each only once.
func (p *Programme) Template(tx *store.Tx, kind LetterKind) (*LetterTemplate, error) {
	if t := p.templates[kind]; t != nil {
		return t, nil
	}
	t, err := store.One[LetterTemplate](tx.Where("event_id = ? AND kind = ?", p.event.ID, kind), nil)
	if err != nil {
		return nil, err
	}
	if t == nil {
		at := slices.IndexFunc(LetterDefaults, func(d LetterTemplate) bool { return d.Kind == kind })
		t = new(LetterDefaults[at])
	}
	if p.templates != nil {
		p.templates[kind] = t
	}
	return t, nil
}
