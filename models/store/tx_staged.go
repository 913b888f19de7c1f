package store

import (
	"context"
	"database/sql/driver"

	"gorm.io/gorm"
)

// WriteStaged is Write in two parts. The first reads, and loads rows into temporary tables; the second puts them in
// place. On PostgreSQL both are one transaction, because staging holds no locks. With SQLite, which has one writer, the
// transaction begins with the second part: others write until then, so it must check again what the first part read. It
// never joins a transaction.
func (s *Store) WriteStaged(ctx context.Context, stage, put func(*Tx) error) error {
	if !s.Embedded() {
		return s.Write(ctx, func(tx *Tx) error {
			if err := stage(tx); err != nil {
				return err
			}
			return put(tx)
		})
	}
	conn, err := s.pool.sql.Conn(ctx)
	if err != nil {
		return err
	}
	// Closing the connection drops the temporary tables.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	db := s.db.WithContext(ctx)
	db.Statement.ConnPool = conn
	tx := s.newTx(db.Session(&gorm.Session{}))
	if err := stage(tx); err != nil {
		return err
	}
	return s.commit(ctx, func() (*Tx, error) { return tx, tx.run(put) })
}
