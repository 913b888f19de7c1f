package modelstest

import (
	"testing"

	"lectern/models"
	"lectern/models/store"
)

// SetLetter gives an abstract's decision one letter in this state, to nobody in particular, in place of the drafts of
// the decision. No token changes, and nothing is emitted.
func (f *Fixture) SetLetter(t testing.TB, event *models.Event, abstractID string, state models.LetterState) {
	t.Helper()
	const at = "'2026-11-21T09:30:00.000Z'"
	sentAt, reason, message, claimed := "NULL", "''", "''", "NULL"
	switch state {
	case models.LetterTold:
		sentAt, reason = at, "'By telephone'"
	case models.LetterSent:
		sentAt, message = at, "'"+store.NewID()+"@post.test'"
	case models.LetterSending:
		claimed, message = at, "'"+store.NewID()+"@post.test'"
	case models.LetterUnknown:
		message = "'" + store.NewID() + "@post.test'"
	}
	of := "'" + abstractID + "'"
	for _, query := range []string{
		"DELETE FROM letters WHERE is_current AND session_id = " + of,
		`INSERT INTO decisions SELECT event_id, id, 1, status, '', '', ` + at + ` FROM sessions WHERE id = ` + of +
			` AND NOT EXISTS (SELECT 1 FROM decisions d WHERE d.session_id = sessions.id)`,
		`INSERT INTO letters (id, event_id, session_id, number, kind, contact_id, state, is_current, subject, body, missing,
			is_edited, template_version, message_id, sent_to, attempts, due_at, claimed_until, answer, reason, sent_at,
			created_at, updated_at)
			SELECT '` + store.NewID() + `', s.event_id, s.id, max(d.number), s.status, '` + store.NewID() + `', '` + string(state) +
			`', true, 'S', 'B', '', false, 1, ` + message + `, '', 0, NULL, ` + claimed + `, '', ` + reason + `, ` + sentAt + `, ` +
			at + `, ` + at + ` FROM sessions s JOIN decisions d ON d.session_id = s.id WHERE s.id = ` + of +
			` AND s.event_id = '` + event.ID + `' GROUP BY s.event_id, s.id, s.status`,
		"UPDATE event_counters SET sessions_version = sessions_version + 1 WHERE event_id = '" + event.ID + "'",
	} {
		Must(f.SQL.Exec(query))(t)
	}
}
