package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lectern/models/modelstest"
)

// listenBounded serves app with the limits of c until the test ends.
func listenBounded(t testing.TB, app *fiber.App, c *Options) (string, *Listener) {
	t.Helper()
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	l := Listen(listener, c)
	go app.Listener(l)
	t.Cleanup(func() { app.ShutdownWithTimeout(time.Second) })
	return listener.Addr().String(), l
}

// get asks for /healthz on a connection that stays open and returns the status, 0
// when there is no answer.
func get(conn net.Conn) int {
	fmt.Fprint(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	io.Copy(io.Discard, res.Body)
	return res.StatusCode
}

func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]*Options{
		"in all":                    {Connections: 3},
		"from one address":          {Connections: 100, ConnectionsPerAddress: 3},
		"of proxies, in all":        {Connections: 3, ConnectionsPerAddress: 1, TrustedProxies: []string{"127.0.0.0/8"}},
		"of proxies, by themselves": {ConnectionsPerAddress: 3, TrustedProxies: []string{"192.0.2.1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, l := listenBounded(t, newApp(&Options{}, Process{}, nil), c)
			var open []net.Conn
			for range 3 {
				conn := dial(t, address)
				if status := get(conn); status != 200 {
					t.Fatalf("within the limit the status is %d", status)
				}
				open = append(open, conn)
			}
			for range 20 { // the last word of a refused connection may get lost, but never more is said
				if status := get(dial(t, address)); status != 503 && status != 0 {
					t.Errorf("above the limit the status is %d", status)
				}
			}
			modelstest.Want(t, "one within the limit has the status", get(open[1]), 200)
			open[0].Close()
			modelstest.Await(t, "the place of one that ended is free", func() bool { return get(dial(t, address)) == 200 })
			for _, conn := range open {
				conn.Close()
			}
			modelstest.Await(t, "all are forgotten", func() bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return len(l.open)+len(l.from) <= 2
			})
		})
	}
}

func TestConnectionsWithoutLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []*Options{{}, {ConnectionsPerAddress: 1, TrustedProxies: []string{"127.0.0.1"}}} {
		address, _ := listenBounded(t, newApp(&Options{}, Process{}, nil), c)
		for range 20 {
			if status := get(dial(t, address)); status != 200 {
				t.Fatal(status)
			}
		}
	}
}

// moody is a listener with faults of the moment.
type moody struct {
	net.Listener
	faults int
}

func (m *moody) Accept() (net.Conn, error) {
	if m.faults > 0 {
		m.faults--
		return nil, errors.New("too many open files")
	}
	return m.Listener.Accept()
}

func TestAFaultOfTheMomentEndsNothing(t *testing.T) {
	t.Parallel()
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	app := newApp(&Options{}, Process{}, nil)
	ended := make(chan error, 1)
	go func() { ended <- app.Listener(Listen(&moody{listener, 2}, &Options{})) }()
	modelstest.Want(t, "the status", get(dial(t, listener.Addr().String())), 200)
	app.Shutdown()
	modelstest.Fine(t, <-ended)
}

// TestShuttingDownWaitsForNoClient holds connections of every kind and ends the
// server: only who runs a request is waited for, and gets the answer.
func TestShuttingDownWaitsForNoClient(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	running, release := make(chan bool), make(chan bool)
	app.Post("/v1/slow", func(c *fiber.Ctx) error {
		running <- true
		<-release
		return c.SendString("done")
	})
	l, cancel, ended := serve(t, app)
	const head = "POST /v1/slow HTTP/1.1\r\nHost: x\r\n"
	conns := map[string]net.Conn{}
	for name, text := range map[string]string{
		"silent": "", "half a line": "GET /he", "half a head": head + "X-Y: ", "half a body": head +
			"Content-Length: 10\r\n\r\nabc",
		"half a large body": head + "Content-Length: 100000\r\n\r\nabc",
		"half a chunk":      "POST /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	} {
		conns[name] = dial(t, l.Addr().String())
		io.WriteString(conns[name], text)
	}
	idle := dial(t, l.Addr().String())
	if get(idle) != 200 {
		t.Fatal("not served")
	}
	conns["idle"] = idle
	slow := dial(t, l.Addr().String())
	io.WriteString(slow, head+"Content-Length: 0\r\n\r\n")
	<-running
	modelstest.Await(t, "all are accepted", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.open) == len(conns)+1
	})
	start := time.Now()
	cancel(context.Canceled)
	for name, conn := range conns {
		if _, err := io.ReadAll(conn); err != nil && !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if took := time.Since(start); took > DrainTime/2 {
		t.Errorf("silent connections took %v", took)
	}
	select {
	case err := <-ended:
		t.Fatalf("the running request was not waited for: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	close(release)
	res, err := http.ReadResponse(bufio.NewReader(slow), nil)
	if err != nil || res.StatusCode != 200 {
		t.Fatalf("the running request: %v %v", res, err)
	}
	if body, err := io.ReadAll(res.Body); string(body) != "done" || err != nil {
		t.Errorf("%s %v", body, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ends with %v", err)
	}
	if conn, err := net.Dial("tcp", l.Addr().String()); err == nil {
		conn.Close()
		t.Error("the server still listens")
	}
}

// TestAnAnswerThatNobodyReadsHoldsNothing ends a server while it writes.
func TestAnAnswerThatNobodyReadsHoldsNothing(t *testing.T) {
	t.Parallel()
	app := newApp(&Options{}, Process{}, nil)
	written := make(chan bool, 1)
	app.Get("/large", func(c *fiber.Ctx) error {
		written <- true
		return c.Send(make([]byte, 64<<20))
	})
	l, cancel, ended := serve(t, app)
	io.WriteString(dial(t, l.Addr().String()), "GET /large HTTP/1.1\r\nHost: x\r\n\r\n")
	<-written
	start := time.Now()
	cancel(context.Canceled)
	if err := <-ended; err != nil || time.Since(start) > DrainTime {
		t.Errorf("ended after %v with %v", time.Since(start), err)
	}
}
