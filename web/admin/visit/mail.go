package visit

import (
	"context"
	"errors"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
)

// mailKept is how long the database may take to keep what became of a mail that went out.
const mailKept = 10 * time.Second

// MailLink sends a mail with a link that is kept nowhere. What became of it stands in a log; where there is none (nil),
// as for links by which somebody signs in, nothing is kept.
func (v *Visit) MailLink(log *models.Mails, n models.Note, link string) error {
	out := &models.OutgoingLetter{Letter: models.Letter{Subject: n.Subject}, Email: n.Email}
	if log != nil {
		kept := n
		kept.Text = strings.ReplaceAll(n.Text, link, "(a link that is kept nowhere)")
		var err error
		if out, err = log.Begin(v.UserContext(), kept, models.HostOf(v.Options.MailFrom)); err != nil {
			return err
		}
	}
	out.Body = n.Text
	sent := v.Options.Mail.Send(v.UserContext(), out)
	if log == nil {
		return sent
	}
	end := models.LetterEnd{State: models.LetterSent, Answer: "250: accepted"}
	var fault *models.MailFault
	if errors.As(sent, &fault) {
		end = fault.End
	} else if sent != nil {
		end = models.LetterEnd{State: models.LetterFailed, Answer: "The mail server did not take it"}
	}
	// What became of it is kept although the request ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.UserContext()), mailKept)
	defer cancel()
	return errors.Join(sent, v.Store.EndLetter(ctx, out, end))
}

// StaffMails are those to the staff that belong to no event.
func (v *Visit) StaffMails() *models.Mails { return v.Store.Mails(v.User.OrganizationID, v.By()) }

// Team is the staff of the organization.
func (v *Visit) Team() *staff.Team { return v.Store.Staff.Team(v.Tenant()) }
