package modelstest

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

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
