package chaos

import (
	"testing"
	"time"
)

// A machine that sleeps in the midst of delivering, and wakes when another one
// has taken over.
func TestLeaderPaused(t *testing.T) {
	onlyLong(t)
	x := begin(t, "delivering replica paused 20 s", "postgres")
	s := x.newSite(x.sharedPostgres())
	leader, other := s.replicas[0], s.addReplica()
	leader.start() // alone, it leads
	first := s.newWriter("first", leader)
	if !first.create("") {
		s.Fatal("the first write was not acknowledged")
	}
	s.delivered(1, time.Now())
	other.start()

	writers := s.startWriters(6)
	s.pause(s.between(2*time.Second, 3*time.Second))
	leader.stop()
	stopped := time.Now()
	s.pause(100 * time.Millisecond) // what it sent just now arrives
	s.note("taken over after %.1f s", s.delivered(10, stopped).Seconds())
	s.pause(time.Until(stopped.Add(20 * time.Second)))
	leader.wake()
	s.pause(5 * time.Second)
	writers.end()
	s.settle()
}

// delivered waits until the healthy receiver had some more, and returns how long
// after since that was.
func (s *site) delivered(more int, since time.Time) time.Duration {
	s.Helper()
	for had := s.receivers[0].count(); s.receivers[0].count() < had+more; s.pause(50 * time.Millisecond) {
		if time.Since(since) > 20*time.Second {
			s.odd("nothing was delivered for 20 s")
			break
		}
	}
	return time.Since(since)
}
