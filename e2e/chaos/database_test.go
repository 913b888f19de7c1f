package chaos

import (
	"fmt"
	"testing"
	"time"
)

// returns is how soon service is back once its database is. Machines that build
// and test other things at the same time get more.
var returns = sized(10*time.Second, 20*time.Second)

// back waits until a replica acknowledges writes again, and returns how long
// after since that was. What takes longer than it may is a fault.
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

func TestDatabaseFrozen(t *testing.T) {
	onlyLong(t)
	x := begin(t, "PostgreSQL frozen", "postgres")
	server := x.newCluster()
	s := x.newSite(urlOf(server))
	s.replicas[0].start()
	writers := s.startWriters(6)
	var worst time.Duration
	times := sized(3, 1)
	for range times {
		s.pause(s.between(time.Second, 2*time.Second))
		server.freeze()
		s.pause(s.between(2*time.Second, sized(8*time.Second, 3*time.Second)))
		thawed := time.Now()
		server.thaw()
		worst = max(worst, s.back(s.replicas[0], thawed))
	}
	s.pause(time.Second)
	writers.end()
	s.note("%d times, back after at most %.1f s", times, worst.Seconds())
	s.settle()
}

func TestDatabaseRestarted(t *testing.T) {
	onlyLong(t)
	x := begin(t, "PostgreSQL restarted at once", "postgres")
	server := x.newCluster()
	s := x.newSite(urlOf(server))
	s.replicas[0].start()
	writers := s.startWriters(6)
	var worst time.Duration
	const times = 5
	for range times {
		s.pause(s.between(time.Second, 2*time.Second))
		server.restart()
		worst = max(worst, s.back(s.replicas[0], time.Now()))
	}
	s.pause(time.Second)
	writers.end()
	s.note("%d times, back after at most %.1f s", times, worst.Seconds())
	s.settle()
}
