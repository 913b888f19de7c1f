package jobs

import (
	"context"
	"sync"
	"time"

	"lectern/jobs/tracing"
	"lectern/models"
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
