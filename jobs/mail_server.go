package jobs

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/textproto"

	"github.com/wneessen/go-mail"

	"lectern/models"
	"lectern/models/store"
)

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
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return fmt.Errorf("the mail server refused the letter: %s (answer %d)", refused.Reason, refused.ErrorCode())
	case errors.As(err, &answer):
		return fmt.Errorf("the mail server refused us with answer %d", answer.Code)
	default:
		return fmt.Errorf("the mail server cannot be used: %w", err)
	}
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
