package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/models"
	"lectern/models/modelstest"
)

// postOffice is a mail server that keeps what it is given.
type postOffice struct {
	listener net.Listener
	tls      *tls.Config // offered by STARTTLS, or spoken from the start
	implicit bool
	user     string // user and password that it wants
	refuse   string // answer to RCPT
	mu       sync.Mutex
	letters  []string
	secure   bool // the last letter came encrypted
	seen     []string
}

// open opens the post office on this machine.
func (p *postOffice) open(t *testing.T) *postOffice {
	t.Helper()
	var err error
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	if p.implicit {
		p.listener = tls.NewListener(p.listener, p.tls)
	}
	var calls sync.WaitGroup
	t.Cleanup(calls.Wait)
	calls.Go(func() {
		for {
			conn, err := p.listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() }) // not every caller hangs up
			calls.Go(func() { defer conn.Close(); p.serve(conn) })
		}
	})
	t.Cleanup(func() { p.listener.Close() })
	return p
}

func (p *postOffice) address() string { return p.listener.Addr().String() }

func (p *postOffice) serve(conn net.Conn) {
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	secure := p.implicit
	lines := bufio.NewReader(conn)
	say := func(text string) { fmt.Fprint(conn, strings.ReplaceAll(text, "\n", "\r\n")+"\r\n") }
	say("220 post.test ESMTP")
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		line = strings.TrimSpace(line)
		verb, rest, _ := strings.Cut(line, " ")
		p.mu.Lock()
		p.seen = append(p.seen, strings.ToUpper(verb))
		p.mu.Unlock()
		switch strings.ToUpper(verb) {
		case "EHLO":
			greeting := "250-post.test"
			if p.tls != nil && !secure {
				greeting += "\n250-STARTTLS"
			}
			if p.user != "" && secure {
				greeting += "\n250-AUTH PLAIN"
			}
			say(greeting + "\n250 8BITMIME")
		case "STARTTLS":
			say("220 go ahead")
			conn = tls.Server(conn, p.tls)
			lines, secure = bufio.NewReader(conn), true
		case "AUTH":
			given, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			if string(given) == "\x00"+strings.Replace(p.user, ":", "\x00", 1) {
				say("235 welcome")
			} else {
				say("535 5.7.8 " + string(given[1:]) + " is not known here")
			}
		case "RCPT":
			if p.refuse != "" {
				say(p.refuse)
			} else {
				say("250 fine")
			}
		case "DATA":
			say("354 go ahead")
			var letter strings.Builder
			for {
				line, err := lines.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				letter.WriteString(line)
			}
			p.mu.Lock()
			p.letters, p.secure = append(p.letters, letter.String()), secure
			p.mu.Unlock()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

// certificate is one for 127.0.0.1, and who trusts it.
func certificate(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}, &tls.Config{RootCAs: trusted, ServerName: "127.0.0.1"}
}

func TestALetterArrives(t *testing.T) {
	t.Parallel()
	server, client := certificate(t)
	for name, test := range map[string]struct {
		office *postOffice
		scheme string
		strict bool // as if the server were elsewhere
		secure bool
	}{
		"unencrypted on this machine": {&postOffice{}, "smtp://", false, false},
		"by STARTTLS":                 {&postOffice{tls: server}, "smtp://", true, true},
		"by STARTTLS, with password":  {&postOffice{tls: server, user: "ada:p w"}, "smtp://ada:p%20w@", true, true},
		"encrypted from the start":    {&postOffice{tls: server, implicit: true, user: "ada:p w"}, "smtps://ada:p%20w@", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			office := test.office.open(t)
			s, err := parseMailServer(test.scheme + office.address())
			if err != nil {
				t.Fatal(err)
			}
			s.tls, s.open = client, s.open && !test.strict
			if err := s.send(t.Context(), "Lectern <programme@example.org>", "Cy <cy@example.org>", "Grüße", "Hello,\n\nhttps://lectern.test/invitations/abc_-123\n"); err != nil {
				t.Fatal(err)
			}
			if len(office.letters) != 1 || office.secure != test.secure {
				t.Fatalf("%d letters, encrypted: %v", len(office.letters), office.secure)
			}
			for _, part := range []string{
				"From: \"Lectern\" <programme@example.org>", "To: \"Cy\" <cy@example.org>", "Subject: =?UTF-8?", "Auto-Submitted: auto-generated",
				"Content-Type: text/plain; charset=UTF-8", "https://lectern.test/invitations/abc_-123", "Date: ", "Message-ID: ",
			} {
				if !strings.Contains(strings.ReplaceAll(office.letters[0], "Message-Id", "Message-ID"), part) {
					t.Errorf("the letter lacks %q:\n%s", part, office.letters[0])
				}
			}
		})
	}
}

