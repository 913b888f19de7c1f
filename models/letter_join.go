package models

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"lectern/models/store"
)

// JoinLetters makes one letter of an acceptance and the refusals of a person who has drafts of both, and returns for how
// many people: what the refusals say stands below the first acceptance, and they count as told. A person stays as they
// were of whose drafts one cannot be sent, or would be too long. Each acceptance of several keeps its letter.
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
		if err := tx.Lock().Where("id IN ? AND "+stillDraft, ids).Order("id").Find(&letters).Error; err != nil {
			return 0, err
		}
		slices.SortStableFunc(letters, func(a, b *Letter) int { return strings.Compare(a.ContactID, b.ContactID) })
		for len(letters) > 0 {
			n := 1
			for n < len(letters) && letters[n].ContactID == letters[0].ContactID {
				n++
			}
			joined, err := p.join(tx, letters[:n])
			if err != nil {
				return 0, err
			}
			if letters = letters[n:]; joined {
				people++
			}
		}
		touch(tx, p.event.ID)
		return people, nil
	})
}

// join makes one letter of the acceptance and the refusals among one person's letters, where there are both.
func (p *Programme) join(tx *store.Tx, letters []*Letter) (bool, error) {
	of := func(kind LetterKind) []*Letter {
		return slices.DeleteFunc(slices.Clone(letters), func(l *Letter) bool { return l.Kind != kind })
	}
	yes, no := of(LetterAccepted), of(LetterDeclined)
	if len(yes) == 0 || len(no) == 0 {
		return false, nil
	}
	to := yes[0]
	for _, l := range no {
		to.Body = inOne(to.Body, l.Body)
	}
	if utf8.RuneCountInString(to.Body) > MaxLetter {
		return false, nil
	}
	to.IsEdited, to.UpdatedAt = true, tx.Now.Following(to.UpdatedAt)
	if err := tx.Model(to).Select("body", "is_edited", "updated_at").Updates(to).Error; err != nil {
		return false, err
	}
	for _, l := range no {
		l.State, l.Reason, l.SentAt = LetterTold, "In one letter with “"+to.Subject+"”", &tx.Now
		l.UpdatedAt = tx.Now.Following(l.UpdatedAt)
		if err := tx.Model(l).Select("state", "reason", "sent_at", "updated_at").Updates(l).Error; err != nil {
			return false, err
		}
		if err := p.record(tx, store.Change{Subject: "session", ID: *l.SessionID, Action: "told",
			After: map[string]any{"reason": l.Reason, "people": 1}}); err != nil {
			return false, err
		}
	}
	return true, nil
}

// inOne is a letter's text with that of another below. How both begin and end is said once.
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
