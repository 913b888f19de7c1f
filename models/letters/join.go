package letters

import (
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// JoinLetters makes one letter of an acceptance and the refusals of a person who has drafts of both, and returns for
// how many people: the refusals stand below the first acceptance as it leaves, and count as told once it was sent.
// Until then each is a draft with a text of its own. A person of whose drafts one cannot be sent stays as they were.
func (ls *Letters) JoinLetters(ctx context.Context) (int64, error) {
	return store.Make(ctx, ls.p.Write, func(tx *store.Tx) (people int64, err error) {
		var ids []string
		err = ls.readyOf(tx.Within(ctx), Choice{}).
			Where("EXISTS (SELECT 1 FROM letters o WHERE o.contact_id = letters.contact_id AND "+otherDecision+")").
			Pluck("letters.id", &ids).Error
		if err != nil || len(ids) == 0 {
			return 0, err
		}
		var letters []*models.Letter
		if err := tx.Lock().Where("id IN ? AND "+stillDraft,
			ids).Order(models.LetterLockOrder).Find(&letters).Error; err != nil {
			return 0, err
		}
		slices.SortStableFunc(letters, func(a, b *models.Letter) int { return strings.Compare(a.ContactID, b.ContactID) })
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
		models.Touch(tx, ls.p.Event().ID)
		return people, nil
	})
}

// join makes one letter of the acceptance and the refusals among one person's letters, where there are both.
func join(tx *store.Tx, letters []*models.Letter) (bool, error) {
	var yes string
	var no []string
	for _, l := range letters {
		switch {
		case l.Kind == models.LetterDeclined:
			no = append(no, l.ID)
		case l.Kind == models.LetterAccepted && yes == "":
			yes = l.ID
		}
	}
	if yes == "" || len(no) == 0 {
		return false, nil
	}
	return true, tx.Model(&models.Letter{}).Where("id IN ?", no).
		Updates(map[string]any{"carried_by": yes, "updated_at": tx.Now}).Error
}

// PartLetters makes letters of their own again of the refusals in a letter that has not been tried. It answers
// NotFound, and Stale where there are none.
func (ls *Letters) PartLetters(ctx context.Context, id string) error {
	return ls.p.Write(ctx, func(tx *store.Tx) error {
		l, err := ls.p.HeldLetter(tx, id)
		if err != nil {
			return err
		}
		done := models.ChangeLetters(tx, map[string]any{"carried_by": nil, "updated_at": tx.Now},
			"carried_by = ? AND state = 'draft'", l.ID)
		if done.Error == nil && done.RowsAffected == 0 {
			return models.ErrLetterStale
		}
		models.Touch(tx, ls.p.Event().ID)
		return done.Error
	})
}
