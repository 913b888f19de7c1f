package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/textproto"
	"net/url"
	"strconv"
	"time"

	"github.com/wneessen/go-mail"
)

// mailServer is where our letters go out.
type mailServer struct {
	host           string
	port           int
	user, password string
	encrypted      bool        // from the start; otherwise by STARTTLS
	open           bool        // no encryption at all: the server is on this machine
	tls            *tls.Config // nil is the usual one
}

// parseMailServer reads smtp://user:password@host:587, which must offer STARTTLS
// unless it is on this machine, or smtps://user:password@host:465.
func parseMailServer(v string) (*mailServer, error) {
	u, err := url.Parse(v)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		// Without the error of Parse, which has the password.
		return nil, errors.New("must be smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	s := &mailServer{host: u.Hostname(), port: 587, user: u.User.Username(), encrypted: u.Scheme == "smtps"}
	s.password, _ = u.User.Password()
	if s.encrypted {
		s.port = 465
	}
	if port := u.Port(); port != "" {
		if s.port, err = strconv.Atoi(port); err != nil || s.port < 1 || s.port > 65535 {
			return nil, errors.New("has a port that is none")
		}
	}
	s.open = !s.encrypted && isThisMachine(s.host)
	return s, nil
}

// mailTimeout bounds each step of a delivery.
const mailTimeout = 15 * time.Second

// send hands a letter to the mail server. Its errors name neither who the letter
// is for nor what is in it.
func (s *mailServer) send(ctx context.Context, from, to, subject, text string) error {
	letter := mail.NewMsg()
	if err := errors.Join(letter.From(from), letter.To(to)); err != nil {
		return errors.New("the letter's addresses are not fit for mail")
	}
	letter.Subject(subject)
	letter.SetDate()
	letter.SetGenHeader("Auto-Submitted", "auto-generated")
	letter.SetBodyString(mail.TypeTextPlain, text)
	options := []mail.Option{mail.WithPort(s.port), mail.WithTimeout(mailTimeout), mail.WithTLSPolicy(mail.TLSMandatory)}
	if s.encrypted {
		options = append(options, mail.WithSSL())
	} else if s.open {
		options = append(options, mail.WithTLSPolicy(mail.NoTLS))
	}
	if s.tls != nil {
		options = append(options, mail.WithTLSConfig(s.tls))
	}
	if s.user != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(s.user), mail.WithPassword(s.password))
	}
	client, err := mail.NewClient(s.host, options...)
	if err == nil {
		err = client.DialAndSendWithContext(ctx, letter)
	}
	return mailFault(err)
}

// mailFault is an error without what a mail server may repeat in it.
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

// cleanSender checks the address that letters come from.
func cleanSender(v string) error {
	if _, err := netmail.ParseAddress(v); v != "" && err != nil {
		return errors.New("must be an address such as Lectern <programme@example.org>")
	}
	return nil
}
