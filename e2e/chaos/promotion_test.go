package chaos

import (
	"net/http"
	"testing"
	"time"
)

// A machine that dies, and is started again when its standby has taken over.
func TestStandbyPromotedAfterDeath(t *testing.T) {
	onlyLong(t)
	x := begin(t, "primary killed, standby promoted", "postgres")
	x.promotion((*cluster).kill, (*cluster).start)
}

// A machine that hangs, and goes on as if nothing had been.
func TestStandbyPromotedAfterFreeze(t *testing.T) {
	onlyLong(t)
	x := begin(t, "primary frozen, standby promoted", "postgres")
	x.promotion((*cluster).freeze, (*cluster).thaw)
}

// promotion has people write at two replicas while the primary is struck, its
// standby is promoted, and the old primary wakes.
func (x *trial) promotion(strike, wake func(*cluster)) {
	old := x.newCluster()
	standby := old.standby()
	s := x.newSite(urlOf(old, standby))
	for _, replica := range []*replica{s.replicas[0], s.addReplica()} {
		replica.start()
	}
	writers := s.startWriters(6)
	s.pause(s.between(2*time.Second, 3*time.Second))
	strike(old)
	s.pause(s.between(time.Second, 3*time.Second)) // until somebody notices
	standby.promote()
	promoted := time.Now()
	s.address, s.promoted = urlOf(standby), true
	for _, replica := range s.replicas {
		s.note("%s back after %.1f s", replica.name, s.back(replica, promoted).Seconds())
	}
	delivered := s.receivers[0].count()
	s.pause(2 * time.Second)

	// The old one would take writes now, and stands first in the address.
	wake(old)
	old.sql("ALTER SYSTEM RESET synchronous_standby_names")
	old.sql("SELECT pg_reload_conf()")
	for range 3 {
		standby.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'lectern'")
		s.pause(time.Second)
	}
	s.readEverywhere()
	writers.end()
	s.settle()
	if s.receivers[0].count() == delivered {
		s.odd("nothing was delivered after the promotion")
	}
	after := s.sentAfter(promoted)
	for _, title := range old.titles() {
		if after[title] {
			s.odd("a write that began after the promotion is on the old primary")
		}
	}
}

// readEverywhere reads a new session a hundred times through each replica. It is
// on the new primary alone.
func (s *site) readEverywhere() {
	s.Helper()
	w := s.newWriter("reader", s.replicas[0])
	for !w.create("") {
		s.pause(100 * time.Millisecond)
	}
	path := "/sessions/" + w.live[0].id
	for _, replica := range s.replicas {
		for range 100 {
			got := s.ask(replica, request{method: "GET", path: path, limit: w.limit})
			if got.status == http.StatusNotFound {
				s.odd("%s read from the old primary", replica.name)
			}
		}
	}
}
