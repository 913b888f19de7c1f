package models

import (
	"context"
	"time"

	"gorm.io/gorm/logger"
)

// statementLogger keeps gorm silent, values would end up in the log, and tells
// each statement's text to whoever counts.
type statementLogger struct{ tell func(string) }

func (l statementLogger) LogMode(logger.LogLevel) logger.Interface { return l }
func (statementLogger) Info(context.Context, string, ...any)       {}
func (statementLogger) Warn(context.Context, string, ...any)       {}
func (statementLogger) Error(context.Context, string, ...any)      {}

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
