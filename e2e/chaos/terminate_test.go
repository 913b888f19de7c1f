package chaos

import (
	"net"
	"strings"
	"testing"
	"time"
)

// ends is how soon a server that is asked to end has done so.
var ends = sized(10*time.Second, 15*time.Second)

func TestTerminatedUnderLoad(t *testing.T) {
	onBoth(t, "SIGTERM under load", func(s *site) {
		s.terminations(sized(4, 1), func(took time.Duration, err error) {
			if err != nil {
				s.odd("SIGTERM: %v", err)
			}
			for _, a := range s.attempts() {
				if a.outcome == "sending" {
					s.odd("an attempt was left behind as under way")
				}
			}
		}, func() {}, func() {})
	})
}

func TestTerminatedWhileDatabaseIsFrozen(t *testing.T) {
	onlyLong(t)
	x := begin(t, "SIGTERM, PostgreSQL frozen", "postgres")
	server := x.newCluster()
	s := x.newSite(urlOf(server))
	// What was lost it must say, so its exit code may be either.
	s.terminations(2, func(time.Duration, error) {}, server.freeze, server.thaw)
}

// terminations asks the server to end, some times, while people write and others
// hold connections without saying anything, or half of it.
func (s *site) terminations(times int, ended func(time.Duration, error), before, after func()) {
	serving := s.replicas[0]
	serving.start()
	writers := s.startWriters(6)
	var worst time.Duration
	for range times {
		s.holdConnections()
		s.pause(s.between(500*time.Millisecond, 2*time.Second))
		before()
		s.pause(500 * time.Millisecond)
		took, err := serving.terminate(45 * time.Second)
		after()
		if worst = max(worst, took); took > ends {
			s.odd("ended %.0f s after SIGTERM, later than %v", took.Seconds(), ends)
		}
		ended(took, err)
		serving.start()
	}
	s.pause(time.Second)
	writers.end()
	s.note("%d times, ended within %.1f s", times, worst.Seconds())
	s.settle()
}

// holdConnections opens connections that say nothing, half a header, and half a
// body.
func (s *site) holdConnections() {
	address := strings.TrimPrefix(s.replicas[0].base.Load().(string), "http://")
	head := "POST /v1/event/" + s.event + "/sessions/create HTTP/1.1\r\nHost: chaos\r\nx-access-token: " + s.key + "\r\n"
	body := "content-type: application/json\r\ncontent-length: 1000\r\n\r\n{\"title\": "
	for _, said := range []string{"", head, head + body} {
		for range 10 {
			conn, err := net.Dial("tcp", address)
			s.check(err)
			s.Cleanup(func() { conn.Close() })
			_, err = conn.Write([]byte(said))
			s.check(err)
		}
	}
}
