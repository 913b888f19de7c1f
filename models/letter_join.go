package models

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"lectern/models/store"
)

// carrier finds the acceptance that a refusal is sent with, given its id: one that has not reached its person. If
// that never will (superseded, told otherwise, abstract deleted), the refusal is an ordinary draft again.
const carrier = `SELECT 1 FROM letters y JOIN sessions z ON z.id = y.session_id AND z.deleted_at IS NULL WHERE y.is_current
	AND y.state IN ('draft', 'queued', 'sending', 'failed', 'unknown') AND y.id = `

// JoinLetters makes one letter of an acceptance and the refusals of a person who has drafts of both, and returns for how
// many people: the refusals stand below the first acceptance as it leaves, and count as told once it was sent. Until
// then each is a draft with a text of its own. A person of whose drafts one cannot be sent stays as they were.
func (p *Programme) JoinLetters(ctx context.Context) (int64, error) {
	return store.Make(ctx, p.write, func(tx *store.Tx) (people int64, err error) {
		var ids []string
		err = p.readyOf(tx.Within(ctx), LetterChoice{}).
			Where("EXISTS (SELECT 1 FROM letters o WHERE o.contact_id = letters.contact_id AND "+otherDecision+")").
			Pluck("letters.id", &ids).Error
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		var letters []*Letter
		if err := tx.Lock().Where("id IN ? AND "+stillDraft, ids).Order(letterLockOrder).Find(&letters).Error; err != nil {
			return 0, err
		}
		slices.SortStableFunc(letters, func(a, b *Letter) int { return strings.Compare(a.ContactID, b.ContactID) })
		for len(letters) > 0 {
			n := 1
			for n < len(letters) && letters[n].ContactID == letters[0].ContactID {
				n++
			}
			joined, err := join(tx, letters[:n])
			if err != nil {
				return 0, err
			}
			if letters = letters[n:]; joined {
				people++
			}
		}
		Touch(tx, p.event.ID)
		return people, nil
	})
}

// join makes one letter of the acceptance and the refusals among one person's letters, where there are both.
func join(tx *store.Tx, letters []*Letter) (bool, error) {
	var yes string
	var no []string
	for _, l := range letters {
		switch {
		case l.Kind == LetterDeclined:
			no = append(no, l.ID)
		case l.Kind == LetterAccepted && yes == "":
			yes = l.ID
		}
	}
	if yes == "" || len(no) == 0 {
		return false, nil
	}
	return true, tx.Model(&Letter{}).Where("id IN ?", no).
		Updates(map[string]any{"carried_by": yes, "updated_at": tx.Now}).Error
}

// PartLetters makes letters of their own again of the refusals in a letter that has not been tried. It answers NotFound,
// and Stale where there are none.
func (p *Programme) PartLetters(ctx context.Context, id string) error {
	return p.write(ctx, func(tx *store.Tx) error {
		l, err := p.letter(tx, id)
		if err != nil {
			return err
		}
		done := changeLetters(tx, map[string]any{"carried_by": nil, "updated_at": tx.Now},
			"carried_by = ? AND state = 'draft'", l.ID)
		if done.Error == nil && done.RowsAffected == 0 {
			return errLetterStale
		}
		Touch(tx, p.event.ID)
		return done.Error
	})
}

// along is true of the letters, in a state, that are sent with another.
const along = "letters.carried_by = ? AND letters.state = ?"

// takeAlong adds the texts that are sent with a letter; those letters are being sent from now on. The stored text
// stays its own until it was sent.
func (l *OutgoingLetter) takeAlong(tx *store.Tx, host string) error {
	marked := changeLetters(tx, map[string]any{"state": LetterSending, "claimed_until": l.ClaimedUntil, "sent_to": l.SentTo,
		"message_id": gorm.Expr("letters.id || '@' || ?", host), "attempts": gorm.Expr("attempts + 1"), "updated_at": tx.Now},
		"letters.carried_by = ? AND letters.state IN ('draft', 'unknown') AND letters.missing = '' AND "+ofDecision, l.ID)
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
	return changeLetters(tx, values, along, l.ID, was).Error
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
