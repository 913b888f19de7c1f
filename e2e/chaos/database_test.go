package chaos

import (
	"fmt"
	"testing"
	"time"
)

// returns is the longest time until service is back once its database is. Machines that build and test other things at
// the same time get more.
var returns = sized(10*time.Second, 20*time.Second)

// back waits until a replica acknowledges writes again, and returns how long that took since a time. It reports a fault
// if that is more than returns.
func (s *site) back(at *replica, since time.Time) time.Duration {
	s.Helper()
	s.crew++
	probe := s.newWriter(fmt.Sprint("probe", s.crew), at)
	probe.limit = 2 * time.Second
	for !probe.create("") {
		if time.Since(since) > time.Minute {
			s.Fatalf("%s does not come back: %s", at.name, at.errors())
		}
		s.pause(100 * time.Millisecond)
	}
	took := time.Since(since)
	if took > returns {
		s.odd("%s came back after %.1f s, later than %v", at.name, took.Seconds(), returns)
	}
	return took
}

// interrupted runs writers, interrupts their database so many times, and waits each time until writes are acknowledged
// again. Interrupt returns when the database was back.
func interrupted(t *testing.T, scenario string, times int, interrupt func(s *site, server *cluster) time.Time) {
	onlyLong(t)
	x := begin(t, scenario, "postgres")
	server := x.newCluster()
	s := x.newSite(urlOf(server))
	s.replicas[0].start()
	writers := s.startWriters(6)
	var worst time.Duration
	for range times {
		s.pause(s.between(time.Second, 2*time.Second))
		worst = max(worst, s.back(s.replicas[0], interrupt(s, server)))
	}
	s.pause(time.Second)
	writers.end()
	s.note("%d times, back after at most %.1f s", times, worst.Seconds())
	s.settle()
}

func TestDatabaseFrozen(t *testing.T) {
	interrupted(t, "PostgreSQL frozen", sized(3, 1), func(s *site, server *cluster) time.Time {
		server.freeze()
		s.pause(s.between(2*time.Second, sized(8*time.Second, 3*time.Second)))
		thawed := time.Now()
		server.thaw()
		return thawed
	})
}

func TestDatabaseRestarted(t *testing.T) {
	interrupted(t, "PostgreSQL restarted at once", 5, func(_ *site, server *cluster) time.Time {
		server.restart()
		return time.Now()
	})
}
