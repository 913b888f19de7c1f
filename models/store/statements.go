package store

import (
	"context"
	"sync/atomic"
	"time"

	"gorm.io/gorm/logger"
)

// statementLogger keeps gorm silent, values would end up in the log, and tells
// each statement's text to whoever counts.
type statementLogger struct {
	logger.Interface
	tell func(string)
	took *atomic.Pointer[func(time.Duration)]
}

// ObserveStatements has f told how long each statement of gorm's takes from now on, until its first row is there.
func (s *Store) ObserveStatements(f func(time.Duration)) { s.took.Store(&f) }

func (l statementLogger) Trace(_ context.Context, began time.Time, sql func() (string, int64), _ error) {
	if took := l.took.Load(); took != nil {
		(*took)(time.Since(began))
	}
	if l.tell != nil {
		statement, _ := sql()
		l.tell(statement)
	}
}

// ParamsFilter keeps values out of the statement's text.
func (statementLogger) ParamsFilter(_ context.Context, sql string, _ ...any) (string, []any) {
	return sql, nil
}
