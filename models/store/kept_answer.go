package store

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Once names a request that must have its effect only once.
type Once struct {
	Owner   string // whose Key it is
	Key     string
	Request string        // a hash of what is asked
	Age     time.Duration // for how long the answer is kept
}

// KeptAnswer is what a request was answered.
type KeptAnswer struct {
	Owner     string `gorm:"primaryKey"`
	Key       string `gorm:"primaryKey"`
	Request   string
	Answer    string
	ExpiresAt Time
}

// Once runs operation and keeps its answer in the same transaction. Asked again it does nothing and returns
// what is kept of the first time, whatever the Request was, also while that is under way. An operation that
// fails keeps nothing, so it can be tried again. All operations called with the context given to operation join
// its transaction.
func (s *Store) Once(
	ctx context.Context, once Once, operation func(context.Context) (answer string, err error),
) (kept *KeptAnswer, again bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		kept = &KeptAnswer{once.Owner, once.Key, once.Request, "", At(tx.Now.Add(once.Age))}
		// A request with the same key at work makes this insert wait for its end. An
		// answer that is too old, and not yet swept, is none.
		made := tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "owner"}, {Name: "key"}},
			DoUpdates: clause.AssignmentColumns([]string{"request", "answer", "expires_at"}),
			Where:     clause.Where{Exprs: []clause.Expression{clause.Lt{Column: "kept_answers.expires_at", Value: tx.Now}}},
		}).Create(kept)
		if made.Error != nil {
			return made.Error
		}
		if again = made.RowsAffected == 0; again {
			kept, err = tx.keptAnswer(once)
			return err
		}
		kept.Answer, err = operation(tx.Within(ctx))
		if err != nil {
			return err
		}
		return tx.Model(kept).UpdateColumn("answer", kept.Answer).Error
	})
	return kept, again, err
}

// Answered returns what is kept of a request, or nil when there is nothing.
func (s *Store) Answered(ctx context.Context, once Once) (*KeptAnswer, error) {
	return Make(ctx, s.Write, func(tx *Tx) (*KeptAnswer, error) { return tx.keptAnswer(once) })
}

// keptAnswer is what is kept, or nil. It is written as it is: the commit then waits for a synchronous standby,
// which the commit of the first answer may not have done to the end, and what is acknowledged here is on both.
func (tx *Tx) keptAnswer(once Once) (*KeptAnswer, error) {
	kept := &KeptAnswer{}
	again := tx.Model(kept).Clauses(clause.Returning{}).
		Where("owner = ? AND key = ? AND expires_at >= ?", once.Owner, once.Key, tx.Now).
		UpdateColumn("answer", gorm.Expr("answer"))
	if again.Error != nil || again.RowsAffected == 0 {
		return nil, again.Error
	}
	return kept, nil
}

// PruneAnswers forgets up to limit answers that are too old, and tells whether there
// may be more. What others hold is left to the next time.
func (s *Store) PruneAnswers(ctx context.Context, limit int) (more bool, err error) {
	return Make(ctx, s.Write, func(tx *Tx) (bool, error) {
		old := tx.SkipLocked().Model(&KeptAnswer{}).Select("owner, key").
			Where("expires_at < ?", tx.Now).Order("expires_at").Limit(limit)
		done := tx.Where("(owner, key) IN (?)", old).Delete(&KeptAnswer{})
		return done.RowsAffected == int64(limit), done.Error
	})
}
