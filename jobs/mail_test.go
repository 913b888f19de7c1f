package jobs_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lectern/jobs"
	"lectern/jobs/mailtest"
	"lectern/models"
	"lectern/models/modelstest"
)

// mailServer returns the mail server at smtp://user:password@host:port.
func mailServer(t *testing.T, address string) *jobs.MailServer {
	t.Helper()
	u := modelstest.Must(url.Parse(address))(t)
	s := &jobs.MailServer{Host: u.Hostname(), User: u.User.Username(), Encrypted: u.Scheme == "smtps"}
	s.Port = modelstest.Must(strconv.Atoi(u.Port()))(t)
	s.Password, _ = u.User.Password()
	return s
}

// mailing is a running mailer; end ends it as the end of its process would.
func mailing(t *testing.T, s *jobs.MailServer, from string) (mailer *jobs.Mailer, end func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	mailer = jobs.NewMailer(s, from)
	var running sync.WaitGroup
	running.Go(func() { mailer.Run(ctx, time.Second) })
	end = func() {
		cancel()
		mailer.Close()
		running.Wait()
	}
	t.Cleanup(end)
	return mailer, end
}

func mailTo(to, subject, text string) *models.OutgoingLetter {
	return &models.OutgoingLetter{Letter: models.Letter{Subject: subject, Body: text}, Email: to}
}

// certificate returns the TLS settings of a server at 127.0.0.1, and of a client that trusts its certificate.
func certificate(t *testing.T) (server, client *tls.Config) {
	t.Helper()
	key := modelstest.Must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	raw := modelstest.Must(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))(t)
	parsed := modelstest.Must(x509.ParseCertificate(raw))(t)
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}},
		&tls.Config{RootCAs: trusted, ServerName: "127.0.0.1"}
}

func TestALetterArrives(t *testing.T) {
	t.Parallel()
	server, client := certificate(t)
	for name, test := range map[string]struct {
		office *mailtest.PostOffice
		scheme string
		strict bool // as if the server were elsewhere
		secure bool
	}{
		"unencrypted on this machine": {&mailtest.PostOffice{}, "smtp://", false, false},
		"by STARTTLS":                 {&mailtest.PostOffice{TLS: server}, "smtp://", true, true},
		"by STARTTLS, with password":  {&mailtest.PostOffice{TLS: server, User: "ada:p w"}, "smtp://ada:p%20w@", true, true},
		"encrypted from the start": {&mailtest.PostOffice{TLS: server, Implicit: true, User: "ada:p w"},
			"smtps://ada:p%20w@", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			office := test.office.Open(t)
			s := mailServer(t, test.scheme+office.Address())
			s.TLS, s.Open = client, !test.strict
			text := "Hello,\n\nhttps://lectern.test/invitations/abc_-123\n"
			mailer, _ := mailing(t, s, "Lectern <programme@example.org>")
			modelstest.Fine(t, mailer.Send(t.Context(), mailTo("Cy <cy@example.org>", "Grüße", text)))
			letters := office.Letters()
			if len(letters) != 1 || letters[0].Secure != test.secure {
				t.Fatalf("arrived: %+v", letters)
			}
			for _, part := range []string{
				"From: \"Lectern\" <programme@example.org>", "To: \"Cy\" <cy@example.org>", "Subject: =?UTF-8?",
				"Auto-Submitted: auto-generated",
				"Content-Type: text/plain; charset=UTF-8", "https://lectern.test/invitations/abc_-123", "Date: ", "Message-ID: ",
			} {
				if !strings.Contains(strings.ReplaceAll(letters[0].Whole, "Message-Id", "Message-ID"), part) {
					t.Errorf("the letter lacks %q:\n%s", part, letters[0].Whole)
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
		office *mailtest.PostOffice
		url    string
	}{
		"without STARTTLS":         {&mailtest.PostOffice{}, "smtp://"},
		"with a false certificate": {&mailtest.PostOffice{TLS: other}, "smtp://"},
		"with a false one, smtps":  {&mailtest.PostOffice{TLS: other, Implicit: true}, "smtps://"},
		"when refused":             {&mailtest.PostOffice{TLS: server, Refuse: mailtest.Unknown}, "smtp://"},
		"with a wrong password":    {&mailtest.PostOffice{TLS: server, User: "ada:right"}, "smtp://ada:wrong-one@"},
		"with no such recipient":   {&mailtest.PostOffice{TLS: server}, "smtp://"},
	} {
		t.Run(name, func(t *testing.T) {
			office := test.office.Open(t)
			s := mailServer(t, test.url+office.Address())
			s.TLS = client
			to := "cy@example.org"
			if name == "with no such recipient" {
				to = "cy@example.org>\r\nRCPT TO:<eve@example.org"
			}
			mailer, _ := mailing(t, s, "programme@example.org")
			err := mailer.Send(t.Context(), mailTo(to, "Secret subject", "Secret link"))
			if err == nil || office.Count() != 0 {
				t.Fatalf("%v, %d letters", err, office.Count())
			}
			for _, part := range []string{"cy@", "ecret", "wrong-one", "eve@", "ada"} {
				if strings.Contains(err.Error(), part) {
					t.Errorf("the error has %q: %v", part, err)
				}
			}
			if name == "without STARTTLS" && office.Begun() > 0 {
				t.Error("a letter was begun unencrypted")
			}
		})
	}
}

func TestLettersInLineAreSentBeforeTheEnd(t *testing.T) {
	t.Parallel()
	office := (&mailtest.PostOffice{}).Open(t)
	s := mailServer(t, "smtp://"+office.Address())
	s.Open = true
	mailer, end := mailing(t, s, "programme@example.org")
	var mu sync.Mutex
	sent := 0
	for range 20 {
		mailer.SendLater("cy@example.org", "Subject", "Text", func(err error) {
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				sent++
			}
		})
	}
	end()
	if sent != 20 || office.Count() != 20 {
		t.Errorf("%d sent, %d arrived", sent, office.Count())
	}
	if err := mailer.Send(t.Context(), mailTo("cy@example.org", "Subject", "Text")); err == nil || office.Count() != 20 {
		t.Errorf("after the end: %v", err)
	}
}

func TestAMailServerThatHangsHoldsNoEnd(t *testing.T) {
	t.Parallel()
	silent := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t) // takes calls and says nothing
	defer silent.Close()
	s := mailServer(t, "smtp://"+silent.Addr().String())
	s.Open = true
	mailer, end := mailing(t, s, "programme@example.org")
	failed := make(chan error, 200)
	for range 200 { // more than may wait
		mailer.SendLater("cy@example.org", "Subject", "Text", func(err error) { failed <- err })
	}
	start := time.Now()
	end()
	if took := time.Since(start); took > 15*time.Second {
		t.Errorf("the end took %s", took)
	}
	for range 200 {
		select {
		case err := <-failed:
			if err == nil {
				t.Error("a letter was sent to nobody")
			}
		default:
			t.Fatal("nobody was told what became of a letter")
		}
	}
}
