package modelstest

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TablesWith returns the tables that contain a text anywhere.
func TablesWith(t *testing.T, f *Fixture, text string) (tables []string) {
	t.Helper()
	for table, rows := range Dump(t, f) {
		if slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, text) }) {
			tables = append(tables, table)
		}
	}
	slices.Sort(tables)
	return tables
}

// Dump returns the rows of each table, one line each, sorted.
func Dump(t *testing.T, f *Fixture) map[string][]string {
	t.Helper()
	db, all := f.SQL, map[string][]string{}
	for _, table := range slices.Sorted(maps.Keys(Columns(t, f))) {
		rows := Must(db.Query("SELECT * FROM " + table))(t)
		columns := Must(rows.Columns())(t)
		for rows.Next() {
			values, said := make([]any, len(columns)), make([]string, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			Fine(t, rows.Scan(values...))
			for i, value := range values {
				said[i] = fmt.Sprintf("%s: %s", columns[i], *value.(*any))
			}
			all[table] = append(all[table], strings.Join(said, " | "))
		}
		Fine(t, rows.Close())
		slices.Sort(all[table])
	}
	return all
}

// Log keeps log lines for a test to look at.
type Log struct {
	mu    sync.Mutex
	lines []string
}

// Lines returns the lines since the last call, each as its attributes: "event=denied actor_id=1".
func (l *Log) Lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// Enabled is always true.
func (l *Log) Enabled(context.Context, slog.Level) bool { return true }

// Handle keeps a line.
func (l *Log) Handle(_ context.Context, r slog.Record) error {
	var line []string
	r.Attrs(func(a slog.Attr) bool {
		line = append(line, a.String())
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, strings.Join(line, " "))
	return nil
}

// WithAttrs and WithGroup are not needed.
func (l *Log) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup is not needed.
func (l *Log) WithGroup(string) slog.Handler { return l }
