package store

import (
	"context"
	"sync/atomic"
	"time"

	"gorm.io/gorm/logger"
)

// statementLogger keeps gorm silent, because values would end up in the log, and passes each statement's text to
// whoever counts.
type statementLogger struct {
	logger.Interface
	tell   func(string)
	took   *atomic.Pointer[func(time.Duration)]
	traced *atomic.Pointer[Traced]
}

// Traced is called for each statement of gorm's that ended, with the context that it ran in. The text, with
// placeholders for the values, is built only when sql is called.
type Traced func(ctx context.Context, began time.Time, sql func() string, err error)

// TraceStatements has f called for each statement of gorm's from now on.
func (s *Store) TraceStatements(f Traced) { s.traced.Store(&f) }

// ObserveStatements has f called with the duration of each statement of gorm's from now on, until its first row is
// there; for EachRow on PostgreSQL until all rows are read.
func (s *Store) ObserveStatements(f func(time.Duration)) { s.took.Store(&f) }

func (l statementLogger) Trace(ctx context.Context, began time.Time, sql func() (string, int64), err error) {
	if traced := l.traced.Load(); traced != nil {
		(*traced)(ctx, began, func() string { text, _ := sql(); return text }, err)
	}
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
