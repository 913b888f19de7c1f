package call

import (
	"context"

	"lectern/models"
	"lectern/models/store"
)

// Coming and NotComing are the answers to whether somebody comes.
const (
	Coming    = "yes"
	NotComing = "no"
)

// MayAnswer reports whether the place's owner may now say whether they come: once it is accepted, until it is public.
// If they have not answered by then, they still may.
func (m *OwnSession) MayAnswer() bool {
	return m.Status == models.Accepted && (!m.IsPublic || m.Answer == nil)
}

// AnswerParticipation stores whether the place's owner comes and speaks, with a reason of at most 1000 characters, or
// "". The same answer again changes nothing. It answers NotFound for what is not theirs, and Invalid, by answer, for
// what was not accepted and for a changed answer once it is public. It records the answer and emits nothing.
func (pl *Place) AnswerParticipation(ctx context.Context, event *models.Event, id, answer, reason string) error {
	if answer != Coming && answer != NotComing {
		return store.Invalidf("answer", "must be yes or no")
	}
	reason, err := store.CleanText("reason", reason, maxAnswerReason)
	if err != nil {
		return err
	}
	return pl.store.Write(ctx, func(tx *store.Tx) error {
		if _, err := pl.One(tx.Within(ctx), event, id); err != nil {
			return err
		}
		p := pl.At(event)
		if _, err := p.Live(tx, id); err != nil {
			return err
		}
		m, err := pl.One(tx.Within(ctx), event, id)
		switch {
		case err != nil:
			return err
		case !m.IsOn:
			return errNoProposal
		case m.Answer != nil && m.Answer.Answer == answer && m.Answer.Reason == reason:
			return nil
		case m.Status != models.Accepted:
			return store.Invalidf("answer", "is asked for once this is accepted")
		case !m.MayAnswer():
			return store.Invalidf("answer", "cannot be changed here any more, because the programme is public; write to us")
		}
		given := Participation{SessionID: id, EventID: event.ID, ContactID: pl.contactID, Answer: answer, Reason: reason,
			AnsweredAt: tx.Now}
		if err := keepAnswer(tx, p, given); err != nil {
			return err
		}
		line := store.Change{Subject: "session", ID: id, Action: "participation",
			After: map[string]any{"answer": answer, "reason": reason}}
		if m.Answer != nil {
			line.Before = map[string]any{"answer": m.Answer.Answer, "reason": m.Answer.Reason}
		}
		return p.Record(tx, line)
	})
}

// keepAnswer stores whether somebody comes. They are no guest of the event from then on.
func keepAnswer(tx *store.Tx, p *models.Programme, x Participation) error {
	err := tx.Exec(`INSERT INTO participations (session_id, event_id, contact_id, answer, reason, answered_at)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (session_id, contact_id) DO UPDATE SET answer = excluded.answer,
			reason = excluded.reason, answered_at = excluded.answered_at`,
		x.SessionID, x.EventID, x.ContactID, x.Answer, x.Reason, x.AnsweredAt).Error
	if err != nil {
		return err
	}
	return p.Welcome(tx, x.ContactID)
}

const maxAnswerReason = 1000

// KeepComing stores that all people on these submissions come, as they said in another system, except those who have
// answered here. It emits and records nothing.
func (c *Call) KeepComing(ctx context.Context, ids []string) error {
	return c.p.Write(ctx, func(tx *store.Tx) error {
		var held []string // locked against merges until the end
		if err := models.KeyShare(tx).Model(&models.Contact{}).Where(`id IN (SELECT contact_id FROM participants
			WHERE event_id = ? AND session_id IN ?)`, c.p.Event().ID, ids).Order("id").Pluck("id", &held).Error; err != nil {
			return err
		}
		return tx.Exec(`INSERT INTO participations (session_id, event_id, contact_id, answer, reason, answered_at)
			SELECT session_id, event_id, contact_id, 'yes', '', ? FROM participants WHERE event_id = ? AND session_id IN ?
			ORDER BY session_id, contact_id ON CONFLICT DO NOTHING`, tx.Now, c.p.Event().ID, ids).Error
	})
}
