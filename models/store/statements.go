package store

import (
	"context"
	"time"

	"gorm.io/gorm/logger"
)

// statementLogger keeps gorm silent, values would end up in the log, and tells
// each statement's text to whoever counts.
type statementLogger struct {
	logger.Interface
	tell func(string)
}

func (l statementLogger) Trace(_ context.Context, _ time.Time, sql func() (string, int64), _ error) {
	if l.tell != nil {
		statement, _ := sql()
		l.tell(statement)
	}
}

// ParamsFilter keeps values out of the statement's text.
func (statementLogger) ParamsFilter(_ context.Context, sql string, _ ...any) (string, []any) {
	return sql, nil
}
