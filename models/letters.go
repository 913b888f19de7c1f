package models

import (
	"context"
	"slices"

	"gorm.io/gorm/clause"

	"lectern/models/store"
)

// LetterState is where a decision letter stands.
type LetterState string

const (
	LetterDraft   LetterState = "draft"
	LetterSending LetterState = "sending"
	LetterSent    LetterState = "sent"
	LetterFailed  LetterState = "failed"
)

// Letter tells an abstract's people of one decision.
type Letter struct {
	EventID   string
	SessionID string
	Decision  Status
	State     LetterState
	SentAt    *store.Time
	CreatedAt store.Time
	UpdatedAt store.Time
}

// letterSent tells whether the publish gate is open for s: for an abstract its
// own letter for its present decision was sent, for a composed session those of
// all its live abstracts. A standalone session has no letter, so it is held.
func (p *Programme) letterSent(tx *store.Tx, s *Session) (bool, error) {
	sources := []*Session{s}
	if !s.IsAbstract {
		sources = nil
		if err := tx.Select("id, status").
			Where("event_id = ? AND composed_into = ? AND deleted_at IS NULL", p.event.ID, s.ID).
			Find(&sources).Error; err != nil {
			return false, err
		}
	}
	for _, source := range sources {
		var sent int64
		if err := tx.Model(&Letter{}).
			Where("event_id = ? AND session_id = ?", p.event.ID, source.ID).
			Where("decision = ? AND state = ?", source.Status, LetterSent).
			Count(&sent).Error; err != nil {
			return false, err
		}
		if sent == 0 {
			return false, nil
		}
	}
	return len(sources) > 0, nil
}

// LetterStates says of sessions where the letters behind them stand: of an abstract that for its present decision,
// of a programme session those of its live abstracts, which hold it until all are sent. "" is a letter that
// nobody began. A session with no abstract behind it is not in the answer.
func (p *Programme) LetterStates(ctx context.Context, sessions []*Session) (map[string]LetterState, error) {
	ids := make([]string, len(sessions))
	for i, s := range sessions {
		ids[i] = s.ID
	}
	var rows []struct {
		ID           string
		ComposedInto *string
		State        LetterState
	}
	err := p.read(ctx).Raw(`SELECT s.id, s.composed_into, coalesce(l.state, '') AS state FROM sessions s
		LEFT JOIN letters l ON l.event_id = s.event_id AND l.session_id = s.id AND l.decision = s.status
		WHERE s.event_id = ? AND s.is_abstract AND s.deleted_at IS NULL AND (s.id IN ? OR s.composed_into IN ?)`,
		p.event.ID, ids, ids).Scan(&rows).Error
	states := map[string]LetterState{}
	for _, row := range rows {
		states[row.ID] = row.State
		if row.ComposedInto == nil {
			continue
		}
		if other, known := states[*row.ComposedInto]; !known || holds(row.State) > holds(other) {
			states[*row.ComposedInto] = row.State
		}
	}
	return states, err
}

// holds is how firmly a letter in this state holds a publication: not at all when it is sent.
func holds(state LetterState) int {
	return slices.Index([]LetterState{LetterSent, LetterSending, LetterDraft, "", LetterFailed}, state)
}

// SetLetter keeps the state of an abstract's letter for its present decision. It answers NotFound for a row
// that is not live and Invalid for one that is no abstract or stands on no decision.
func (p *Programme) SetLetter(ctx context.Context, abstractID string, state LetterState) error {
	return p.write(ctx, func(tx *store.Tx) error {
		s, err := p.live(tx, abstractID)
		if err != nil {
			return err
		}
		if !s.IsAbstract || !s.Status.IsDecision() {
			return store.Invalidf("status", "is no decision, so there is no letter")
		}
		letter := Letter{
			EventID: p.event.ID, SessionID: s.ID, Decision: s.Status, State: state, CreatedAt: tx.Now, UpdatedAt: tx.Now,
		}
		if state == LetterSent {
			letter.SentAt = &tx.Now
		}
		touch(tx, p.event.ID) // who counts sessions by their letters must notice
		return tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "session_id"}, {Name: "decision"}},
			DoUpdates: clause.AssignmentColumns([]string{"state", "sent_at", "updated_at"}),
		}).Create(&letter).Error
	})
}
