package letters

import (
	"context"
	"slices"
	"strings"

	"lectern/models"
	"lectern/models/store"
)

// JoinLetters joins the acceptance and the refusals of each person who has drafts of both into one letter, and returns
// for how many people. The refusals are appended to the first acceptance when it is sent, and then count as told; until
// then each stays a draft with its own text. If one of a person's drafts cannot be sent, none of theirs are joined.
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

// join joins the acceptance and the refusals among one person's letters, if there are both.
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

// PartLetters separates the refusals from a letter that has not been tried yet. It answers NotFound, and Stale where
// there are none.
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