func TestALetterStaysHere(t *testing.T) {
	t.Parallel()
	server, client := certificate(t)
	other, _ := certificate(t)
	for name, test := range map[string]struct {
		office *postOffice
		url    string
	}{
		"without STARTTLS":         {&postOffice{}, "smtp://"},
		"with a false certificate": {&postOffice{tls: other}, "smtp://"},
		"with a false one, smtps":  {&postOffice{tls: other, implicit: true}, "smtps://"},
		"when refused":             {&postOffice{tls: server, refuse: "550 5.1.1 <cy@example.org> is nobody here"}, "smtp://"},
		"with a wrong password":    {&postOffice{tls: server, user: "ada:right"}, "smtp://ada:wrong-one@"},
		"with no such recipient":   {&postOffice{tls: server}, "smtp://"},
	} {
		t.Run(name, func(t *testing.T) {
			office := test.office.open(t)
			s, err := parseMailServer(test.url + office.address())
			if err != nil {
				t.Fatal(err)
			}
			s.tls, s.open = client, false
			to := "cy@example.org"
			if name == "with no such recipient" {
				to = "cy@example.org>\r\nRCPT TO:<eve@example.org"
			}
			err = s.send(t.Context(), "programme@example.org", to, "Secret subject", "Secret link")
			if err == nil || len(office.letters) != 0 {
				t.Fatalf("%v, %d letters", err, len(office.letters))
			}
			for _, part := range []string{"cy@", "ecret", "wrong-one", "eve@", "ada"} {
				if strings.Contains(err.Error(), part) {
					t.Errorf("the error has %q: %v", part, err)
				}
			}
			for _, verb := range office.seen {
				if name == "without STARTTLS" && (verb == "MAIL" || verb == "AUTH") {
					t.Errorf("%s was said unencrypted", verb)
				}
			}
		})
	}
}

func TestMailServersAreReadFromTheirAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]mailServer{
		"smtp://mail.example.org":                    {host: "mail.example.org", port: 587},
		"smtps://mail.example.org":                   {host: "mail.example.org", port: 465, encrypted: true},
		"smtp://a%40b.org:p%3Aw@mail.example.org:25": {host: "mail.example.org", port: 25, user: "a@b.org", password: "p:w"},
		"smtp://localhost:1025":                      {host: "localhost", port: 1025, open: true},
		"smtp://[::1]:1025":                          {host: "::1", port: 1025, open: true},
		"smtps://127.0.0.1":                          {host: "127.0.0.1", port: 465, encrypted: true},
	} {
		if got, err := parseMailServer(address); err != nil || *got != want {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
	for _, address := range []string{
		"mail.example.org:587", "http://mail.example.org", "smtp://", "smtp://:se-cret@", "smtp://ada:se-cret@host:99999", "smtp://ada:se-cret@host:x",
		"smtp://ada:se-cret@host/path", "smtp://ada:se%zzcret@host", "smtp://ada:se-cret@host?tls=off",
	} {
		if got, err := parseMailServer(address); err == nil || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: %+v, %v", address, got, err)
		}
	}
}

