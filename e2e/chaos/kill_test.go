package chaos

import (
	"testing"
	"time"
)

// onBoth runs a trial that breaks no server on both databases.
func onBoth(t *testing.T, scenario string, run func(s *site)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		x := begin(t, scenario, "sqlite")
		run(x.newSite(""))
	})
	t.Run("postgres", func(t *testing.T) {
		x := begin(t, scenario, "postgres")
		run(x.newSite(x.sharedPostgres()))
	})
}

func TestKilledServer(t *testing.T) {
	onBoth(t, "kill -9 of the server", func(s *site) {
		serving := s.replicas[0]
		serving.start()
		s.writesBeside = true
		writers := s.startWriters(6)
		kills := sized(30, 4)
		for range kills {
			s.pause(s.between(50*time.Millisecond, 1500*time.Millisecond))
			serving.kill()
			s.pause(s.between(0, 100*time.Millisecond))
			serving.start()
		}
		s.pause(time.Second)
		writers.end()
		s.note("%d kills", kills)
		s.settle()
	})
}

// killsUntilDone kills and restarts a replica until no batch is running, at most so many times, waits for the batches
// that are left, and returns the number of kills.
func (s *site) killsUntilDone(serving *replica, most int) (kills int) {
	s.Helper()
	left := func() int { return s.number("SELECT count(*) FROM batches WHERE state = 'running'") }
	for ; left() > 0 && kills < most; kills++ {
		s.pause(s.between(20*time.Millisecond, 400*time.Millisecond))
		serving.kill()
		serving.start()
	}
	for left() > 0 {
		s.pause(50 * time.Millisecond)
	}
	return kills
}
