package models

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// behindSession are the abstracts behind one session: an abstract is behind itself. The publish gate is open for an
// abstract when it is accepted, somebody was told and nobody is yet to be told; for a composed session, when those of
// all its live abstracts are. A standalone session has nobody to write to, so it is held.
func (p *Programme) behindSession(db *gorm.DB, s *Session) ([]*source, error) {
	if s.IsAbstract {
		return p.behind(db, "a.id = ?", s.ID)
	}
	return p.behind(db, "a.composed_into = ?", s.ID)
}

// source is an abstract behind a session, with the letters of its present decision that are in one state.
type source struct {
	SessionID  string // that it is composed into; "" of none
	AbstractID string
	Status     Status
	State      LetterState // "" of a letter that nobody began
	LetterID   string      // one of them
}

// behind are the live abstracts of the event that meet a condition on a, in one statement.
func (p *Programme) behind(db *gorm.DB, condition string, values ...any) (sources []*source, err error) {
	err = db.Raw(`SELECT coalesce(a.composed_into, '') AS session_id, a.id AS abstract_id, a.status,
			coalesce(l.state, '') AS state, coalesce(min(l.id), '') AS letter_id FROM sessions a
		LEFT JOIN letters l ON l.event_id = a.event_id AND l.session_id = a.id AND l.is_current AND l.kind = a.status
		WHERE a.event_id = ? AND a.is_abstract AND a.deleted_at IS NULL AND `+condition+`
		GROUP BY a.composed_into, a.id, a.status, l.state ORDER BY a.id, l.state`,
		append([]any{p.event.ID}, values...)...).Scan(&sources).Error
	return sources, err
}

// Hold is why a session may not be published.
type Hold string

const (
	HeldAlone     Hold = "alone"     // no submission is behind it, so there is nobody to write to
	HeldUndecided Hold = "undecided" // a submission behind it is not accepted
	HeldUndrafted Hold = "undrafted" // a letter was not begun
	HeldUnsent    Hold = "unsent"    // a letter is a draft, in line or on its way
	HeldFailed    Hold = "failed"    // a letter did not arrive
	HeldUnknown   Hold = "unknown"   // nobody knows whether a letter arrived
	HeldContent   Hold = "content"   // the event asks for approved content, and it is not
)

// hold is how one abstract holds what is made of it, "" for not at all.
func (x *source) hold() Hold {
	switch {
	case x.Status != Accepted:
		return HeldUndecided
	case x.State == LetterFailed:
		return HeldFailed
	case x.State == LetterUnknown:
		return HeldUnknown
	case x.State == "":
		return HeldUndrafted
	case x.State == LetterSent || x.State == LetterTold:
		return ""
	}
	return HeldUnsent
}

// holding is how all abstracts behind a session hold it: what holds it most firmly, and which; "" when the gate is
// open.
func holding(sources []*source) (hold Hold, by *source) {
	if len(sources) == 0 {
		return HeldAlone, nil
	}
	firm := []Hold{"", HeldUnsent, HeldUndrafted, HeldUnknown, HeldFailed, HeldUndecided}
	for _, x := range sources {
		if h := x.hold(); slices.Index(firm, h) > slices.Index(firm, hold) {
			hold, by = h, x
		}
	}
	return hold, by
}

// LetterStates says of sessions where the letters behind them stand: of an abstract the one of its present decision
// that holds it most firmly, of a programme session that of its live abstracts, which hold it until all are told. ""
// is a letter that nobody began. A session with no abstract behind it is not in the answer.
func (p *Programme) LetterStates(ctx context.Context, sessions []*Session) (map[string]LetterState, error) {
	ids := store.Map(sessions, func(s *Session) string { return s.ID })
	var rows []struct {
		ID           string
		ComposedInto *string
		State        LetterState
	}
	err := p.read(ctx).Raw(`SELECT DISTINCT s.id, s.composed_into, coalesce(l.state, '') AS state FROM sessions s
		LEFT JOIN letters l ON l.event_id = s.event_id AND l.session_id = s.id AND l.is_current
		WHERE s.event_id = ? AND s.is_abstract AND s.deleted_at IS NULL AND (s.id IN ? OR s.composed_into IN ?)`,
		p.event.ID, ids, ids).Scan(&rows).Error
	states := map[string]LetterState{}
	hold := func(id string, state LetterState) {
		if other, known := states[id]; !known || holds(state) > holds(other) {
			states[id] = state
		}
	}
	for _, row := range rows {
		hold(row.ID, row.State)
		if row.ComposedInto != nil {
			hold(*row.ComposedInto, row.State)
		}
	}
	return states, err
}

// holds is how firmly a letter in this state holds a publication: not at all when they were told.
func holds(state LetterState) int {
	return slices.Index([]LetterState{LetterTold, LetterSent, LetterSending, LetterQueued, LetterDraft, "", LetterUnknown,
		LetterFailed}, state)
}

// MarkTold keeps that the people of an abstract know of its decision by other means, for a reason: all of them, also
// those without an address, but for those whom a letter has reached or is on its way to. contactID narrows it to one of
// them, or is "". It answers NotFound for a row that is not live, and Invalid for one that is no abstract, stands
// on no decision or has nobody to be told, and for a reason that is empty or too long.
func (p *Programme) MarkTold(ctx context.Context, abstractID, contactID, reason string) error {
	reason, err := store.CleanName("reason", reason, MaxReason)
	if err != nil {
		return err
	}
	return p.write(ctx, func(tx *store.Tx) error {
		s, err := p.decided(tx, abstractID)
		if err != nil {
			return err
		}
		if _, err := p.draft(tx, s); err != nil {
			return err
		}
		if err := p.tellOthers(tx, s, contactID); err != nil {
			return err
		}
		done := ChangeLetters(tx, map[string]any{"state": LetterTold, "reason": reason, "due_at": nil, "sent_at": tx.Now,
			"updated_at": tx.Now}, "event_id = ? AND session_id = ? AND is_current AND "+
			"state IN ('draft', 'queued', 'failed', 'unknown') AND ? IN ('', contact_id)", p.event.ID, s.ID, contactID)
		if done.Error == nil && done.RowsAffected == 0 {
			return store.Invalidf("contact", "there is nobody on it who is still to be told")
		}
		Touch(tx, p.event.ID)
		if done.Error != nil {
			return done.Error
		}
		return p.record(tx, store.Change{Subject: "session", ID: s.ID, Action: "told",
			After: map[string]any{"reason": reason, "people": done.RowsAffected}})
	})
}

// tellOthers makes letters to people without an address, to be told by other means.
func (p *Programme) tellOthers(tx *store.Tx, s *Session, contactID string) error {
	var number int
	if err := tx.Raw("SELECT coalesce(max(number), 0) FROM decisions WHERE session_id = ?",
		s.ID).Scan(&number).Error; err != nil {
		return err
	}
	var letters []*Letter
	for _, x := range s.Participants {
		if x.Email != "" || contactID != "" && contactID != x.ContactID {
			continue
		}
		if number == 0 {
			var err error
			if number, err = p.number(tx, s.ID, s.Status, ""); err != nil {
				return err
			}
		}
		letters = append(letters, &Letter{ID: store.NewID(), EventID: &p.event.ID, SessionID: &s.ID, Number: &number,
			Kind: LetterKind(s.Status), ContactID: x.ContactID, State: LetterDraft, IsCurrent: true, CreatedAt: tx.Now,
			UpdatedAt: tx.Now})
	}
	if len(letters) == 0 {
		return nil
	}
	// Who has one already keeps it.
	return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(letters).Error
}
