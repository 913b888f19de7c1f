package models

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// SentForm is a form of the admin that made something.
type SentForm struct {
	ID        string
	Content   string // a hash of what was sent
	Answer    string
	CreatedAt Time
}

// OnceForm runs what a form makes and keeps its answer in the same transaction.
// Sent again, the form makes nothing: what is kept of the first time is returned
// instead, also while that is under way. A form is known for as long as a login
// lasts. One that made nothing can be sent again. All operations called with the
// context given to operation join its transaction.
func (s *Store) OnceForm(ctx context.Context, form SentForm, operation func(context.Context) (answer string, err error)) (before *SentForm, err error) {
	err = s.write(ctx, func(tx *Tx) error {
		before = nil
		if err := tx.Where("created_at < ?", At(tx.now.Add(-LoginLifetime))).Delete(&SentForm{}).Error; err != nil {
			return err
		}
		form.CreatedAt = tx.now
		// The same form at work makes this insert wait for its end.
		made := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&form)
		if made.Error != nil {
			return made.Error
		}
		if made.RowsAffected == 0 {
			before = &SentForm{} // written as it is, for the same reason as in kept
			return tx.Model(before).Clauses(clause.Returning{}).Where("id = ?", form.ID).
				UpdateColumn("answer", gorm.Expr("answer")).Error
		}
		answer, err := operation(context.WithValue(ctx, txKey{}, tx))
		if err != nil {
			return err
		}
		return tx.Model(&form).UpdateColumn("answer", answer).Error
	})
	return before, err
}
