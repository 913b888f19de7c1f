// Package sendlog sends the security log, as JSON lines, to standard output or to a syslog (RFC 5424). Logging never
// waits: lines go through a queue of limited size, and those that find it full are counted and dropped.
package sendlog

import (
	"bytes"
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// Room is how many lines may wait.
const Room = 4096

const (
	writeLimit = 5 * time.Second // for one line, or for connecting
	firstRest  = time.Second     // after a failure; it doubles
	longRest   = 30 * time.Second
	tellEvery  = time.Minute // how often dropped lines are logged
)

// line is a queued line.
type line struct {
	at    time.Time
	level slog.Level
	json  []byte
}

// target is a destination of lines.
type target interface {
	write(ctx context.Context, l line) error
	close()
}

// Sender sends lines to one target. Run does the work.
type Sender struct {
	name    string // of the target, for the log
	to      target
	lines   chan line
	dropped atomic.Uint64
	sent    atomic.Uint64
	told    uint64 // how many of the dropped lines have been logged
	rest    time.Duration
}

func newSender(name string, to target) *Sender {
	return &Sender{name: name, to: to, lines: make(chan line, Room), rest: firstRest}
}

// Dropped returns how many lines found no room or could not be sent.
func (s *Sender) Dropped() uint64 { return s.dropped.Load() }

// Sent returns how many lines were sent.
func (s *Sender) Sent() uint64 { return s.sent.Load() }

// Waiting returns how many lines are queued.
func (s *Sender) Waiting() int { return len(s.lines) }

func (s *Sender) push(l line) {
	select {
	case s.lines <- l:
	default:
		s.dropped.Add(1)
	}
}

// Run sends until ctx ends, then what is still queued, for at most drain.
func (s *Sender) Run(ctx context.Context, drain time.Duration) {
	defer s.to.close()
	tell := time.NewTicker(tellEvery)
	defer tell.Stop()
	for {
		select {
		case l := <-s.lines:
			s.deliver(ctx, l, drain)
		case <-tell.C:
			s.tellDropped()
		case <-ctx.Done():
			s.drain(drain)
			s.tellDropped()
			return
		}
	}
}

// drain sends what is queued within limit, and counts the rest as dropped.
func (s *Sender) drain(limit time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for {
		select {
		case l := <-s.lines:
			if ctx.Err() != nil || s.to.write(ctx, l) != nil {
				s.dropped.Add(1)
			} else {
				s.sent.Add(1)
			}
		default:
			return
		}
	}
}

// deliver sends one line, with retries until it succeeds or ctx ends; then once more, within drain.
func (s *Sender) deliver(ctx context.Context, l line, drain time.Duration) {
	for first := true; ; first = false {
		err := s.to.write(ctx, l)
		switch {
		case err == nil:
			s.sent.Add(1)
			if !first {
				slog.Info("the security log is sent on again", "to", s.name)
			}
			s.rest = firstRest
			return
		case isTooLong(err):
			s.dropped.Add(1)
			return
		case first && ctx.Err() == nil:
			slog.Warn("the security log cannot be sent on; its lines wait", "to", s.name, "error", err.Error())
		}
		select {
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.Background(), drain)
			defer cancel()
			if s.to.write(last, l) != nil {
				s.dropped.Add(1)
			} else {
				s.sent.Add(1)
			}
			return
		case <-time.After(s.rest):
			s.rest = min(2*s.rest, longRest)
			s.tellDropped()
		}
	}
}

func (s *Sender) tellDropped() {
	if n := s.dropped.Load(); n > s.told {
		slog.Warn("lines of the security log were not sent on", "to", s.name, "dropped", n-s.told)
		s.told = n
	}
}

// Handler returns a handler that queues log records and never waits.
func (s *Sender) Handler() slog.Handler { return handler{sender: s} }

// handler turns each record into a JSON line.
type handler struct {
	sender *Sender
	with   []func(slog.Handler) slog.Handler // attributes and groups, in their order
}

func (handler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (h handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return h.and(func(in slog.Handler) slog.Handler { return in.WithAttrs(attributes) })
}

func (h handler) WithGroup(name string) slog.Handler {
	return h.and(func(in slog.Handler) slog.Handler { return in.WithGroup(name) })
}

func (h handler) and(next func(slog.Handler) slog.Handler) slog.Handler {
	return handler{h.sender, append(h.with[:len(h.with):len(h.with)], next)}
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	var out bytes.Buffer
	in := slog.Handler(slog.NewJSONHandler(&out, nil))
	for _, with := range h.with {
		in = with(in)
	}
	if err := in.Handle(ctx, r); err != nil {
		return err
	}
	h.sender.push(line{r.Time, r.Level, bytes.TrimSpace(out.Bytes())})
	return nil
}

// Start runs the sender until the returned function is called, which waits up to drain for the remaining lines. For a
// nil sender it does nothing.
func (s *Sender) Start(drain time.Duration) (end func()) {
	if s == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Run(ctx, drain)
	}()
	return func() {
		cancel()
		select {
		case <-done:
		case <-time.After(2*drain + writeLimit): // a pipe that nobody reads blocks
		}
	}
}
