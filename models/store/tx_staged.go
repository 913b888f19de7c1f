package store

import (
	"context"
	"database/sql/driver"

	"gorm.io/gorm"
)

// WriteStaged is a Write in two parts. The first reads, and brings rows to temporary tables that it makes; the second
// puts them in their places. On PostgreSQL both are one transaction, for what is staged holds nobody. With SQLite,
// which has one writer, the transaction begins with the second: until then others write, so it must look again at what
// the first has read. It joins no transaction.
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
	// The connection is closed, and the temporary tables go with it.
	defer conn.Raw(func(any) error { return driver.ErrBadConn })
	db := s.db.WithContext(ctx)
	db.Statement.ConnPool = conn
	tx := s.newTx(db.Session(&gorm.Session{}))
	if err := stage(tx); err != nil {
		return err
	}
	return s.commit(ctx, func() (*Tx, error) { return tx, tx.run(put) })
}
