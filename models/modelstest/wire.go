package modelstest

import (
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"
)

// Wire stands between a store and its PostgreSQL.
type Wire struct {
	Address string      // of the database through it
	Frozen  atomic.Bool // nothing goes through any more, as with a network that swallows all
	// Cut, when set, tells by what goes over a connection, to the database or as its answer, whether the connection breaks.
	Cut func(conn net.Conn, said []byte, isAnswer bool) bool
}

// Committed are the words by which PostgreSQL confirms a commit.
var Committed = []byte("COMMIT\x00")

// NewWire returns a wire to the database of a fixture.
func NewWire(t testing.TB, f *Fixture) *Wire {
	t.Helper()
	u, listener := Must(url.Parse(f.Address))(t), Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	behind := u.Host
	u.Host = listener.Addr().String()
	w := &Wire{Address: u.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", behind)
			if err != nil {
				client.Close()
				continue
			}
			t.Cleanup(func() { client.Close(); server.Close() })
			go w.pass(client, client, server)
			go w.pass(client, server, client)
		}
	}()
	return w
}

func (w *Wire) pass(of, from, to net.Conn) {
	defer to.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if w.Cut != nil && w.Cut(of, buffer[:n], to == of) {
			return
		}
		for w.Frozen.Load() {
			time.Sleep(10 * time.Millisecond)
		}
		if _, unsent := to.Write(buffer[:n]); err != nil || unsent != nil {
			return
		}
	}
}
