package admintest

import (
	"context"
	"regexp"

	"lectern/models"
	"lectern/models/modelstest"
	"lectern/models/store"
)

var LetterLink = regexp.MustCompile(`href="([^"]+/letters/[0-9a-f-]{36})"`)

// Mailed is a mailer that passes letters to a function.
type Mailed func(letter string) error

// Taken takes every letter.
var Taken = Mailed(func(string) error { return nil })

func (m Mailed) Send(_ context.Context, l *models.OutgoingLetter) error {
	return m(l.Email + " " + l.Subject + " " + l.Body)
}

func (m Mailed) SendLater(to, subject, text string, ended func(error)) {
	ended(m(to + " " + subject + " " + text))
}

// MailLog returns what was mailed to the staff, of an event or, for nil, of the organization.
func MailLog(d *Desk, at *models.Programme) []*models.LetterRow {
	d.T.Helper()
	log := d.Store.Mails(d.Event.OrganizationID, modelstest.Tester)
	if at != nil {
		log = at.Mails()
	}
	return modelstest.First(log.Log(d.T.Context(), store.Page{Size: 100}))(d.T)
}
