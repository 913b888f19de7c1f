package jobs

import (
	"context"
	"sync"
	"time"

	"lectern/jobs/tracing"
	"lectern/models"
)

// Mailer sends letters of ours, such as invitations: some at a time, each within 20 s.
type Mailer struct {
	server *MailServer
	from   string
	tracer *tracing.Tracer
	mu     sync.Mutex
	closed bool
	line   chan letter
}

// letter is one in line. It is given up when ctx ends; ended is told what became of it.
type letter struct {
	ctx               context.Context
	to, subject, text string
	messageID         string // "" for one of its own
	ended             func(error)
}

const (
	// letterTime is how long a letter may take.
	letterTime = 20 * time.Second
	// mailSenders are under way at once, and mailLine may wait.
	mailSenders, mailLine = 4, 100
)

// NewMailer returns a mailer that sends once Run runs.
func NewMailer(server *MailServer, from string) *Mailer {
	return &Mailer{server: server, from: from, line: make(chan letter, mailLine)}
}

// Traced has each mail traced, before Run runs.
func (m *Mailer) Traced(tracer *tracing.Tracer) *Mailer {
	m.tracer = tracer
	return m
}

// Send sends a letter and waits for what becomes of it, at most 20 s. Its errors
// name neither who the letter is for nor what is in it; they are a *models.MailFault.
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

// SendLater puts a letter in line and tells ended what became of it.
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

// Run sends until Close, then what is still in line. What is not sent within drain
// of the end of ctx is given up.
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

// Close takes no more letters; Run ends when those in line have been sent.
func (m *Mailer) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.closed {
		m.closed = true
		close(m.line)
	}
}
