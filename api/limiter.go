package api

import (
	"strconv"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
)

// limiter counts by name in windows of a minute, in this process.
type limiter struct {
	perMinute int // 0 is off
	now       func() time.Time
	mu        sync.Mutex
	window    time.Time
	counts    map[string]int
}

func newLimiter(perMinute int, now func() time.Time) *limiter {
	return &limiter{perMinute: perMinute, now: now, counts: map[string]int{}}
}

// spending is where a name stands in its window.
type spending struct {
	limit, remaining int
	reset            time.Duration
	over             bool
}

// take counts one for name.
func (l *limiter) take(name string) spending {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.turn()
	l.counts[name]++
	used := l.counts[name]
	return spending{
		limit: l.perMinute, remaining: max(0, l.perMinute-used),
		reset: l.window.Add(time.Minute).Sub(now), over: l.perMinute > 0 && used > l.perMinute,
	}
}

// turn starts a new window when the old one has passed, which also forgets all names.
func (l *limiter) turn() time.Time {
	now := l.now()
	if now.Sub(l.window) >= time.Minute {
		l.window = now.Truncate(time.Minute)
		clear(l.counts)
	}
	return now
}

func (s spending) resetText() string {
	return strconv.Itoa(int((s.reset + time.Second - 1) / time.Second))
}

func (s spending) headers(c *fiber.Ctx) {
	c.Set("RateLimit-Limit", strconv.Itoa(s.limit))
	c.Set("RateLimit-Remaining", strconv.Itoa(s.remaining))
	c.Set("RateLimit-Reset", s.resetText())
}
