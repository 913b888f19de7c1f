package jobs

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"sync"
	"time"

	"github.com/wneessen/go-mail"

	"lectern/jobs/tracing"
	"lectern/models"
	"lectern/models/store"
)

// Mailer sends the server's own letters, such as invitations: several at once, each within 20 s.
type Mailer struct {
	server *MailServer
	from   string
	tracer *tracing.Tracer
	mu     sync.Mutex
	closed bool
	line   chan letter
}

// letter is one in the queue. It is given up when ctx ends; ended is called with its outcome.
type letter struct {
	ctx               context.Context
	to, subject, text string
	messageID         string // "" makes a new one
	ended             func(error)
}

const (
	// letterTime is how long sending a letter may take.
	letterTime = 20 * time.Second
	// mailSenders is how many letters are sent at once, mailLine how many may wait.
	mailSenders, mailLine = 4, 100
)

// NewMailer returns a mailer, which Run starts.
func NewMailer(server *MailServer, from string) *Mailer {
	return &Mailer{server: server, from: from, line: make(chan letter, mailLine)}
}

// Traced has each letter traced. Call it before Run.
func (m *Mailer) Traced(tracer *tracing.Tracer) *Mailer {
	m.tracer = tracer
	return m
}

// Send sends a letter and waits for its outcome, at most 20 s. Its errors, of type *models.MailFault, name neither the
// recipient nor the content.
func (m *Mailer) Send(ctx context.Context, l *models.OutgoingLetter) error {
	ctx, cancel := context.WithTimeout(ctx, letterTime)
	defer cancel()
	ended := make(chan error, 1)
	m.put(letter{ctx, l.Email, l.Subject, l.Body, l.MessageID, func(err error) { ended <- err }})
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return &models.MailFault{Text: "the mail server takes too long", End: models.LetterEnd{State: models.LetterUnknown,
			Answer: "The mail server took too long. It may have arrived"}}
	}
}

// SendLater queues a letter and calls ended with its outcome.
func (m *Mailer) SendLater(to, subject, text string, ended func(error)) {
	m.put(letter{context.Background(), to, subject, text, "", ended})
}

func (m *Mailer) put(l letter) {
	if err := m.tryPut(l); err != nil {
		l.ended(err)
	}
}

func (m *Mailer) tryPut(l letter) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return notTried("the server is ending")
	}
	select {
	case m.line <- l:
		return nil
	default:
		return notTried("too many letters wait for the mail server")
	}
}

func notTried(why string) error {
	return &models.MailFault{Text: why, End: models.LetterEnd{State: models.LetterFailed, Answer: "It was not tried: " + why}}
}

// Run sends until Close, then what is still queued. Letters not sent within drain after the end of ctx are given up.
func (m *Mailer) Run(ctx context.Context, drain time.Duration) {
	working, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(drain, giveUp) })()
	var senders sync.WaitGroup
	for range mailSenders {
		senders.Go(func() {
			for l := range m.line {
				l.ended(m.deliver(working, l))
			}
		})
	}
	senders.Wait()
}

func (m *Mailer) deliver(working context.Context, l letter) (err error) {
	ctx, cancel := context.WithTimeout(l.ctx, letterTime)
	defer cancel()
	defer context.AfterFunc(working, cancel)()
	ctx, done := m.tracer.Work(ctx, "mail")
	defer func() { done(true, err) }()
	return m.server.send(ctx, m.from, l)
}

// Close refuses further letters; Run ends when the queued ones have been sent.
func (m *Mailer) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		close(m.line)
	}
}

// MailServer is the server that sends our letters.
type MailServer struct {
	Host           string
	Port           int
	User, Password string
	Encrypted      bool        // from the start, else by STARTTLS
	Open           bool        // without encryption: the server is on this machine
	TLS            *tls.Config // nil for the default
}

// send hands a letter to the mail server. Its errors name neither the recipient nor the content.
func (s *MailServer) send(ctx context.Context, from string, l letter) error {
	m := mail.NewMsg()
	if err := errors.Join(m.From(from), m.To(l.to)); err != nil {
		return &models.MailFault{Text: "the letter's addresses are not fit for mail",
			End: models.LetterEnd{State: models.LetterFailed, Answer: unfitAddress}}
	}
	m.Subject(store.OneLine(l.subject))
	m.SetDate()
	if l.messageID != "" {
		m.SetMessageIDWithValue(l.messageID)
	}
	m.SetGenHeader("Auto-Submitted", "auto-generated")
	m.SetBodyString(mail.TypeTextPlain, l.text)
	err := s.post(ctx, m)
	if err == nil {
		return nil
	}
	return &models.MailFault{Text: mailFault(err).Error(), End: letterEnd(m, err)}
}

// post hands a message to the mail server.
func (s *MailServer) post(ctx context.Context, letter *mail.Msg) error {
	options := []mail.Option{
		mail.WithPort(s.Port), mail.WithTimeout(letterTime), mail.WithTLSPolicy(s.policy()),
		mail.WithDialContextFunc(func(dialing context.Context, network, address string) (net.Conn, error) {
			conn, err := s.dial(dialing, network, address)
			if err == nil { // the library heeds the context only while it dials
				context.AfterFunc(ctx, func() { conn.Close() })
			}
			return conn, err
		}),
	}
	if s.TLS != nil {
		options = append(options, mail.WithTLSConfig(s.TLS))
	}
	if s.User != "" {
		options = append(options,
			mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.User), mail.WithPassword(s.Password))
	}
	client, err := mail.NewClient(s.Host, options...)
	if err != nil {
		return err
	}
	return client.DialAndSendWithContext(ctx, letter)
}

// mailFault returns an error without the server's own text, which may repeat an address.
func mailFault(err error) error {
	var refused *mail.SendError
	var answer *textproto.Error
	switch {
	case errors.As(err, &refused):
		return fmt.Errorf("the mail server refused the letter: %s (answer %d)", refused.Reason, refused.ErrorCode())
	case errors.As(err, &answer):
		return fmt.Errorf("the mail server refused us with answer %d", answer.Code)
	}
	return fmt.Errorf("the mail server cannot be used: %w", err)
}

// policy returns whether STARTTLS is required.
func (s *MailServer) policy() mail.TLSPolicy {
	switch {
	case s.Encrypted:
		return mail.TLSOpportunistic // never offered on a connection that dial has encrypted
	case s.Open:
		return mail.NoTLS
	}
	return mail.TLSMandatory
}

func (s *MailServer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.Encrypted {
		return (&tls.Dialer{Config: s.TLS}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}