// text is what a letter says.
func text(t *testing.T, letter string) string {
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

func (p *postOffice) count() int { p.mu.Lock(); defer p.mu.Unlock(); return len(p.letters) }

// lockedBuffer is a log that several write.
type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
func (b *lockedBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.Buffer.String() }

// It is not parallel, because it reads the whole process's log.
func TestLinksAreMailedAndNotLogged(t *testing.T) {
	log, was := &lockedBuffer{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	defer slog.SetDefault(was)
	office := (&postOffice{}).open(t)
	server, err := parseMailServer("smtp://" + office.address())
	if err != nil {
		t.Fatal(err)
	}
	f := modelstest.Open(t, "sqlite")
	const base, password = "http://127.0.0.1:8080", "correct horse battery"
	app := assemble(&Config{BaseURL: base, Mail: server, MailFrom: "programme@example.org"}, f.Store, secrets{key: make([]byte, 32)}, nil)
	modelstest.Must(f.Staff.CreateUser(t.Context(), models.NewUser{Email: "ada@example.org", Name: "Ada", Role: models.Owner, Password: password}))(t)

	cookies, token := map[string]string{}, ""
	ask := func(method, path string, form url.Values, want int) string {
		t.Helper()
		form.Set("_token", token)
		r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for name, value := range cookies {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		res, err := app.Test(r, -1)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range res.Cookies() {
			cookies[c.Name] = c.Value
		}
		page, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		if m := regexp.MustCompile(`name="_token" value="([^"]+)"`).FindSubmatch(page); m != nil {
			token = string(m[1])
		}
		if res.StatusCode != want {
			t.Fatalf("%s %s: %d, want %d\n%s", method, path, res.StatusCode, want, page)
		}
		return string(page)
	}
	link := regexp.MustCompile(base + `(/(?:invitations|reset)/([\w-]{43}))`)
	var secrets []string

	ask("GET", "/reset", url.Values{}, 200)
	known := ask("POST", "/reset", url.Values{"email": {"ada@example.org"}}, 200)
	unknown := ask("POST", "/reset", url.Values{"email": {"nobody@example.org"}}, 200)
	if known != unknown || !strings.Contains(known, "If this address belongs to a member of staff") {
		t.Error("the answer tells who is staff")
	}
	for end := time.Now().Add(10 * time.Second); office.count() == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	if office.count() != 1 {
		t.Fatalf("%d letters", office.count())
	}
	reset := link.FindStringSubmatch(text(t, office.letters[0]))
	secrets = append(secrets, reset[2])
	if page := ask("GET", reset[1], url.Values{}, 200); !strings.Contains(page, "For ada@example.org.") {
		t.Errorf("the letter leads to\n%s", page)
	}

	ask("GET", "/sign-in", url.Values{}, 200)
	ask("POST", "/sign-in", url.Values{"email": {"ada@example.org"}, "password": {password}}, 303)
	ask("GET", "/admin/staff/invite", url.Values{}, 200)
	invitation := url.Values{"email": {"cy@example.org"}, "role": {"events"}, "at-" + f.Event.ID: {"reviewer"}}
	ask("POST", "/admin/staff/invite", invitation, 303)
	if page := ask("GET", "/admin/staff", url.Values{}, 200); !strings.Contains(page, "An invitation is on its way to cy@example.org.") || link.MatchString(page) {
		t.Errorf("the staff page is\n%s", page)
	}
	letter := text(t, office.letters[1])
	invited := link.FindStringSubmatch(letter)
	secrets = append(secrets, invited[2])
	if page := ask("GET", invited[1], url.Values{}, 200); !strings.Contains(page, "Reviewer at Conference") || !strings.Contains(letter, "Ada invites you") {
		t.Errorf("the letter %s\nleads to\n%s", letter, page)
	}
	office.refuse = "550 5.1.1 <cy@example.org> is nobody here"
	page := ask("POST", "/admin/staff/invite", invitation, 200)
	shown := link.FindStringSubmatch(page)
	if shown == nil || !strings.Contains(page, "The mail server did not take the letter") {
		t.Fatalf("the answer is\n%s", page)
	}
	secrets = append(secrets, shown[2])
	ask("GET", shown[1], url.Values{}, 200)
	ask("GET", invited[1], url.Values{}, 404) // the newer one ended it
	if log := log.String(); !strings.Contains(log, "a link was not sent") || !strings.Contains(log, "answer 550") {
		t.Errorf("the log does not say why:\n%s", log)
	}
	for _, secret := range append(secrets, "cy@", "ada@", "nobody@", password) {
		if strings.Contains(log.String(), secret) {
			t.Errorf("%q is in the log:\n%s", secret, log)
		}
	}
}
