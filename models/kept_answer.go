package models

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// idempotencyAge is how long the answer to an Idempotency-Key is kept.
const idempotencyAge = 24 * time.Hour

// Once names a request that must have its effect only once.
type Once struct {
	APIKeyID string
	Key      string // 1 to 255 characters
	Request  string // a hash of what is asked
}

// Idempotency is the answer kept for one Once.
type Idempotency struct {
	APIKeyID  string `gorm:"primaryKey"`
	Key       string `gorm:"primaryKey"`
	Request   string
	Answer    string
	CreatedAt Time
}

// TableName is the same in singular and plural.
func (Idempotency) TableName() string { return "idempotency" }

// Once runs operation and keeps its answer in the same transaction; asked
// again within 24 hours it returns the answer and does nothing. The same key
// for another request is Invalid. An operation that fails keeps nothing, so it
// can be tried again. All operations called with the context given to
// operation join its transaction.
func (s *Store) Once(ctx context.Context, once Once, operation func(context.Context) (string, error)) (string, error) {
	key, err := cleanName("Idempotency-Key", once.Key, 255)
	if err != nil {
		return "", err
	}
	var answer string
	err = s.write(ctx, func(tx *Tx) error {
		if err := tx.Where("created_at < ?", At(tx.now.Add(-idempotencyAge))).Delete(&Idempotency{}).Error; err != nil {
			return err
		}
		// A request with the same key at work makes this insert wait for its end.
		row := Idempotency{APIKeyID: once.APIKeyID, Key: key, Request: once.Request, CreatedAt: tx.now}
		made := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		if made.Error != nil {
			return made.Error
		}
		if made.RowsAffected == 0 {
			answer, err = tx.kept(once.APIKeyID, key, once.Request)
			return err
		}
		if answer, err = operation(context.WithValue(ctx, txKey{}, tx)); err != nil {
			return err
		}
		return tx.Model(&row).UpdateColumn("answer", answer).Error
	})
	return answer, err
}

// Answered returns the answer kept for once, or "" when there is none.
func (s *Store) Answered(ctx context.Context, once Once) (string, error) {
	key, err := cleanName("Idempotency-Key", once.Key, 255)
	if err != nil {
		return "", err
	}
	var answer string
	err = s.write(ctx, func(tx *Tx) (err error) {
		answer, err = tx.kept(once.APIKeyID, key, once.Request)
		return err
	})
	return answer, err
}

var errKeyReused = invalid("Idempotency-Key", "was used for another request before")

// kept is the answer that is kept, or "". It is written as it is: the commit then
// waits for a synchronous standby, which the commit of the first answer may not
// have done to the end, and what is acknowledged here is on both.
func (tx *Tx) kept(apiKeyID, key, request string) (string, error) {
	var row Idempotency
	again := tx.Model(&row).Clauses(clause.Returning{}).
		Where("api_key_id = ? AND key = ? AND created_at >= ?", apiKeyID, key, At(tx.now.Add(-idempotencyAge))).
		UpdateColumn("answer", gorm.Expr("answer"))
	if again.Error == nil && again.RowsAffected > 0 && row.Request != request {
		return "", errKeyReused
	}
	return row.Answer, again.Error
}
