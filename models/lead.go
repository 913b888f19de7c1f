package models

import (
	"context"
	"database/sql"
)

// leadLock is the advisory lock of the one process that delivers.
const leadLock = 7201934

// Lead is held by the one process that delivers. On PostgreSQL it is an
// advisory lock of a connection, so it ends with the process, however that ends.
type Lead struct{ conn *sql.Conn }

// TakeLead returns the lead, or nil while another process has it. With SQLite
// there is one process.
func (s *Store) TakeLead(ctx context.Context) (*Lead, error) {
	if s.Embedded() {
		return &Lead{}, nil
	}
	conn, err := s.sql.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var taken bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", leadLock).Scan(&taken); err != nil || !taken {
		conn.Close()
		return nil, err
	}
	return &Lead{conn}, nil
}

// Held tells whether the lead is still ours: a lost connection has lost it.
func (l *Lead) Held(ctx context.Context) error {
	if l.conn == nil {
		return nil
	}
	return l.conn.PingContext(ctx)
}

// Release gives the lead up.
func (l *Lead) Release() {
	if l.conn == nil {
		return
	}
	l.conn.ExecContext(context.Background(), "SELECT pg_advisory_unlock($1)", leadLock)
	l.conn.Close()
}
