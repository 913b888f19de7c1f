package models

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// behindSession returns the abstracts behind one session; an abstract is behind itself. The publish gate is open for an
// abstract if it is accepted, somebody was told and nobody is still to be told; for a composed session, if it is open
// for all its live abstracts. A standalone session has nobody to write to, so it is held.
func (p *Programme) behindSession(db *gorm.DB, s *Session) ([]*source, error) {
	if s.IsAbstract {
		return p.behind(db, "a.id = ?", s.ID)
	}
	return p.behind(db, "a.composed_into = ?", s.ID)
}

// source is an abstract behind a session, with one state of the letters of its present decision. An abstract has one
// source for each of these states.
type source struct {
	SessionID  string // the session it is composed into; "" for none
	AbstractID string
	Status     Status
	State      LetterState // "" if there is no letter
	LetterID   string      // one of the letters in this state
}

// behind returns the sources of the event's live abstracts that meet a condition on a, with one SQL statement.
func (p *Programme) behind(db *gorm.DB, condition string, values ...any) (sources []*source, err error) {
	err = db.Raw(`SELECT coalesce(a.composed_into, '') AS session_id, a.id AS abstract_id, a.status,
			coalesce(l.state, '') AS state, coalesce(min(l.id), '') AS letter_id FROM sessions a
		LEFT JOIN letters l ON l.event_id = a.event_id AND l.session_id = a.id AND l.is_current AND l.kind = a.status
		WHERE a.event_id = ? AND a.is_abstract AND a.deleted_at IS NULL AND `+condition+`
		GROUP BY a.composed_into, a.id, a.status, l.state ORDER BY a.id, l.state`,
		append([]any{p.event.ID}, values...)...).Scan(&sources).Error
	return sources, err
}

// Hold is the reason why a session may not be published.
type Hold string

const (
	HeldAlone     Hold = "alone"     // no submission is behind it, so there is nobody to write to
	HeldUndecided Hold = "undecided" // a submission behind it is not accepted
	HeldUndrafted Hold = "undrafted" // there is no letter
	HeldUnsent    Hold = "unsent"    // a letter is a draft, queued or being sent
	HeldFailed    Hold = "failed"    // a letter did not arrive
	HeldUnknown   Hold = "unknown"   // nobody knows whether a letter arrived
	HeldContent   Hold = "content"   // the event asks for approved content, and this is not approved
)

// hold returns why one abstract holds its session, "" if it does not.
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

// holding returns the firmest hold of the abstracts behind a session, and the source of it; "" when the gate is open.
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

// LetterStates returns the state of the letters behind sessions, by session id: for an abstract the state of its
// present decision's letters that holds it most firmly, for a programme session the firmest of its live abstracts. ""
// means that there is no letter. A session with no abstract behind it is not in the map.
func (p *Programme) LetterStates(ctx context.Context, sessions []*Session) (map[string]LetterState, error) {
	ids := store.Map(sessions, func(s *Session) string { return s.ID })
	var rows []struct {
		ID           string
		ComposedInto *string
		State        LetterState
	}
	err := p.Read(ctx).Raw(`SELECT DISTINCT s.id, s.composed_into, coalesce(l.state, '') AS state FROM sessions s
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

// holds ranks how firmly a letter in this state holds a publication, from not at all upwards.
func holds(state LetterState) int {
	return slices.Index([]LetterState{LetterTold, LetterSent, LetterSending, LetterQueued, LetterDraft, "", LetterUnknown,
		LetterFailed}, state)
}

// MarkTold records that the people of an abstract know of its decision by other means, for a reason: all of them, also
// those without an address, except those whom a letter has reached or is on its way to. contactID narrows it to one
// person, unless it is "". It answers NotFound for a row that is not live, and Invalid for one that is no abstract, is
// not decided or has nobody to be told, and for a reason that is empty or too long.
func (p *Programme) MarkTold(ctx context.Context, abstractID, contactID, reason string) error {
	reason, err := store.CleanName("reason", reason, MaxReason)
	if err != nil {
		return err
	}
	return p.Write(ctx, func(tx *store.Tx) error {
		s, err := p.decided(tx, abstractID)
		if err != nil {
			return err
		}
		number, _, err := p.draft(tx, s)
		if err != nil {
			return err
		}
		if err := p.tellOthers(tx, s, number, contactID); err != nil {
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
		return p.Record(tx, store.Change{Subject: "session", ID: s.ID, Action: "told",
			After: map[string]any{"reason": reason, "people": done.RowsAffected}})
	})
}

// tellOthers inserts letters to people without an address, for MarkTold to mark.
func (p *Programme) tellOthers(tx *store.Tx, s *Session, number int, contactID string) error {
	var letters []*Letter
	for _, x := range s.Participants {
		if x.Email != "" || contactID != "" && contactID != x.ContactID {
			continue
		}
		letters = append(letters, &Letter{ID: store.NewID(), EventID: &p.event.ID, SessionID: &s.ID, Number: &number,
			Kind: LetterKind(s.Status), ContactID: x.ContactID, State: LetterDraft, IsCurrent: true, CreatedAt: tx.Now,
			UpdatedAt: tx.Now})
	}
	if len(letters) == 0 {
		return nil
	}
	// Whoever has a letter already keeps it.
	return tx.Clauses(clause.OnConflict{DoNothing: true}).Create(letters).Error
}
