// Package mailtest is a mail server for tests.
package mailtest

import (
	"bufio"
	"cmp"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
	"time"
)

// PostOffice is a mail server that keeps the letters it receives.
type PostOffice struct {
	listener net.Listener
	TLS      *tls.Config // offered by STARTTLS, or used from the start
	Implicit bool
	User     string // the user and password that it requires
	Refuse   string // answer to RCPT
	mu       sync.Mutex
	Letters  []string
	Secure   bool // the last letter came encrypted
	Seen     []string
}

// Open starts the post office on this machine.
func (p *PostOffice) Open(t *testing.T) *PostOffice {
	t.Helper()
	var err error
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if p.Implicit {
		p.listener = tls.NewListener(p.listener, p.TLS)
	}
	var calls sync.WaitGroup
	t.Cleanup(calls.Wait)
	calls.Go(func() {
		for {
			conn, err := p.listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() }) // not every client hangs up
			calls.Go(func() { defer conn.Close(); p.serve(conn) })
		}
	})
	t.Cleanup(func() { p.listener.Close() })
	return p
}

// Address returns the address it listens on.
func (p *PostOffice) Address() string { return p.listener.Addr().String() }

func (p *PostOffice) serve(conn net.Conn) {
	conn.SetDeadline(time.Now().Add(time.Minute))
	secure := p.Implicit
	lines := bufio.NewReader(conn)
	say := func(text string) { fmt.Fprint(conn, strings.ReplaceAll(text, "\n", "\r\n")+"\r\n") }
	say("220 post.test ESMTP")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		verb = strings.ToUpper(verb)
		p.mu.Lock()
		p.Seen = append(p.Seen, verb)
		p.mu.Unlock()
		switch verb {
		case "EHLO":
			say(p.greeting(secure))
		case "STARTTLS":
			say("220 go ahead")
			conn = tls.Server(conn, p.TLS)
			lines, secure = bufio.NewReader(conn), true
		case "AUTH":
			say(p.welcome(rest))
		case "RCPT":
			say(cmp.Or(p.Refuse, "250 fine"))
		case "DATA":
			say("354 go ahead")
			if p.take(lines, secure) != nil {
				return
			}
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func (p *PostOffice) greeting(secure bool) string {
	greeting := "250-post.test"
	if p.TLS != nil && !secure {
		greeting += "\n250-STARTTLS"
	}
	if p.User != "" && secure {
		greeting += "\n250-AUTH PLAIN"
	}
	return greeting + "\n250 8BITMIME"
}

func (p *PostOffice) welcome(credentials string) string {
	given, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(credentials, "PLAIN "))
	if string(given) == "\x00"+strings.Replace(p.User, ":", "\x00", 1) {
		return "235 welcome"
	}
	return "535 5.7.8 " + string(given[1:]) + " is not known here"
}

// take reads a letter up to the line with a full stop.
func (p *PostOffice) take(lines *bufio.Reader, secure bool) error {
	var letter strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if line == ".\r\n" {
			break
		}
		letter.WriteString(line)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Letters, p.Secure = append(p.Letters, letter.String()), secure
	return nil
}

// Text returns the text of a letter.
func Text(t *testing.T, letter string) string {
	t.Helper()
	parsed, err := mail.ReadMessage(strings.NewReader(letter))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(quotedprintable.NewReader(parsed.Body))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Count returns how many letters were received.
func (p *PostOffice) Count() int { p.mu.Lock(); defer p.mu.Unlock(); return len(p.Letters) }
