package store

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// servers are the PostgreSQL servers that a database URL names. One of them, the primary, takes changes. When it fails
// and a standby is promoted, a new timeline begins; from the moment we know of it, servers on an older timeline are
// neither read nor written: a former primary may come back without knowing that it was replaced.
type servers struct {
	each     []*pgconn.Config // one per server
	mu       sync.Mutex
	timeline int64 // the latest on which a server takes changes; 0 while unknown
	primary  *pgconn.Config
	open     map[*serverConn]int64 // the pool's connections, with their timelines
}

const (
	// watchEach is how often each server is asked whether it takes changes, and watchTime how long it may take to answer.
	watchEach, watchTime = time.Second, 2 * time.Second
	// checking stands for the timeline of a connection that is still being made.
	checking = -1
)

func newServers(config *pgx.ConnConfig) *servers {
	s := &servers{open: map[*serverConn]int64{}}
	first := &pgconn.FallbackConfig{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}
	all := append([]*pgconn.FallbackConfig{first}, config.Fallbacks...)
	for _, one := range all {
		last := len(s.each) - 1
		if last >= 0 && s.each[last].Host == one.Host && s.each[last].Port == one.Port {
			s.each[last].Fallbacks = append(s.each[last].Fallbacks, one) // the same server without TLS
			continue
		}
		server := config.Config.Copy()
		server.Host, server.Port, server.TLSConfig, server.Fallbacks = one.Host, one.Port, one.TLSConfig, nil
		server.ValidateConnect = nil
		s.each = append(s.each, server)
	}
	return s
}

// latest returns the latest timeline that was seen.
func (s *servers) latest() int64 {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.timeline
}

// Version distinguishes one state of rows from all others. Each transaction that changes them draws a new random
// number: after a failover to a standby that missed the last transactions, counting up would give another state the
// same number. The timeline tells apart what was read from a server before.
type Version struct{ timeline, number int64 }

// Version returns the version for a number that was read from the rows.
func (s *Store) Version(number int64) Version { return Version{s.pool.servers.latest(), number} }

var errStandby = errors.New("this server is a standby")

// guard has each connection of the pool checked as it is made: of several servers the primary is used, even while it
// takes no changes. It replaces target_session_attrs.
func (s *servers) guard(config *pgx.ConnConfig) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		tracked := &serverConn{Conn: conn, of: s}
		s.mu.Lock()
		s.open[tracked] = checking
		s.mu.Unlock()
		return tracked, nil
	}
	config.ValidateConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		timeline, known, err := timelineOf(ctx, conn)
		if err == nil && known && timeline == 0 && len(s.each) > 1 {
			err = errStandby
		}
		if err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if err := s.saw(nil, timeline); err != nil {
			return err
		}
		s.open[trackedOf(conn)] = timeline
		return nil
	}
}

// prefer has a connection made to the known primary first: otherwise a server that hangs would be waited for before the
// next is tried.
func (s *servers) prefer(_ context.Context, config *pgx.ConnConfig) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.primary == nil {
		return nil
	}
	first := []*pgconn.FallbackConfig{{Host: s.primary.Host, Port: s.primary.Port, TLSConfig: s.primary.TLSConfig}}
	first = append(first, s.primary.Fallbacks...)
	config.Host, config.Port, config.TLSConfig = first[0].Host, first[0].Port, first[0].TLSConfig
	config.Fallbacks = first[1:]
	for _, other := range s.each {
		if other != s.primary {
			config.Fallbacks = append(config.Fallbacks,
				&pgconn.FallbackConfig{Host: other.Host, Port: other.Port, TLSConfig: other.TLSConfig})
			config.Fallbacks = append(config.Fallbacks, other.Fallbacks...)
		}
	}
	return nil
}

