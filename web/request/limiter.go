package request

import (
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// Limiter counts by name in windows of a minute, for this process alone. It is safe for concurrent use.
type Limiter struct {
	perMinute int // 0 is off
	now       func() time.Time
	mu        sync.Mutex
	window    time.Time
	counts    map[string]int
}

// maxNames bounds how many names a window remembers; all further ones are counted together.
const maxNames = 100_000

// NewLimiter returns a Limiter that allows each name perMinute, any number when 0.
func NewLimiter(perMinute int, now func() time.Time) *Limiter {
	return &Limiter{perMinute: perMinute, now: now, counts: map[string]int{}}
}

// Spending says how much of its window a name has used.
type Spending struct {
	Over             bool
	limit, remaining int
	reset            time.Duration
}

// Wait counts n for name and returns how long it has to wait before the next, 0 while it is within its limit.
func (l *Limiter) Wait(name string, n int) time.Duration {
	if spent := l.Take(name, n); spent.Over {
		return spent.reset
	}
	return 0
}

// Take counts n for name and returns what its window has left.
func (l *Limiter) Take(name string, n int) Spending {
	if l.perMinute == 0 {
		return Spending{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.turn()
	if _, known := l.counts[name]; !known && len(l.counts) >= maxNames {
		name = ""
	}
	l.counts[name] += n
	used := l.counts[name]
	return Spending{
		limit: l.perMinute, remaining: max(0, l.perMinute-used),
		reset: l.window.Add(time.Minute).Sub(now), Over: used > l.perMinute,
	}
}

// turn starts a new window, which forgets all names, once the present one is over, and returns the time. The caller
// holds l.mu.
func (l *Limiter) turn() time.Time {
	now := l.now()
	if now.Sub(l.window) >= time.Minute {
		l.window = now.Truncate(time.Minute)
		clear(l.counts)
	}
	return now
}

// Reset returns how long the window still lasts, in whole seconds, rounded up.
func (s Spending) Reset() string {
	return strconv.Itoa(int((s.reset + time.Second - 1) / time.Second))
}

// Headers writes the RateLimit headers, unless any number is allowed.
func (s Spending) Headers(c *fiber.Ctx) {
	if s.limit == 0 {
		return
	}
	c.Set("RateLimit-Limit", strconv.Itoa(s.limit))
	c.Set("RateLimit-Remaining", strconv.Itoa(s.remaining))
	c.Set("RateLimit-Reset", s.Reset())
}
