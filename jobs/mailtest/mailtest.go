// Package mailtest is a mail server for tests.
package mailtest

import (
	"crypto/tls"
	"io"
	"log"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// PostOffice is a mail server that keeps the letters it receives.
type PostOffice struct {
	TLS      *tls.Config // offered by STARTTLS, or used from the start
	Implicit bool
	User     string                                   // the user:password that it requires, once encrypted
	Refuse   func(to string) error                    // the answer to a recipient; nil accepts all
	Answer   func(to string, caller *smtp.Conn) error // the answer to a received letter; nil accepts it

	address string
	mu      sync.Mutex
	begun   int
	letters []Letter
}

// Letter is a received letter.
type Letter struct {
	To     string
	Whole  string // with its headers
	Secure bool   // the connection was encrypted
}

// Open starts the post office on this machine.
func (p *PostOffice) Open(t testing.TB) *PostOffice {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.address = listener.Addr().String()
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) { return &visit{office: p, conn: c}, nil }))
	server.Domain, server.ErrorLog = "post.test", log.New(io.Discard, "", 0) // not every client hangs up
	if p.Implicit {
		listener = tls.NewListener(listener, p.TLS)
	} else {
		server.TLSConfig = p.TLS
	}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	t.Cleanup(func() { server.Close(); serving.Wait() })
	return p
}

// Address returns the address it listens on.
func (p *PostOffice) Address() string { return p.address }

// Letters returns the letters received so far.
func (p *PostOffice) Letters() []Letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.letters)
}

// Count returns how many letters were received, and Begun how many a client began to send.
func (p *PostOffice) Count() int { p.mu.Lock(); defer p.mu.Unlock(); return len(p.letters) }
func (p *PostOffice) Begun() int { p.mu.Lock(); defer p.mu.Unlock(); return p.begun }

// visit is one connection.
type visit struct {
	office *PostOffice
	conn   *smtp.Conn
	to     string
}

func (v *visit) Reset()        {}
func (v *visit) Logout() error { return nil }

func (v *visit) AuthMechanisms() []string {
	if v.office.User == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (v *visit) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user+":"+password == v.office.User {
			return nil
		}
		return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8},
			Message: user + " " + password + " is not known here"}
	}), nil
}

func (v *visit) Mail(string, *smtp.MailOptions) error {
	v.office.mu.Lock()
	defer v.office.mu.Unlock()
	v.office.begun++
	return nil
}

func (v *visit) Rcpt(to string, _ *smtp.RcptOptions) error {
	if v.to = to; v.office.Refuse == nil {
		return nil
	}
	return v.office.Refuse(to)
}

// Unknown is the answer to a recipient that does not exist.
func Unknown(to string) error {
	return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: to + " is nobody here"}
}

func (v *visit) Data(r io.Reader) error {
	whole, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	_, secure := v.conn.TLSConnectionState()
	v.office.mu.Lock()
	v.office.letters = append(v.office.letters, Letter{v.to, string(whole), secure})
	v.office.mu.Unlock()
	if v.office.Answer == nil {
		return nil
	}
	return v.office.Answer(v.to, v.conn)
}

// Read decodes the letter: its subject and body.
func (l Letter) Read(t testing.TB) (subject, text string) {
	t.Helper()
	letter, err := mail.ReadMessage(strings.NewReader(l.Whole))
	if err != nil {
		t.Fatal(err)
	}
	if subject, err = new(mime.WordDecoder).DecodeHeader(letter.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(letter.Body))
	if err != nil {
		t.Fatal(err)
	}
	return subject, string(body)
}
