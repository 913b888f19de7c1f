package visit

import (
	"context"
	"errors"
	"strings"
	"time"

	"lectern/models"
	"lectern/models/staff"
)

// mailKept is how long the database may take to record what became of a mail that went out.
const mailKept = 10 * time.Second

// MailLink sends a mail with a link that is stored nowhere: its record in the log has the link replaced. With a nil
// log, as for sign-in links, nothing is recorded.
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
	// The result is recorded even if the request ends.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.UserContext()), mailKept)
	defer cancel()
	return errors.Join(sent, v.Store.EndLetter(ctx, out, end))
}

// StaffMails returns the log of mails to the staff that belong to no event.
func (v *Visit) StaffMails() *models.Mails { return v.Store.Mails(v.User.OrganizationID, v.By()) }

// Team returns the staff of the organization.
func (v *Visit) Team() *staff.Team { return v.Store.Staff.Team(v.Tenant()) }
