package server

import (
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"lectern/web/request"
)

const (
	// lingerTime and lingerBytes bound what is still read from a connection that we end: a client that is cut off
	// while sending does not see the answer.
	lingerTime  = 3 * time.Second
	lingerBytes = 4 * bodyLimit
	// lastWrite is how long an answer may take to be written once we shut down.
	lastWrite = 2 * time.Second
	// acceptPause is the wait after a failed accept, such as for too many open files.
	acceptPause = 100 * time.Millisecond
	// refusalsLoggedEach is how often the log mentions refused connections, at most.
	refusalsLoggedEach = time.Minute
)

// tooManyConnections is the whole answer on a connection above the limits.
const tooManyConnections = "HTTP/1.1 503 Service Unavailable\r\n" +
	"Connection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"

// Listener bounds how many connections are open, in all and per address, closes each so that its client sees the
// last answer, and can end them all.
type Listener struct {
	net.Listener
	most, mostEach int // 0 is off
	proxies        request.Proxies

	mu       sync.Mutex
	open     map[*connection]bool
	from     map[netip.Prefix]int
	stopping bool
	refused  int
	told     time.Time // when refusals were last logged
}

// Listen wraps a TCP listener with the limits of c.
func Listen(listener net.Listener, c *Options) *Listener {
	return &Listener{
		Listener: listener, most: c.Connections, mostEach: c.ConnectionsPerAddress,
		proxies: request.ParseProxies(c.TrustedProxies),
		open:    map[*connection]bool{}, from: map[netip.Prefix]int{},
	}
}

// Accept returns the next connection within the limits. It retries after any error but net.ErrClosed.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		if err != nil {
			slog.Warn("a connection could not be accepted", "error", err.Error())
			time.Sleep(acceptPause)
			continue
		}
		if c := l.admit(accepted.(*net.TCPConn)); c != nil {
			return c, nil
		}
	}
}

// admit counts a connection and returns it, or closes it and returns nil.
func (l *Listener) admit(tcp *net.TCPConn) *connection {
	c := &connection{TCPConn: tcp, of: l}
	if address := tcp.RemoteAddr().(*net.TCPAddr).AddrPort().Addr().Unmap(); !l.proxies.Has(address) {
		c.from = request.Network(address)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most > 0 && len(l.open) >= l.most || l.mostEach > 0 && c.from.IsValid() && l.from[c.from] >= l.mostEach {
		l.refuse(tcp)
		return nil
	}
	l.open[c] = true
	if c.from.IsValid() {
		l.from[c.from]++
	}
	if l.stopping {
		c.cut()
	}
	return c
}

// refuse answers and closes a connection. The answer fits into the connection's empty buffer, so writing it never
// blocks. The caller holds l.mu.
func (l *Listener) refuse(tcp *net.TCPConn) {
	io.WriteString(tcp, tooManyConnections)
	tcp.Close()
	l.refused++
	if now := time.Now(); now.Sub(l.told) >= refusalsLoggedEach {
		slog.Warn("too many connections", "refused", l.refused, "open", len(l.open), "address", tcp.RemoteAddr().String())
		l.told, l.refused = now, 0
	}
}

// forget frees a connection's place.
func (l *Listener) forget(c *connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
	if c.from.IsValid() {
		if l.from[c.from]--; l.from[c.from] == 0 {
			delete(l.from, c.from)
		}
	}
}

// stop ends all connections that wait for their client, by reading nothing more. Requests that arrived whole are
// still answered.
func (l *Listener) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopping = true
	for c := range l.open {
		c.cut()
	}
}

// connection is an admitted connection of a client.
type connection struct {
	*net.TCPConn
	of   *Listener
	from netip.Prefix // invalid for a trusted proxy's

	mu    sync.Mutex
	isCut bool
	ended bool // by the client
	close sync.Once
}

// past is a deadline that has passed, which ends pending reads.
var past = time.Unix(1, 0)

func (c *connection) Read(b []byte) (int, error) {
	n, err := c.TCPConn.Read(b)
	if err == io.EOF {
		c.mu.Lock()
		c.ended = true
		c.mu.Unlock()
	}
	return n, err
}

// cut stops all reading now, and all writing after lastWrite.
func (c *connection) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isCut = true
	c.TCPConn.SetReadDeadline(past)
	c.TCPConn.SetWriteDeadline(time.Now().Add(lastWrite))
}

// SetReadDeadline has no effect after cut.
func (c *connection) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isCut {
		t = past
	}
	return c.TCPConn.SetReadDeadline(t)
}

// SetWriteDeadline sets a deadline of at most lastWrite from now after cut.
func (c *connection) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := time.Now().Add(lastWrite); c.isCut && (t.IsZero() || t.After(last)) {
		t = last
	}
	return c.TCPConn.SetWriteDeadline(t)
}

// SetDeadline sets both deadlines.
func (c *connection) SetDeadline(t time.Time) error {
	return errors.Join(c.SetReadDeadline(t), c.SetWriteDeadline(t))
}

// Close ends the connection. A client that has not closed it may still be sending: it is told that nothing more is
// read, and what it sends for a while is discarded, so that it sees the last answer.
func (c *connection) Close() (err error) {
	c.close.Do(func() {
		defer c.of.forget(c)
		c.mu.Lock()
		linger := !c.ended && !c.isCut
		c.mu.Unlock()
		if linger && c.CloseWrite() == nil && c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
			io.CopyN(io.Discard, c.TCPConn, lingerBytes)
		}
		err = c.TCPConn.Close()
	})
	return err
}
