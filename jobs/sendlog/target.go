package sendlog

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errAddress states how a target is written.
var errAddress = errors.New("must be stdout, syslog+tls://host:6514 (?ca=/path/ca.pem for certificates of your own), " +
	"syslog+tcp://host:601, syslog+udp://host:514 or syslog+unix:///dev/log")

// Parse returns a sender to an address: "stdout", or a syslog by tls, tcp, udp or a socket of this machine.
func Parse(address string) (*Sender, error) {
	if address == "stdout" {
		return newSender(address, writer{os.Stdout}), nil
	}
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Fragment != "" {
		return nil, errAddress
	}
	network, is := strings.CutPrefix(u.Scheme, "syslog+")
	authority := strings.TrimPrefix(u.RawQuery, "ca=")
	if !is || u.RawQuery != "" && (network != "tls" || "ca="+authority != u.RawQuery) {
		return nil, errAddress
	}
	switch {
	case network == "unix" && u.Host == "" && strings.HasPrefix(u.Path, "/"):
		return newSender(address, newSyslog("unixgram", u.Path)), nil
	case usual[network] != "" && u.Hostname() != "" && strings.Trim(u.Path, "/") == "":
		return elsewhere(address, network, u, authority)
	}
	return nil, errAddress
}

// elsewhere returns a sender to another machine. authority is the file of the certificate authorities to trust; "" for
// the system's.
func elsewhere(address, network string, u *url.URL, authority string) (*Sender, error) {
	port := cmp.Or(u.Port(), usual[network])
	if !isPort(port) {
		return nil, errors.New("has a port that is none")
	}
	to := newSyslog(network, net.JoinHostPort(u.Hostname(), port))
	if authority != "" {
		var err error
		if to.roots, err = authorities(authority); err != nil {
			return nil, err
		}
	}
	return newSender(address, to), nil
}

// usual holds the default port of a syslog for each network.
var usual = map[string]string{"udp": "514", "tcp": "601", "tls": "6514"}

// authorities reads a file of certificate authorities, which are trusted in place of the system's.
func authorities(escaped string) (*x509.CertPool, error) {
	path, err := url.QueryUnescape(escaped)
	if err != nil {
		return nil, errAddress
	}
	certificates, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("names certificates that cannot be read: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(certificates) {
		return nil, errors.New("names a file of certificates that has none")
	}
	return pool, nil
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

// NotOnStdout returns the sender, or nil if it sends to standard output.
func (s *Sender) NotOnStdout() *Sender {
	if s == nil || s.name == "stdout" {
		return nil
	}
	return s
}

// writer writes each line unchanged.
type writer struct{ io.Writer }

func (w writer) write(_ context.Context, l line) error {
	_, err := w.Write(append(bytes.Clone(l.json), '\n'))
	return err
}

func (writer) close() {}

// syslogOf is a connection to a syslog, made when a line needs it.
type syslogOf struct {
	network, address, host string
	roots                  *x509.CertPool // the authorities to trust by tls; nil for the system's
	conn                   net.Conn
	gone                   chan struct{} // closed when the server ended a stream
}

func newSyslog(network, address string) *syslogOf {
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "-"
	}
	return &syslogOf{network: network, address: address, host: host}
}

// streams reports whether lines share one stream, so that each is preceded by its length (RFC 6587).
func (s *syslogOf) streams() bool { return s.network != "udp" && s.network != "unixgram" }

func (s *syslogOf) connect(ctx context.Context) error {
	if s.conn != nil {
		select {
		case <-s.gone:
			s.close()
		default:
			return nil
		}
	}
	conn, err := s.dial(ctx)
	if s.network == "unixgram" && errors.Is(err, syscall.EPROTOTYPE) { // the socket is a stream
		s.network = "unix"
		conn, err = s.dial(ctx)
	}
	if err != nil {
		return err
	}
	s.conn, s.gone = conn, make(chan struct{})
	if gone := s.gone; s.streams() {
		go func() { // ends with the connection
			io.Copy(io.Discard, conn)
			close(gone)
		}()
	}
	return nil
}

func (s *syslogOf) dial(ctx context.Context) (net.Conn, error) {
	plain := net.Dialer{Timeout: writeLimit}
	if s.network == "tls" { // required by RFC 5425
		sealed := tls.Dialer{NetDialer: &plain, Config: &tls.Config{RootCAs: s.roots}}
		return sealed.DialContext(ctx, "tcp", s.address)
	}
	return plain.DialContext(ctx, s.network, s.address)
}

func (s *syslogOf) write(ctx context.Context, l line) error {
	if err := s.connect(ctx); err != nil {
		return err
	}
	message := s.message(l)
	if s.streams() {
		message = append([]byte(strconv.Itoa(len(message))+" "), message...)
	}
	s.conn.SetWriteDeadline(time.Now().Add(writeLimit))
	_, err := s.conn.Write(message)
	if err != nil && !isTooLong(err) {
		s.close() // a stream may have taken part of the line
	}
	return err
}

func (s *syslogOf) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

func isTooLong(err error) bool { return errors.Is(err, syscall.EMSGSIZE) }

// facility is authpriv: security messages that not everybody may read.
const facility = 10

// message returns a line in the format of RFC 5424.
func (s *syslogOf) message(l line) []byte {
	severity := 6 // informational
	switch {
	case l.level >= slog.LevelError:
		severity = 3
	case l.level >= slog.LevelWarn:
		severity = 4
	}
	head := fmt.Sprintf("<%d>1 %s %s lectern %d security - ", facility*8+severity,
		l.at.UTC().Format("2006-01-02T15:04:05.000000Z07:00"), s.host, os.Getpid())
	return append([]byte(head), l.json...)
}
