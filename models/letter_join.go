package models

import (
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// LetterCarrier finds the acceptance that a refusal is sent with, given its id: one that has not reached its person. If
// that never will (superseded, told otherwise, abstract deleted), the refusal is an ordinary draft again.
const LetterCarrier = `SELECT 1 FROM letters y JOIN sessions z ON z.id = y.session_id AND z.deleted_at IS NULL WHERE y.is_current
	AND y.state IN ('draft', 'queued', 'sending', 'failed', 'unknown') AND y.id = `

// LetterOfDecision selects letters of current decisions on live abstracts.
const LetterOfDecision = `letters.is_current AND EXISTS
	(SELECT 1 FROM sessions s WHERE s.id = letters.session_id AND s.deleted_at IS NULL)`

// along is true of the letters, in a state, that are sent with another.
const along = "letters.carried_by = ? AND letters.state = ?"

// takeAlong adds the texts that are sent with a letter; those letters are being sent from now on. The stored text
// stays its own until it was sent.
func (l *OutgoingLetter) takeAlong(tx *store.Tx, host string) error {
	marked := ChangeLetters(tx, map[string]any{"state": LetterSending, "claimed_until": l.ClaimedUntil,
		"sent_to":    l.SentTo,
		"message_id": gorm.Expr("letters.id || '@' || ?", host), "attempts": gorm.Expr("attempts + 1"), "updated_at": tx.Now},
		"letters.carried_by = ? AND letters.state IN ('draft', 'unknown') AND letters.missing = '' AND "+LetterOfDecision, l.ID)
	if marked.Error != nil || marked.RowsAffected == 0 {
		return marked.Error
	}
	return l.addTexts(tx, LetterSending)
}

// addTexts appends the texts of the letters, in a state, that are sent with it.
func (l *Letter) addTexts(tx *store.Tx, state LetterState) error {
	var bodies []string
	err := tx.Model(&Letter{}).Where(along, l.ID, state).Order("letters.created_at, letters.id").
		Pluck("letters.body", &bodies).Error
	for _, body := range bodies {
		l.Body = inOne(l.Body, body)
	}
	return err
}

// endAlong stores the result of the attempt for the letters sent with l. was is their state before.
func (l *Letter) endAlong(tx *store.Tx, was LetterState) error {
	values := map[string]any{"state": l.State, "claimed_until": nil, "updated_at": tx.Now}
	switch l.State {
	case LetterUnknown:
	case LetterSent:
		if err := l.addTexts(tx, was); err != nil {
			return err
		}
		values["state"], values["reason"], values["sent_at"] = LetterTold, "In one letter with “"+l.Subject+"”", l.SentAt
	default:
		values["state"] = gorm.Expr("CASE WHEN is_current THEN 'draft' ELSE 'superseded' END")
	}
	return ChangeLetters(tx, values, along, l.ID, was).Error
}

// inOne joins two texts; their common opening and closing appear once.
func inOne(one, other string) string {
	const empty = "\n\n"
	a, b := strings.Split(one, empty), strings.Split(other, empty)
	if len(b) > 1 && a[0] == b[0] {
		b = b[1:]
	}
	last := len(a) - 1
	if last > 0 && len(b) > 1 && a[last] == b[len(b)-1] {
		return strings.Join(slices.Concat(a[:last], b), empty)
	}
	return strings.Join(slices.Concat(a, b), empty)
}
