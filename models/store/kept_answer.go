package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Once names a request that must have its effect only once.
type Once struct {
	Owner   string // whose Key it is, such as an API key
	Key     string
	Request string        // a hash of the request
	Age     time.Duration // how long the answer is kept
}

// KeptAnswer is the answer that a request got.
type KeptAnswer struct {
	Owner     string `gorm:"primaryKey"`
	Key       string `gorm:"primaryKey"`
	Request   string
	Answer    string
	ExpiresAt Time
}

// Once runs operation and keeps its answer in the same transaction. A repeated request runs nothing and returns the
// answer kept of the first, whatever the Request was, and waits for the first while it runs. An operation that fails
// keeps nothing, so it can be tried again. All operations called with the context given to operation join its
// transaction.
func (s *Store) Once(
	ctx context.Context, once Once, operation func(context.Context) (answer string, err error),
) (kept *KeptAnswer, again bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		kept = &KeptAnswer{once.Owner, once.Key, once.Request, "", At(tx.Now.Add(once.Age))}
		free, err := tx.claim([]*KeptAnswer{kept})
		if err != nil {
			return err
		}
		if again = !free; again {
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

// claim inserts the keys of requests, and reports whether all were free. It waits for a running request with the same
// key. An expired answer that was not yet swept is overwritten.
func (tx *Tx) claim(all []*KeptAnswer) (free bool, err error) {
	made := tx.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "owner"}, {Name: "key"}},
		DoUpdates: clause.AssignmentColumns([]string{"request", "answer", "expires_at"}),
		Where:     clause.Where{Exprs: []clause.Expression{clause.Lt{Column: "kept_answers.expires_at", Value: tx.Now}}},
	}).Create(all)
	return made.RowsAffected == int64(len(all)), made.Error
}

// errAnswered rolls back the keys of a group of requests, one of which was answered before.
var errAnswered = errors.New("answered before")

// OnceEach runs an operation that serves several requests together, as Once does for one, and keeps an answer to each.
// When one of them was answered before it does nothing, and done is false.
func (s *Store) OnceEach(
	ctx context.Context, all []Once, operation func(context.Context) (answers []string, err error),
) (done bool, err error) {
	err = s.Write(ctx, func(tx *Tx) error {
		kept := Map(all, func(o Once) *KeptAnswer { return &KeptAnswer{o.Owner, o.Key, o.Request, "", At(tx.Now.Add(o.Age))} })
		if free, err := tx.claim(kept); err != nil || !free {
			return cmp.Or(err, errAnswered)
		}
		answers, err := operation(tx.Within(ctx))
		if err != nil {
			return err
		}
		for i, answer := range answers {
			if err := tx.Later().Model(kept[i]).UpdateColumn("answer", answer).Error; err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, errAnswered) {
		return false, nil
	}
	return err == nil, err
}

// Answered returns the kept answer to a request, or nil for none.
func (s *Store) Answered(ctx context.Context, once Once) (*KeptAnswer, error) {
	return Make(ctx, s.Write, func(tx *Tx) (*KeptAnswer, error) { return tx.keptAnswer(once) })
}

// keptAnswer returns the kept answer, or nil. It writes the row unchanged, so that the commit waits for a synchronous
// standby: the first answer's commit may not have reached it, and what we acknowledge must be on both.
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

// PruneAnswers deletes up to limit expired answers, and tells whether there may be more. Rows that others hold are left
// for the next time.
func (s *Store) PruneAnswers(ctx context.Context, limit int) (more bool, err error) {
	return Make(ctx, s.Write, func(tx *Tx) (bool, error) {
		old := tx.SkipLocked().Model(&KeptAnswer{}).Select("owner, key").
			Where("expires_at < ?", tx.Now).Order("expires_at").Limit(limit)
		done := tx.Where("(owner, key) IN (?)", old).Delete(&KeptAnswer{})
		return done.RowsAffected == int64(limit), done.Error
	})
}
