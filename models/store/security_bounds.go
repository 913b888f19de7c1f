package store

import (
	"sync"
	"time"
)

// Strangers can fail as often as they like, so recording is limited, per process and window.
const (
	boundsWindow = 15 * time.Minute

	linesOfOne = 20   // of the log, per event, reason and account, address or key
	linesOfAll = 1000 // of the log, per event
	rowsOfAll  = 50   // of the activity, per event; one per account, address or key
)

// bounds counts what was recorded in the present window.
type bounds struct {
	mu     sync.Mutex
	window time.Time
	ofOne  map[eventOf]int
	lines  map[SecurityEvent]int
	rows   map[SecurityEvent]int
	held   map[SecurityEvent]int // lines held back since the last one that was written
}

type eventOf struct {
	event SecurityEvent
	whose string
}

// admit reports whether an incident goes into the log and into the activity, and how many of its kind were held back
// before it.
func (b *bounds) admit(event SecurityEvent, whose string, now time.Time) (logged, kept bool, heldBack int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now.Sub(b.window) >= boundsWindow {
		b.window = now
		b.ofOne, b.lines, b.rows = map[eventOf]int{}, map[SecurityEvent]int{}, map[SecurityEvent]int{}
	}
	if b.held == nil {
		b.held = map[SecurityEvent]int{}
	}
	one := eventOf{event, whose}
	if b.ofOne[one] >= linesOfOne || b.lines[event] >= linesOfAll {
		b.held[event]++
		return false, false, 0
	}
	b.ofOne[one]++
	b.lines[event]++
	if b.ofOne[one] == 1 && b.rows[event] < rowsOfAll {
		b.rows[event]++
		kept = true
	}
	heldBack, b.held[event] = b.held[event], 0
	return true, kept, heldBack
}
