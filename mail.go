package main

import (
	"context"
	"errors"
	netmail "net/mail"
	"net/url"
	"strconv"
	"sync"

	"lectern/jobs"
	"lectern/web/admin"
)

// startMailer returns what sends letters, nil without a mail server, and what ends it when nobody brings
// letters any more. It is done soon after drainTime of the end of ctx.
func startMailer(ctx context.Context, c *Config) (mailer admin.Mailer, end func()) {
	if c.Mail == nil {
		return nil, func() {}
	}
	m := jobs.NewMailer(c.Mail, c.MailFrom)
	var running sync.WaitGroup
	running.Go(func() { m.Run(ctx, drainTime) })
	return m, func() {
		m.Close()
		running.Wait()
	}
}

// parseMailServer reads smtp://user:password@host:587, which must offer STARTTLS
// unless it is on this machine, or smtps://user:password@host:465.
func parseMailServer(v string) (*jobs.MailServer, error) {
	u, err := url.Parse(v)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") ||
		(u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		// Without the error of Parse, which has the password.
		return nil, errors.New("must be smtp://user:password@host:587 or smtps://user:password@host:465")
	}
	s := &jobs.MailServer{Host: u.Hostname(), Port: 587, User: u.User.Username(), Encrypted: u.Scheme == "smtps"}
	s.Password, _ = u.User.Password()
	if s.Encrypted {
		s.Port = 465
	}
	if port := u.Port(); port != "" {
		if s.Port, err = strconv.Atoi(port); err != nil || s.Port < 1 || s.Port > 65535 {
			return nil, errors.New("has a port that is none")
		}
	}
	s.Open = !s.Encrypted && isThisMachine(s.Host)
	return s, nil
}

// parseSender reads the address that letters come from.
func parseSender(v string) (string, error) {
	if _, err := netmail.ParseAddress(v); err != nil {
		return "", errors.New("must be an address such as Lectern <programme@example.org>")
	}
	return v, nil
}
