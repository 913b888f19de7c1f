package sendlog

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lectern/models/modelstest"
)

// head is what RFC 5424 wants before the message.
var head = regexp.MustCompile(`^<(\d+)>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (\S+) lectern \d+ security - (\{.*\})$`)

func started(t *testing.T, address string) *Sender {
	t.Helper()
	s := modelstest.Must(Parse(address))(t)
	end := s.Start(100 * time.Millisecond)
	t.Cleanup(end)
	return s
}

func tell(s *Sender, n int) {
	slog.New(s.Handler()).With("door", "admin").Warn("security", "event", "denied", "n", n)
}

func wantMessage(t *testing.T, message string, n int) {
	t.Helper()
	parts := head.FindStringSubmatch(message)
	if parts == nil || parts[1] != "84" {
		t.Fatalf("%q is no message", message)
	}
	var got struct {
		Level, Msg, Event, Door string
		N                       int
	}
	if err := json.Unmarshal([]byte(parts[4]), &got); err != nil || got.N != n || got.Event != "denied" ||
		got.Door != "admin" || got.Msg != "security" || got.Level != "WARN" {
		t.Errorf("%q: %+v, %v", message, got, err)
	}
}

func TestDatagramsAreMessages(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "log")
	for _, to := range [][3]string{{"udp", "127.0.0.1:0", ""}, {"unixgram", socket, "syslog+unix://" + socket}} {
		conn := modelstest.Must(net.ListenPacket(to[0], to[1]))(t)
		defer conn.Close()
		address := to[2]
		if address == "" {
			address = "syslog+udp://" + conn.LocalAddr().String()
		}
		s := started(t, address)
		for n := range 3 {
			tell(s, n)
		}
		conn.SetReadDeadline(time.Now().Add(time.Minute))
		buffer := make([]byte, 4096)
		for n := range 3 {
			size, _, err := conn.ReadFrom(buffer)
			if err != nil {
				t.Fatal(err)
			}
			wantMessage(t, string(buffer[:size]), n)
		}
	}
}

// read takes one message off a stream.
func read(t *testing.T, in *bufio.Reader) string {
	t.Helper()
	length, err := in.ReadString(' ')
	size, _ := strconv.Atoi(strings.TrimSpace(length))
	message := make([]byte, size)
	if _, all := io.ReadFull(in, message); err != nil || all != nil || size == 0 {
		t.Fatal(length, err, all)
	}
	return string(message)
}

func TestStreamsSayLengthsAndComeBack(t *testing.T) {
	t.Parallel()
	for _, to := range [][2]string{{"tcp", "127.0.0.1:0"}, {"unix", filepath.Join(t.TempDir(), "log")}} {
		listener := modelstest.Must(net.Listen(to[0], to[1]))(t)
		defer listener.Close()
		network := map[string]string{"tcp": "tcp", "unix": "unixgram"}[to[0]] // which finds out that it is a stream
		s := newSyslog(network, listener.Addr().String())
		defer s.close()
		for n := range 3 { // each time the other side goes away
			l := line{time.Now(), slog.LevelWarn, fmt.Appendf(nil,
				`{"level":"WARN","msg":"security","event":"denied","door":"admin","n":%d}`, n)}
			modelstest.Fine(t, s.write(t.Context(), l))
			conn := modelstest.Must(listener.Accept())(t)
			conn.SetReadDeadline(time.Now().Add(time.Minute))
			wantMessage(t, read(t, bufio.NewReader(conn)), n)
			conn.Close()
			<-s.gone
		}
	}
}

func TestNobodyWaitsForWhatIsAway(t *testing.T) {
	t.Parallel()
	away := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	address := away.Addr().String()
	away.Close()
	s := started(t, "syslog+tcp://"+address)
	begun := time.Now()
	for n := range Room + 100 {
		tell(s, n)
	}
	if took := time.Since(begun); took > time.Minute {
		t.Errorf("took %s", took)
	}
	if got := s.Dropped(); got < 99 || got > 100 { // one may be under way
		t.Errorf("%d dropped", got)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Skip("another process took the port")
	}
	defer listener.Close()
	conn := modelstest.Must(listener.Accept())(t)
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(2 * time.Minute))
	in := bufio.NewReader(conn)
	for n := range Room {
		wantMessage(t, read(t, in), n)
	}
}

func TestWhatWaitsAtTheEndIsSent(t *testing.T) {
	t.Parallel()
	conn := modelstest.Must(net.ListenPacket("udp", "127.0.0.1:0"))(t)
	defer conn.Close()
	s := modelstest.Must(Parse("syslog+udp://" + conn.LocalAddr().String()))(t)
	for n := range 5 {
		tell(s, n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Run(ctx, 5*time.Second)
	if s.Sent() != 5 || s.Dropped() != 0 || s.Waiting() != 0 {
		t.Errorf("%d sent, %d dropped, %d wait", s.Sent(), s.Dropped(), s.Waiting())
	}
	tell(s, 9)
	s.Run(ctx, 0)
	if s.Dropped() != 1 {
		t.Errorf("%d dropped", s.Dropped())
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "stderr", "syslog://host", "syslog+udp://", "syslog+tcp://host:0",
		"syslog+tcp://host:99999", "syslog+udp://a:b@host", "syslog+unix://host/x", "syslog+unix:", "syslog+udp://host/x",
		"http://host", "syslog+tls://host/x",
		"syslog+tls://host?ca=/nowhere", "syslog+tls://host?key=x", "syslog+tcp://host?ca=/x", "syslog+tls://host?ca=%zz", "%"} {
		if s, err := Parse(address); err == nil {
			t.Errorf("%q is taken as %s", address, fmt.Sprint(s.to))
		}
	}
}
