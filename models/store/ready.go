package store

import (
	"context"

	"gorm.io/gorm/clause"
)

// probe is the one row that Ready writes, over and over.
type probe struct {
	ID        int
	WrittenAt Time
}

// Ready reports whether the database answers and takes changes, by making one. It returns Unavailable when it does not.
func (s *Store) Ready(ctx context.Context) error {
	return s.Write(ctx, func(tx *Tx) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&probe{1, tx.Now}).Error
	})
}