// saw records a server's timeline, 0 for a standby. It returns an error when the server is on an older timeline than
// another. The caller holds s.mu.
func (s *servers) saw(server *pgconn.Config, timeline int64) error {
	if timeline == 0 {
		return nil
	}
	if timeline < s.timeline {
		return fmt.Errorf("this server is on timeline %d, and another takes changes on timeline %d", timeline, s.timeline)
	}
	if server != nil {
		s.primary = server
	}
	if timeline == s.timeline {
		return nil
	}
	if s.timeline > 0 {
		slog.Warn("another database server takes the changes now", "timeline", timeline, "before", s.timeline)
	}
	s.timeline = timeline
	for conn, its := range s.open {
		if its != checking {
			conn.Conn.Close() // queries waiting on it end now
		}
	}
	return nil
}

// cut closes the sockets of all connections, without PostgreSQL's goodbye.
func (s *servers) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.open {
		conn.Conn.Close()
	}
}

// survey asks all servers once, so that the first connection goes to the primary.
func (s *servers) survey(ctx context.Context) {
	var asking sync.WaitGroup
	for _, server := range s.each {
		asking.Go(func() {
			if conn := s.ask(ctx, nil, server); conn != nil {
				hangUp(conn)
			}
		})
	}
	asking.Wait()
}

// Watch asks each of the database's servers every second whether it takes changes, until ctx ends, so that a promoted
// standby is known within a second and nothing waits any longer for the former primary. With SQLite it returns at once.
func (s *Store) Watch(ctx context.Context) {
	if s.pool.servers == nil {
		return
	}
	var watching sync.WaitGroup
	for _, server := range s.pool.servers.each {
		watching.Go(func() { s.pool.servers.watch(ctx, server) })
	}
	watching.Wait()
}

func (s *servers) watch(ctx context.Context, server *pgconn.Config) {
	name, answered := net.JoinHostPort(server.Host, strconv.Itoa(int(server.Port))), true
	var conn *pgconn.PgConn
	for ctx.Err() == nil {
		conn = s.ask(ctx, conn, server)
		if is := conn != nil; is != answered && ctx.Err() == nil {
			answered = is
			if is {
				slog.Info("a database server answers again", "server", name)
			} else {
				slog.Warn("a database server does not answer", "server", name)
			}
		}
		Rest(ctx, watchEach)
	}
	if conn != nil {
		hangUp(conn)
	}
}

// ask asks a server for its timeline, by conn if that is not nil. It returns the connection, or nil when the connection
// failed.
func (s *servers) ask(ctx context.Context, conn *pgconn.PgConn, server *pgconn.Config) *pgconn.PgConn {
	ctx, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	if conn == nil {
		var err error
		if conn, err = pgconn.ConnectConfig(ctx, server); err != nil {
			return nil
		}
	}
	timeline, _, err := timelineOf(ctx, conn)
	if err != nil {
		hangUp(conn)
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saw(server, timeline) // a server on an older timeline is simply not used
	return conn
}

func hangUp(conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	conn.Close(ctx)
}

// timelineOf returns the timeline on which a server takes changes, 0 for a standby; known is false where the server
// does not let us ask. The control file would name a new timeline only after the next checkpoint.
func timelineOf(ctx context.Context, conn *pgconn.PgConn) (timeline int64, known bool, err error) {
	results, err := conn.Exec(ctx, `SELECT CASE WHEN pg_is_in_recovery() THEN 0
		ELSE ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint END`).ReadAll()
	if e := (*pgconn.PgError)(nil); errors.As(err, &e) && (e.Code[:2] == "42" || e.Code[:2] == "0A") {
		return 0, false, nil // we may not ask, so the server is trusted
	}
	if err != nil {
		return 0, false, err
	}
	timeline, err = strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64)
	return timeline, true, err
}

// serverConn is a connection of the pool to one of the servers.
type serverConn struct {
	net.Conn
	of *servers
}

// Close also removes the connection from servers.open.
func (c *serverConn) Close() error {
	c.of.mu.Lock()
	delete(c.of.open, c)
	c.of.mu.Unlock()
	return c.Conn.Close()
}

func trackedOf(conn *pgconn.PgConn) *serverConn {
	inner := conn.Conn()
	if encrypted, ok := inner.(*tls.Conn); ok {
		inner = encrypted.NetConn()
	}
	return inner.(*serverConn)
}
